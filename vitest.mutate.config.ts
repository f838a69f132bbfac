import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

const thread = process.env.MUTATE_RUNNER === 'thread';

/** The tests that `npm run mutate` runs for the faults of a group; fuzzing runs short. */
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: (process.env.MUTATE_TESTS ?? '').split(',').filter(Boolean),
    env: { FUZZ_RUNS: '50' },
    reporters: ['default'],
    ...(/\/program\.test\.ts/.test(process.env.MUTATE_TESTS ?? '') && {
      globalSetup: './test/support/compile-programs.ts',
    }),
    ...(thread
      ? {
          runner: 'scripts/mutation/thread/thread.ts',
          pool: 'threads',
          isolate: false,
          maxWorkers: 1,
          maxConcurrency: 1,
          execArgv: [],
          reporters: [],
        }
      : { bail: 1 }),
  },
});
