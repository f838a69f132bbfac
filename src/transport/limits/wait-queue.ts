import { AsyncResource } from 'node:async_hooks';
import type { Deadline } from '../dispatch/deadline.js';
import type { Permit, Rejected, WaitReason } from './budgets.js';

/**
 * How a wait for a permit ended: acquired, interrupted, declined (a prefetch that a limit would
 * delay), or rejected.
 */
export type Acquisition = 'acquired' | 'interrupted' | 'declined' | Rejected;

/**
 * Reason why a call can't be sent now. The call waits for a point in time, another call's response
 * (`turn`), a free slot, or permission to start. `declined`: too little quota is left for a
 * prefetch.
 */
export type BlockedBy = Rejected | 'turn' | 'declined' | 'slot' | 'start';

/** A call that waits for a permit. */
export class Waiter {
  /**
   * The call's async context. Other calls' code may report the wait, and `AsyncLocalStorage` must
   * not show their context.
   */
  readonly context = new AsyncResource('triforge.wait');
  /**
   * Last reported end of the wait. Starts as -Infinity instead of 0, because V8 would change the
   * shape of all waiters if a small integer became a fraction.
   */
  until = Number.NEGATIVE_INFINITY;
  /** Last reported reason for the wait. */
  reason: WaitReason | undefined = undefined;
  queue: BudgetQueue | undefined = undefined;
  done = false;

  /** @param deadline the call's total timeout, which is paused while the call waits for a limit. */
  constructor(
    readonly request: Permit,
    readonly deadline: Pick<Deadline, 'pause' | 'resume'>,
    readonly settle: (entry: Acquisition) => void,
  ) {}
}

/** A queue's turn to get the next slot. */
export interface Turn {
  readonly queue: BudgetQueue;
  done: boolean;
}

interface Waiting {
  /** Whether the item's wait has ended. */
  done: boolean;
}

/**
 * A first-in, first-out queue. Taking the first item, or removing an item from any position, takes
 * constant time on average.
 */
export class WaitQueue<T extends Waiting> {
  #items: T[] = [];
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    for (; this.#head < this.#items.length; this.#head++) {
      const item = this.#items[this.#head];
      if (item && !item.done) return item;
    }
    return undefined;
  }

  /** Removes and returns the first item, which may then wait in another queue. */
  shift(): T | undefined {
    const { first } = this;
    if (first) {
      this.#head++;
      this.#length--;
    }
    return first;
  }

  push(item: T): void {
    this.#items.push(item);
    this.#length++;
  }

  remove(item: T): void {
    if (item.done) return;
    item.done = true;
    this.#length--;
    // Compact only if most items are gone. Each item is then moved once on average.
    if (this.#items.length < 32 || this.#length * 2 > this.#items.length) return;
    this.#items = this.all();
    this.#head = 0;
  }

  /** Returns the waiting items in order. */
  all(): T[] {
    return this.#items.slice(this.#head).filter(({ done }) => !done);
  }
}

/**
 * Servers report windows in seconds, so a wait stays the same if its end moves by less than this
 * many ms.
 */
export const sameWait = 1000;

/** Calls that wait for the same quota. */
export class BudgetQueue {
  readonly waiters = new WaitQueue<Waiter>();
  /** The queue's turn to get a slot. Set if the queue's first call needs only a slot. */
  turn: Turn | undefined;
  #isLimited = false;
  #until = Number.POSITIVE_INFINITY;
  #reason: WaitReason | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly key: string) {}

  /** When the first call's wait ends. Infinity if the end is unknown. */
  get until(): number {
    return this.#until;
  }

  /** Whether the first call waits until a known time. */
  get isTimed(): boolean {
    return this.#until !== Number.POSITIVE_INFINITY;
  }

  add(waiter: Waiter): void {
    waiter.queue = this;
    this.waiters.push(waiter);
    if (this.#isLimited) waiter.deadline.pause();
    else waiter.deadline.resume();
  }

  /**
   * Pauses or resumes the total timeouts of all waiters.
   * @param isLimited whether the waiters wait for a rate limit or the client's pause, rather than
   * for other calls.
   */
  setLimited(isLimited: boolean): void {
    if (isLimited === this.#isLimited) return;
    this.#isLimited = isLimited;
    for (const { deadline } of this.waiters.all()) {
      if (isLimited) deadline.pause();
      else deadline.resume();
    }
  }

  /**
   * Returns the number of waiting calls, excluding `request` and prefetches, which may be declined.
   */
  callsBesides(request: Permit): number {
    const isCall = (each: Permit) => each !== request && !each.isPrefetch?.();
    return this.waiters.all().filter((waiter) => isCall(waiter.request)).length;
  }

  /**
   * Waits until a time and then calls `look`, unless another time is set first.
   * @returns whether the calls behind the first one must now wait until a different time, or for a
   * different reason.
   */
  wait({ until, reason, interval }: Rejected, now: number, look: () => void): boolean {
    if (until === this.#until) return false;
    // If the calls are paced, their later start times were reported when the first call began to
    // wait.
    const isPaced = interval !== undefined && reason === this.#reason;
    const isNew = !isPaced && Math.abs(until - this.#until) >= sameWait;
    this.#reason = reason;
    this.stop();
    this.#until = until;
    const atLast = () => {
      this.stop();
      look();
    };
    this.#timer = setTimeout(atLast, Math.max(1, until - now));
    return isNew;
  }

  /** Cancels a timed wait. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#until = Number.POSITIVE_INFINITY;
  }
}
