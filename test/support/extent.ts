/**
 * Extent of the tests, set with `TEST_EXTENT`:
 * - unset for `npm test`
 * - `full` for `npm run test:all`, as in `.ci/run`
 * - `long` for runs of minutes to hours: `npm run soak`, `fuzz` and `fleets`
 */
const extent = process.env.TEST_EXTENT ?? 'short';
if (!['short', 'full', 'long'].includes(extent)) {
  throw new RangeError(`TEST_EXTENT: must be full or long (got ${extent})`);
}

export const longExtent = extent === 'long';
export const fullExtent = longExtent || extent === 'full';

/** Returns the value for the current extent. */
export function byExtent<T>(short: T, full: T, long: T): T {
  if (longExtent) return long;
  return fullExtent ? full : short;
}

/** Number of runs per property test. */
export const numRuns = byExtent(100, 1000, 100_000);

/**
 * Returns the seeds from 1 to `count`. If `TEST_SEED` is set, returns only that seed, to repeat a
 * failed run.
 */
export function seeds(count: number): number[] {
  if (process.env.TEST_SEED) return [Number(process.env.TEST_SEED)];
  return Array.from({ length: count }, (_, index) => index + 1);
}
