import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { version } from '../../src/version.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const Conditions = z.object({ types: z.string(), default: z.string() });
const Manifest = z.object({
  version: z.string(),
  sideEffects: z.boolean(),
  engines: z.object({ node: z.string() }),
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
