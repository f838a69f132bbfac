import { expect, test } from 'vitest';
import { fuzz } from '../../scripts/emulator-fuzz/ask.js';

test.each([1, 2, 3])(
  '500 random requests of seed %i are all answered, none by an error of the emulator',
  async (seed) => {
    const { statuses, failures } = await fuzz(seed, 500);
    expect(failures).toEqual([]);
    for (const status of [200, 400, 401, 403, 404]) {
      expect([status, statuses.get(status) ?? 0]).not.toEqual([status, 0]);
    }
  },
);
