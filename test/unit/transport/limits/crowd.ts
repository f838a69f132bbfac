import { Random } from '../../../../src/testing/random.js';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Permit } from '../../../../src/transport/limits/budgets.js';
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
    writeInterval: { always: 0, afterRejection: 0 },
    clock: Date.now,
    onWait: () => undefined,
  });
  const travel = () => new Promise((resolve) => setTimeout(resolve, random.next() * latency));
  const begin = Date.now();
  const call = async () => {
    const request: Permit & { startedAt?: number } = {
      credential: 'a',
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
    };
    for (;;) {
      const acquisition = await limiter.acquire(request, new Deadline([], 0));
      if (acquisition !== undefined && acquisition !== 'acquired') throw new Error('rejected');
      request.startedAt = Date.now();
      sent++;
      await travel();
      const inWindow = accepted.filter((at) => at > Date.now() - window).length;
      const isAccepted = inWindow < requests;
      if (isAccepted) accepted.push(Date.now());
      await travel();
      if (isAccepted) limiter.accept(request);
      else limiter.reject(request, Date.now() + pause);
      limiter.release(request, {});
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
