import { randomBytes } from 'node:crypto';
import type { Publish } from '../request/diagnostics.js';
import { BudgetShare } from './budget-share.js';
import type { Budgets, Rejected, Reservation } from './budgets.js';
import { clock } from './fleet-pace.js';
import { SlotShare } from './slot-share.js';
import { firstRetry, lastRetry, longestOpen, StoreAccess, within } from './store-access.js';
import type { BudgetReport, LimitReply, LimitReport, SharedLimits } from './stores.js';

/** What a process has ends by itself when it was not heard of for so long, in ms. */
const lease = 10_000;

/** Shares of credentials that are not used any more are forgotten beyond so many. */
const mostShares = 1000;

/** How a limiter takes part in a fleet. */
export interface FleetSettings {
  readonly shared: SharedLimits;
  /** The service that the limits are of. */
  readonly scope: string;
  /** Tells of a store that is lost, or back. */
  readonly publish: Publish;
  /** Calls in flight of all processes together; Infinity for no bound. */
  readonly capacity: number;
  /** Those of this one. */
  readonly maxConcurrency: number;
  readonly now: () => number;
}

/** What the fleet's part of a limiter asks of the other parts. */
export interface FleetCalls {
  /** Calls that wait, by budget; none of those that a pause holds up. */
  waiting(key: string): number;
  /** What was in the way may be gone. */
  look(): void;
  /** Nobody of the fleet may send anything for so long, in ms. */
  rest(ms: number): void;
}

/**
 * A process's part of the limits that a fleet shares: units of budgets in portions, and slots. One
 * exchange with the store is under way at a time.
 *
 * A call needs a unit first, and then a slot: slots are asked for only by who has the units, and are
 * given back where there are none. So whoever has a slot waits for nothing but an answer, and whoever
 * has a unit waits for nothing but slots. Both shares say when the store is to be asked next (`dueAt`);
 * whatever happens, {@link FleetLimits.ask} asks it then, or sets the timer for that time. While the
 * store is away, everybody keeps to a part of what was known last.
 */
export class FleetLimits {
  readonly #settings: FleetSettings;
  readonly #budgets: Budgets;
  readonly #calls: FleetCalls;
  readonly #access: StoreAccess;
  readonly #holder = randomBytes(9).toString('base64url');
  readonly #shares = new Map<string, BudgetShare>();
  /** Those with something to ask, to use or to tell. */
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

  constructor(settings: FleetSettings, budgets: Budgets, calls: FleetCalls) {
    this.#settings = settings;
    this.#budgets = budgets;
    this.#calls = calls;
    this.#slots = new SlotShare(settings.capacity, settings.maxConcurrency);
    this.#access = new StoreAccess('limits', this.#patience, settings.publish);
  }

  /** A slot is there for one more call. */
  hasSlot(): boolean {
    return this.#slots.isFree(this.#away);
  }

  /** What is in the way of a call on this budget. */
  blockedBy(key: string): Rejected | 'turn' | undefined {
    return this.#getShare(key).blockedBy(this.#away);
  }

  /** Known number of processes that have a part of a budget. */
  holders(key: string): number {
    return this.#shares.get(key)?.holders ?? 1;
  }

  /** A call is let in. */
  take(key: string): void {
    this.#slots.take();
    const share = this.#getShare(key);
    const now = clock();
    if (share.take(now)) this.ask();
    else this.#wakeAt(now + share.patience);
  }

  /**
   * A call that was let in has its answer, or will have none.
   * @param told the budget that the answer told of; `undefined` for none, `false` where no response.
   */
  release(reservation: Reservation, told: string | undefined | false): void {
    const share = this.#getShare(reservation.key);
    share.release();
    const isAwaited = told === undefined && share.onNoReport();
    if (this.#slots.release() || isAwaited) this.ask();
    this.onReport(reservation, told || undefined);
    this.#wakeAt(share.reportAt);
  }

  /** An answer told of a budget, perhaps of another one than its call was counted on. */
  onReport(reservation: Reservation, told: string | undefined): void {
    if (told !== undefined && this.#getShare(told).onReported(reservation)) this.ask();
  }

  /** The server asked for rest. */
  pause(ms: number): void {
    this.#pause = Math.max(this.#pause, ms);
    this.ask();
  }

  /** Gives back what lies idle. */
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

  /** Something changed: the store is asked once what runs now has run, or when it is due. */
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

  /** When the store is to be asked next, and how many calls wait. */
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
      // A client may keep a command until it is connected again: one such is enough, unless it never ends.
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
    // Asked for at once again, what is left out would be left out again.
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

  /** @param waits calls wait for it. A process that only has something to give back may end. */
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
