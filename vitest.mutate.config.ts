import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

/**
 * What `npm run mutate` runs for each fault it tries: the tests that say how the transport behaves.
 * Left out are those of models, receivers and examples, and those that take long; fuzzing runs short.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/{unit,property,socket}/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      'test/unit/{models,*-models,hosting-variants,webhooks*,*-dates}.test.ts',
      'test/property/{webhooks,scopes,*-dates}.test.ts',
      'test/socket/{webhooks*,*-emulator,*-examples,console-*}.test.ts',
    ],
    env: { FUZZ_RUNS: '50' },
    reporters: ['default'],
  },
});
