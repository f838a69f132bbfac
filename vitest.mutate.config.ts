import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

/** The tests that `npm run mutate` may run. Stryker selects those that import a mutated file. */
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: ['test/{unit,property}/**/*.test.ts'],
    reporters: ['default'],
  },
});
