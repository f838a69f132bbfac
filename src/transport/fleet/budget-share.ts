import type { Budgets, Rejected, Reservation } from '../limits/budgets.js';
import type { BudgetReply, BudgetReport } from '../limits/shared-limits.js';
import { clock, heartbeat, idle, maxSilence, Poll } from './pace.js';

/** Minimum and maximum portion, which is the number of quota units to request at once. */
const [minPortion, maxPortion] = [16, 4096];

/**
 * If each process's equal part of the remaining quota is below this number, other processes may
 * need every unit.
 */
const minShare = 4;

/** One process's part of a quota that a fleet shares. */
export class BudgetShare {
  readonly #key: string;
  readonly #budgets: Budgets;
  readonly #now: () => number;
  /** Number of units that calls in flight use. */
  #used = 0;
  /** Number of unused units. */
  #free = 0;
  /**
   * Times when paced units become usable, on this process's clock. `#free` includes these units.
   */
  #starts: number[] = [];
  #portion = minPortion;
  /** Number of unused units below which the next portion is requested. */
  #low = 0;
  #refill = false;
  /** Whether other processes are waiting for the next report. */
  #urgent = false;
  /** Time of the first unreported change. Infinity if there is none. */
  #changedAt = Number.POSITIVE_INFINITY;
  #reportedAt = 0;
  #repliedAt = Number.NEGATIVE_INFINITY;
  /** When a unit was last granted or used. */
  #idleSince = 0;
  /**
   * Value of `since` in the next report. Undefined if there is no new quota to share. -1 if the new
   * quota comes from a call that was sent before the last reply, otherwise that reply's sequence
   * number.
   */
  #news: number | undefined;
  #last: Pick<BudgetReply, 'sequence' | 'known' | 'left' | 'holders'> = {
    sequence: 0,
    known: undefined,
    left: 0,
    holders: 1,
  };
  /** Number of events that `budgets` had recorded when the last reply arrived. */
  #asOf = 0;
  /** Whether responses report no quota that can be shared, so calls need no units. */
  #isUnshareable = false;
  readonly #poll = new Poll();
  /** Queue places of the calls that wait for a window to end. */
  #places: number[] = [];
  /** Reset time of the window that the calls in `#places` wait for. */
  #placesReset = 0;

  constructor(key: string, budgets: Budgets, now: () => number) {
    this.#key = key;
    this.#budgets = budgets;
    this.#now = now;
  }

  /** When a change must be reported to the other processes. Infinity if there is no change. */
  get reportAt(): number {
    return this.#isUnshareable ? Number.POSITIVE_INFINITY : this.#changedAt + this.patience;
  }

  /** Known number of processes that have units of this quota or wait for them. */
  get holders(): number {
    return Math.max(1, this.#last.holders);
  }

  /** Whether the share has units or unreported changes. */
  get matters(): boolean {
    return this.#used + this.#free > 0 || this.#changedAt < Number.POSITIVE_INFINITY;
  }

  /** Time in ms for which the share can delay reports and keep unused units. */
  get patience(): number {
    const { left, holders } = this.#last;
    return left < 2 * holders * minShare && !this.#isUnshareable ? idle : heartbeat;
  }

  /**
   * Returns why a call can't use a unit now. Undefined if it can.
   * @param away whether the store is unavailable. If so, each process limits itself to its part of
   * the last known quota.
   */
  blockedBy(away: boolean): Rejected | 'turn' | undefined {
    const known = this.#budgets.blockedBy(this.#key, away ? this.#last.holders : 1);
    if (known !== undefined || away || this.#free > this.#starts.length || this.#isExempt()) {
      return known;
    }
    const [start] = this.#starts;
    if (start === undefined) return 'turn';
    return start > this.#now() ? { limit: undefined, until: start, reason: 'quota' } : undefined;
  }

  /** Returns the number of waiting calls that can use a unit now, or need no unit. */
  ready(waiting: number): number {
    if (waiting === 0 || this.#isClosed()) return 0;
    if (this.#isExempt()) return waiting;
    const now = this.#now();
    return Math.min(waiting, this.#free - this.#starts.filter((start) => start > now).length);
  }

  /** Records the start of a call. @returns whether the next portion is due. */
  take(now = clock()): boolean {
    this.#used++;
    if (this.#free === 0) {
      this.#change();
      return false;
    }
    if (this.#free === this.#starts.length) this.#starts.shift();
    this.#free--;
    this.#idleSince = now;
    if (this.#free >= this.#low) return false;
    this.#low = 0;
    this.#refill = true;
    return true;
  }

  /** Gives up all unused units in the next report. */
  drop(): void {
    this.#keep(0);
  }

  release(): void {
    this.#used--;
    if (!this.#isSpent()) this.#poll.soon();
    this.#change();
  }

  /**
   * Records that a response reported this quota.
   * @returns whether other processes are waiting for the report.
   */
  onReported({ sequence }: Reservation): boolean {
    this.#news = sequence > this.#asOf ? this.#last.sequence : -1;
    this.#change();
    return this.onNoReport();
  }

  /**
   * Records that a response reported no quota.
   * @returns whether other processes are waiting for the report.
   */
  onNoReport(): boolean {
    this.#isUnshareable = !this.#budgets.isShareable(this.#key);
    this.#urgent ||= this.#last.known === undefined;
    return this.#urgent;
  }

  /**
   * Returns the time when the next exchange is due. Infinity if there is nothing to report.
   * @param reach number of calls that the process may have in flight.
   */
  dueAt(waiting: number, reach: number): number {
    if (this.#urgent || this.#refill || this.#unplaced(waiting) > 0) return 0;
    if (this.#isExempt()) return Number.POSITIVE_INFINITY;
    const { patience } = this;
    const needed = this.#needed(waiting, reach);
    return Math.min(
      needed > this.#free ? this.#poll.at : Number.POSITIVE_INFINITY,
      this.reportAt,
      this.#free > needed ? this.#idleSince + patience : Number.POSITIVE_INFINITY,
      this.#used + this.#free > 0 ? this.#reportedAt + heartbeat : Number.POSITIVE_INFINITY,
    );
  }

  /**
   * Creates the next report. Returns undefined if there is nothing to report.
   * @param waiting number of waiting calls.
   */
  report(waiting: number, reach: number): BudgetReport | undefined {
    const now = clock();
    const needed = this.#needed(waiting, reach);
    const [need, waiters] = [Math.max(0, needed - this.#free), this.#unplaced(waiting)];
    const isChanged = this.#changedAt < Number.POSITIVE_INFINITY;
    if (need === 0 && !isChanged && this.dueAt(waiting, reach) > now) return undefined;
    if (this.#free > needed && now - this.#idleSince >= this.patience) this.#keep(needed);
    const reported = this.#budgets.getReport(this.#key);
    if (waiters > 0 && reported && reported.reset !== this.#placesReset) {
      this.#placesReset = reported.reset;
      this.#places = [];
    }
    const refills = (this.#refill || need > 0) && this.#starts.length === 0 && !this.#isClosed();
    const report = {
      key: this.#key,
      reported: reported ?? (this.#isUnshareable ? 'none' : undefined),
      since: this.#news,
      held: this.#used + this.#free,
      need,
      want: Math.max(need, refills ? this.#portion - this.#free : 0),
      waiters,
      isKnown: now - this.#repliedAt < maxSilence,
    } as const;
    this.#refill = false;
    this.#urgent = false;
    this.#changedAt = Number.POSITIVE_INFINITY;
    this.#reportedAt = now;
    this.#news = undefined;
    return report;
  }

  applyReply(report: BudgetReport, reply: BudgetReply, asOf: number): void {
    const { known, granted, waited, holders } = reply;
    const now = this.#now();
    this.#last = reply;
    this.#repliedAt = clock();
    if (known === 'none') this.#isUnshareable = true;
    else if (known) {
      this.#isUnshareable = false;
      this.#budgets.adopt(this.#key, known, asOf);
    }
    this.#asOf = this.#budgets.events;
    for (let at = 0; at < report.waiters; at++) this.#places.push(reply.place + at);
    for (let at = 0; waited && at < granted; at++) {
      this.#starts.push(now - waited.ago + (this.#places.shift() ?? waited.count) * waited.gap);
    }
    this.#free += granted;
    if (granted > 0) this.#idleSince = clock();
    if (granted > report.need) this.#low = granted >> 1;
    if (granted >= minPortion) this.#portion = Math.min(maxPortion, this.#portion * 2);
    this.#poll.record(granted >= report.need || known === 'none', holders, holders);
  }

  /** Repeats a report later, because the store might not have received it. */
  repeatLater({ since }: BudgetReport): void {
    this.#change();
    this.#news ??= since;
  }

  /**
   * Returns whether the store has no free units, and this process knows a lower remaining quota
   * than the store.
   */
  #isSpent(): boolean {
    const { left, known } = this.#last;
    if (left !== 0 || typeof known !== 'object') return false;
    const reported = this.#budgets.getReport(this.#key);
    return reported?.reset === known.reset && reported.remaining < known.remaining;
  }

  /**
   * Records a change. Reads the clock only for the first change in a report, because reading the
   * clock is slow.
   */
  #change(): void {
    if (this.#changedAt === Number.POSITIVE_INFINITY) this.#changedAt = clock();
  }

  /** Keeps `free` unused units and gives up the others. */
  #keep(free: number): void {
    this.#change();
    this.#free = free;
    this.#starts.length = Math.min(this.#starts.length, free);
    this.#portion = minPortion;
    this.#low = 0;
  }

  /**
   * Returns whether calls need no units because no quota is known. If no report was sent within
   * `heartbeat` ms, calls need units again so that the process learns about pauses.
   */
  #isExempt(): boolean {
    return this.#isUnshareable && clock() - this.#reportedAt < heartbeat;
  }

  /** Returns whether the quota is used up until the window ends. */
  #isClosed(): boolean {
    return typeof this.#budgets.blockedBy(this.#key) === 'object';
  }

  /**
   * Returns the number of units that waiting calls could use soon. The process requests no further
   * units while at least `reach / 2` units are unused.
   */
  #needed(waiting: number, reach: number): number {
    if (waiting === 0 || this.#isClosed() || this.#isExempt()) return 0;
    const needed = Math.min(waiting, reach);
    return this.#free >= reach / 2 && this.#starts.length === 0
      ? Math.min(needed, this.#free)
      : needed;
  }

  /**
   * Returns how many calls wait for the window to end but have no place in the store's queue yet.
   */
  #unplaced(waiting: number): number {
    if (waiting === 0 || !this.#isClosed()) return 0;
    const reset = this.#budgets.getReport(this.#key)?.reset;
    return Math.max(0, waiting - (reset === this.#placesReset ? this.#places.length : 0));
  }
}
