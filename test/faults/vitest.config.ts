import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';
import { located, readPlan } from './plan.js';

// FAULTS is the folder with plan.json, and FAULT is the number of the inserted fault. Without FAULT,
// markers record which faults each test file reaches.
const { FAULTS = '', FAULT } = process.env;
const plan = readPlan(FAULTS).filter(({ id }) => FAULT === undefined || id === Number(FAULT));
const edits = plan.flatMap(edit);

/** Returns the edits that insert a fault or, without FAULT, its marker. */
function edit(fault: (typeof plan)[number]) {
  const found = located(fault);
  if (!found) return [];
  const { file, at, original, replacement, mark, kind, onLoad } = found;
  if (FAULT !== undefined) return [{ file, at, remove: original.length, insert: replacement }];
  const hit = `globalThis.${onLoad ? '__loaded' : '__faults'}?.add(${fault.id})`;
  const [before, after] =
    kind === 'return'
      ? [`${hit}; `, '']
      : kind === 'drop'
        ? [`{ ${hit}; `, '}']
        : [`(${hit}, `, ')'];
  return [
    { file, at: mark.from, remove: 0, insert: before },
    { file, at: mark.to, remove: 0, insert: after },
  ];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const { projects = [], ...test } = base.test ?? {};

export default defineConfig({
  ...(base.resolve && { resolve: base.resolve }),
  root,
  plugins: [
    {
      name: 'plant-faults',
      enforce: 'pre',
      load(id) {
        const path = id.split('?')[0] ?? id;
        const changes = edits.filter(({ file }) => file === relative(root, path));
        if (changes.length === 0) return undefined;
        let text = readFileSync(path, 'utf8');
        // Starts at the end of the file, so the remaining offsets stay valid.
        for (const { at, remove, insert } of changes.sort((a, b) => b.at - a.at))
          text = text.slice(0, at) + insert + text.slice(at + remove);
        return text;
      },
    },
  ],
  test: {
    ...test,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    setupFiles: FAULT === undefined ? [join(root, 'test/faults/reached.ts')] : [],
    // Programs run compiled code, which contains no faults.
    projects: projects.filter(
      (each) => typeof each === 'object' && 'test' in each && each.test?.name !== 'programs',
    ),
  },
});
