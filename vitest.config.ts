import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { subpaths } from './scripts/entry-points.js';
import { fullExtent } from './test/support/extent.js';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Matches test files that affect other files in the same process. These files replace timers or
 * modules (undici, for example, keeps a fake timer forever), or have a comment that starts with
 * "Runs in a separate process".
 */
const changesProcess =
  /\bvi\.(useFakeTimers|mock|resetModules)\(|\bstopTheClock\(|Runs in a separate process/;

/** Test files that take long. `npm run test:all`, as in CI, runs them, and `npm test` doesn't. */
const slow = fullExtent
  ? []
  : [
      'test/emulator/program-interruptions.test.ts',
      'test/examples/{fleet-crawler,sync-kills}.test.ts',
      'test/fleet/processes.test.ts',
      'test/package/exported-types.test.ts',
      'test/soak/*.test.ts',
    ];

/** Test files that run the package's programs. */
const programs = [
  'test/examples/**/*.test.ts',
  'test/emulator/program*.test.ts',
  'test/emulator/random-requests.test.ts',
  'test/soak/*.test.ts',
  'test/doctor/program.test.ts',
];
/** Test files that each need a separate process. */
const alone = readdirSync(path('test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => changesProcess.test(readFileSync(path(file), 'utf8')));

// Resolves `triforge` to the sources, as in tsconfig.json, so tests need no build.
export const resolve = {
  alias: [
    { find: /^triforge$/, replacement: path('src/index.ts') },
    {
      find: new RegExp(`^triforge/(${subpaths.join('|')})$`),
      replacement: path('src/$1/index.ts'),
    },
    // `npm run test:undici` tests another version of undici.
    ...(process.env.UNDICI ? [{ find: /^undici(?=\/|$)/, replacement: process.env.UNDICI }] : []),
  ],
};

/** Settings that all test configurations share. */
export const settings = {
  // Long enough for slow shared machines, but tests that hang still end.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: '100%',
  // `npm run test:openapi` sets this variable.
  setupFiles: process.env.KEEP_EXCHANGES ? [path('test/openapi/keep-exchanges.ts')] : [],
};

export default defineConfig({
  resolve,
  test: {
    ...settings,
    // Most files share processes, so that each process loads their imports only once.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts', 'examples/test-with-vitest.ts'],
          exclude: [...configDefaults.exclude, ...programs, ...alone, ...slow],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: slow } },
      {
        extends: true,
        test: {
          name: 'programs',
          isolate: false,
          include: programs,
          exclude: slow,
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
