import { readdirSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
import { defineConfig } from 'tsup';
import { builtIn } from './scripts/built-in.js';
import { programs, subpaths } from './scripts/entry-points.js';
import { withoutEffects } from './scripts/without-effects.js';

/** Each built file with its source. */
const built = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
const entry = built(['index', ...subpaths.map((name) => `${name}/index`)]);
/**
 * Bundles of their own, which share no file with the clients, so that these load no more files: plain
 * data, and schemas made by the zod that users import.
 */
const alone = ['schemas', 'extend'];
/** Shares nothing with the clients either: what it needs of zod would be in what they load. */
const emulator = built(['testing/index', 'testing/cli']);
const families = subpaths.filter((name) => !alone.includes(name) && name !== 'testing');
/** What checks answers, with zod. */
const engine = 'schema/engine';
const inEngine = ['engine', 'compiled-check', 'issues'].map((name) => `src/schema/${name}.ts`);
const clientsSide = {
  ...built([engine, 'index', ...families.map((name) => `${name}/index`)]),
  ...built(programs.filter((name) => !(name in emulator))),
};
const target = 'node20.18';

/** Keeps every import as it stands, but lets those of our own files end in `.cjs`. */
const external: Plugin = {
  name: 'external',
  setup(esbuild) {
    esbuild.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === 'entry-point'
        ? undefined
        : { path: path.replace(/^(\.\.?\/.*)\.js$/, '$1.cjs'), external: true },
    );
  },
};

/**
 * Lets `dist/index.js` and the doctor import the built families as they are, and the doctor's program
 * the built doctor. As parts of them too, their code would stand in further files beside them, and every
 * file costs a millisecond to load.
 */
const familiesApart: Plugin = {
  name: 'families-apart',
  setup(esbuild) {
    const importers = /[\\/]src[\\/](?:index|doctor[\\/]\w+)\.ts$/;
    esbuild.onResolve({ filter: /^\.{1,2}\/(?:[a-z]+\/)?index\.js$/ }, ({ path, importer }) =>
      importers.test(importer) ? { path, external: true } : undefined,
    );
  },
};

/**
 * Lets the engine be a file of its own, which clients load while their first request is on its way. The
 * file that loads it stands in `dist` itself.
 */
const engineApart: Plugin = {
  name: 'engine-apart',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.{1,2}\/(?:schema\/)?engine\.js$/ }, ({ importer }) => {
      const folder = /[\\/]src[\\/]schema[\\/]zod\.ts$/.test(importer) ? '.' : '..';
      return { path: `${folder}/${engine}.js`, external: true };
    });
  },
};

/**
 * Makes the models of `zod/mini`, which has the same functions as `zod` and a third of its code: its
 * schemas have no methods, which only users of `triforge/schemas` call.
 */
const smallZod: Plugin = {
  name: 'small-zod',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^zod$/ }, ({ kind, resolveDir }) =>
      esbuild.resolve('zod/mini', { kind, resolveDir }),
    );
  },
};

/**
 * Takes the grammar alone of uri-template, whose expansion is ours, in a quarter of its bytes, and runs
 * its code, which is CommonJS, when the first template is parsed.
 */
const lateTemplates: Plugin = {
  name: 'late-templates',
  setup(esbuild) {
    const namespace = 'late-templates';
    esbuild.onResolve({ filter: /^uri-template$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace } : undefined,
    );
    esbuild.onLoad({ filter: /.*/, namespace }, () => ({
      contents:
        "export const parse = (text) => ({ ast: require('uri-template/dist/grammar.js').parse(text) });",
      resolveDir: import.meta.dirname,
    }));
    esbuild.onLoad({ filter: /uri-template[\\/]dist[\\/]grammar\.js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { minify: true });
      return { contents: code };
    });
  },
};

/** The modules of a folder of `src`; those called `index` only pass on what others have. */
const modulesIn = (folder: string) =>
  readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && basename(file) !== 'index.ts')
    .map((file) => `src/${folder}/${file}`);

