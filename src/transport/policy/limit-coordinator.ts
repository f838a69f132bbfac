import type { Budgets, Rejected, Reservation } from './budgets.js';

/** Functions of the limiter that a coordinator calls. */
export interface LimiterCalls {
  /** Returns the number of calls that wait for a quota. 0 during a pause. */
  waiting(key: string): number;
  /** Checks all queues again, because what blocked them may have ended. */
  look(): void;
  /** Pauses all calls for a time in ms, because another process was paused. */
  rest(ms: number): void;
}

/** Coordinates the limits of this process with those of others. A limiter without one is alone. */
export interface LimitCoordinator {
  /** Whether one more call may be in flight. */
  hasSlot(): boolean;
  /** Returns why a call that counts on this quota can't be sent yet. Undefined if it can. */
  blockedBy(key: string): Rejected | 'turn' | undefined;
  /** Known number of processes that have units of a quota. */
  holders(key: string): number;
  /** Counts a call that starts. */
  take(key: string): void;
  /**
   * Counts a call that ended.
   * @param reported key of the quota that the response reported; undefined if it reported none, false if
   * there was no response.
   */
  release(reservation: Reservation, reported: string | undefined | false): void;
  /** Records that a response reported a quota, maybe another one than its call was counted on. */
  onReport(reservation: Reservation, reported: string | undefined): void;
  /** Reports a pause to the other processes. @param ms its length. */
  pause(ms: number): void;
  /** Plans a message to the other processes after a change. */
  ask(): void;
  /** Returns what other processes may use. */
  close(): Promise<void>;
}

/** Creates the coordinator of a limiter. */
export type Coordinate = (budgets: Budgets, calls: LimiterCalls) => LimitCoordinator;
