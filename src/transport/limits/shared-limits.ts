import type { StoreSettings } from '../stores/stores.js';

/** A quota as reported by a response. */
export interface ReportedBudget {
  /** Number of requests that a window allows. */
  readonly limit: number;
  /** Number of requests left in the window. */
  readonly remaining: number;
  /** End of the window by the server's clock, in seconds since the epoch. Identifies the window. */
  readonly reset: number;
  /** Time in ms until the window ends. */
  readonly ends: number;
}

/** A process's report on one quota and its request for units. */
export interface BudgetReport {
  /** Opaque quota key. Derived from the credentials, so a store must not save it unhashed. */
  readonly key: string;
  /**
   * The quota as this process knows it. `none` if responses don't report a quota. Undefined before
   * the first response.
   */
  readonly reported: ReportedBudget | 'none' | undefined;
  /**
   * The `sequence` that this process knew when it sent the call whose response contained
   * `reported`. Undefined if `reported` is not new.
   */
  readonly since: number | undefined;
  /** Number of units that this process holds, for calls in flight and later calls. */
  readonly held: number;
  /** Number of calls that are waiting for a unit. */
  readonly need: number;
  /** Maximum number of units to grant to the process, including units for later calls. */
  readonly want: number;
  /**
   * Number of calls that have started to wait for the window to end and need a place in the queue.
   */
  readonly waiters: number;
  /**
   * Whether the store has replied about this quota in the last hour. If so, and the store has no
   * data on the quota, the data was lost.
   */
  readonly isKnown?: boolean | undefined;
}

/** A store's reply to a report on one quota. */
export interface BudgetReply {
  /** Counter that grows with each response that reports this quota. */
  readonly sequence: number;
  /**
   * The quota as all processes know it. `none` if responses don't report a quota. Undefined before
   * the first response.
   */
  readonly known: ReportedBudget | 'none' | undefined;
  /** Number of units granted to this process. */
  readonly granted: number;
  /** Number of units that no process holds. */
  readonly left: number;
  /** Number of processes that hold units or are waiting for them. */
  readonly holders: number;
  /** Place of the first of `waiters` in the queue, from 0. */
  readonly place: number;
  /** Calls that waited for the last window to end. Undefined once all these calls may start. */
  readonly waited: Waited | undefined;
}

/**
 * Calls that waited for a window to end. The call at place `n` may start `n * gap` ms after the
 * window ends.
 */
export interface Waited {
  /** Time in ms since the window ended. */
  readonly ago: number;
  /** Time in ms between two places. */
  readonly gap: number;
  /** Number of calls that waited, in all processes. */
  readonly count: number;
}

/**
 * A process's request for permission to start calls. An interval separates the calls of all
 * processes.
 */
export interface StartRequest {
  /**
   * Opaque interval name. May be derived from credentials, so a store must not save it unhashed.
   */
  readonly key: string;
  /**
   * Time in ms from the start of one call to the next, across all processes, according to this
   * process. 0 if unknown.
   */
  readonly interval: number;
  /**
   * Number of pauses known to this process when it chose the interval. A store ignores an interval
   * that was chosen before the last pause. During a pause, a store adds up the reported rates (20
   * ms and 30 ms result in 12 ms). After the pause, it keeps the shortest interval. Undefined if
   * pauses don't change the interval.
   */
  readonly since: number | undefined;
  /** Number of calls that can start now. 0 if the process only reports. */
  readonly want: number;
  /**
   * Time in ms since a call started late. The next call starts one interval after that call.
   * Undefined if no call started late.
   */
  readonly late: number | undefined;
}

/** A store's reply to a {@link StartRequest}. */
export interface StartReply {
  /** Number of calls that may start now. */
  readonly granted: number;
  /**
   * Time in ms until the process may send its next request. Undefined if the store granted all
   * calls that the process requested.
   */
  readonly wait: number | undefined;
  /** Number of processes that are waiting to start a call, including this process. */
  readonly waiting: number;
  /** Interval in ms that processes have reported in the last minute. 0 if there is none. */
  readonly interval: number;
  /** Number of calls granted so far, across all processes. */
  readonly count: number;
}

