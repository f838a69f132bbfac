import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../../src/testing/random.js';
import { type Crowd, measureIncident, meetServer, oracleTime } from './crowd.js';
import { stopTheClock } from './limiter-setup.js';

stopTheClock();

async function play<T>(outcome: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync();
  return await outcome;
}

const pick = (random: Random, values: readonly number[]) =>
  values[Math.floor(random.next() * values.length)] ?? 0;

describe('a burst of calls that exceeds a secondary limit', () => {
  it('needs at most 2.5 requests per call and at most 4 times the ideal time, in the median 2', async () => {
    const ratios: number[] = [];
    const perCall: number[] = [];
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed);
      const crowd: Crowd = {
        calls: 60 + Math.floor(random.next() * 240),
        requests: pick(random, [4, 8, 20]),
        pause: pick(random, [1000, 2000, 10_000]),
        latency: 1 + random.next() * 19,
        seed,
      };
      const { sent, time } = await play(meetServer(crowd));
      ratios.push(time / oracleTime(crowd));
      perCall.push(sent / crowd.calls);
    }
    ratios.sort((a, b) => a - b);
    expect(ratios[100], 'median time').toBeLessThanOrEqual(2);
    expect(Math.max(...ratios), 'longest time').toBeLessThanOrEqual(4);
    expect(Math.max(...perCall), 'requests per call').toBeLessThanOrEqual(2.5);
  });

  it('sends at most 140 requests for 60 calls if the server accepts 8 per 100 ms', async () => {
    const crowd = { calls: 60, requests: 8, pause: 2000, latency: 10, seed: 1 };
    expect((await play(meetServer(crowd))).sent).toBeLessThanOrEqual(140);
  });
});

describe('an incident in which the server refuses all requests', () => {
  it.each([
    ['12 s', 12_000],
    ['10 minutes', 600_000],
  ])(
    'of %s leaves at least 80 % of the throughput within 15 s of the recovery',
    async (_name, ms) => {
      const { before, after } = await play(measureIncident({ workers: 16, incident: ms }));
      expect(after / before).toBeGreaterThanOrEqual(0.8);
    },
  );

  it("doesn't slow down another credential of the same client", async () => {
    const { other, before } = await play(measureIncident({ workers: 16, incident: 12_000 }));
    expect(other / before).toBeGreaterThanOrEqual(0.95);
  });
});
