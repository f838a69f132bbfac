import { randomBytes } from 'node:crypto';
import type { Publish } from '../request/diagnostics.js';
import { BudgetShare } from './budget-share.js';
import type { Budgets, Rejected, Reservation } from '../policy/budgets.js';
import type { LimitCoordinator, LimiterCalls } from '../policy/limit-coordinator.js';
import { clock } from './pace.js';
import { SlotShare } from './slot-share.js';
import { firstRetry, lastRetry, longestOpen, StoreAccess, within } from '../policy/store-access.js';
import type { BudgetReport, LimitReply, LimitReport, SharedLimits } from '../policy/shared-limits.js';

/** Lease duration in ms. Units and slots of a silent process expire after it. */
const lease = 10_000;

/** Maximum number of shares to keep. Beyond it, shares of unused credentials are dropped. */
const mostShares = 1000;

/** Settings of a limiter that shares its limits with other processes. */
export interface FleetSettings {
  readonly shared: SharedLimits;
  /** Name of the service whose limits are shared. */
  readonly scope: string;
  /** Publishes that the store is lost, or available again. */
  readonly publish: Publish;
  /** Maximum number of calls in flight of all processes together. Infinity for no limit. */
  readonly capacity: number;
  /** Maximum number of calls in flight of this process. */
  readonly maxConcurrency: number;
  readonly now: () => number;
}

/**
 * One process's part of the limits that a fleet shares: units of quotas in portions, and slots. At most
 * one exchange with the store is in progress.
 *
 * A call needs a unit first, and then a slot. A process requests slots only for calls that have a unit,
 * and returns slots if it has no units. So a call with a slot waits only for its response, and a call with
 * a unit waits only for a slot. Both shares know when the next exchange is due (`dueAt`):
 * {@link FleetLimits.ask} starts it, or sets a timer for it. While the store is lost, each process keeps
 * to its part of the last known limits.
 */
export class FleetLimits implements LimitCoordinator {
  readonly #settings: FleetSettings;
  readonly #budgets: Budgets;
  readonly #calls: LimiterCalls;
  readonly #access: StoreAccess;
  readonly #holder = randomBytes(9).toString('base64url');
  readonly #shares = new Map<string, BudgetShare>();
  /** Shares that have units, waiting calls or something to report. */
  readonly #active = new Map<string, BudgetShare>();
  readonly #slots: SlotShare;
  #pause = 0;
  #away = false;
  #isClosed = false;
  #retry = firstRetry;
  #state: 'resting' | 'planned' | 'asking' = 'resting';
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(settings: FleetSettings, budgets: Budgets, calls: LimiterCalls) {
    this.#settings = settings;
    this.#budgets = budgets;
    this.#calls = calls;
    this.#slots = new SlotShare(settings.capacity, settings.maxConcurrency);
    this.#access = new StoreAccess('limits', this.#patience, settings.publish);
  }

  /** Whether one more call may be in flight. */
  hasSlot(): boolean {
    return this.#slots.isFree(this.#away);
  }

  /** Why a call that counts on this quota can't be sent yet. Undefined if it can. */
  blockedBy(key: string): Rejected | 'turn' | undefined {
    return this.#getShare(key).blockedBy(this.#away);
  }

  /** Known number of processes that have units of a quota. */
  holders(key: string): number {
    return this.#shares.get(key)?.holders ?? 1;
  }

  /** Counts a call that starts. */
  take(key: string): void {
    this.#slots.take();
    const share = this.#getShare(key);
    const now = clock();
    if (share.take(now)) this.ask();
    else this.#wakeAt(now + share.patience);
  }