/** A process's report and requests, sent in one step. */
export interface LimitReport {
  /**
   * Unique name of the process. If the process sends no report for `lease` ms, its units and slots
   * are released.
   */
  readonly holder: string;
  /** Lease duration in ms. */
  readonly lease: number;
  /**
   * Time in ms during which no process may send requests, because the server demands a pause. 0 if
   * there is no pause.
   */
  readonly pause: number;
  /** Slots for calls in flight. Undefined if their number is unlimited. */
  readonly slots:
    | {
        /** Maximum number of slots for all processes together. */
        readonly capacity: number;
        /** Number of slots that this process holds. */
        readonly held: number;
        /**
         * Number of further slots for calls that are ready to be sent. -2 means that two slots are
         * idle.
         */
        readonly want: number;
        /**
         * Whether the store has replied about slots in the last hour. If so, and the store has no
         * data on slots, the data was lost.
         */
        readonly isKnown?: boolean | undefined;
      }
    | undefined;
  /** Reports on quotas. Contains only quotas that need an exchange. */
  readonly budgets: readonly BudgetReport[];
  /** Requests for permission to start calls. */
  readonly starts: readonly StartRequest[];
}

/**
 * A store's reply, with the units, slots and permissions granted to the process, and data from
 * other processes.
 */
export interface LimitReply {
  /** Time in ms during which no process may send requests. */
  readonly pause: number;
  /** Number of pauses so far. Pauses that end within 500 ms of each other are counted as one. */
  readonly pauses: number;
  /** Reply about slots. Undefined if the report contains no slots. */
  readonly slots:
    | {
        /** Number of slots granted to this process. */
        readonly granted: number;
        /** Number of processes that hold slots or are waiting for them. */
        readonly holders: number;
        /**
         * Number of other processes that wait for a slot, or of slots taken beyond `capacity`,
         * whichever is larger. Processes return slots while this number is above 0.
         */
        readonly waiting: number;
        /** Number of waiting processes that get a slot before this process. */
        readonly ahead: number;
      }
    | undefined;
  /** Replies on quotas, in the order of the report. */
  readonly budgets: readonly BudgetReply[];
  /** Replies to requests for permission to start calls, in the order of the report. */
  readonly starts: readonly StartReply[];
}

/**
 * Store through which processes share rate limits and the number of calls in flight. Each exchange
 * must be atomic across all processes. A report contains everything that a process holds (`held`)
 * and replaces its previous report, so a lost reply has no effect.
 */
export interface SharedLimits extends StoreSettings {
  /**
   * Saves a process's report and grants as much of its request as is available:
   *
   * - If a report is new (`since` equals the current sequence), the quota takes its value.
   *   Otherwise, the quota takes the value for the later window or, within a window, the lowest
   *   value. A window that has ended has its full limit.
   * - Granted and held units together never exceed the remaining units.
   * - For an unknown quota, 60 units are granted (the lowest common hourly limit), plus one per
   *   second.
   * - Units are granted before slots. Each unit granted to a waiting call for immediate use needs a
   *   slot in addition to `slots.want`.
   * - The process that has waited longest gets the next slot.
   * - A call may start if the process's turn has come, and the last call was granted at least
   *   `interval` ms ago, according to the store's clock. Turns are one interval apart. A process
   *   that misses its turn can use it later, and doesn't delay other processes. If the interval is
   *   below 10 ms, calls that are due within 10 ms are granted together.
   * - After a loss of data (`isKnown`), no units or slots are granted until all processes have sent
   *   a report, which they do every second.
   * @param scope service that the limits belong to.
   */
  exchange(scope: string, report: LimitReport): Promise<LimitReply>;
}
