import { Random } from '../../../../src/testing/random.js';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import { RateLimiter } from '../../../../src/transport/limits/rate-limiter.js';

/** A server that accepts at most `requests` requests in 100 ms, and a client's simultaneous calls. */
export interface Crowd {
  readonly calls: number;
  readonly requests: number;
  /** `Retry-After` of a rejection in ms. */
  readonly pause: number;
  /** Maximum transit time of a request or a response in ms. */
  readonly latency: number;
  readonly seed: number;
}

const window = 100;
const maxConcurrency = 64;

/** Makes all calls and repeats each call until it succeeds. Uses fake timers. */
export async function meetServer({ calls, requests, pause, latency, seed }: Crowd) {
  const random = new Random(seed);
  const accepted: number[] = [];
  let sent = 0;
  const limiter = new RateLimiter({
    onLimit: 'throw',
    maxWait: 3_600_000,
    maxConcurrency,
    writeInterval: { always: 0, afterRefusal: 0 },
    clock: Date.now,
    onWait: () => undefined,
  });
  const travel = () => new Promise((resolve) => setTimeout(resolve, random.next() * latency));
  const begin = Date.now();
  const call = async () => {
    const request = {
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
      maxPause: 60_000,
      deadline: new Deadline([], 0),
    };
    for (;;) {
      const permit = await limiter.acquire(request, 'a');
      if (typeof permit === 'string' || 'bound' in permit) throw new Error('rejected');
      sent++;
      await travel();
      const inWindow = accepted.filter((at) => at > Date.now() - window).length;
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
export function oracleTime({ calls, requests, pause, latency }: Crowd): number {
  const rest = Math.max(0, calls - requests);
  return latency + pause + Math.ceil(rest / requests) * window;
}

/**
 * Lets workers call in a loop, refuses one credential's calls with `Retry-After: 1` during the
 * incident, and returns how many calls per second succeed before the incident and from 15 s after
 * the recovery. `other` is the rate of a second credential during the incident.
 */
export async function measureIncident({
  workers,
  incident,
}: {
  workers: number;
  incident: number;
}) {
  const [begins, latency, measured] = [10_000, 20, 10_000];
  const ends = begins + incident;
  const limiter = new RateLimiter({
    onLimit: 'throw',
    maxWait: 3_600_000,
    maxConcurrency,
    writeInterval: { always: 0, afterRefusal: 0 },
    clock: Date.now,
    onWait: () => undefined,
  });
  const begin = Date.now();
  const now = () => Date.now() - begin;
  const counts = { before: 0, after: 0, other: 0 };
  const work = async (credential: string) => {
    while (now() < ends + 15_000 + measured) {
      const permit = await limiter.acquire(
        {
          operation: 'x',
          exemptFromLimits: false,
          writes: false,
          maxPause: 60_000,
          deadline: new Deadline([], 0),
        },
        credential,
      );
      if (typeof permit === 'string' || 'bound' in permit) throw new Error('rejected');
      await new Promise((resolve) => setTimeout(resolve, latency));
      const isRefused = credential === 'a' && now() >= begins && now() < ends;
      limiter.release(permit, { headers: {}, credential, pause: isRefused ? 1000 : undefined });
      if (isRefused) continue;
      if (credential === 'b') counts.other += now() >= begins && now() < begins + measured ? 1 : 0;
      else if (now() < begins) counts.before++;
      else if (now() >= ends + 15_000) counts.after++;
    }
  };
  const lanes = Array.from({ length: workers }, () => [work('a'), work('b')]);
  await Promise.all(lanes.flat());
  return counts;
}
