import { resolve } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { builtIn, programs, subpaths } from './scripts/entry-points.js';
import { withoutEffects } from './scripts/without-effects.js';

/** Maps each built file's name to its source file. */
const built = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
const indexes = ['index', ...subpaths.map((name) => `${name}/index`)];
const isEmulator = (name: string) => name.startsWith('testing/');
/** Entry point that shares no code with other bundles, because it uses the zod that users import. */
const separate = ['schemas/index'];
/** Entry points for Cloudflare Workers. */
const workersIndexes = [
  'index',
  ...['hosting', 'support', 'console', 'webhooks'].map((name) => `${name}/index`),
];
const target = 'node20.18';

/** Replaces modules that need undici or files, for the export condition `workerd`. */
const forWorkers: Plugin = {
  name: 'for-workers',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/(?:agent-pool|to-file)\.js$/ }, () => ({
      path: resolve('src/transport/workers.ts'),
    }));
  },
};

const esm: Options = {
  format: 'esm',
  target,
  platform: 'node',
  splitting: true,
  noExternal: builtIn.map((name) => new RegExp(`^${name}(/|$)`)),
};

/** Removes whitespace from the emulator's code, which appears in few stack traces. */
function shorten(options: BuildOptions): void {
  Object.assign(options, { minifyWhitespace: true, minifySyntax: true, lineLimit: 120 });
}

export default defineConfig([
  {
    ...esm,
    entry: built(
      [...indexes, ...programs].filter((name) => !isEmulator(name) && !separate.includes(name)),
    ),
    esbuildPlugins: [withoutEffects],
  },
  {
    ...esm,
    entry: built(workersIndexes),
    outDir: 'dist/workerd',
    esbuildPlugins: [forWorkers, withoutEffects],
    // Whitespace stays, because esbuild drops annotations with it.
    esbuildOptions: (options) => {
      options.minifySyntax = true;
    },
  },
  {
    ...esm,
    entry: built([...indexes, ...programs].filter(isEmulator)),
    esbuildOptions: (options) => {
      shorten(options);
      options.chunkNames = 'testing/[name]-[hash]';
    },
  },
  {
    ...esm,
    entry: built(separate),
    splitting: false,
    // Bundled, because this file is an ES module, which older Node.js versions can't `require`.
    noExternal: ['zod/v4/locales/en.js'],
    esbuildPlugins: [withoutEffects],
  },
  {
    entry: built(indexes),
    format: ['esm', 'cjs'],
    target,
    // tsup sets `baseUrl`, which TypeScript 6 deprecates, when it generates types.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
]);
