import type { LimitReply, LimitReport } from '../limits/shared-limits.js';
import { clock, heartbeat, idle, lease, maxSilence, Poll, turn } from './pace.js';

/**
 * One process's part of a fleet's slots for calls in flight. Requests slots only for calls that
 * already have a quota unit, and returns idle slots.
 */
export class SlotShare {
  readonly #capacity: number;
  readonly #most: number;
  #held = 0;
  #used = 0;
  /** Maximum number of used slots since `#peakSince`. */
  #peak = 0;
  #peakSince = 0;
  /** Number of slots that other processes are waiting for, or that are held beyond the capacity. */
  #othersWaiting = 0;
  /** Number of processes that have slots or wait for them. */
  #holders = 1;
  /**
   * When the store last reported how many processes there are. Undefined before the first report.
   */
  #countedAt: number | undefined;
  /** Whether the process is in the store's queue. */
  #queued = false;
  /**
   * Whether the process returned a slot that other processes wait for, and hasn't reported the
   * return.
   */
  #urgent = false;
  #reportedAt = 0;
  /** When a slot was last granted. */
  #cameAt = 0;
  /** When a slot was last granted or became idle. */
  #idleSince = 0;
  readonly #poll = new Poll();

  /**
   * @param capacity maximum number of slots for all processes together. Infinity for no limit.
   * @param most maximum number of slots for this process.
   */
  constructor(capacity: number, most: number) {
    this.#capacity = capacity;
    this.#most = most;
  }

  /**
   * Number of calls that the process can expect to have in flight: its slots, or its equal share if
   * larger.
   */
  get reach(): number {
    return Math.min(this.#most, Math.max(1, this.#held, this.#part));
  }

  /** Returns whether a call can use a slot now. @param away whether the store is unavailable. */
  isFree(away: boolean): boolean {
    if (this.#capacity === Number.POSITIVE_INFINITY) return true;
    return this.#used < (away ? this.#allowedAlone : this.#held);
  }

  take(): void {
    this.#used++;
    this.#peak = Math.max(this.#peak, this.#used);
  }

  /** Records the end of a call. @returns whether the store must be informed immediately. */
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

  /** Gives up all idle slots in the next report. */
  drop(): void {
    this.#held = this.#used;
    this.#peak = this.#used;
  }

  /**
   * Returns the time when the next exchange is due.
   * @param ready number of calls that need only a slot.
   */
  dueAt(ready: number): number {
    if (this.#capacity === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    if (this.#urgent) return 0;
    const due = this.#held > 0 ? this.#reportedAt + heartbeat : Number.POSITIVE_INFINITY;
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
    // More slots may have been in use while the store was unavailable.
    this.#held = Math.max(this.#held, this.#used);
    this.#urgent = false;
    this.#reportedAt = now;
    const isKnown = this.#countedAt !== undefined && now - this.#countedAt < maxSilence;
    return { capacity: this.#capacity, held: this.#held, want: needed - this.#held, isKnown };
  }

  /**
   * @param units number of units granted in the same exchange. Each unit may let another call use a
   * slot.
   */
  applyReply(report: LimitReport['slots'], reply: LimitReply['slots'], units: number): void {
    if (!report || !reply) return;
    this.#held += reply.granted;
    this.#holders = Math.max(1, reply.holders);
    this.#countedAt = clock();
    this.#othersWaiting = reply.waiting;
    const served = reply.granted > 0 || report.want + units <= 0;
    // A process that has its equal share gets more slots only when no other process is waiting.
    const hasPart = reply.waiting > 0 && this.#held >= this.reach;
    this.#queued = !served && !hasPart;
    if (hasPart && !served) this.#poll.rarely();
    else this.#poll.record(served, reply.ahead, reply.waiting);
    if (reply.granted > 0) {
      this.#cameAt = clock();
      this.#idleSince = this.#cameAt;
    }
  }

  /**
   * Number of slots that the process may use while the store is unavailable. Until the process's
   * lease ends, processes that still reach the store can use all slots except those that this
   * process holds.
   */
  get #allowedAlone(): number {
    if (this.#countedAt === undefined) return 1;
    const isLeased = this.#holders > 1 && clock() - this.#countedAt < lease;
    return Math.max(1, isLeased ? Math.min(this.#part, this.#held) : this.#part);
  }

  /** Number of slots for each process if all processes need slots. */
  get #part(): number {
    return Math.floor(this.#capacity / this.#holders);
  }
}
