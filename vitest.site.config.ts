import { defineConfig } from 'vitest/config';
import { resolve, settings } from './vitest.config.js';

// What wants the built site, and for test/browser chromium too: no part of `npm test`.
export default defineConfig({
  resolve,
  test: {
    ...settings,
    include: ['test/site/**/*.site.ts', 'test/browser/**/*.browser.ts'],
    fileParallelism: false,
  },
});
