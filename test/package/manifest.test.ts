import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { version } from '../../src/version.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const Conditions = z.object({ types: z.string(), default: z.string() });
const Manifest = z.object({
  version: z.string(),
  sideEffects: z.boolean(),
  engines: z.object({ node: z.string() }),
  files: z.array(z.string()),
  exports: z.record(
    z.string(),
    z.union([z.string(), z.object({ import: Conditions, require: Conditions })]),
  ),
  dependencies: z.record(z.string(), z.string()),
  scripts: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(read('package.json')));
const subpaths = Object.entries(manifest.exports).filter(([path]) => !path.endsWith('.json'));

test('src/version.ts contains the version in package.json', () => {
  expect(version).toBe(manifest.version);
});

test('the latest release in CHANGELOG.md has the version in package.json', () => {
  const released = read('CHANGELOG.md').match(/^## (\S+)$/m)?.[1];
  expect(released).toBe(manifest.version);
});

test('tsconfig.json maps each subpath in package.json to its source file', () => {
  const Settings = z.object({
    compilerOptions: z.object({ paths: z.record(z.string(), z.array(z.string())) }),
  });
  const { paths } = Settings.parse(JSON.parse(read('tsconfig.json'))).compilerOptions;
  const expected = subpaths.map(([path]) => {
    const name = path === '.' ? 'index' : `${path.slice(2)}/index`;
    return [`triforge${path.slice(1)}`, [`./src/${name}.ts`]];
  });
  expect(paths).toEqual(Object.fromEntries(expected));
});

test.each(subpaths)(
  'the export %s has separate types for ES modules and CommonJS',
  (path, targets) => {
    const name = path === '.' ? './dist/index' : `./dist/${path.slice(2)}/index`;
    expect(targets).toEqual({
      import: { types: `${name}.d.ts`, default: `${name}.js` },
      require: { types: `${name}.d.cts`, default: `${name}.cjs` },
    });
  },
);

test('the package has at most eight dependencies, each with a reason in docs/architecture.md', () => {
  const reasons = read('docs/architecture.md').split('## Dependencies')[1] ?? '';
  for (const name of Object.keys(manifest.dependencies)) {
    expect(reasons, `docs/architecture.md gives no reason for ${name}`).toContain(`\`${name}\``);
  }
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(8);
});

test('package-lock.json contains no registry URLs', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"|registry\./);
});

test('the README has at most 150 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
});

test('the packaged files in docs/ total at most 300 KiB', () => {
  const excluded = manifest.files
    .filter((path) => path.startsWith('!docs/'))
    .map((path) => path.slice('!docs/'.length).replace('.*', '.md'));
  const pages = readdirSync(new URL('../../docs/', import.meta.url)).filter(
    (name) => name.endsWith('.md') && !excluded.includes(name),
  );
  const bytes = pages.reduce((sum, name) => sum + Buffer.byteLength(read(`docs/${name}`)), 0);
  expect(bytes).toBeLessThanOrEqual(300 * 1024);
});

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
