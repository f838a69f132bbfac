import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../../src/testing/random.js';
import { type Crowd, meetServer, oracleTime } from './crowd.js';
import { stopTheClock } from './limiter-setup.js';

stopTheClock();

async function play(crowd: Crowd) {
  const outcome = meetServer(crowd);
  await vi.runAllTimersAsync();
  return await outcome;
}

describe('a burst of calls', () => {
  it('a burst of calls needs at most 2.5 requests per call and 1.5 times the ideal time', async () => {
    const failures: unknown[] = [];
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed);
      const pick = (values: readonly number[]) => values[Math.floor(random.next() * values.length)];
      const crowd = {
        calls: 60 + Math.floor(random.next() * 240),
        requests: pick([4, 8, 20]) ?? 4,
        pause: pick([1000, 2000, 10_000]) ?? 1000,
        latency: 1 + random.next() * 19,
        seed,
      };
      const { sent, time } = await play(crowd);
      const ratio = time / oracleTime(crowd);
      if (sent > 2.5 * crowd.calls || ratio > 1.5) {
        failures.push({ ...crowd, perCall: sent / crowd.calls, ratio });
      }
    }
    expect(failures).toEqual([]);
  });
});
