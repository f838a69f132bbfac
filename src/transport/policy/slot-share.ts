import { clock, heartbeat, idle, Poll, turn } from './fleet-pace.js';
import type { LimitReply, LimitReport } from './stores.js';

/**
 * What one process has of the number of calls in flight that a fleet shares. It asks for slots only for
 * calls that have all else that they need, and gives back what lies idle: a slot never waits for anything
 * but an answer of the server.
 */
export class SlotShare {
  readonly #capacity: number;
  readonly #most: number;
  #held = 0;
  #used = 0;
  /** Most of them in use since a time. */
  #peak = 0;
  #peakSince = 0;
  /** Slots that others wait for or that exceed the capacity, and all processes that have some or wait. */
  #othersWaiting = 0;
  #holders = 1;
  /** Whether the store has reported how many processes there are. */
  #isCounted = false;
  /** It stands in the store's queue. */
  #queued = false;
  /** It gave one back that others wait for. */
  #urgent = false;
  #toldAt = 0;
  /** When one came, and when one came or became idle. */
  #cameAt = 0;
  #idleSince = 0;
  readonly #poll = new Poll();

  /**
   * @param capacity of all processes together; Infinity for no bound.
   * @param most of this one, whatever the others have.
   */
  constructor(capacity: number, most: number) {
    this.#capacity = capacity;
    this.#most = most;
  }

  /** How many calls it may have in flight, as far as it knows. */
  get reach(): number {
    return Math.min(this.#most, Math.max(1, this.#held, this.#part));
  }

  /**
   * @param away whether the store is lost. Each process then keeps to its part, or to one call if it
   * doesn't know how many others there are.
   */
  isFree(away: boolean): boolean {
    if (this.#capacity === Number.POSITIVE_INFINITY) return true;
    const part = this.#isCounted ? Math.max(1, this.#part) : 1;
    return this.#used < (away ? part : this.#held);
  }

  take(): void {
    this.#used++;
    this.#peak = Math.max(this.#peak, this.#used);
  }

  /** @returns whether the store is to be told at once. */
  release(): boolean {
    this.#used--;
    if (this.#capacity === Number.POSITIVE_INFINITY) return false;
    const now = clock();
    this.#idleSince = now;
    if (this.#othersWaiting === 0 || now - this.#cameAt < turn) return false;
    if (this.#held <= Math.max(this.#used, this.#part)) return false;
    this.#held--;
    this.#urgent = true;
    return true;
  }

  /** What is not in use is not needed any more. */
  drop(): void {
    this.#held = this.#used;
    this.#peak = this.#used;
  }

  /** When the store is to be asked next. @param ready calls that wait for nothing but a slot. */
  dueAt(ready: number): number {
    if (this.#capacity === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    if (this.#urgent) return 0;
    const due = this.#held > 0 ? this.#toldAt + heartbeat : Number.POSITIVE_INFINITY;
    const want = this.#used + ready - this.#held;
    if (want > 0) return Math.min(due, this.#poll.at);
    const keepsFromOthers = this.#queued || (want < 0 && this.#othersWaiting > 0);
    return keepsFromOthers ? Math.min(due, this.#idleSince + idle) : due;
  }

  report(ready: number): LimitReport['slots'] {
    if (this.#capacity === Number.POSITIVE_INFINITY) return undefined;
    const now = clock();
    const needed = this.#used + ready;
    if (this.#othersWaiting > 0) {
      if (now - this.#idleSince >= idle) this.#held = Math.min(this.#held, needed);
    } else if (now - this.#peakSince >= heartbeat) {
      this.#held = Math.min(this.#held, Math.max(needed, this.#peak));
      this.#peak = this.#used;
      this.#peakSince = now;
    }
    // While the store was away, there may have been more.
    this.#held = Math.max(this.#held, this.#used);
    this.#urgent = false;
    this.#toldAt = now;
    return { capacity: this.#capacity, held: this.#held, want: needed - this.#held };
  }

  /** @param units that were granted in the same step: each may have needed a slot. */
  took(report: LimitReport['slots'], reply: LimitReply['slots'], units: number): void {
    if (!report || !reply) return;
    this.#held += reply.granted;
    this.#holders = Math.max(1, reply.holders);
    this.#isCounted = true;
    this.#othersWaiting = reply.waiting;
    const served = reply.granted > 0 || report.want + units <= 0;
    // Who has its part gets more when nobody waits any longer.
    const hasPart = reply.waiting > 0 && this.#held >= this.reach;
    this.#queued = !served && !hasPart;
    if (hasPart && !served) this.#poll.rarely();
    else this.#poll.asked(served, reply.ahead, reply.waiting);
    if (reply.granted > 0) {
      this.#cameAt = clock();
      this.#idleSince = this.#cameAt;
    }
  }

  /** What each process may have where all want some. */
  get #part(): number {
    return Math.floor(this.#capacity / this.#holders);
  }
}
