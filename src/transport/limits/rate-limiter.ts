import type { RateLimit } from '../../response-info.js';
import type { Deadline } from '../dispatch/deadline.js';
import type { RawHeaders } from '../http/headers.js';
import { Budgets, type Permit } from './budgets.js';
import type { Coordinate, LimitCoordinator } from './limit-coordinator.js';
import { reportUntimedWait, reportWait, type WaitSettings } from './report-wait.js';
import { type RejectedRequest, SecondaryLimits, type WriteInterval } from './secondary-limits.js';
import type { Acquisition, BlockedBy, Turn } from './wait-queue.js';
import { BudgetQueue, Waiter, WaitQueue } from './wait-queue.js';

export interface RateLimiterSettings extends WaitSettings {
  readonly maxConcurrency: number;
  readonly writeInterval: WriteInterval;
}

/**
 * Applies a client's limits: hourly quotas, pauses after a secondary limit, and the number of calls
 * in flight. Calls with the same quota start in order. If calls of several quotas wait for slots,
 * the quotas take turns.
 */
export class RateLimiter {
  readonly #settings: RateLimiterSettings;
  readonly #budgets: Budgets;
  readonly #queues = new Map<string, BudgetQueue>();
  readonly #turns = new WaitQueue<Turn>();
  #fleet: LimitCoordinator | undefined;
  readonly #secondary: SecondaryLimits;
  #slotsTaken = 0;

  constructor(settings: RateLimiterSettings) {
    this.#settings = settings;
    this.#budgets = new Budgets(settings.clock);
    this.#secondary = new SecondaryLimits(settings.writeInterval, settings.clock);
  }

