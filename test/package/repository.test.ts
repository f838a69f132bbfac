import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['src', 'test', 'examples', 'bench', 'scripts', 'docs', '.ci'];

/** Lines of every handwritten text file and the file's path relative to the root. */
const files = [
  ...readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'package-lock.json')
    .map((entry) => entry.name),
  ...folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
    ),
]
  .filter((path) => !path.startsWith(join('docs', 'site')) && !/\.(png|tgz|log)$/.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));

function linesWith(pattern: RegExp, within = /./): string[] {
  return files.flatMap(({ path, lines }) =>
    within.test(path)
      ? lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line}`] : []))
      : [],
  );
}

const word = (...parts: string[]) => parts.join('');

test('the repository checks cover more than 20 files', () => {
  expect(files.length).toBeGreaterThan(20);
});

test('no file contains an absolute path from the machine that runs the tests', () => {
  const places = [root.slice(0, -1), homedir()].filter((place) => place.length > 6);
  const escaped = places.map((place) => place.replaceAll(/[^\w/]/g, '\\$&'));
  expect(linesWith(new RegExp(`(${escaped.join('|')})(/|$)`))).toEqual([]);
});

test('no code or configuration file contains a marker for an open task', () => {
  const pattern = new RegExp(`\\b(${word('TO', 'DO')}|${word('FIX', 'ME')}|${word('X', 'XX')})\\b`);
  expect(linesWith(pattern, /\.(ts|json|ya?ml)$/)).toEqual([]);
});

test('no code or Markdown file suppresses TypeScript errors, except expected errors', () => {
  const pattern = new RegExp(`@ts-(${word('ign', 'ore')}|${word('noch', 'eck')})`);
  expect(linesWith(pattern, /\.(ts|md)$/)).toEqual([]);
});

test('no file in src has more than 500 lines', () => {
  const long = files.filter(({ path, lines }) => path.startsWith('src') && lines.length > 501);
  expect(long.map(({ path, lines }) => `${path}: ${lines.length - 1}`)).toEqual([]);
});
