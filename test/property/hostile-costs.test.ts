import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';

const Costs = z.record(z.string(), z.tuple([z.number(), z.number()]));

// Runs in a separate process, because the engine counts for one listener only, and test coverage is
// already one.
it('takes at most 2.2 times the steps for twice the hostile input', async () => {
  const program = ['--import', 'tsx', 'test/property/hostile-costs.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  const costs = Costs.parse(JSON.parse(stdout));
  expect(Object.keys(costs).length).toBeGreaterThan(10);
  for (const [attack, [once, twice]] of Object.entries(costs)) {
    expect(once, attack).toBeGreaterThan(0);
    expect(twice / once, `${attack}: ${once} steps, then ${twice}`).toBeLessThanOrEqual(2.2);
  }
});
