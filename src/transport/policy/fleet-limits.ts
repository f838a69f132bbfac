import { randomBytes } from 'node:crypto';
import type { Publish } from '../request/diagnostics.js';
import { BudgetShare } from './budget-share.js';
import type { Budgets, Rejected, Reservation } from './budgets.js';
import { StoreAccess, within } from './store-access.js';
import type { BudgetReport, LimitReply, LimitReport, SharedLimits } from './stores.js';

/** What a process has ends by itself when it was not heard of for so long, in ms. */
const lease = 10_000;

/** Who has something is heard of so often at least, in ms, and hears of pauses and of others that wait. */
const heartbeat = 1000;

/** What lies idle while others may need it is given back after so long, in ms. */
const idle = 20;

/** Between two questions of one who waits for a slot, in ms. */
const [firstPoll, lastPoll] = [5, 200];

/** Between two questions to a store that failed, in ms. */
const [firstRetry, lastRetry] = [250, 5000];

/** Shares of credentials that are not used any more are forgotten beyond so many. */
const mostShares = 1000;

/** How a limiter takes part in a fleet. */
export interface FleetSettings {
  readonly shared: SharedLimits;
  /** The service that the limits are of. */
  readonly scope: string;
  /** Tells of a store that is lost, or back. */
  readonly publish: Publish;
  /** Of all processes together. */
  readonly maxConcurrency: number;
  readonly spread: boolean;
  readonly now: () => number;
}

/** What the fleet's part of a limiter asks of the other parts. */
export interface FleetCalls {
  /** Calls that wait, by budget. */
  waiting(key: string): number;
  /** Calls that wait for nothing but a turn. */
  ready(): number;
  /** What was in the way may be gone. */
  look(): void;
  /** Nobody of the fleet may send anything for so long, in ms. */
  rest(ms: number): void;
}

/**
 * A process's part of the limits that a fleet shares: it has slots, and units of budgets in portions.
 * One exchange with the store is under way at a time, and reports all that changed. While the store is
 * away, everybody keeps to a part of what was known last.
 */
export class FleetLimits {
  readonly #settings: FleetSettings;
  readonly #budgets: Budgets;
  readonly #calls: FleetCalls;
  readonly #access: StoreAccess;
  readonly #holder = randomBytes(9).toString('base64url');
  readonly #shares = new Map<string, BudgetShare>();
  #slots = 0;
  #slotsInUse = 0;
  /** Most of them in use since the last heartbeat. */
  #slotsPeak = 0;
  /** Other processes that wait for a slot, and all that have some or wait. */
  #othersWaiting = 0;
  #holders = 1;
  #slotPoll = firstPoll;
  #slotsAgainAt = 0;
  #pause = 0;
  #away = false;
  #retry = firstRetry;
  #state: 'resting' | 'planned' | 'asking' = 'resting';
  #running: Promise<void> | undefined;
  /** Asked for while an exchange was under way. */
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(settings: FleetSettings, budgets: Budgets, calls: FleetCalls) {
    this.#settings = settings;
    this.#budgets = budgets;
    this.#calls = calls;
    this.#access = new StoreAccess('limits', this.#patience, settings.publish);
  }

  /** A slot is there for one more call. */
  hasSlot(): boolean {
    const { maxConcurrency } = this.#settings;
    if (maxConcurrency === Number.POSITIVE_INFINITY) return true;
    if (this.#away) {
      return this.#slotsInUse < Math.max(1, Math.floor(maxConcurrency / this.#holders));
    }
    return this.#slotsInUse < this.#slots;
  }

  /** What is in the way of a call on this budget. */
  obstacle(key: string): Rejected | 'turn' | undefined {
    return this.#shareOf(key).obstacle(this.#away);
  }

