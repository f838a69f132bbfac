import type { CacheEntry } from './cache-entry.js';

/** Settings that every store can have. */
export interface StoreSettings {
  /**
   * Time in ms that a call waits for the store before continuing without it. Default: 1000 ms for a
   * cache, 50 ms for other stores.
   */
  readonly timeout?: number | undefined;
}

/** Locks across all processes. Each lock has an owner, and only the owner can release it. */
export interface LockStore {
  /**
   * Acquires a lock if it is free, without waiting. If `owner` already has the lock, renews the
   * lease.
   * @param name opaque name that contains no secret.
   * @param owner random string that is used only for this attempt.
   * @param lease time in ms after which the lock expires.
   * @returns the current owner of the lock, which is `owner` if the lock was acquired.
   */
  acquireLock(name: string, owner: string, lease: number): Promise<string>;
  /** Returns a lock's owner. Undefined if the lock is free. */
  lockOwner(name: string): Promise<string | undefined>;
  /** Releases a lock in one atomic step, but only if `owner` has it. */
  releaseLock(name: string, owner: string): Promise<void>;
}

/**
 * Store for cached responses. Keys are opaque, differ between credentials, and don't contain
 * credentials. A store may drop entries at any time. If the store throws or is slow, calls continue
 * without the cache.
 */
export interface CacheStore extends Partial<LockStore>, StoreSettings {
  /** Returns the entry for a key. Undefined if there is none. */
  get(key: string): Promise<CacheEntry | undefined>;
  /** Stores an entry under a key. */
  set(key: string, entry: CacheEntry): Promise<void>;
  /** Deletes the entry for a key. */
  delete(key: string): Promise<void>;
}

/** Session token that processes share. */
export interface StoredSession {
  /** Access token. A store must encrypt it. */
  readonly accessToken: string;
  /** Time in ms until the token should be renewed. */
  readonly lifetime: number;
}

/** Failed sign-in that processes share. */
export interface StoredFailure {
  /** Error as JSON, without secrets. */
  readonly failure: string;
  /** Time in ms until the next sign-in may be tried. */
  readonly lifetime: number;
}

/** Shares an account's session and its last failed sign-in among processes. */
export interface SessionStore extends LockStore, StoreSettings {
  /**
   * Returns the last saved session. Undefined if there is no session, or the session has expired.
   */
  loadSession(account: string): Promise<StoredSession | undefined>;
  /** Encrypts a session and saves it until its lifetime is over. */
  saveSession(account: string, session: StoredSession): Promise<void>;
  /**
   * Returns the last saved failure. Undefined if there is no failure, or the failure has expired.
   */
  loadFailure(account: string): Promise<StoredFailure | undefined>;
  /** Saves a failure until its lifetime is over. Keeps the account's session, if there is one. */
  saveFailure(account: string, failure: StoredFailure): Promise<void>;
}
