import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

/** Tests for `npm run mutate`. For each mutated file, Stryker runs only tests that import the file. */
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: ['test/{unit,property}/**/*.test.ts'],
  },
});