  /**
   * Shares quotas, pauses and slots with other processes. Must be called before the first request.
   */
  join(coordinate: Coordinate): void {
    this.#fleet = coordinate(this.#budgets, {
      waiting: (key) => this.#countStartable(key),
      checkQueues: () => this.#checkQueues(),
      pause: (ms) => this.#onPause(() => this.#secondary.share(ms)),
      intervals: () => this.#secondary.learned,
      adopt: (intervals) => this.#secondary.adopt(intervals),
    });
    this.#secondary.join(this.#fleet);
  }

  rateLimit(credential: string): RateLimit | undefined {
    return this.#budgets.last(credential);
  }

  /**
   * When the client's pause ends, on the limiter's clock. In the past if the client isn't paused.
   */
  get pausedUntil(): number {
    return this.#secondary.pausedUntil;
  }

  /** Pauses the client after a rejection. `until` is a time on the limiter's clock. */
  reject(request: RejectedRequest, until: number): void {
    this.#onPause(() => this.#secondary.reject(request, until));
    this.#fleet?.pause(this.#secondary.pausedUntil - this.#settings.clock());
  }

  /** Records a request that no secondary limit rejected. */
  accept({ startedAt }: Permit): void {
    if (startedAt !== undefined) this.#secondary.accept(startedAt);
  }

  #onPause(pause: () => void): void {
    pause();
    // Calls that waited for a slot now wait for the pause to end, and their total timeouts exclude
    // this wait.
    for (const queue of [...this.#queues.values()]) if (!queue.isTimed) this.#checkQueue(queue);
  }

  /** Returns unused units and slots, which other processes can then use. */
  async close(): Promise<void> {
    await this.#fleet?.close();
  }

  /** Acquires a permit. Returns undefined if it was granted immediately, otherwise a promise. */
  acquire(request: Permit, deadline: Deadline): undefined | Promise<Acquisition> {
    const key = this.#budgets.quotaKey(request);
    const queueKey = this.#secondary.queueKey(request, key);
    let queue = this.#queues.get(queueKey);
    // Let calls whose wait has just ended go first.
    if (queue && queue.until <= this.#settings.clock()) {
      this.#checkQueue(queue);
      queue = this.#queues.get(queueKey);
    }
    if (!queue && this.#blockedBy(request, key) === undefined) {
      this.#admit(request, key);
      return undefined;
    }
    return this.#wait(request, key, deadline);
  }

  /**
   * Releases a permit if it is held. Called after the response, or when no response will arrive.
   * @param headers headers of the response. Undefined without a response from this service.
   * @param credential owner of the reported quota. Default: the permit's credential.
   * @param isSent whether the server may have counted the request without a report. Default: true.
   */
  release(
    request: Permit,
    headers: RawHeaders | undefined,
    credential: string = request.credential,
    isSent = true,
  ): void {
    const { reservation, operation, startedAt } = request;
    if (reservation === undefined) return;
    request.reservation = undefined;
    if (!request.exemptFromLimits) {
      this.#slotsTaken--;
      this.#budgets.release(reservation);
    }
    const reported =
      headers && this.#budgets.correct(reservation, { credential, operation, startedAt }, headers);
    if (request.exemptFromLimits) this.#fleet?.onReport(reservation, reported);
    else this.#fleet?.release(reservation, headers ? reported : false);
    if (reported === undefined && isSent) this.#budgets.miss(reservation);
    if (this.#queues.size === 0) return;
    for (const key of new Set([reservation.key, reported ?? reservation.key])) {
      for (const queue of this.#findQueues(key)) this.#checkQueue(queue);
    }
    this.#releaseSlots();
  }

  /** Forgets all limits that responses reported, and starts the waiting calls. */
  reset(): void {
    this.#budgets.clear();
    this.#secondary.reset();
    this.#checkQueues();
  }

  #checkQueues(): void {
    for (const queue of [...this.#queues.values()]) this.#checkQueue(queue);
    this.#releaseSlots();
  }

  #wait(request: Permit, key: string, deadline: Deadline): Promise<Acquisition> {
    return new Promise((resolve) => {
      const settle = (entry: Acquisition) => {
        deadline.watch(undefined);
        deadline.resume();
        resolve(entry);
      };
      const waiter = new Waiter(request, deadline, settle);
      const queue = this.#push(waiter, key);
      deadline.watch(() => this.#settle(waiter, 'interrupted'));
      if (queue.waiters.length === 1) this.#checkQueue(queue);
      else this.#reportOrReject(waiter, this.#blockedBy(request, key), queue.waiters.length - 1);
      reportUntimedWait(waiter, this.#blockedBy(request, key), this.#settings);
      this.#fleet?.scheduleExchange();
    });
  }

  /** Starts or rejects a queue's calls in order, until a call must continue to wait. */
  #checkQueue(queue: BudgetQueue, slotGiven = false): void {
    let mayTake = slotGiven;
    for (let first = queue.waiters.first; first; first = queue.waiters.first) {
      const { request } = first;
      const key = this.#budgets.quotaKey(request);
      const blockedBy = this.#blockedBy(request, key, mayTake);
      if (this.#secondary.queueKey(request, key) !== queue.key) {
        this.#move(queue, first, key);
      } else if (blockedBy === undefined) {
        mayTake = false;
        this.#admit(request, key);
        this.#settle(first, 'acquired');
      } else if (!this.#reportOrReject(first, blockedBy)) {
        this.#waitFor(queue, blockedBy);
        return;
      }
    }
  }

  /**
   * Moves a call to another queue if its operation now uses a different quota, or writes are now
   * paced.
   */
  #move(queue: BudgetQueue, first: Waiter, key: string): void {
    queue.waiters.shift();
    this.#forgetEmpty(queue);
    this.#checkQueue(this.#push(first, key));
  }

  #findQueues(quotaKey: string): BudgetQueue[] {
    const keys = this.#secondary.queueKeys(quotaKey);
    return keys.flatMap((key) => this.#queues.get(key) ?? []);
  }

  /** Grants free slots to the queues one at a time, in rotation. */
  #releaseSlots(): void {
    while (this.#queues.size > 0 && this.#isSlotFree()) {
      const turn = this.#turns.first;
      if (!turn) return;
      this.#turns.remove(turn);
      turn.queue.turn = undefined;
      this.#checkQueue(turn.queue, true);
    }
  }

  /**
   * Rejects the waiter if it would wait too long. Otherwise, reports the wait. Returns whether the
   * waiter was rejected.
   */
  #reportOrReject(waiter: Waiter, blockedBy: BlockedBy | undefined, place = 0): boolean {
    const rejected = reportWait(waiter, blockedBy, place, this.#settings);
    if (rejected) return this.#settle(waiter, rejected);
    // A subscriber to the wait event may have aborted the call.
    return waiter.done;
  }

  /** Makes a queue wait for an event, or until a time that is reported to all its waiters. */
  #waitFor(queue: BudgetQueue, blockedBy: BlockedBy): void {
    this.#fleet?.scheduleExchange();
    if (blockedBy === 'start') this.#secondary.requestStart(queue.waiters);
    if (blockedBy === 'slot' && !queue.turn) {
      queue.turn = { queue, done: false };
      this.#turns.push(queue.turn);
    }
    // Don't resume the total timeouts while calls wait only for other processes.
    if (blockedBy !== 'start') queue.setLimited(typeof blockedBy === 'object');
    if (typeof blockedBy !== 'object') queue.stop();
    else if (queue.wait(blockedBy, this.#settings.clock(), () => this.#checkQueue(queue))) {
      const waiters = queue.waiters.all();
      for (const [place, waiter] of waiters.entries()) {
        this.#reportOrReject(waiter, blockedBy, place);
      }
    }
  }

  /**
   * Returns why a call can't be sent now. Calls need a quota unit, then a slot, then permission to
   * start.
   */
  #blockedBy(request: Permit, key: string, hasSlot = false): BlockedBy | undefined {
    if (request.isPrefetch?.() && !this.#hasSpare(request, key)) return 'declined';
    const paced = this.#secondary.blockedBy(request);
    if (typeof paced === 'object' || request.exemptFromLimits) return paced;
    const quota = (this.#fleet ?? this.#budgets).blockedBy(key);
    if (quota) return quota;
    // Let calls that already wait for a slot go first.
    const isNext = this.#queues.size === 0 || this.#turns.length === 0;
    return hasSlot || (isNext && this.#isSlotFree()) ? paced : 'slot';
  }

  /** Returns whether a prefetch leaves enough units for the waiting calls and one more call. */
  #hasSpare(request: Permit, key: string): boolean {
    const queue = this.#queues.get(key);
    const leaves = (calls = 0) =>
      this.#budgets.hasSpare(key, calls, this.#fleet?.holders(key) ?? 1);
    return leaves(queue?.waiters.length) || leaves(queue?.callsBesides(request));
  }

  #isSlotFree(): boolean {
    const isFree = this.#slotsTaken < this.#settings.maxConcurrency;
    return isFree && (this.#fleet?.hasSlot() ?? true);
  }

  #admit(request: Permit, key: string): void {
    request.reservation = this.#budgets.reserve(key, !request.exemptFromLimits);
    this.#secondary.start(request);
    if (request.exemptFromLimits) return;
    this.#slotsTaken++;
    this.#fleet?.take(key);
  }

  #countStartable(quotaKey: string): number {
    const queues = this.#findQueues(quotaKey);
    return queues.reduce((sum, { waiters }) => sum + this.#secondary.countStartable(waiters), 0);
  }

  #push(waiter: Waiter, key: string): BudgetQueue {
    const queueKey = this.#secondary.queueKey(waiter.request, key);
    const queue = this.#queues.get(queueKey) ?? new BudgetQueue(queueKey);
    this.#queues.set(queueKey, queue);
    queue.add(waiter);
    return queue;
  }

  /** Ends a call's wait. Always returns true. */
  #settle(waiter: Waiter, entry: Acquisition): true {
    waiter.queue?.waiters.remove(waiter);
    if (waiter.queue) this.#forgetEmpty(waiter.queue);
    waiter.settle(entry);
    return true;
  }

  #forgetEmpty(queue: BudgetQueue): void {
    if (queue.waiters.length > 0) return;
    queue.stop();
    if (queue.turn) this.#turns.remove(queue.turn);
    this.#queues.delete(queue.key);
  }
}