  /** A call is let in. */
  take(key: string): void {
    this.#slotsInUse++;
    this.#slotsPeak = Math.max(this.#slotsPeak, this.#slotsInUse);
    if (this.#shareOf(key).take()) this.ask();
  }

  /**
   * A call that was let in has its answer, or will have none.
   * @param told the budget that the answer told of; `undefined` for none, `false` where no answer came.
   */
  give(reservation: Reservation, told: string | undefined | false): void {
    this.#slotsInUse--;
    const share = this.#shareOf(reservation.key);
    share.give(told === false ? undefined : told !== undefined);
    this.hear(reservation, told || undefined);
    const part = Math.floor(this.#settings.maxConcurrency / this.#holders);
    if (this.#othersWaiting > 0 && this.#slots > part) {
      this.#slots--;
      this.ask();
    }
    this.#wakeIn(share.isHoarding ? idle : heartbeat);
  }

  /** An answer told of a budget, perhaps of another one than its call was counted on. */
  hear(reservation: Reservation, told: string | undefined): void {
    if (told !== undefined) this.#shareOf(told).heard(reservation);
  }

  /** The server asked for rest. */
  pause(ms: number): void {
    this.#pause = Math.max(this.#pause, ms);
    this.ask();
  }

  /** Gives back what lies idle. */
  async close(): Promise<void> {
    this.#clearTimer();
    await this.#running;
    if (this.#away) return;
    for (const share of this.#shares.values()) share.drop();
    this.#slotsPeak = this.#slotsInUse;
    if (this.#slots > 0 || this.#shares.size > 0) await this.#exchange(true);
  }

  get #patience(): number {
    return this.#settings.shared.timeout ?? 50;
  }

  /** Calls wait, or will: the store is asked once what runs now has run. */
  ask(): void {
    if (this.#state === 'asking') this.#again = true;
    if (this.#state !== 'resting' || this.#away) return;
    this.#state = 'planned';
    queueMicrotask(() => {
      if (this.#state === 'planned') void this.#exchange(false);
    });
  }

  #exchange(beat: boolean): Promise<void> {
    this.#running = this.#exchangeOnce(beat);
    return this.#running;
  }

  async #exchangeOnce(beat: boolean): Promise<void> {
    this.#state = 'asking';
    this.#again = false;
    this.#clearTimer();
    const asked: [BudgetShare, BudgetReport][] = [];
    for (const [key, share] of this.#shares) {
      const report = share.report(this.#calls.waiting(key), beat, this.#settings.spread);
      if (report) asked.push([share, report]);
    }
    const report = this.#report(
      asked.map(([, each]) => each),
      beat,
    );
    const isNews = asked.length > 0 || this.#pause > 0 || (report.slots?.want ?? 0) > 0;
    if (beat || isNews) {
      const asOf = this.#budgets.events;
      this.#pause = 0;
      const pending = this.#send(report);
      try {
        this.#took(report, asked, await within(this.#patience, pending), asOf);
      } catch (error) {
        for (const [share, each] of asked) share.missed(each);
        this.#pause = Math.max(this.#pause, report.pause);
        this.#lost(error);
        // A client may keep a command until it is connected again: one such is enough.
        void pending.catch(() => undefined).then(() => this.#rest());
        return;
      }
    }
    this.#rest();
    if (beat || isNews) this.#calls.look();
    if (this.#again) this.ask();
  }

  #rest(): void {
    this.#state = 'resting';
    this.#plan();
  }

  async #send(report: LimitReport): Promise<LimitReply> {
    return await this.#settings.shared.exchange(this.#settings.scope, report);
  }

  #report(budgets: readonly BudgetReport[], beat: boolean): LimitReport {
    const wanted = this.#slotsInUse + this.#calls.ready();
    const crowded = this.#othersWaiting > 0;
    const needed = Math.max(wanted, crowded ? 0 : this.#slotsPeak);
    if (crowded || beat) this.#slots = Math.min(this.#slots, needed);
    if (beat) this.#slotsPeak = this.#slotsInUse;
    this.#slots = Math.max(this.#slots, this.#slotsInUse);
    const asks = this.#slotsAgainAt <= this.#settings.now();
    const want = asks ? Math.max(0, wanted - this.#slots) : 0;
    return {
      holder: this.#holder,
      lease,
      pause: this.#pause,
      slots: this.#slotReport(this.#slots, want),
      budgets,
    };
  }

  #slotReport(held: number, want: number): LimitReport['slots'] {
    const { maxConcurrency: capacity } = this.#settings;
    return capacity === Number.POSITIVE_INFINITY ? undefined : { capacity, held, want };
  }

  #took(
    { slots }: LimitReport,
    asked: readonly (readonly [BudgetShare, BudgetReport])[],
    reply: LimitReply,
    asOf: number,
  ): void {
    this.#access.found();
    this.#away = false;
    this.#retry = firstRetry;
    for (const [at, [share, report]] of asked.entries()) {
      const each = reply.budgets[at];
      if (each) share.took(report, each, asOf);
    }
    if (reply.slots) {
      const { granted, holders, waiting } = reply.slots;
      this.#slots += granted;
      this.#holders = Math.max(1, holders);
      this.#othersWaiting = waiting;
      const served = granted > 0 || slots?.want === 0;
      this.#slotPoll = served ? firstPoll : Math.min(lastPoll, this.#slotPoll * 2);
      this.#slotsAgainAt = served ? 0 : this.#settings.now() + this.#slotPoll;
    }
    if (reply.pause > 0) this.#calls.rest(reply.pause);
  }

  /** When to be heard of again, unless something happens before. */
  #plan(): void {
    if (this.#away) {
      this.#wakeIn(this.#retry);
      this.#retry = Math.min(lastRetry, this.#retry * 2);
      return;
    }
    const now = this.#settings.now();
    if (this.#slotsAgainAt > now) this.#wakeIn(this.#slotsAgainAt - now, false);
    if (this.#slots > this.#slotsInUse && this.#othersWaiting > 0) this.#wakeIn(idle);
    if (this.#slots > 0) this.#wakeIn(heartbeat);
    for (const { askAgainAt, isHoarding, matters } of this.#shares.values()) {
      if (askAgainAt > now) this.#wakeIn(askAgainAt - now, false);
      if (isHoarding) this.#wakeIn(idle);
      else if (matters) this.#wakeIn(heartbeat);
    }
  }

  #lost(error: unknown): void {
    if (!this.#access.lost(error)) return;
    this.#away = true;
    this.#calls.look();
  }

  /** @param beat what lies idle is given back then. A process that only has that to do may end. */
  #wakeIn(ms: number, beat = true): void {
    const at = this.#settings.now() + ms;
    if (this.#timerAt <= at || this.#state === 'asking') return;
    this.#clearTimer();
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      void this.#exchange(beat);
    }, ms);
    if (beat) this.#timer.unref();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #shareOf(key: string): BudgetShare {
    const known = this.#shares.get(key);
    if (known) return known;
    const made = new BudgetShare(key, this.#budgets, this.#settings.now);
    this.#shares.set(key, made);
    if (this.#shares.size > mostShares) {
      for (const [old, share] of this.#shares) {
        if (share !== made && !share.matters) this.#shares.delete(old);
      }
    }
    return made;
  }
}
