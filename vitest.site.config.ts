import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

// Tests that need the built site. They aren't part of `npm test`. test/browser also needs Chromium.
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: ['test/site/**/*.site.ts', 'test/browser/**/*.browser.ts'],
    fileParallelism: false,
  },
});
