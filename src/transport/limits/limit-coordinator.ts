import type { Budgets, Rejected, Reservation, WaitReason } from './budgets.js';

/** Name of the interval between calls after a pause. */
export const slowStartKey = 'slow start';

/** Minimum interval between calls. */
export interface Pace {
  /**
   * Interval name. Contains the credentials' fingerprint if the interval applies only to calls with
   * these credentials.
   */
  readonly key: string;
  /** Time in ms from the start of one call to the start of the next. */
  readonly interval: number;
  readonly reason: WaitReason;
}

/** Intervals that a process reports to the other processes. 0 if no interval applies. */
export interface LearnedIntervals {
  /**
   * Interval in ms between calls after a pause. During the pause, the interval that this process
   * alone has measured.
   */
  readonly slowStart: number;
  /** Time in ms between writes, after the server has rejected a write. */
  readonly writes: number;
}

/** Intervals that all processes have learned. */
export interface SharedIntervals extends LearnedIntervals {
  /**
   * Number of calls that other processes have started at the `slowStart` interval since the last
   * exchange.
   */
  readonly starts: number;
  /** Whether this process missed a pause. */
  readonly isOutdated: boolean;
}

/** Limiter functions that a coordinator calls. */
export interface LimiterCalls {
  /**
   * Returns the number of calls that wait for a quota and could start if they had units. 0 during
   * a pause.
   */
  waiting(key: string): number;
  /** Checks all queues again, because their calls may be able to start. */
  checkQueues(): void;
  /** Pauses all calls for `ms` milliseconds after another process has been paused. */
  pause(ms: number): void;
  intervals(): LearnedIntervals;
  /** Adopts the intervals that other processes have learned. */
  adopt(intervals: SharedIntervals): void;
}

/** Coordinates calls that must start at intervals. */
export interface StartCoordinator {
  /** Whether the other processes can't be reached, so this process paces only its own calls. */
  readonly isAlone: boolean;
  /**
   * Returns why a call can't start yet. Undefined if it can. `start` means that the coordinator
   * must grant a permission first.
   */
  startBlockedBy(pace: Pace): Rejected | 'start' | undefined;
  /** Requests permissions to start calls. @param want number of calls that can start now. */
  requestStart(pace: Pace, want: number): void;
  /** Uses up a permission to start a call. */
  takeStart(pace: Pace): void;
}

/**
 * Coordinates this process's limits with the limits of other processes. Without a coordinator, a
 * limiter doesn't share its limits.
 */
export interface LimitCoordinator extends StartCoordinator {
  /** Returns whether one more call may be in flight. */
  hasSlot(): boolean;
  /**
   * Returns why a call that counts against this quota can't be sent yet. Undefined if it can be
   * sent.
   */
  blockedBy(key: string): Rejected | 'turn' | undefined;
  /** Returns the known number of processes that have units of a quota or wait for them. */
  holders(key: string): number;
  /** Records the start of a call. */
  take(key: string): void;
  /**
   * Records the end of a call.
   * @param reported key of the quota that the response reported. Undefined if the response reported
   * no quota. False if there was no response.
   */
  release(reservation: Reservation, reported: string | undefined | false): void;
  /**
   * Records that a response reported a quota. The call may have counted against a different quota.
   */
  onReport(reservation: Reservation, reported: string | undefined): void;
  /** Reports a pause to the other processes. @param ms length of the pause. */
  pause(ms: number): void;
  /** Schedules an exchange with the other processes after a change. */
  scheduleExchange(): void;
  /** Returns unused units and slots, which other processes can then use. */
  close(): Promise<void>;
}

export type Coordinate = (budgets: Budgets, calls: LimiterCalls) => LimitCoordinator;
