import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../../src/testing/random.js';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Permit, RateLimiter } from '../../../../src/transport/limits/rate-limiter.js';
import { createLimiter, stopTheClock } from './limiter-setup.js';

/** A server that accepts at most `requests` requests in 100 ms, and a client's simultaneous calls. */
interface Crowd {
  readonly calls: number;
  readonly requests: number;
  /** `Retry-After` of a rejection in ms. */
  readonly pause: number;
  /** Maximum transit time of a request or a response in ms. */
  readonly latency: number;
  readonly seed: number;
}

const windowLength = 100;

/** Creates the limiter of a client that waits as long as necessary and doesn't space writes. */
function createCrowdLimiter(): RateLimiter {
  const writeInterval = { always: 0, afterRefusal: 0 };
  const settings = { onLimit: 'throw', maxWait: 3_600_000, maxConcurrency: 64 } as const;
  return createLimiter({ ...settings, writeInterval }).limiter;
}

/** @throws {Error} if the limiter rejects the call. */
async function acquire(limiter: RateLimiter): Promise<Permit> {
  const request = {
    operation: 'x',
    exemptFromLimits: false,
    writes: false,
    maxPause: 60_000,
    deadline: new Deadline([], 0),
  };
  const permit = await limiter.acquire(request, 'a');
  if (typeof permit === 'string' || 'bound' in permit) throw new Error('rejected');
  return permit;
}

/** Makes all calls and repeats each call until it succeeds. Uses fake timers. */
async function meetServer({ calls, requests, pause, latency, seed }: Crowd) {
  const random = new Random(seed);
  const accepted: number[] = [];
  let sent = 0;
  const limiter = createCrowdLimiter();
  const travel = () => new Promise((resolve) => setTimeout(resolve, random.next() * latency));
  const begin = Date.now();
  const call = async () => {
    for (;;) {
      const permit = await acquire(limiter);
      sent++;
      await travel();
      const inWindow = accepted.filter((at) => at > Date.now() - windowLength).length;
      const isAccepted = inWindow < requests;
      if (isAccepted) accepted.push(Date.now());
      await travel();
      limiter.release(permit, {
        headers: {},
        credential: 'a',
        pause: isAccepted ? undefined : pause,
      });
      if (isAccepted) return Date.now();
    }
  };
  const ends = await Promise.all(Array.from({ length: calls }, call));
  return { sent, time: Math.max(...ends) - begin };
}

/**
 * Returns the time in ms that an ideal client needs. This client knows the limit after the first
 * rejection and is never rejected again.
 */
function oracleTime({ calls, requests, pause, latency }: Crowd): number {
  const rest = Math.max(0, calls - requests);
  return latency + pause + Math.ceil(rest / requests) * windowLength;
}

/**
 * Lets workers call in a loop. During the incident, rejects all calls with `Retry-After: 1`. Returns
 * the number of calls that succeed in 10 s: `before` the incident, and `after` 15 s of recovery.
 */
async function measureIncident({ workers, incident }: { workers: number; incident: number }) {
  const [begins, latency, measured] = [10_000, 20, 10_000];
  const ends = begins + incident;
  const limiter = createCrowdLimiter();
  const begin = Date.now();
  const now = () => Date.now() - begin;
  const counts = { before: 0, after: 0 };
  const work = async () => {
    while (now() < ends + 15_000 + measured) {
      const permit = await acquire(limiter);
      await new Promise((resolve) => setTimeout(resolve, latency));
      const isRefused = now() >= begins && now() < ends;
      const pause = isRefused ? 1000 : undefined;
      limiter.release(permit, { headers: {}, credential: 'a', pause });
      if (isRefused) continue;
      if (now() < begins) counts.before++;
      else if (now() >= ends + 15_000) counts.after++;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return counts;
}

stopTheClock();

async function play<T>(outcome: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync();
  return await outcome;
}

const pick = (random: Random, values: readonly number[]) =>
  values[Math.floor(random.next() * values.length)] ?? 0;

describe('a burst of calls that exceeds a secondary limit', () => {
  it('needs at most 2.5 requests per call, at most 4 times the ideal time, and at most twice the ideal time in the median', async () => {
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
});

it('the limiter reaches 80 % of its earlier throughput within 15 s after a server recovers', async () => {
  const { before, after } = await play(measureIncident({ workers: 16, incident: 600_000 }));
  expect(after / before).toBeGreaterThanOrEqual(0.8);
});
