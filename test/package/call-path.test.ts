import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fullExtent } from '../support/extent.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What there is to read for somebody who follows a call. Measured by `npm run call-path`. */
const most = { 'pulls.get': 22, 'the first page of pulls.list': 28 };

test.runIf(fullExtent)(
  'a call passes through few files',
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'scripts/call-path.ts', '--json'],
      // Coverage that the tests themselves are run with would be written over.
      { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: '' } },
    );
    const paths: Record<string, Record<string, string[]>> = JSON.parse(stdout);
    expect(Object.keys(paths)).toEqual(Object.keys(most));
    for (const [call, limit] of Object.entries(most)) {
      const files = Object.keys(paths[call] ?? {});
      expect(files.length, `${call}: ${files.join(', ')}`).toBeLessThanOrEqual(limit);
      expect(files.length, call).toBeGreaterThan(10);
    }
  },
  120_000,
);
