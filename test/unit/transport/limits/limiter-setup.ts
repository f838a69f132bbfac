import { afterEach, beforeEach, vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Acquisition, Permit } from '../../../../src/transport/limits/rate-limiter.js';
import {
  RateLimiter,
  type RateLimiterSettings,
} from '../../../../src/transport/limits/rate-limiter.js';

/** Start time of each test. The clock is stopped. */
export const start = Date.UTC(2024, 0, 1);

/** Stops the clock so that only the test advances it. */
export function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      now: start,
      toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'],
      loopLimit: 10_000_000,
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Advances the clock and runs all timers that become due. */
export const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A call that requests a permit from a limiter. */
export interface Visit {
  /** `sent`, `waiting`, `interrupted`, or the bound that a refused wait exceeds. */
  state: string;
  readonly deadline: Deadline;
  abort(): void;
  /** Ends the request. `pause` is the wait in ms that the server demands. */
  end(headers?: Record<string, string>, pause?: number): void;
}

export interface VisitOptions {
  readonly credential?: string;
  readonly operation?: string;
  readonly writes?: boolean;
  readonly exemptFromLimits?: boolean;
  readonly maxPause?: number;
  /** Total timeout in ms. Includes waits for limits if `totalIncludesLimits` is true. */
  readonly total?: number;
  readonly totalIncludesLimits?: boolean;
}

/** Creates a limiter and records the waits that it reports. */
export function createLimiter(settings: Partial<RateLimiterSettings> = {}) {
  const waits: [reason: string, ms: number][] = [];
  const limiter = new RateLimiter({
    onLimit: 'wait',
    maxWait: Number.POSITIVE_INFINITY,
    maxConcurrency: Number.POSITIVE_INFINITY,
    clock: Date.now,
    writeInterval: { always: 0, afterRefusal: 1000 },
    onWait: (ms, _request, reason) => waits.push([reason, ms]),
    ...settings,
  });
  const visit = (options: VisitOptions = {}): Visit => {
    const { credential = 'a', total = 0, totalIncludesLimits, ...more } = options;
    const controller = new AbortController();
    const deadline = new Deadline([controller.signal], total, totalIncludesLimits);
    const request = {
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
      maxPause: 60_000,
      ...more,
      deadline,
    };
    let permit: Permit | undefined;
    const made: Visit = {
      state: 'waiting',
      deadline,
      abort: () => controller.abort(),
      end: (headers = {}, pause = undefined) => {
        if (!permit) throw new Error(`the call was not sent: ${made.state}`);
        limiter.release(permit, { headers, credential, pause });
      },
    };
    const settle = (acquisition: Acquisition) => {
      if (typeof acquisition === 'string') made.state = acquisition;
      else if ('bound' in acquisition) made.state = acquisition.bound;
      else {
        permit = acquisition;
        made.state = 'sent';
      }
    };
    const acquiring = limiter.acquire(request, credential);
    if (acquiring instanceof Promise) void acquiring.then(settle);
    else settle(acquiring);
    return made;
  };
  const visits = (count: number, options: VisitOptions = {}) =>
    Array.from({ length: count }, () => visit(options));
  return { limiter, waits, visit, visits };
}

export const states = (visits: readonly Visit[]) => visits.map(({ state }) => state);

export const countSent = (visits: readonly Visit[]) =>
  visits.filter(({ state }) => state === 'sent').length;

/** Creates response headers for a quota whose window ends `seconds` after the start. */
export function quota(remaining: number, seconds = 60, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${start / 1000 + seconds}`,
    ...more,
  };
}
