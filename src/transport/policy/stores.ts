import type { CacheEntry } from './cache-entry.js';

/** What every store says of itself. */
export interface StoreSettings {
  /** Milliseconds that a call waits for it before it goes on without. Default: 50; 1000 for a cache. */
  readonly timeout?: number | undefined;
}

/** Locks across all processes. Each lock has an owner, and only the owner can release it. */
export interface LockStore {
  /**
   * Acquires a lock if it is free, without waiting for it. If `owner` already has it, renews its lease.
   * @param name opaque, and without a secret.
   * @param owner a random text that is used for this attempt only.
   * @param lease milliseconds after which the lock ends by itself.
   * @returns the owner that has the lock now: `owner` if it was free.
   */
  acquireLock(name: string, owner: string, lease: number): Promise<string>;
  /** Returns the owner that has a lock; undefined if it is free. */
  lockOwner(name: string): Promise<string | undefined>;
  /** Releases a lock if `owner` has it, in one atomic step; otherwise does nothing. */
  releaseLock(name: string, owner: string): Promise<void>;
}

/**
 * Where cached answers are kept. Keys are opaque, and tell credentials apart without holding them. A
 * store may forget at any time; what it throws, and what it is slow with, costs the cache and no call.
 */
export interface CacheStore extends Partial<LockStore>, StoreSettings {
  /** The entry of a key; undefined where there is none. */
  get(key: string): Promise<CacheEntry | undefined>;
  /** Keeps an entry under a key. */
  set(key: string, entry: CacheEntry): Promise<void>;
  /** Forgets the entry of a key. */
  delete(key: string): Promise<void>;
}

/** The token of a session, as processes share it. */
export interface StoredSession {
  /** The token: a credential, which a store must encrypt. */
  readonly accessToken: string;
  /** Milliseconds until it is to be renewed. */
  readonly lifetime: number;
}

/** A failed sign-in, as processes share it. */
export interface StoredFailure {
  /** The error as JSON, without secrets. */
  readonly failure: string;
  /** Milliseconds until the next sign-in may be tried. */
  readonly lifetime: number;
}

/** Shares the session of an account among processes, and the failure of its last sign-in. */
export interface SessionStore extends LockStore, StoreSettings {
  /** Returns the session that was saved last; undefined if there is none or its lifetime is over. */
  loadSession(account: string): Promise<StoredSession | undefined>;
  /** Saves a session, encrypted, until its lifetime is over. */
  saveSession(account: string, session: StoredSession): Promise<void>;
  /** Returns the failure that was saved last; undefined if there is none or its lifetime is over. */
  loadFailure(account: string): Promise<StoredFailure | undefined>;
  /** Saves a failure until its lifetime is over. Keeps the account's session, if there is one. */
  saveFailure(account: string, failure: StoredFailure): Promise<void>;
}

/** A budget as an answer told it. */
export interface ToldBudget {
  /** Requests that a whole window allows. */
  readonly limit: number;
  /** Requests that were left. */
  readonly remaining: number;
  /** When the window ends, by the server: seconds since the epoch. It names the window. */
  readonly reset: number;
  /** Milliseconds until the window ends. */
  readonly ends: number;
}

/** What a process tells of one budget, and asks of it. */
export interface BudgetReport {
  /** Whose budget; opaque, and not to be kept as it is: it is derived from the credentials. */
  readonly key: string;
  /** The budget as this process knows it; `none` where an answer told of none, undefined before any. */
  readonly told: ToldBudget | 'none' | undefined;
  /** The `sequence` that was known when the call was sent that told it; undefined: not news. */
  readonly since: number | undefined;
  /** Units that this process has: of calls in flight, and in hand. */
  readonly held: number;
  /** Calls that wait for a unit now. */
  readonly need: number;
  /** Units that it would take at most, some of them for later calls. */
  readonly want: number;
  /** Calls that began to wait for the end of the window, and ask for their places in the order. */
  readonly waiters: number;
  /** Units are to be paced evenly over the window. */
  readonly spread: boolean;
}

/** What a process gets of one budget. */
export interface BudgetReply {
  /** Grows with each answer that told of this budget. */
  readonly sequence: number;
  /** The budget as the fleet knows it; `none` where answers tell of none, undefined before any. */
  readonly known: ToldBudget | 'none' | undefined;
  /** Units that this process gets. */
  readonly granted: number;
  /** Units that nobody has. */
  readonly left: number;
  /** Processes that have units, or wait for some. */
  readonly holders: number;
  /** Milliseconds until the first of the granted units may be used. */
  readonly first: number;
  /** Milliseconds between the granted units; 0: all may be used at once. */
  readonly gap: number;
  /** The place of the first of `waiters`, from 0. */
  readonly place: number;
  /** Those who waited for the window that ended last; undefined when all had their turn. */
  readonly waited: Waited | undefined;
}

/** Those who waited for the end of a window: place `n` may start `n * gap` after it. */
export interface Waited {
  /** Milliseconds since the window ended. */
  readonly ago: number;
  /** Milliseconds between two places. */
  readonly gap: number;
  /** How many waited, in all processes. */
  readonly count: number;
}

/** What a process tells, and asks for, in one step. */
export interface LimitReport {
  /** Names the process; what it has is given back when it was not heard of for `lease`. */
  readonly holder: string;
  /** Milliseconds. */
  readonly lease: number;
  /** Milliseconds for which nobody may send anything: the server asked for it. 0 for none. */
  readonly pause: number;
  /** Places for calls in flight; undefined where their number is not limited. */
  readonly slots:
    | {
        /** How many all processes may have together. */
        readonly capacity: number;
        /** How many this one has. */
        readonly held: number;
        /** How many more it needs for calls that have units, or need none; below 0: so many are idle. */
        readonly want: number;
      }
    | undefined;
  /** The budgets that there is something to say of. */
  readonly budgets: readonly BudgetReport[];
}

/** What a process gets, and what the others told. */
export interface LimitReply {
  /** Milliseconds for which nobody may send anything. */
  readonly pause: number;
  /** Undefined where it was not asked for. */
  readonly slots:
    | {
        /** Places that this process gets. */
        readonly granted: number;
        /** Processes that have places, or wait for some. */
        readonly holders: number;
        /**
         * Other processes that wait for a place; or the number of places taken beyond `capacity`, if that
         * is more. Processes return places while it is above 0.
         */
        readonly waiting: number;
        /** Those of them that get one before this process. */
        readonly ahead: number;
      }
    | undefined;
  /** In the order of the report. */
  readonly budgets: readonly BudgetReply[];
}

/**
 * Where processes share rate limits and the number of calls in flight. One step must be atomic over all
 * processes. What a process has (`held`) is told as a whole each time, and replaces what was known of it:
 * a reply that is lost costs nothing.
 */
export interface SharedLimits extends StoreSettings {
  /**
   * Takes over what a process tells, and gives it what it asks for, as far as there is:
   *
   * - A budget is what was told last: by news (`since` is the sequence of now) whatever it says, else by
   *   that of the later window, and within a window by the lowest. A window that ended has its whole limit.
   * - Units that are granted and units that are held never exceed what remains.
   * - Of a budget that nobody knows yet, 60 units are granted, the least that such services give an hour,
   *   and one more each second.
   * - Units are granted first. Each that is granted to a call that waits, to be used at once, needs a place
   *   besides `slots.want`.
   * - Who waits longest for a place gets the next one.
   * @param scope the service that the limits are of.
   */
  exchange(scope: string, report: LimitReport): Promise<LimitReply>;
}
