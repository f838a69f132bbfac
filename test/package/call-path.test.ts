import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fullExtent } from '../support/extent.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Maximum number of files and functions in a warm call. `call-path.ts` lists them. */
const limits: Readonly<Record<string, { readonly files: number; readonly functions: number }>> = {
  'pulls.get': { files: 13, functions: 65 },
  'the first page of pulls.list': { files: 18, functions: 110 },
};

test.runIf(fullExtent)(
  'a warm call uses no more files and functions than the limits allow (only in npm run test:all)',
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'test/package/call-path.ts'],
      // With this variable, the process would overwrite the tests' coverage data.
      { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: '' } },
    );
    const paths: Record<string, Record<string, string[]>> = JSON.parse(stdout);
    expect(Object.keys(paths)).toEqual(Object.keys(limits));
    for (const [call, limit] of Object.entries(limits)) {
      const path = paths[call] ?? {};
      const files = Object.keys(path);
      const functions = Object.values(path).flat();
      expect(files.length, `${call}: ${files.join(', ')}`).toBeLessThanOrEqual(limit.files);
      expect(functions.length, `${call}: ${functions.join(', ')}`).toBeLessThanOrEqual(
        limit.functions,
      );
      expect(files.length, call).toBeGreaterThan(10);
    }
  },
  120_000,
);
