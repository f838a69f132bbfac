import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Setup file that records which markers each test file reaches. Test files share processes, so each
// file gets a new set. A module loads once per process, so its markers count for all later files.
declare global {
  var __faults: Set<number>;
  var __loaded: Set<number>;
}
globalThis.__faults = new Set();
globalThis.__loaded ??= new Set();
const start = performance.now();

afterAll(() => {
  const { testPath } = expect.getState();
  const ms = Math.round(performance.now() - start);
  const line = { test: testPath, ms, reached: [...__faults], loaded: [...__loaded] };
  appendFileSync(`${process.env.FAULTS}/cover.jsonl`, `${JSON.stringify(line)}\n`);
});
