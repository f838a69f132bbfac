import { longestWindow, type Permit, type Rejected } from './budgets.js';
import { SlowStart } from './slow-start.js';

/** Time between writes, in ms: always, or only after the server has rejected a write. */
export interface WriteInterval {
  readonly always: number;
  readonly afterRejection: number;
}

/** Maximum number of credentials whose writes are tracked. */
const mostWriters = 1000;

/** A request that a secondary limit rejected. */
export type RejectedRequest = Pick<Permit, 'writes' | 'startedAt'>;

/**
 * Handles secondary limits: pauses the client after a rejection, starts calls slowly after the pause, and
 * keeps an interval between writes. Times are in ms by the limiter's clock.
 */
export class SecondaryLimits {
  readonly #slowStart = new SlowStart();
  readonly #interval: WriteInterval;
  readonly #nextWrites = new Map<string, number>();
  #writeInterval: number;
  #pausedUntil = 0;
  /** Whether a pause or slow start may delay calls. */
  #isLearned = false;

  constructor(interval: WriteInterval) {
    this.#interval = interval;
    this.#writeInterval = interval.always;
  }

  /** End of the pause; 0 if there was none, or a time in the past. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Name of the queue for a request. Paced writes have their own, so that reads don't wait behind them. */
  queueKey({ writes }: Permit, quotaKey: string): string {
    return writes && this.#writeInterval > 0 ? `${quotaKey} writes` : quotaKey;
  }

  /** Names of all queues for requests that count on a quota. */
  queueKeys(quotaKey: string): readonly string[] {
    return this.#writeInterval > 0 ? [quotaKey, `${quotaKey} writes`] : [quotaKey];
  }

  /**
   * Pauses all calls because the server rejected a request. The pause ends after an hour at most. A rejection
   * without a pause (`Retry-After: 0`) has another reason than the rate, so the client learns nothing from it.
   */
  reject({ writes, startedAt = 0 }: RejectedRequest, until: number, now: number): void {
    if (until <= now) return;
    this.#pause(until, now);
    this.#slowStart.reject(startedAt, now, this.#pausedUntil - now);
    if (writes) this.#writeInterval = Math.max(this.#writeInterval, this.#interval.afterRejection);
  }

  /** Takes over a pause of another process. */
  share(ms: number, now: number): void {
    const isKnown = this.#pausedUntil > now;
    this.#pause(now + ms, now);
    if (!isKnown) this.#slowStart.reject(now, now, ms);
  }

  #pause(until: number, now: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.min(until, now + longestWindow));
    this.#isLearned = true;
  }

  /** Records a request that the server accepted. */
  accept(sentAt: number): void {
    this.#slowStart.accept(sentAt);
  }

  /** Why a call can't start yet. Undefined if it can. Doesn't read the clock in a client that never paused. */
  blockedBy(request: Permit, clock: () => number): Rejected | undefined {
    if (this.#isLearned) {
      const now = clock();
      if (this.#pausedUntil > now) {
        return { limit: undefined, until: this.#pausedUntil, reason: 'pause' };
      }
      const next = request.exemptFromLimits ? 0 : this.#slowStart.nextStart(now);
      if (next > now) {
        const interval = this.#slowStart.interval(now);
        return { limit: undefined, until: next, reason: 'slow_start', interval };
      }
    }
    if (this.#writeInterval === 0 || !request.writes) return undefined;
    const until = this.#nextWrites.get(request.credential) ?? 0;
    if (until <= clock()) return undefined;
    const interval = this.#writeInterval;
    return { limit: undefined, until, reason: 'write_interval', interval };
  }

  /** Counts a call that starts. */
  start({ credential, exemptFromLimits, writes }: Permit, clock: () => number): void {
    if (this.#isLearned && !exemptFromLimits) {
      const now = clock();
      if (!this.#slowStart.isPacing(now)) this.#isLearned = false;
      else this.#slowStart.start(now);
    }
    if (this.#writeInterval === 0 || !writes) return;
    this.#nextWrites.delete(credential);
    this.#nextWrites.set(credential, clock() + this.#writeInterval);
    const [oldest] = this.#nextWrites.keys();
    if (this.#nextWrites.size > mostWriters && oldest !== undefined) {
      this.#nextWrites.delete(oldest);
    }
  }

  /** Forgets what responses reported. */
  reset(): void {
    this.#slowStart.reset();
    this.#nextWrites.clear();
    this.#writeInterval = this.#interval.always;
    this.#pausedUntil = 0;
    this.#isLearned = false;
  }
}
