import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // The package's own name means its sources here, as in tsconfig.json: no build before a test.
    alias: [
      { find: /^triforge$/, replacement: source('index.ts') },
      {
        find: /^triforge\/(hosting|support|console|webhooks|testing)$/,
        replacement: source('$1/index.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    // Shared machines are slow at times; a hang still ends.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [['text', { skipFull: true }], 'json-summary', 'html'],
      thresholds: { lines: 95 },
    },
  },
});
