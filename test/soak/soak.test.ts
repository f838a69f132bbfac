import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { byExtent, longExtent, seeds } from '../support/extent.js';
import { soakCalls } from './calls.js';
import { soak } from './run.js';

const calls = byExtent(500, 2000, 100_000);

describe(`soak run with ${calls} calls`, () => {
  it.each(seeds(byExtent(1, 1, 3)))(
    'no call of a soak run is lost or takes effect twice (seed %i)',
    async (seed) => {
      const program = join(inject('programs'), 'test/soak/server-program.js');
      const order = { seed, calls, concurrency: 64 };
      const { problems, made, server, resources } = await soak(program, order);
      expect(problems, `TEST_SEED=${seed} repeats this run`).toEqual([]);
      expect(made).toEqual(new Set(soakCalls));
      const faults = Object.values(server.faults).reduce((sum, count) => sum + count, 0);
      expect(faults, 'number of failed requests').toBeGreaterThan(calls / 20);
      expect(server.unmodified, 'number of 304 responses').toBeGreaterThan(calls / 100);
      if (!longExtent) return;
      console.table(server.faults);
      console.table(resources);
    },
  );
});
