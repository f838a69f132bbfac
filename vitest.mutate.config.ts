import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

/** The tests that `npm run mutate` runs for the faults of a group: one thread runs them, and stays. */
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: (process.env.MUTATE_TESTS ?? '').split(',').filter(Boolean),
    runner: 'scripts/mutation/warm/thread.ts',
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: 1,
    execArgv: [],
    env: { FUZZ_RUNS: '50' },
    reporters: [],
  },
});
