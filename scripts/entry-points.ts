import manifest from '../package.json' with { type: 'json' };

/**
 * Packages whose code and licenses are bundled into `dist`. When bundled, zod loads ten times as fast,
 * because the package consists of many files, most of which are locales.
 */
export const builtIn: readonly string[] = ['zod'];

/** Names that users import as `triforge/<name>`, from `src/<name>/index.ts`, in package.json order. */
export const subpaths = Object.keys(manifest.exports)
  .filter((path) => path !== '.' && !path.endsWith('.json'))
  .map((path) => path.slice('./'.length));

/** The package's programs, such as `testing/cli` for `src/testing/cli.ts`. */
export const programs = Object.values(manifest.bin).map((path) =>
  path.slice('./dist/'.length, -'.js'.length),
);
