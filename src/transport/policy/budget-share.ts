import type { Budgets, Rejected, Reservation } from './budgets.js';
import type { BudgetReply, BudgetReport } from './stores.js';

/** Units that are taken at once. */
const [leastPortion, mostPortion] = [16, 256];

/** Between two questions of one who waits for what others have, in ms. */
const [firstPoll, lastPoll] = [5, 200];

/** What one process has of a budget that a fleet shares. */
export class BudgetShare {
  readonly #key: string;
  readonly #budgets: Budgets;
  readonly #now: () => number;
  /** Units of calls in flight. */
  #used = 0;
  /** Units in hand. */
  #free = 0;
  /** Where they are paced: when each may be used, by our clock. */
  #starts: number[] = [];
  #portion = leastPortion;
  /** With fewer units in hand, the next portion is asked for. */
  #low = 0;
  /** Something changed since the last report. */
  #changed = false;
  /** The sequence that was known when the call was sent that told what is not reported yet. */
  #news: number | undefined;
  /** The last reply, and of which event of `budgets` it is. */
  #last: Pick<BudgetReply, 'sequence' | 'left' | 'holders'> = { sequence: 0, left: 0, holders: 1 };
  #asOf = 0;
  /** Answers tell no budget, and none is known: no units are needed. */
  #untold = false;
  #poll = firstPoll;
  #askAgainAt = 0;
  /** Places of those who wait for the end of a window, and of which. */
  #places: number[] = [];
  #placesOf = 0;

  constructor(key: string, budgets: Budgets, now: () => number) {
    this.#key = key;
    this.#budgets = budgets;
    this.#now = now;
  }

  /** It has units, or something to tell. */
  get matters(): boolean {
    return this.#used + this.#free > 0 || this.#changed;
  }

  /** Others may need what lies idle here. */
  get isHoarding(): boolean {
    const { left, holders } = this.#last;
    return left < 2 * holders * leastPortion && (this.#free > this.#starts.length || this.#changed);
  }

  /** When it asks again for what it did not get. */
  get askAgainAt(): number {
    return this.#askAgainAt;
  }

  /** @param away the store is not there: each keeps to its part of what was known last. */
  obstacle(away: boolean): Rejected | 'turn' | undefined {
    const known = this.#budgets.obstacle(this.#key, away ? this.#last.holders : 1);
    if (known !== undefined || away || this.#untold) return known;
    const [start] = this.#starts;
    if (start !== undefined && start > this.#now()) return { limit: undefined, until: start };
    return this.#free > 0 ? undefined : 'turn';
  }

  /** @returns whether it is time for the next portion. */
  take(): boolean {
    this.#used++;
    this.#changed = true;
    if (this.#free === 0) return false;
    this.#free--;
    this.#starts.shift();
    if (this.#free >= this.#low) return false;
    this.#low = 0;
    return true;
  }

  /** What is in hand is not needed any more. */
  drop(): void {
    this.#changed ||= this.#free > 0;
    this.#free = 0;
    this.#starts = [];
  }

  /** An answer is there, or none will come. @param told a budget; undefined where there was no answer. */
  give(told: boolean | undefined): void {
    this.#used--;
    this.#changed = true;
    this.#askAgainAt = 0;
    if (told !== undefined) this.#untold = !told && this.#budgets.told(this.#key) === undefined;
  }

  /** An answer told of this budget. */
  heard({ madeAt }: Reservation): void {
    this.#news = madeAt > this.#asOf ? this.#last.sequence : -1;
    this.#untold = false;
    this.#changed = true;
  }

  /**
   * What there is to say; undefined for nothing.
   * @param waiting calls that wait.
   * @param beat what was not used since the last report is given back.
   */
  report(waiting: number, beat: boolean, spread: boolean): BudgetReport | undefined {
    const told = this.#budgets.told(this.#key);
    const closed = typeof this.#budgets.obstacle(this.#key) === 'object';
    if (closed && told && told.reset !== this.#placesOf) {
      this.#placesOf = told.reset;
      this.#places = [];
    }
    const need = closed || this.#untold ? 0 : Math.max(0, waiting - this.#free);
    const waiters = closed ? Math.max(0, waiting - this.#places.length) : 0;
    const asks = need > 0 && this.#askAgainAt <= this.#now();
    if (!asks && waiters === 0 && !this.#changed && !(beat && this.matters)) return undefined;
    if (beat && !this.#changed && need === 0) {
      this.#free = this.#starts.length;
      this.#portion = leastPortion;
    }
    const refill = !beat && this.#changed && !closed && !this.#untold && this.#starts.length === 0;
    const report = {
      key: this.#key,
      told,
      since: this.#news,
      held: this.#used + this.#free,
      need,
      want: Math.max(need, refill ? this.#portion - this.#free : 0),
      waiters,
      spread,
    };
    this.#changed = false;
    this.#news = undefined;
    return report;
  }

  /** The store took the report over. */
  took(report: BudgetReport, reply: BudgetReply, asOf: number): void {
    const { known, granted, waited, first, gap } = reply;
    const now = this.#now();
    this.#last = reply;
    if (known) this.#budgets.adopt(this.#key, known, asOf);
    this.#asOf = this.#budgets.events;
    for (let at = 0; at < report.waiters; at++) this.#places.push(reply.place + at);
    for (let at = 0; at < granted; at++) {
      if (waited)
        this.#starts.push(now - waited.ago + (this.#places.shift() ?? waited.count) * waited.gap);
      else if (gap > 0 || first > 0) this.#starts.push(now + first + at * gap);
    }
    this.#free += granted;
    if (granted >= leastPortion) {
      this.#portion = Math.min(mostPortion, this.#portion * 2);
      this.#low = granted >> 1;
    }
    const served = granted > 0 || report.need === 0;
    this.#poll = served ? firstPoll : Math.min(lastPoll, this.#poll * 2);
    this.#askAgainAt = served ? 0 : now + this.#poll;
  }

  /** Nobody knows whether the store took it over. */
  missed({ since }: BudgetReport): void {
    this.#changed = true;
    this.#news ??= since;
  }
}
