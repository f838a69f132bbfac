import manifest from '../package.json' with { type: 'json' };

/** What users import as `triforge/<name>`, from `src/<name>/index.ts`: in the order of package.json. */
export const subpaths = Object.keys(manifest.exports)
  .filter((path) => path !== '.' && !path.endsWith('.json'))
  .map((path) => path.slice('./'.length));

/** The programs of the package: `testing/cli` for `src/testing/cli.ts`. */
export const programs = Object.values(manifest.bin).map((path) =>
  path.slice('./dist/'.length, -'.js'.length),
);
