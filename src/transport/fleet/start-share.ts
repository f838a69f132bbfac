import type { Rejected } from '../limits/budgets.js';
import type { Pace } from '../limits/limit-coordinator.js';
import type { StartReply } from '../limits/shared-limits.js';

/** Maximum lateness in ms at which a start doesn't delay the next start. */
const punctual = 3;

/**
 * One process's granted starts. The starts of all processes together are spaced by an interval.
 * Times are in ms by the limiter's clock.
 */
export class StartShare {
  #granted = 0;
  /** Earliest time at which the last starts may have been granted. */
  #grantedAt = 0;
  /** When the process may request its next start. */
  #nextAt = 0;
  /** Number of processes that are waiting for starts. */
  #processes = 1;

  /** Returns whether the share can be dropped because later calls don't need it. */
  isIdle(now: number): boolean {
    return this.#granted === 0 && this.#nextAt <= now;
  }

  /**
   * Returns why a call can't start yet. The call must wait until a point in time, or for the
   * store's reply. Undefined if it can start.
   */
  blockedBy({ interval, reason }: Pace, now: number): Rejected | 'start' | undefined {
    if (this.#granted > 0) return undefined;
    if (this.#nextAt <= now) return 'start';
    const gap = interval * this.#processes;
    return { limit: undefined, until: this.#nextAt, reason, interval: gap };
  }

  /**
   * Uses a granted start for a call. @returns whether the start is so late that the next start must
   * be delayed.
   */
  take(now: number): boolean {
    this.#granted = Math.max(0, this.#granted - 1);
    return now - this.#grantedAt > punctual;
  }

  /** Applies the store's reply to a request. @param sentAt when the request was sent. */
  applyReply({ granted, wait, waiting }: StartReply, sentAt: number, now: number): void {
    this.#granted += granted;
    this.#grantedAt = sentAt;
    this.#nextAt = wait === undefined ? 0 : now + wait;
    this.#processes = Math.max(1, waiting);
  }
}
