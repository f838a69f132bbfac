import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { builtIn } from './scripts/built-in.js';
import { programs, subpaths } from './scripts/entry-points.js';
import { withoutEffects } from './scripts/without-effects.js';

/** Returns the source of each built file. */
const built = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
const indexes = ['index', ...subpaths.map((name) => `${name}/index`)];
const isEmulator = (name: string) => name.startsWith('testing/');
/** Bundles that share no file with others: plain data, and schemas made with the zod that users import. */
const separate = ['schemas/index', 'extend/index'];
/** Entry points that users import without a client. */
const withoutClients = ['webhooks/index', 'redis/index'];
const clients = [...indexes, ...programs].filter(
  (name) => !isEmulator(name) && !separate.includes(name) && !withoutClients.includes(name),
);
const target = 'node20.18';

/**
 * Puts the code that the clients share into one file, because each file takes about half a millisecond to
 * load. esbuild writes one file for each set of entry points that share a module. Here every entry point
 * also imports the root entry point, so the sets are equal. Modules behind an `import()` count as entry
 * points.
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

const esm: Options = {
  format: 'esm',
  target,
  platform: 'node',
  splitting: true,
  sourcemap: true,
  noExternal: builtIn.map((name) => new RegExp(`^${name}(/|$)`)),
  esbuildOptions: (options) => {
    // Maps name the file and line in a stack. The sources themselves are not in the package.
    options.sourcesContent = false;
    // Less to parse at each start. Names are kept and lines are short, so that stacks are readable.
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
    entry: built([...indexes, ...programs].filter(isEmulator)),
    // The maps of the emulator would take 0.3 MB of the package.
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
    // Schemas rarely appear in stacks, and their map would take 37 kB of the package.
    sourcemap: false,
    // `require` of the file fails, because it is an ES module without the extension that says so.
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
    // TypeScript 6 deprecates `baseUrl`, which tsup's types build sets by itself.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
]);
