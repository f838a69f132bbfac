import type { Budgets, Rejected, Reservation } from './budgets.js';
import { clock, heartbeat, idle, Poll } from './fleet-pace.js';
import type { BudgetReply, BudgetReport } from './stores.js';

/** Units that are taken at once. */
const [leastPortion, mostPortion] = [16, 4096];

/** Where a fair part of what is left is fewer units, each may be needed elsewhere. */
const leastShare = 4;

/** What one process has of a budget that a fleet shares. */
export class BudgetShare {
  readonly #key: string;
  readonly #budgets: Budgets;
  readonly #now: () => number;
  /** Units of calls in flight. */
  #used = 0;
  /** Units in hand. */
  #free = 0;
  /** Those of them that are paced: when each may be used, by our clock. */
  #starts: number[] = [];
  #portion = leastPortion;
  /** With fewer units in hand, the next portion is asked for. */
  #low = 0;
  #refill = false;
  /** Others wait for what there is to tell. */
  #urgent = false;
  /** Since when there is something to tell. */
  #changedAt = Number.POSITIVE_INFINITY;
  #toldAt = 0;
  /** When a unit came, or was used. */
  #idleSince = 0;
  /** The sequence that was known when the call was sent that told what is not reported yet. */
  #news: number | undefined;
  /** The last reply, and of which event of `budgets` it is. */
  #last: Pick<BudgetReply, 'sequence' | 'known' | 'left' | 'holders'> = {
    sequence: 0,
    known: undefined,
    left: 0,
    holders: 1,
  };
  #asOf = 0;
  /** Answers tell no budget that can be shared: no units are needed. */
  #untold = false;
  readonly #poll = new Poll();
  /** Places of those who wait for the end of a window, and of which. */
  #places: number[] = [];
  #placesOf = 0;

  constructor(key: string, budgets: Budgets, now: () => number) {
    this.#key = key;
    this.#budgets = budgets;
    this.#now = now;
  }

  /** When others are to know what changed; Infinity for never. */
  get reportAt(): number {
    return this.#untold ? Number.POSITIVE_INFINITY : this.#changedAt + this.patience;
  }

  /** Known number of processes that have a part of it. */
  get holders(): number {
    return Math.max(1, this.#last.holders);
  }

  /** It has units, or something to tell. */
  get matters(): boolean {
    return this.#used + this.#free > 0 || this.#changedAt < Number.POSITIVE_INFINITY;
  }

  /** How long it may keep to itself what changed, and what others may need, in ms. */
  get patience(): number {
    const { left, holders } = this.#last;
    return left < 2 * holders * leastShare && !this.#untold ? idle : heartbeat;
  }

  /** @param away the store is not there: each keeps to its part of what was known last. */
  blockedBy(away: boolean): Rejected | 'turn' | undefined {
    const known = this.#budgets.blockedBy(this.#key, away ? this.#last.holders : 1);
    if (known !== undefined || away || this.#untold || this.#free > this.#starts.length) {
      return known;
    }
    const [start] = this.#starts;
    if (start === undefined) return 'turn';
    return start > this.#now() ? { limit: undefined, until: start, reason: 'quota' } : undefined;
  }

  /** How many of those that wait have a unit to use now, or need none. */
  ready(waiting: number): number {
    if (waiting === 0 || this.#isClosed()) return 0;
    if (this.#untold) return waiting;
    const now = this.#now();
    return Math.min(waiting, this.#free - this.#starts.filter((start) => start > now).length);
  }

  /** @returns whether it is time for the next portion. */
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

  /** What is in hand is not needed any more. */
  drop(): void {
    this.#keep(0);
  }

  /** An answer is there, or none will come. */
  release(): void {
    this.#used--;
    if (!this.#isSpent()) this.#poll.soon();
    this.#change();
  }

  /** An answer told of this budget. @returns whether others wait to know it. */
  onReported({ sequence }: Reservation): boolean {
    this.#news = sequence > this.#asOf ? this.#last.sequence : -1;
    this.#change();
    return this.onNoReport();
  }

  /** An answer told of no budget. @returns whether others wait to know it. */
  onNoReport(): boolean {
    this.#untold = !this.#budgets.isTold(this.#key);
    this.#urgent ||= this.#last.known === undefined;
    return this.#urgent;
  }

  /**
   * When the store is to be asked next; Infinity where there is nothing to say.
   * @param reach how many calls the process may have in flight, as far as it knows.
   */
  dueAt(waiting: number, reach: number): number {
    if (this.#urgent || this.#refill || this.#unplaced(waiting) > 0) return 0;
    if (this.#untold) return Number.POSITIVE_INFINITY;
    const { patience } = this;
    const needed = this.#needed(waiting, reach);
    return Math.min(
      needed > this.#free ? this.#poll.at : Number.POSITIVE_INFINITY,
      this.reportAt,
      this.#free > needed ? this.#idleSince + patience : Number.POSITIVE_INFINITY,
      this.#used + this.#free > 0 ? this.#toldAt + heartbeat : Number.POSITIVE_INFINITY,
    );
  }

  /** What there is to say; undefined for nothing. @param waiting calls that wait. */
  report(waiting: number, reach: number): BudgetReport | undefined {
    const now = clock();
    const needed = this.#needed(waiting, reach);
    const [need, waiters] = [Math.max(0, needed - this.#free), this.#unplaced(waiting)];
    const isChanged = this.#changedAt < Number.POSITIVE_INFINITY;
    if (need === 0 && !isChanged && this.dueAt(waiting, reach) > now) return undefined;
    if (this.#free > needed && now - this.#idleSince >= this.patience) this.#keep(needed);
    const told = this.#budgets.reported(this.#key);
    if (waiters > 0 && told && told.reset !== this.#placesOf) {
      this.#placesOf = told.reset;
      this.#places = [];
    }
    const refills = (this.#refill || need > 0) && this.#starts.length === 0 && !this.#isClosed();
    const report = {
      key: this.#key,
      told: told ?? (this.#untold ? 'none' : undefined),
      since: this.#news,
      held: this.#used + this.#free,
      need,
      want: Math.max(need, refills ? this.#portion - this.#free : 0),
      waiters,
    } as const;
    this.#refill = false;
    this.#urgent = false;
    this.#changedAt = Number.POSITIVE_INFINITY;
    this.#toldAt = now;
    this.#news = undefined;
    return report;
  }

  /** The store took the report over. */
  took(report: BudgetReport, reply: BudgetReply, asOf: number): void {
    const { known, granted, waited, holders } = reply;
    const now = this.#now();
    this.#last = reply;
    if (known === 'none') this.#untold = true;
    else if (known) {
      this.#untold = false;
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
    if (granted >= leastPortion) this.#portion = Math.min(mostPortion, this.#portion * 2);
    this.#poll.asked(granted >= report.need, holders, holders);
  }

  /** Nobody knows whether the store took it over. */
  missed({ since }: BudgetReport): void {
    this.#change();
    this.#news ??= since;
  }

  /** Others have all that is left: the call that ended now has used up what it had. */
  #isSpent(): boolean {
    const { left, known } = this.#last;
    if (left !== 0 || typeof known !== 'object') return false;
    const told = this.#budgets.reported(this.#key);
    return told?.reset === known.reset && told.remaining < known.remaining;
  }

  /** Only the first of what is told together needs the time: each look at the clock would be felt. */
  #change(): void {
    if (this.#changedAt === Number.POSITIVE_INFINITY) this.#changedAt = clock();
  }

  /** Keeps so many of the units in hand. */
  #keep(free: number): void {
    this.#change();
    this.#free = free;
    this.#starts.length = Math.min(this.#starts.length, free);
    this.#portion = leastPortion;
    this.#low = 0;
  }

  /** Nothing is left until the window ends. */
  #isClosed(): boolean {
    return typeof this.#budgets.blockedBy(this.#key) === 'object';
  }

  /** Units that those who wait could use soon; more are asked for when more than half of them are used. */
  #needed(waiting: number, reach: number): number {
    if (waiting === 0 || this.#untold || this.#isClosed()) return 0;
    const needed = Math.min(waiting, reach);
    return this.#free >= reach / 2 && this.#starts.length === 0
      ? Math.min(needed, this.#free)
      : needed;
  }

  /** Calls that wait for the end of the window, and have no place in the order yet. */
  #unplaced(waiting: number): number {
    if (waiting === 0 || !this.#isClosed()) return 0;
    const reset = this.#budgets.reported(this.#key)?.reset;
    return Math.max(0, waiting - (reset === this.#placesOf ? this.#places.length : 0));
  }
}
