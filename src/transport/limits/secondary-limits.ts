import { maxWindow } from '../http/headers.js';
import { BoundedMap } from '../request/bounded-map.js';
import type { Permit, Rejected } from './budgets.js';
import {
  type LearnedIntervals,
  type Pace,
  type SharedIntervals,
  type StartCoordinator,
  slowStartKey,
} from './limit-coordinator.js';
import { memory, SlowStart } from './slow-start.js';
import type { Waiter, WaitQueue } from './wait-queue.js';

/**
 * Minimum time between writes, in ms. A longer time may apply after the server has rejected a
 * write.
 */
export interface WriteInterval {
  readonly always: number;
  readonly afterRejection: number;
}

/** Maximum number of credentials whose writes are tracked. */
const maxWriters = 1000;

/** Time in ms within which due permissions are granted together. */
const group = 10;

/**
 * If another process's pause ends at most this many ms after the known pause, it counts as the same
 * pause.
 */
const samePause = 500;

type Waiters = Pick<WaitQueue<Waiter>, 'first' | 'length'>;

const none: readonly Pace[] = [];

export type RejectedRequest = Pick<Permit, 'writes' | 'startedAt'>;

/**
 * Handles secondary limits: pauses the client after a rejection, starts calls slowly after the
 * pause, and enforces an interval between writes. A coordinator, if set, enforces the intervals
 * across several processes. Times are in ms on the limiter's clock.
 */
export class SecondaryLimits {
  /**
   * Times when recently accepted requests were sent, which determine the pace of calls after a
   * rejection.
   */
  readonly #accepted: number[] = [];
  #acceptedCount = 0;
  readonly #slowStart = new SlowStart(this.#accepted);
  readonly #interval: WriteInterval;
  readonly #clock: () => number;
  readonly #nextWrites = new BoundedMap<string, number>(maxWriters);
  #coordinator: StartCoordinator | undefined;
  #writeInterval: number;
  #pausedUntil = 0;
  /** Whether a pause or slow start may delay calls. */
  #isLearned = false;

  constructor(interval: WriteInterval, clock: () => number) {
    this.#interval = interval;
    this.#writeInterval = interval.always;
    this.#clock = clock;
  }

  /** Lets a coordinator enforce the intervals across processes. */
  join(coordinator: StartCoordinator): void {
    this.#coordinator = coordinator;
  }

  /** End of the pause. 0 or a time in the past if the client isn't paused. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /**
   * Returns the name of a request's queue. Paced writes have their own queue so that reads don't
   * wait behind them.
   */
  queueKey({ writes }: Permit, quotaKey: string): string {
    return writes && this.#writeInterval > 0 ? `${quotaKey} writes` : quotaKey;
  }

  /** Returns the names of all queues for requests that count against a quota. */
  queueKeys(quotaKey: string): readonly string[] {
    return this.#writeInterval > 0 ? [quotaKey, `${quotaKey} writes`] : [quotaKey];
  }

  /**
   * Pauses all calls after the server rejects a request. The pause lasts at most an hour. A
   * rejection without a pause (`Retry-After: 0`) has a reason other than the request rate, so it
   * doesn't change the intervals.
   */
  reject({ writes, startedAt = 0 }: RejectedRequest, until: number): void {
    const now = this.#clock();
    if (until <= now) return;
    this.#pause(until, now);
    this.#slowStart.reject(startedAt, now, this.#pausedUntil - now);
    if (writes) this.#paceWrites();
  }

  /** Adopts another process's pause. */
  share(ms: number): void {
    const now = this.#clock();
    const isKnown = now + ms <= this.#pausedUntil + samePause;
    this.#pause(now + ms, now);
    if (!isKnown) this.#slowStart.reject(now, now, ms);
  }

  get learned(): LearnedIntervals {
    const { afterRejection } = this.#interval;
    const isPaced = afterRejection > 0 && this.#writeInterval >= afterRejection;
    return {
      slowStart: this.#isLearned ? this.#learnedPace() : 0,
      writes: isPaced ? afterRejection : 0,
    };
  }

  adopt({ slowStart, writes, starts, isOutdated }: SharedIntervals): void {
    this.#slowStart.raise(starts);
    if (slowStart > 0 && !this.#isPaused) {
      this.#slowStart.adopt(slowStart, isOutdated, this.#clock());
      this.#isLearned = true;
    }
    if (writes > 0) this.#paceWrites();
  }

