import type { Permit, Rejected, WaitReason } from './budgets.js';
import { type BlockedBy, sameWait, type Waiter } from './wait-queue.js';

export interface WaitSettings {
  readonly onLimit: 'throw' | 'wait';
  readonly maxWait: number;
  /** Monotonic clock in milliseconds, such as `performance.now`. */
  readonly clock: () => number;
  /** Called before each wait. `ms` is undefined if the wait ends when another call ends. */
  readonly onWait: (ms: number | undefined, request: Permit, reason: WaitReason) => void;
}

/**
 * Reports why and how long a call waits, unless this wait was reported before.
 * @param place number of calls that start before this call.
 * @returns the reason if the call is rejected. Undefined if the call waits.
 */
export function reportWait(
  waiter: Waiter,
  blockedBy: BlockedBy | undefined,
  place: number,
  { onLimit, maxWait, clock, onWait }: WaitSettings,
): Rejected | 'declined' | undefined {
  if (blockedBy === 'declined') return 'declined';
  if (typeof blockedBy !== 'object') return undefined;
  if (waiter.request.isPrefetch?.()) return 'declined';
  const { interval = 0, limit, reason } = blockedBy;
  const until = blockedBy.until + place * interval;
  const wait = until - clock();
  if ((limit !== undefined && onLimit === 'throw') || wait > maxWait)
    return { ...blockedBy, until };
  waiter.queue?.setLimited(true);
  if (reason !== waiter.reason || until - waiter.until >= sameWait) {
    waiter.until = until;
    waiter.reason = reason;
    waiter.context.runInAsyncScope(onWait, undefined, wait, waiter.request, reason);
  }
  return undefined;
}

/** Reports that a call waits until other calls end. The length of the wait is unknown. */
export function reportUntimedWait(
  waiter: Waiter,
  blockedBy: BlockedBy | undefined,
  { onWait }: WaitSettings,
): void {
  if (waiter.done || typeof blockedBy === 'object' || waiter.reason !== undefined) return;
  // Waiting for permission from the coordinator isn't reported as a wait.
  if (blockedBy === 'start') return;
  waiter.reason = blockedBy === undefined || blockedBy === 'slot' ? 'slot' : 'quota';
  waiter.context.runInAsyncScope(onWait, undefined, undefined, waiter.request, waiter.reason);
}