/** What all entry points load as one file, and what the clients load as another. */
const shared = [
  ...modulesIn('errors'),
  ...modulesIn('schema').filter((file) => !inEngine.includes(file)),
  'src/option-names.ts',
  'src/hosting/models/hook-event.ts',
];
/** What few programs need: each of these modules is a file that they load, with those that only it imports. */
const late: Readonly<Record<string, readonly string[]>> = {
  'transport/download/to-file': ['save', 'partial-file', 'ranges'],
  'transport/upload/open': ['file-stream', 'source-check'],
  'transport/policy/cache': ['cache-entry'],
  'transport/policy/fleet-limits': ['budget-share', 'slot-share', 'fleet-pace'],
};
const loadedLate = Object.entries(late).flatMap(([entry, others]) =>
  [basename(entry), ...others].map((name) => `src/${dirname(entry)}/${name}.ts`),
);
const sharedByClients = [
  ...modulesIn('transport').filter((file) => !loadedLate.includes(file)),
  'src/public.ts',
  ...['hosting', 'support', 'console'].map((name) => `src/${name}/environment.ts`),
];
const withClients = [
  ...['index', 'hosting/index', 'support/index', 'console/index', 'doctor/cli'],
  ...Object.keys(late),
];

/**
 * Lets each entry point import all of what its kind shares: what just some of them need would stand in
 * further files, and every file costs a millisecond to load.
 */
const sharedTogether: Plugin = {
  name: 'shared-together',
  setup(esbuild) {
    esbuild.onLoad({ filter: /.*/ }, async ({ path }) => {
      const name = relative('src', path).replace(/\.ts$/, '');
      if (!(name in clientsSide || name in late)) return undefined;
      const files = withClients.includes(name) ? [...shared, ...sharedByClients] : shared;
      const imports = files.map((file) => `import 'shared:${file}';`);
      return { contents: [await readFile(path, 'utf8'), ...imports].join('\n'), loader: 'ts' };
    });
    // An import for its effects alone is left out where the package says that there are none.
    esbuild.onResolve({ filter: /^shared:/ }, ({ path }) => ({
      path: resolve(path.slice('shared:'.length)),
      sideEffects: true,
    }));
  },
};

/**
 * Writes the CommonJS twin of each built module. tsup's own CommonJS splitting goes through
 * another compiler, which lowers `??` and `?.` to helper calls and puts the absolute path of the
 * building machine into the source maps.
 */
async function commonjs(entryPoints: string[]): Promise<void> {
  await build({
    entryPoints,
    outbase: 'dist',
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target,
    bundle: true,
    sourcemap: true,
    plugins: [external],
    logLevel: 'warning',
  });
}

const esm = {
  format: 'esm',
  target,
  platform: 'node',
  // One copy of errors and models within a format, whichever subpaths a program imports.
  splitting: true,
  sourcemap: true,
  noExternal: builtIn.map((name) => new RegExp(`^${name}(/|$)`)),
} as const;

export default defineConfig([
  {
    ...esm,
    entry: clientsSide,
    esbuildPlugins: [smallZod, lateTemplates, familiesApart, engineApart, sharedTogether],
    esbuildOptions: (options) => {
      // Of modules that pass on what others have: nothing of them is needed.
      options.logOverride = { 'ignored-bare-import': 'silent' };
      // A quarter less to parse at each start. Names stay, and lines are short, for who reads a stack.
      options.minifySyntax = true;
      options.minifyWhitespace = true;
      options.lineLimit = 120;
    },
    onSuccess: async () => {
      // Not the programs: they are ES modules only.
      await commonjs([
        'dist/*.js',
        ...families.map((name) => `dist/${name}/index.js`),
        `dist/${engine}.js`,
      ]);
      for (const name of builtIn) {
        await copyFile(`node_modules/${name}/LICENSE`, `dist/${name}-license.txt`);
      }
    },
  },
  {
    ...esm,
    entry: emulator,
    esbuildOptions: (options) => {
      options.chunkNames = 'testing/[name]-[hash]';
    },
    onSuccess: () => commonjs(['dist/testing/index.js', 'dist/testing/*-*.js']),
  },
  ...alone.map((name) => ({
    ...esm,
    entry: built([`${name}/index`]),
    splitting: false,
    // Its file is an ES module to `require` too.
    noExternal: ['zod/v4/locales/en.js'],
    esbuildPlugins: [withoutEffects],
    onSuccess: () => commonjs([`dist/${name}/index.js`]),
  })),
  {
    entry,
    format: ['esm', 'cjs'],
    target,
    // TypeScript 6 deprecates `baseUrl`, which tsup's types build sets by itself.
    dts: { only: true, compilerOptions: { ignoreDeprecations: '6.0' } },
  },
]);
