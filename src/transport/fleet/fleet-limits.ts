import { randomBytes } from 'node:crypto';
import type { Budgets, Rejected, Reservation } from '../limits/budgets.js';
import type { LimitCoordinator, LimiterCalls, Pace } from '../limits/limit-coordinator.js';
import type {
  BudgetReport,
  LimitReply,
  LimitReport,
  SharedLimits,
} from '../limits/shared-limits.js';
import { settling } from '../limits/slow-start.js';
import type { Publish } from '../request/diagnostics.js';
import { StoreAccess } from '../stores/store-access.js';
import { BudgetShare } from './budget-share.js';
import { type Exchange, ExchangeLoop } from './exchange-loop.js';
import { clock, lease } from './pace.js';
import { SlotShare } from './slot-share.js';
import { StartShares } from './start-shares.js';

/**
 * Maximum number of shares to keep. Beyond this number, shares of unused credentials are dropped.
 */
const maxShares = 1000;

/** Settings for a limiter that shares its limits with other processes. */
export interface FleetSettings {
  readonly shared: SharedLimits;
  /** Name of the service whose limits are shared. */
  readonly scope: string;
  /** Publishes an event when the store stops responding or responds again. */
  readonly publish: Publish;
  /** Maximum number of calls in flight in all processes together. Infinity for no limit. */
  readonly capacity: number;
  /** Maximum number of calls in flight in this process. */
  readonly maxConcurrency: number;
  readonly now: () => number;
}

/**
 * One process's part of the limits that a fleet shares: quota units, slots, and permissions to
 * start calls at intervals. At most one exchange with the store is in progress.
 *
 * A call needs a unit first, then a slot, and then permission to start. A process requests slots
 * only for calls that have a unit, and permissions only for calls that also have a slot. A call
 * with a slot therefore waits only for its permission and its response. A process without units
 * returns its slots. {@link FleetLimits.scheduleExchange} starts the next exchange, or sets a timer
 * for the time when the exchange is due. While the store is unavailable, each process limits itself
 * to its part of the last known limits.
 */
export class FleetLimits implements LimitCoordinator {
  readonly #settings: FleetSettings;
  readonly #budgets: Budgets;
  readonly #calls: LimiterCalls;
  readonly #loop: ExchangeLoop;
  readonly #holder = randomBytes(9).toString('base64url');
  readonly #shares = new Map<string, BudgetShare>();
  /** Shares that have units, waiting calls or something to report. */
  readonly #active = new Map<string, BudgetShare>();
  readonly #slots: SlotShare;
  readonly #starts: StartShares;
  #pause = 0;
  /**
   * Time by which all responses in flight at the last rejection should have arrived. Infinity once a
   * report has been sent after this time.
   */
  #settledAt = Number.POSITIVE_INFINITY;

