import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

// `npm run test:browser`: needs chromium, so it is no part of `npm test`.
const config = mergeConfig(base, defineConfig({ test: { fileParallelism: false } }));

export default { ...config, test: { ...config.test, include: ['test/browser/**/*.browser.ts'] } };
