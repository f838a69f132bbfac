import { afterEach, beforeEach, vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Permit } from '../../../../src/transport/limits/budgets.js';
import {
  RateLimiter,
  type RateLimiterSettings,
} from '../../../../src/transport/limits/rate-limiter.js';
import type { Acquisition } from '../../../../src/transport/limits/wait-queue.js';

/** Start time of each test. The clock is stopped. */
export const start = Date.UTC(2024, 0, 1);

/** Stops the clock so that only the test advances it. */
export function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Pauses a limiter as if the server had rejected a request that was just sent. */
export function pause(limiter: RateLimiter, until: number): void {
  limiter.reject({ writes: false, startedAt: Date.now() }, until);
}

/** Advances the clock and runs all timers that become due. */
export const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Runs pending callbacks without advancing the clock. */
export const ticks = () => advance(0);

/** A call that requests a permit from a limiter. */
class Visit {
  readonly request: Permit;
  readonly controller = new AbortController();
  readonly deadline: Deadline;
  entry: Acquisition | 'waiting' = 'waiting';
  readonly #limiter: RateLimiter;

  constructor(limiter: RateLimiter, request: Permit, total: number) {
    this.#limiter = limiter;
    this.request = request;
    this.deadline = new Deadline([this.controller.signal], total);
  }

  leave(headers?: Record<string, string>): void {
    this.#limiter.release(this.request, headers);
  }
}

/** Returns the calls' current results. */
export const entries = (visits: readonly Visit[]) => visits.map(({ entry }) => entry);

/** Creates a limiter. Records the order in which calls are admitted, and the reported waits. */
export function house(settings: Partial<RateLimiterSettings> = {}) {
  const log: string[] = [];
  const waits: [name: string, ms: number | undefined][] = [];
  const names = new Map<Permit, string>();
  const limiter = new RateLimiter({
    onLimit: 'wait',
    maxWait: Number.POSITIVE_INFINITY,
    maxConcurrency: Number.POSITIVE_INFINITY,
    clock: Date.now,
    writeInterval: { always: 0, afterRejection: 0 },
    onWait: (ms, request) => waits.push([names.get(request) ?? 'unknown', ms]),
    ...settings,
  });
  /** Makes a call. `total` is the call's total timeout in ms, or 0 for no timeout. */
  const visit = (name: string, more: Partial<Permit> = {}, total = 0) => {
    const request = {
      credential: 'a',
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
      ...more,
    };
    names.set(request, name);
    const made = new Visit(limiter, request, total);
    const note = (entry: Acquisition) => {
      made.entry = entry;
      log.push(`${name} ${typeof entry === 'string' ? entry : 'refused'}`);
    };
    const entering = limiter.acquire(request, made.deadline);
    if (entering) void entering.then(note);
    else note('acquired');
    return made;
  };
  /** Makes a number of calls in order. */
  const come = (count: number) => Array.from({ length: count }, (_, at) => visit(`${at + 1}`));
  /** Reports a quota to the limiter as a response would. */
  const receive = (headers: Record<string, string>, more: Partial<Permit> = {}) => {
    visit('earlier', more).leave(headers);
    log.pop();
  };
  return { limiter, log, waits, visit, come, receive };
}

/** Creates response headers for a quota whose window ends `seconds` after the start. */
export function budget(remaining: number, seconds = 60, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${start / 1000 + seconds}`,
    ...more,
  };
}