  /**
   * Counts a call that ended.
   * @param reported key of the quota that the response reported; undefined if it reported none, false if
   * there was no response.
   */
  release(reservation: Reservation, reported: string | undefined | false): void {
    const share = this.#getShare(reservation.key);
    share.release();
    const isAwaited = reported === undefined && share.onNoReport();
    if (this.#slots.release() || isAwaited) this.ask();
    this.onReport(reservation, reported || undefined);
    this.#wakeAt(share.reportAt);
  }

  /** Records that a response reported a quota, maybe another one than its call was counted on. */
  onReport(reservation: Reservation, reported: string | undefined): void {
    if (reported !== undefined && this.#getShare(reported).onReported(reservation)) this.ask();
  }

  /** Reports a pause to the other processes. @param ms its length. */
  pause(ms: number): void {
    this.#pause = Math.max(this.#pause, ms);
    this.ask();
  }

  /** Returns idle units and slots to the store. */
  async close(): Promise<void> {
    while (this.#state === 'asking' && !this.#away) await this.#running;
    this.#isClosed = true;
    this.#clearTimer();
    if (this.#away || this.#shares.size === 0) return;
    for (const share of this.#shares.values()) share.drop();
    this.#slots.drop();
    await this.#exchange();
  }

  get #patience(): number {
    return this.#settings.shared.timeout ?? 50;
  }

  /** Plans an exchange after a change: after the code that runs now, or when it is due. */
  ask(): void {
    if (this.#state !== 'resting' || this.#away) return;
    this.#state = 'planned';
    queueMicrotask(() => {
      if (this.#state === 'planned') this.#askOrPlan();
    });
  }

  #askOrPlan(): void {
    this.#clearTimer();
    const { due, waiting } = this.#next();
    if (due <= clock()) {
      void this.#exchange();
      return;
    }
    this.#state = 'resting';
    this.#wakeAt(due, waiting > 0);
  }

  /** Returns when the next exchange is due, how many calls wait, and how many of them need only a slot. */
  #next(): { due: number; waiting: number; ready: number } {
    let due = this.#pause > 0 ? 0 : Number.POSITIVE_INFINITY;
    let [waiting, ready] = [0, 0];
    for (const [key, share] of this.#active) {
      const here = this.#calls.waiting(key);
      if (here === 0 && !share.matters) this.#active.delete(key);
      waiting += here;
      ready += share.ready(here);
      due = Math.min(due, share.dueAt(here, this.#slots.reach));
    }
    return { due: Math.min(due, this.#slots.dueAt(ready)), waiting, ready };
  }

  #exchange(): Promise<void> {
    this.#running = this.#exchangeOnce();
    return this.#running;
  }

  async #exchangeOnce(): Promise<void> {
    this.#state = 'asking';
    this.#clearTimer();
    const asked: [BudgetShare, BudgetReport][] = [];
    const { ready } = this.#next();
    for (const [key, share] of this.#active) {
      const report = share.report(this.#calls.waiting(key), this.#slots.reach);
      if (report) asked.push([share, report]);
    }
    const report = {
      holder: this.#holder,
      lease,
      pause: this.#pause,
      slots: this.#slots.report(ready),
      budgets: asked.map(([, each]) => each),
    };
    const asOf = this.#budgets.events;
    this.#pause = 0;
    const pending = this.#send(report);
    try {
      this.#took(report, asked, await within(this.#patience, pending), asOf);
    } catch (error) {
      for (const [share, each] of asked) share.missed(each);
      this.#pause = Math.max(this.#pause, report.pause);
      this.#lost(error);
      // A Redis client may keep a command until it is connected again: don't send a second one meanwhile.
      const failed = this.#running;
      this.#setTimer(clock() + longestOpen, false);
      void pending
        .catch(() => undefined)
        .then(() => this.#running === failed && this.#retryLater());
      return;
    }
    this.#state = 'resting';
    this.#calls.look();
    this.ask();
  }

  async #send(report: LimitReport): Promise<LimitReply> {
    return await this.#settings.shared.exchange(this.#settings.scope, report);
  }

  #took(
    report: LimitReport,
    asked: readonly (readonly [BudgetShare, BudgetReport])[],
    reply: LimitReply,
    asOf: number,
  ): void {
    // Thrown, because an immediate repeat would get the same incomplete reply.
    if (reply.budgets.length < asked.length || (report.slots && !reply.slots)) {
      throw new TypeError('the store omitted requested quotas or slots');
    }
    this.#access.found();
    this.#away = false;
    this.#retry = firstRetry;
    let units = 0;
    for (const [at, [share, each]] of asked.entries()) {
      const given = reply.budgets[at];
      if (!given) continue;
      share.took(each, given, asOf);
      units += given.granted;
    }
    this.#slots.took(report.slots, reply.slots, units);
    if (reply.pause > 0) this.#calls.rest(reply.pause);
  }

  #lost(error: unknown): void {
    if (!this.#access.lost(error)) return;
    this.#away = true;
    this.#calls.look();
  }

  #retryLater(): void {
    this.#setTimer(clock() + this.#retry, false);
    this.#retry = Math.min(lastRetry, this.#retry * 2);
  }

  /** @param waits whether calls wait for it. Otherwise the timer doesn't keep the process alive. */
  #wakeAt(time: number, waits = false): void {
    if (this.#state !== 'resting' || this.#away || this.#timerAt <= time) return;
    this.#setTimer(time, waits || this.#timer?.hasRef() === true);
  }

  #setTimer(time: number, waits: boolean): void {
    this.#clearTimer();
    if (this.#isClosed) return;
    this.#timerAt = time;
    this.#timer = setTimeout(() => {
      this.#clearTimer();
      if (this.#away) void this.#exchange();
      else this.#askOrPlan();
    }, time - clock());
    if (!waits) this.#timer.unref();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #getShare(key: string): BudgetShare {
    const active = this.#active.get(key);
    if (active) return active;
    const known = this.#shares.get(key);
    const made = known ?? new BudgetShare(key, this.#budgets, this.#settings.now);
    this.#active.set(key, made);
    if (known) return known;
    this.#shares.set(key, made);
    if (this.#shares.size > mostShares) {
      for (const old of this.#shares.keys()) if (!this.#active.has(old)) this.#shares.delete(old);
    }
    return made;
  }
}