  constructor(settings: FleetSettings, budgets: Budgets, calls: LimiterCalls) {
    const { shared, publish, capacity, maxConcurrency, now } = settings;
    const patience = shared.timeout ?? 50;
    this.#settings = settings;
    this.#budgets = budgets;
    this.#calls = calls;
    this.#slots = new SlotShare(capacity, maxConcurrency);
    this.#starts = new StartShares(calls, now);
    this.#loop = new ExchangeLoop(
      {
        next: () => this.#next(),
        send: () => this.#send(),
        checkQueues: () => calls.checkQueues(),
      },
      new StoreAccess('limits', patience, publish),
      patience,
    );
  }

  get isAlone(): boolean {
    return this.#loop.isLost;
  }

  hasSlot(): boolean {
    return this.#slots.isFree(this.#loop.isLost);
  }

  blockedBy(key: string): Rejected | 'turn' | undefined {
    return this.#getShare(key).blockedBy(this.#loop.isLost);
  }

  startBlockedBy(pace: Pace): Rejected | 'start' | undefined {
    return this.#starts.blockedBy(pace);
  }

  requestStart(pace: Pace, want: number): void {
    this.#starts.request(pace, want);
    this.scheduleExchange();
  }

  takeStart(pace: Pace): void {
    if (this.#starts.take(pace)) this.scheduleExchange();
  }

  holders(key: string): number {
    return this.#shares.get(key)?.holders ?? 1;
  }

  take(key: string): void {
    this.#slots.take();
    const share = this.#getShare(key);
    const now = clock();
    if (share.take(now)) this.scheduleExchange();
    else this.#loop.wakeAt(now + share.patience);
  }

  release(reservation: Reservation, reported: string | undefined | false): void {
    const share = this.#getShare(reservation.key);
    share.release();
    const isAwaited = reported === undefined && share.onNoReport();
    if (this.#slots.release() || isAwaited) this.scheduleExchange();
    this.onReport(reservation, reported || undefined);
    this.#loop.wakeAt(share.reportAt);
  }

  onReport(reservation: Reservation, reported: string | undefined): void {
    if (reported !== undefined && this.#getShare(reported).onReported(reservation))
      this.scheduleExchange();
  }

  pause(ms: number): void {
    if (ms <= 0) return;
    this.#pause = Math.max(this.#pause, ms);
    this.#settledAt = clock() + settling;
    this.#starts.drop();
    this.scheduleExchange();
  }

  scheduleExchange(): void {
    this.#loop.schedule();
  }

  /** Returns idle units and slots to the store. */
  close(): Promise<void> {
    return this.#loop.close(() => {
      for (const share of this.#shares.values()) share.drop();
      this.#slots.drop();
      return this.#shares.size > 0;
    });
  }

  /**
   * Returns the time when the next exchange is due, how many calls wait, and how many of them need
   * only a slot.
   */
  #next(): { due: number; waiting: number; ready: number } {
    let due = this.#pause > 0 || this.#starts.isUrgent ? 0 : this.#settledAt;
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

  #send(): Exchange {
    const reports: [BudgetShare, BudgetReport][] = [];
    const { ready } = this.#next();
    for (const [key, share] of this.#active) {
      const report = share.report(this.#calls.waiting(key), this.#slots.reach);
      if (report) reports.push([share, report]);
    }
    const report = {
      holder: this.#holder,
      lease,
      pause: this.#pause,
      slots: this.#slots.report(ready),
      budgets: reports.map(([, each]) => each),
      starts: this.#starts.report(),
    };
    const asOf = this.#budgets.events;
    this.#pause = 0;
    if (this.#settledAt <= clock()) this.#settledAt = Number.POSITIVE_INFINITY;
    return {
      pending: this.#exchange(report),
      verify: (reply) => verifyReply(report, reply),
      applyReply: (reply) => this.#applyReply(report, reports, reply, asOf),
      repeatLater: () => {
        for (const [share, each] of reports) share.repeatLater(each);
        this.#pause = Math.max(this.#pause, report.pause);
      },
    };
  }

  async #exchange(report: LimitReport): Promise<LimitReply> {
    return await this.#settings.shared.exchange(this.#settings.scope, report);
  }

  #applyReply(
    report: LimitReport,
    reports: readonly (readonly [BudgetShare, BudgetReport])[],
    reply: LimitReply,
    asOf: number,
  ): void {
    let units = 0;
    for (const [at, [share, each]] of reports.entries()) {
      const given = reply.budgets[at];
      if (!given) continue;
      share.applyReply(each, given, asOf);
      units += given.granted;
    }
    this.#slots.applyReply(report.slots, reply.slots, units);
    this.#starts.applyReplies(report.starts, reply);
    if (reply.pause <= 0) return;
    this.#starts.drop();
    this.#calls.pause(reply.pause);
  }

  #getShare(key: string): BudgetShare {
    const active = this.#active.get(key);
    if (active) return active;
    const known = this.#shares.get(key);
    const made = known ?? new BudgetShare(key, this.#budgets, this.#settings.now);
    this.#active.set(key, made);
    if (known) return known;
    this.#shares.set(key, made);
    if (this.#shares.size > maxShares) {
      for (const old of this.#shares.keys()) if (!this.#active.has(old)) this.#shares.delete(old);
    }
    return made;
  }
}

function verifyReply(report: LimitReport, reply: LimitReply): void {
  const isComplete =
    reply.budgets.length >= report.budgets.length &&
    reply.starts.length >= report.starts.length &&
    (reply.slots || !report.slots);
  if (!isComplete) throw new TypeError('the store omitted requested quotas, slots or starts');
}
