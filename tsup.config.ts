import { copyFile, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
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
const families = subpaths.filter((name) => !alone.includes(name));
/** ES modules only, without types. */
const program = built(programs);
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

/** What some families share and others do not need, small as it is beside what all of them share. */
const sharedBySome = [
  'transport/upload/upload',
  'transport/request/raw-request',
  'hosting/models/hook-event',
];

/**
 * Puts what some families share into the files that all of them share, by an import of it in those
 * that do not need it: else it would be further files, and every file costs a millisecond to load.
 */
const sharedTogether: Plugin = {
  name: 'shared-together',
  setup(esbuild) {
    const names = sharedBySome.map((path) => path.replace(/^.*\//, '')).join('|');
    // An import for its effects alone is left out where the package says that there are none.
    esbuild.onResolve({ filter: new RegExp(`/(${names})\\.js$`) }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(/\.js$/, '.ts')),
      sideEffects: true,
    }));
    esbuild.onLoad({ filter: /src[\\/](support|console)[\\/]index\.ts$/ }, async ({ path }) => {
      const imports = sharedBySome.map((each) => `import '../${each}.js';`);
      return { contents: `${await readFile(path, 'utf8')}\n${imports.join('\n')}\n`, loader: 'ts' };
    });
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

export default defineConfig([
  {
    entry: { ...built(['index', ...families.map((name) => `${name}/index`)]), ...program },
    format: 'esm',
    target,
    platform: 'node',
    // One copy of errors and models within a format, whichever subpaths a program imports.
    splitting: true,
    sourcemap: true,
    // Zod is 95 files, most of them languages: what is used of it loads in a sixth of the time.
    noExternal: ['zod'],
    esbuildPlugins: [familiesApart, sharedTogether],
    onSuccess: async () => {
      // Not the programs: they are ES modules only.
      await commonjs(['dist/*.js', ...families.map((name) => `dist/${name}/index.js`)]);
      await copyFile('node_modules/zod/LICENSE', 'dist/zod-license.txt');
    },
  },
  ...alone.map((name) => ({
    entry: built([`${name}/index`]),
    format: 'esm' as const,
    target,
    platform: 'node' as const,
    splitting: false,
    sourcemap: true,
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