  #learnedPace(): number {
    const now = this.#clock();
    return this.#isPaused ? this.#slowStart.measured(now) : this.#slowStart.interval(now);
  }

  #paceWrites(): void {
    this.#writeInterval = Math.max(this.#writeInterval, this.#interval.afterRejection);
  }

  #pause(until: number, now: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.min(until, now + maxWindow));
    this.#isLearned = true;
  }

  accept(sentAt: number): void {
    this.#accepted[this.#acceptedCount++ % memory] = sentAt;
    if (this.#isLearned) this.#slowStart.accept(sentAt);
  }

  /**
   * Returns why a call can't start yet. Undefined if it can start. Doesn't read the clock if the
   * client was never paused.
   */
  blockedBy(request: Permit): Rejected | 'start' | undefined {
    if (!this.#isLearned && this.#writeInterval === 0) return undefined;
    if (this.#isLearned && this.#isPaused) {
      return { limit: undefined, until: this.#pausedUntil, reason: 'pause' };
    }
    const coordinator = this.#reachable;
    for (const pace of this.#paces(request)) {
      const blockedBy = coordinator
        ? coordinator.startBlockedBy(pace)
        : this.#blockedByOwn(pace, request);
      if (blockedBy) return blockedBy;
    }
    return undefined;
  }

  /** Requests permission from the coordinator to start the first waiting calls. */
  requestStart({ first, length }: Waiters): void {
    const paces = first ? this.#paces(first.request) : none;
    const pace = paces.find((each) => this.#coordinator?.startBlockedBy(each));
    if (pace) this.#coordinator?.requestStart(pace, Math.min(length, countGroup(pace)));
  }

  /** Returns how many of the waiting calls could start if a quota and a slot were free. */
  countStartable({ first, length }: Waiters): number {
    if (!first || typeof this.blockedBy(first.request) === 'object') return 0;
    return Math.min(length, ...this.#paces(first.request).map(countGroup));
  }

  start(request: Permit): void {
    if (!this.#isLearned && this.#writeInterval === 0) return;
    for (const pace of this.#paces(request)) {
      this.#reachable?.takeStart(pace);
      if (pace.key === slowStartKey) this.#slowStart.start(this.#clock());
      else this.#nextWrites.set(request.credential, this.#clock() + pace.interval);
    }
  }

  /** Forgets all pauses and intervals that responses caused. */
  reset(): void {
    this.#slowStart.reset();
    this.#nextWrites.clear();
    this.#writeInterval = this.#interval.always;
    this.#pausedUntil = 0;
    this.#isLearned = false;
  }

  get #isPaused(): boolean {
    return this.#pausedUntil > this.#clock();
  }

  /** The coordinator, unless it can't reach the other processes. */
  get #reachable(): StartCoordinator | undefined {
    return this.#coordinator?.isAlone ? undefined : this.#coordinator;
  }

  /**
   * Returns the intervals that apply to a call. The write interval comes last, because a further
   * wait after the write's permission is used would shorten the interval to the next write.
   */
  #paces({ credential, exemptFromLimits, writes }: Permit): readonly Pace[] {
    const isPacedWrite = writes && this.#writeInterval > 0;
    if (!this.#isLearned && !isPacedWrite) return none;
    const paces: Pace[] = [];
    const interval = this.#isLearned ? this.#slowStart.interval(this.#clock()) : 0;
    if (interval > 0 && !exemptFromLimits) {
      paces.push({ key: slowStartKey, interval, reason: 'slow_start' });
    } else if (interval === 0 && this.#isLearned) {
      this.#isLearned = this.#isPaused;
    }
    if (isPacedWrite) {
      const key = `writes of ${credential}`;
      paces.push({ key, interval: this.#writeInterval, reason: 'write_interval' });
    }
    return paces;
  }

  #blockedByOwn({ key, interval, reason }: Pace, { credential }: Permit): Rejected | undefined {
    const now = this.#clock();
    const until =
      key === slowStartKey
        ? this.#slowStart.nextStart(now)
        : (this.#nextWrites.get(credential) ?? 0);
    return until > now ? { limit: undefined, until, reason, interval } : undefined;
  }
}

/** Returns the number of permissions that a coordinator grants together. */
function countGroup({ interval }: Pace): number {
  return Math.max(1, Math.floor(group / interval));
}
