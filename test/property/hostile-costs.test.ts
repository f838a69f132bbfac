import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';

const Costs = z.record(z.string(), z.tuple([z.number(), z.number()]));

// Runs in a separate process, because V8 reports block counts to a single listener, and test
// coverage may already be that listener.
it('processing twice as much hostile input takes at most 2.2 times as many steps', async () => {
  const program = ['--import', 'tsx', 'test/property/hostile-costs.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, program);
  const costs = Costs.parse(JSON.parse(stdout));
  expect(Object.keys(costs).length).toBeGreaterThan(10);
  for (const [attack, [once, twice]] of Object.entries(costs)) {
    expect(once, attack).toBeGreaterThan(0);
    expect(twice / once, `${attack}: ${once} steps, then ${twice}`).toBeLessThanOrEqual(2.2);
  }
});
