import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { builtIn } from './scripts/built-in.js';
import { programs, subpaths } from './scripts/entry-points.js';
import { withoutEffects } from './scripts/without-effects.js';

/** Maps each built file's name to its source file. */
const built = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
const indexes = ['index', ...subpaths.map((name) => `${name}/index`)];
const isEmulator = (name: string) => name.startsWith('testing/');
/** Entry point that shares no code with other bundles, because it uses the zod that users import. */
const separate = ['schemas/index'];
/** Entry points that users import without a client. */
const withoutClients = ['webhooks/index', 'redis/index'];
const clients = [...indexes, ...programs].filter(
  (name) => !isEmulator(name) && !separate.includes(name) && !withoutClients.includes(name),
);
/** Entry points for Cloudflare Workers. */
const workersIndexes = [
  'index',
  ...['hosting', 'support', 'console', 'webhooks'].map((name) => `${name}/index`),
];
const target = 'node20.18';

/**
 * Puts the code that the clients share into one file, because each file takes about 0.5 ms to load.
 * esbuild writes one file for each set of entry points that share a module. With this plugin, every
 * entry point also imports the root entry point, so there is only one set. Modules that are loaded
 * with `import()` count as entry points.
 */
const clientsInOneFile: Plugin = {
  name: 'clients-in-one-file',
  setup(esbuild) {
    const entryPoints = new Set(clients.map((name) => resolve(`src/${name}.ts`)));
    esbuild.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') {
        entryPoints.add(resolve(resolveDir, path.replace(/\.js$/, '.ts')));
      }
      return undefined;
    });
    esbuild.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => {
      if (!entryPoints.has(path)) return undefined;
      return { contents: `${await readFile(path, 'utf8')}\nimport 'clients';`, loader: 'ts' };
    });
    // esbuild drops an import without names if the package declares no side effects.
    esbuild.onResolve({ filter: /^clients$/ }, () => ({
      path: resolve('src/index.ts'),
      sideEffects: true,
    }));
  },
};

/** Replaces the agents of undici by `fetch`, for the export condition `workerd`. */
const withoutUndici: Plugin = {
  name: 'without-undici',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\/agent-pool\.js$/ }, () => ({
      path: resolve('src/transport/dispatch/workers.ts'),
    }));
  },
};

const esm: Options = {
  format: 'esm',
  target,
  platform: 'node',
  splitting: true,
  sourcemap: true,
  noExternal: builtIn.map((name) => new RegExp(`^${name}(/|$)`)),
  esbuildOptions: (options) => {
    // Stack traces need only file names and lines, so the maps don't contain the sources.
    options.sourcesContent = false;
    // Smaller files load faster. Names are kept and lines are short, so that stack traces stay readable.
    options.minifySyntax = true;
    options.minifyWhitespace = true;
    options.lineLimit = 120;
    options.logOverride = { 'ignored-bare-import': 'silent' };
  },
};

export default defineConfig([
  { ...esm, entry: built([...clients, ...withoutClients]), esbuildPlugins: [clientsInOneFile] },
  {
    ...esm,
    entry: built(workersIndexes),
    outDir: 'dist/workerd',
    sourcemap: false,
    esbuildPlugins: [clientsInOneFile, withoutUndici],
  },
  {
    ...esm,
    entry: built([...indexes, ...programs].filter(isEmulator)),
    // The emulator's source maps would add 0.3 MB to the package.
    sourcemap: false,
    esbuildOptions: (options, context) => {
      esm.esbuildOptions?.(options, context);
      options.chunkNames = 'testing/[name]-[hash]';
    },
  },
  {
    ...esm,
    entry: built(separate),
    splitting: false,
    // Schemas rarely appear in stack traces, and their source map would add 37 kB to the package.
    sourcemap: false,
    // Bundled, because this file is an ES module, which older Node.js versions can't `require`.
    noExternal: ['zod/v4/locales/en.js'],
    esbuildPlugins: [withoutEffects],
    esbuildOptions: (options) => {
      options.sourcesContent = false;
    },
  },
  {
    entry: built(indexes),
    format: ['esm', 'cjs'],
    target,
    // tsup sets `baseUrl`, which TypeScript 6 deprecates, when it generates types.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
]);
