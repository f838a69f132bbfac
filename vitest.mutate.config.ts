import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

const sockets = (process.env.MUTATE_SOCKET_TESTS ?? '').split(',').filter(Boolean);

/**
 * What `npm run mutate` runs for each fault it tries: the tests that say how the transport behaves.
 * Left out are those of models, receivers and examples, and those that take long; fuzzing runs short.
 */
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: ['test/{unit,property}/**/*.test.ts', ...sockets],
    bail: 1,
    exclude: [
      '**/node_modules/**',
      'test/unit/{models,*-models,hosting-variants,webhooks*,*-dates}.test.ts',
      'test/property/{webhooks,scopes,*-dates}.test.ts',
    ],
    env: { FUZZ_RUNS: '50' },
    reporters: ['default'],
  },
});
