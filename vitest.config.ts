import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { subpaths } from './scripts/entry-points.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Files that replace timers or modules change them for all that run in the same process: undici, for
 * one, keeps a false timer for good. Others have a comment that starts with "Runs in a separate process".
 */
const changesProcess =
  /\bvi\.(useFakeTimers|mock|resetModules)\(|\bstopTheClock\(|Runs in a separate process/;

/** Tests that run programs. */
const programs = [
  'test/examples/**/*.test.ts',
  'test/emulator/program.test.ts',
  'test/emulator/program-interruptions.test.ts',
  'test/emulator/random-requests.test.ts',
  'test/soak/*.test.ts',
  'test/doctor/program.test.ts',
];
/** Tests that need a process of their own. */
const alone = readdirSync(path('test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => changesProcess.test(readFileSync(path(file), 'utf8')));

// The package's own name means its sources here, as in tsconfig.json: no build before a test.
export const resolve = {
  alias: [
    { find: /^triforge$/, replacement: path('src/index.ts') },
    {
      find: new RegExp(`^triforge/(${subpaths.join('|')})$`),
      replacement: path('src/$1/index.ts'),
    },
    // Another copy of undici: see scripts/undici.ts.
    ...(process.env.UNDICI ? [{ find: /^undici(?=\/|$)/, replacement: process.env.UNDICI }] : []),
  ],
};

/** What holds for every run of tests. */
export const settings = {
  reporters: ['default', './scripts/count-reporter.ts'],
  // Shared machines are slow at times; a hang still ends.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: '100%',
  // For `npm run test:openapi`.
  setupFiles: process.env.KEEP_EXCHANGES ? [path('test/openapi/keep-exchanges.ts')] : [],
};

export default defineConfig({
  resolve,
  test: {
    ...settings,
    // Most files share the processes that they run in: what they import is loaded once.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts', 'examples/test-with-vitest.ts'],
          exclude: [...configDefaults.exclude, ...programs, ...alone],
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'programs',
          isolate: false,
          include: programs,
          globalSetup: './test/support/compile-programs.ts',
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [['text', { skipFull: true }], 'json-summary', 'html'],
      thresholds: { lines: 95 },
    },
  },
});
