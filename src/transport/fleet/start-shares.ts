import type { Rejected } from '../limits/budgets.js';
import { type LimiterCalls, type Pace, slowStartKey } from '../limits/limit-coordinator.js';
import type { LimitReply, StartRequest } from '../limits/shared-limits.js';
import { StartShare } from './start-share.js';

/** Key for the interval between writes. Processes learn the interval from a rejected write. */
const writesKey = 'writes';

/** Fields of a request that only reports an interval and requests no permissions. */
const onlyReport = { since: undefined, want: 0, late: undefined };

/** Maximum number of shares to keep. Beyond this number, idle shares are dropped. */
const maxShares = 1000;

/** One process's permissions to start calls, and the intervals that all processes learned. */
export class StartShares {
  readonly #calls: LimiterCalls;
  readonly #now: () => number;
  readonly #shares = new Map<string, StartShare>();
  /** Requests for the next exchange, by key. */
  readonly #wanted = new Map<string, StartRequest>();
  /** Calls that started late and aren't reported yet, by key. */
  readonly #late = new Map<string, { readonly interval: number; readonly startedAt: number }>();
  /** When the last report was created. */
  #sentAt = 0;
  /**
   * Last reported number of calls granted across all processes. Undefined after a pause until the
   * next reply.
   */
  #count: number | undefined;
  /** Number of pauses so far. */
  #pauses = 0;

  constructor(calls: LimiterCalls, now: () => number) {
    this.#calls = calls;
    this.#now = now;
  }

  /** Whether calls are waiting for the next exchange, or a late call must be reported. */
  get isUrgent(): boolean {
    return this.#wanted.size + this.#late.size > 0;
  }

  blockedBy(pace: Pace): Rejected | 'start' | undefined {
    const share = this.#shares.get(pace.key);
    return share ? share.blockedBy(pace, this.#now()) : 'start';
  }

  /** Requests permissions for waiting calls in the next exchange. */
  request({ key, interval }: Pace, want: number): void {
    this.#wanted.set(key, { ...onlyReport, key, interval, want });
  }

  /**
   * Uses a permission for a call.
   * @returns whether the other processes must be informed that the call started late.
   */
  take({ key, interval }: Pace): boolean {
    const now = this.#now();
    if (!this.#shares.get(key)?.take(now) || key === slowStartKey) return false;
    this.#late.set(key, { interval, startedAt: now });
    return true;
  }

  /** Drops unused permissions, which are invalid after a pause. */
  drop(): void {
    this.#shares.clear();
    this.#wanted.clear();
    this.#count = undefined;
  }

  /**
   * Creates the requests for the next report. The first two requests are always sent, to report
   * intervals.
   */
  report(): StartRequest[] {
    const { slowStart, writes } = this.#calls.intervals();
    const want = this.#wanted.get(slowStartKey)?.want ?? 0;
    this.#wanted.delete(slowStartKey);
    const now = this.#now();
    for (const [key, { interval, startedAt }] of this.#late) {
      const request = this.#wanted.get(key) ?? { ...onlyReport, key, interval };
      this.#wanted.set(key, { ...request, late: now - startedAt });
    }
    const others = [...this.#wanted.values()];
    this.#wanted.clear();
    this.#late.clear();
    this.#sentAt = now;
    return [
      { ...onlyReport, key: slowStartKey, interval: slowStart, since: this.#pauses, want },
      { ...onlyReport, key: writesKey, interval: writes },
      ...others,
    ];
  }

  applyReplies(requests: readonly StartRequest[], { starts: replies, pauses }: LimitReply): void {
    const now = this.#now();
    for (const [at, { key, want }] of requests.entries()) {
      const reply = replies[at];
      if (reply && want > 0) this.#getShare(key).applyReply(reply, this.#sentAt, now);
    }
    const [slowStart, writes] = replies;
    if (!slowStart || !writes) return;
    const { count, granted, interval } = slowStart;
    const others = this.#count === undefined ? 0 : count - this.#count - granted;
    this.#count = count;
    const isOutdated = pauses !== this.#pauses;
    this.#pauses = pauses;
    const starts = Math.max(0, others);
    this.#calls.adopt({ slowStart: interval, writes: writes.interval, starts, isOutdated });
  }

  #getShare(key: string): StartShare {
    const known = this.#shares.get(key);
    if (known) return known;
    if (this.#shares.size >= maxShares) {
      const now = this.#now();
      for (const [old, share] of this.#shares) if (share.isIdle(now)) this.#shares.delete(old);
    }
    const made = new StartShare();
    this.#shares.set(key, made);
    return made;
  }
}
