/** Whether everything is tried at its full extent, as `npm run test:all` does and `.ci/run` with it. */
export const fullExtent = process.env.TEST_EXTENT === 'full';

/** How many runs a property gets: `FUZZ_RUNS`, or 1000 at the full extent and 100 otherwise. */
export const numRuns = Number(process.env.FUZZ_RUNS ?? (fullExtent ? 1000 : 100));
