import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocuments } from '../../scripts/docs/documents.js';
import { readMarkdown } from '../../scripts/docs/markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The world that the guide writes down, for the program beside it that reads it from its file. */
const world = readDocuments(root)
  .flatMap(({ text }) => readMarkdown(text).blocks)
  .find(({ language }) => language === 'yaml')?.code;

/** Programs that bring their own emulator and nothing from elsewhere: they run as they stand. */
const programs = readDocuments(root).flatMap(({ path, text }) =>
  readMarkdown(text)
    .blocks.filter(({ code, directives, language }) => {
      const imported = [...code.matchAll(/\bfrom '([^']+)'/g)].map(([, name = '']) => name);
      return (
        /^[cm]?ts$/.test(language) &&
        directives.length === 0 &&
        code.includes('createEmulator(') &&
        !/\b(?:describe|test|it|beforeEach)\(/.test(code) &&
        imported.every((name) => /^(?:triforge(?:\/|$)|node:)/.test(name))
      );
    })
    .map(({ code, line }) => ({ name: `${path}:${line}`, code })),
);

describe('programs of the documents that bring their own emulator', () => {
  let folder: string;
  beforeAll(async () => {
    const cache = join(root, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'snippets-'));
    await Promise.all(
      programs.map(({ code }, index) => writeFile(join(folder, `${index}.mts`), code)),
    );
    await writeFile(join(folder, 'world.yaml'), world ?? '');
    await build({
      absWorkingDir: root,
      entryPoints: programs.map((_program, index) => join(folder, `${index}.mts`)),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.18',
      packages: 'external',
      // The package's own name means its sources, as everywhere in the tests.
      tsconfig: join(root, 'tsconfig.json'),
      plugins: [
        {
          name: 'own-sources',
          setup: ({ onResolve }) =>
            onResolve({ filter: /^triforge(\/|$)/ }, ({ path }) => ({
              path: join(root, 'src', path.replace(/^triforge\/?/, ''), 'index.ts'),
            })),
        },
      ],
      logLevel: 'warning',
    });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are there', () => expect(programs.length).toBeGreaterThan(3));

  test.each(programs.map(({ name }, index) => [name, index] as const))(
    '%s runs to its end',
    async (_name, index) => {
      const run = promisify(execFile)(process.execPath, [join(folder, `${index}.mjs`)], {
        cwd: folder,
        timeout: 20_000,
      });
      await expect(run).resolves.toMatchObject({ stderr: '' });
    },
  );
});
