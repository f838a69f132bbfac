import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const minimum = manifest.engines.node.replace('>=', '');
const [line = ''] = minimum.split('.');

test.each(['README.md', 'CONTRIBUTING.md', 'docs/start.md', 'docs/stability.md'])(
  '%s mentions only the minimum Node.js version from package.json',
  (path) => {
    const stated = new Set([...read(path).matchAll(/Node\.js (\d+\.\d+\.\d+)/g)].map(([, v]) => v));
    expect([...stated]).toEqual([minimum]);
  },
);

test('.nvmrc contains the major version of the minimum Node.js version', () => {
  expect(read('.nvmrc').trim()).toBe(line);
});

test('docs/start.md shows a working package for each even major version of Node.js', () => {
  const rows = [...read('docs/start.md').matchAll(/^\| Node\.js (\S+) \|.*$/gm)];
  const lines = rows.map(([, name = '']) => Number(name.split('.')[0]));
  const newest = Math.max(...lines);
  const expected = Array.from(
    { length: (newest - Number(line)) / 2 + 1 },
    (_, index) => Number(line) + 2 * index,
  );
  expect(rows[0]?.[1]).toBe(minimum);
  expect(lines).toEqual(expected);
  expect(rows.filter(([row]) => !row.endsWith('| works | works |'))).toEqual([]);
});
