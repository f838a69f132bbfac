// Packs the output of `npm run build` and tests the tarball as a user would.
// Run by `npm run check:package`, which builds first.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import * as z from 'zod';
import { runBundled } from './package/bundlers.js';
import { run } from './package/command.js';
import { emptyProject, install, loadEverySubpath, typeCheckConsumer } from './package/consumer.js';
import { contentProblems, sizeProblems } from './package/contents.js';
import { runFirstProgram } from './package/first-program.js';
import { runInJest } from './package/jest.js';
import { pack } from './package/pack.js';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const Manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.unknown()),
  devDependencies: z.record(z.string(), z.string()),
});
const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const subpaths = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => manifest.name + path.slice(1));
/** All subpaths except `/testing/msw`, which needs an optional peer dependency. */
const withoutMsw = subpaths.filter((path) => !path.endsWith('/msw'));

const tsc = join(root, 'node_modules/typescript/bin/tsc');
/** The oldest TypeScript version in docs/start.md and the minor version before this project's version. */
const olderTypeScripts = ['5.4.5', '5.9.3'];

/** Returns a devDependency with its pinned version so that the check uses the tested version. */
function pinned(name: string): string {
  const version = manifest.devDependencies[name];
  if (version === undefined) throw new Error(`${name} is not among the devDependencies`);
  return `${name}@${version}`;
}

function fail(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what}:\n  ${problems.join('\n  ')}`);
}

async function lintPackage(tarball: string): Promise<void> {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: new Uint8Array(bytes).buffer },
  });
  fail(
    'publint',
    messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
  );
}

async function check(folder: string): Promise<void> {
  if (!existsSync(join(root, 'dist'))) throw new Error('no dist/: run npm run build first');
  const packed = pack(folder);
  const consumer = join(folder, 'consumer');
  const steps: [string, () => void | Promise<void>][] = [
    ['publint', () => lintPackage(packed)],
    ['arethetypeswrong', () => void run(join(root, 'node_modules/.bin/attw'), [packed], root)],
    [
      'installs into an empty folder',
      () => {
        emptyProject(consumer);
        install(consumer, [packed]);
      },
    ],
    ['stays within the size limits', () => fail('size', sizeProblems(consumer, manifest.name))],
    [
      'contains the right files',
      () => fail('contents', contentProblems(join(consumer, 'node_modules', manifest.name), root)),
    ],
    ['loads from ESM and CommonJS, without msw', () => loadEverySubpath(consumer, withoutMsw)],
    [
      "runs the README's first program in every kind of project",
      () => runFirstProgram(folder, packed, join(root, 'README.md'), pinned('tsx')),
    ],
    [
      'type-checks under node16, nodenext and bundler, without msw',
      () => {
        install(consumer, [pinned('@types/node')]);
        typeCheckConsumer(consumer, tsc, withoutMsw);
      },
    ],
    [
      `type-checks with TypeScript ${olderTypeScripts.join(' and ')}`,
      () => {
        for (const version of olderTypeScripts) {
          const compiler = join(folder, `typescript-${version}`);
          emptyProject(compiler);
          install(compiler, [`typescript@${version}`]);
          const program = join(compiler, 'node_modules/typescript/bin/tsc');
          typeCheckConsumer(consumer, program, withoutMsw);
        }
      },
    ],
    [
      'works in Jest with require, babel-jest and ts-jest',
      () =>
        runInJest(join(folder, 'jest'), [
          packed,
          ...['jest', '@types/node', 'typescript'].map(pinned),
        ]),
    ],
    [
      'works in esbuild bundles: CommonJS and ES module',
      () => {
        runBundled(join(folder, 'esbuild-cjs'), packed, 'esbuild, CommonJS');
        runBundled(join(folder, 'esbuild-esm'), packed, 'esbuild, ES module');
      },
    ],
    [
      'loads and type-checks with msw installed',
      () => {
        install(consumer, [pinned('msw')]);
        loadEverySubpath(consumer, subpaths);
        // Ignores msw's type errors, because msw needs the DOM types and its CommonJS types require
        // ES modules.
        typeCheckConsumer(consumer, tsc, subpaths, ['msw', '@mswjs/interceptors', 'rettime']);
      },
    ],
  ];
  for (const [what, step] of steps) {
    await step();
    console.log(`ok: ${what}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'triforge-package-'));
try {
  await check(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
