import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));

test('the README has at most 150 lines', () => {
  expect(String(read('README.md')).split('\n').length).toBeLessThanOrEqual(151);
});

test('the packaged files in docs/ total at most 300 KiB', () => {
  const excluded = manifest.files
    .filter((path) => path.startsWith('!docs/'))
    .map((path) => path.slice('!docs/'.length).replace('.*', '.md'));
  const pages = readdirSync(new URL('../../docs/', import.meta.url)).filter(
    (name) => name.endsWith('.md') && !excluded.includes(name),
  );
  const bytes = pages.reduce((sum, name) => sum + read(`docs/${name}`).length, 0);
  expect(bytes).toBeLessThanOrEqual(300 * 1024);
});
