import type { Rejected } from '../limits/budgets.js';
import type { Pace } from '../limits/limit-coordinator.js';
import type { StartReply } from '../limits/shared-limits.js';

/** How late a call can start, in ms, without delaying the next call. */
const punctual = 3;

/**
 * One process's permissions to start calls. An interval separates the calls of all processes. Times
 * are in ms on the limiter's clock.
 */
export class StartShare {
  #granted = 0;
  /**
   * When the last request that received a reply was sent. This is the earliest time at which the
   * store can have granted it.
   */
  #grantedAt = 0;
  /** When the process may send the next request. */
  #nextAt = 0;
  /** Number of processes that wait for permissions. */
  #processes = 1;

  /** Returns whether the share can be dropped because later calls don't need it. */
  isIdle(now: number): boolean {
    return this.#granted === 0 && this.#nextAt <= now;
  }

  /**
   * Returns why a call can't start yet. Undefined if it can. `start` means that the store must
   * grant a permission first.
   */
  blockedBy({ interval, reason }: Pace, now: number): Rejected | 'start' | undefined {
    if (this.#granted > 0) return undefined;
    if (this.#nextAt <= now) return 'start';
    const gap = interval * this.#processes;
    return { limit: undefined, until: this.#nextAt, reason, interval: gap };
  }

  /**
   * Uses a permission for a call.
   * @returns whether the call starts so late that the next call must be delayed.
   */
  take(now: number): boolean {
    this.#granted = Math.max(0, this.#granted - 1);
    return now - this.#grantedAt > punctual;
  }

  /** @param sentAt when the request was sent. */
  applyReply({ granted, wait, waiting }: StartReply, sentAt: number, now: number): void {
    this.#granted += granted;
    this.#grantedAt = sentAt;
    this.#nextAt = wait === undefined ? 0 : now + wait;
    this.#processes = Math.max(1, waiting);
  }
}
