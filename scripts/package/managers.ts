import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './bundlers.js';
import { run } from './command.js';
import { emptyProject } from './consumer.js';

/** Package managers except npm. `node` is the command that runs a program. */
export const managers = {
  pnpm: { add: ['pnpm@10', 'add'], node: ['node'] },
  'yarn 1': { add: ['yarn@1', 'add'], node: ['node'] },
  'yarn 4 with Plug’n’Play': {
    add: ['-p', '@yarnpkg/cli-dist@4', 'yarn', 'add'],
    node: ['-p', '@yarnpkg/cli-dist@4', 'yarn', 'node'],
  },
} as const;

/** Installs the tarball with a package manager and runs a program that uses the package. */
export function runWithManager(folder: string, tarball: string, name: string): void {
  const manager = Object.entries(managers).find(([each]) => each === name)?.[1];
  if (!manager) throw new Error(`${name}: unknown package manager`);
  emptyProject(folder);
  // Without `yarn.lock`, Yarn 4 assigns the project to a project in a parent folder.
  writeFileSync(join(folder, 'yarn.lock'), '');
  writeFileSync(join(folder, 'program.mjs'), program);
  const spec = name.startsWith('yarn 4') ? `triforge@file:${tarball}` : `file:${tarball}`;
  run('npx', ['-y', ...manager.add, spec], folder);
  const [first, ...others] = manager.node;
  const output =
    first === 'node'
      ? run('node', ['program.mjs'], folder)
      : run('npx', ['-y', first, ...others, 'program.mjs'], folder);
  if (!output.includes('works')) throw new Error(output);
}
