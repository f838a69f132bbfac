import manifest from '../package.json' with { type: 'json' };

/** Names that users import as `triforge/<name>`, from `src/<name>/index.ts`, in package.json order. */
export const subpaths = Object.keys(manifest.exports)
  .filter((path) => path !== '.' && !path.endsWith('.json'))
  .map((path) => path.slice('./'.length));

/** The package's programs, such as `testing/cli` for `src/testing/cli.ts`. */
export const programs = Object.values(manifest.bin).map((path) =>
  path.slice('./dist/'.length, -'.js'.length),
);
