import type { StoreAccess } from '../transport/stores/store-access.js';
import { StoreLocks } from '../transport/stores/store-locks.js';
import type { SessionStore, StoredSession } from '../transport/stores/stores.js';
import { failureToShare, sharedError } from './shared-failure.js';

/**
 * Lease duration of the sign-in lock and the longest wait for another process, in ms. A dead
 * process's lock expires with its lease. A live process may need longer, because sign-ins can be
 * slow and can be retried.
 */
const [lease, maxSignIn] = [10_000, 60_000];

/**
 * Number of times that other processes may acquire the lock in succession before this process stops
 * waiting.
 */
const maxWaits = 3;

/** Session and whether this process opened it or found it in the store. */
export interface ObtainedSession extends StoredSession {
  readonly isFound: boolean;
}

/**
 * Session shared by several processes. One process opens the session, and the other processes wait
 * for it.
 */
export class SharedSession {
  readonly #store: SessionStore;
  readonly #access: StoreAccess;
  readonly #locks: StoreLocks;
  readonly #account: string;

  /** @param account Identifies the session's account. Contains no secret. */
  constructor(store: SessionStore, access: StoreAccess, account: string) {
    this.#store = store;
    this.#access = access;
    this.#locks = new StoreLocks(store, access);
    this.#account = account;
  }

  /**
   * Returns a session opened by another process, or opens one. If the store fails, each process has
   * its own session.
   * @param rejected Token that the server no longer accepts.
   * @param isWanted Returns false after the client is closed.
   * @throws {ApiError} if the server rejected this process's sign-in, or another process's recent
   * sign-in.
   */
  async get(
    rejected: string | undefined,
    open: () => Promise<StoredSession>,
    isWanted: () => boolean,
  ): Promise<ObtainedSession> {
    for (let waits = 0; isWanted() && waits <= maxWaits; waits++) {
      const found = await this.#find(rejected);
      if (found) return found;
      const name = `session ${this.#account}`;
      const release = await this.#locks.acquire(name, lease, isWanted, maxSignIn);
      if (!release) continue;
      try {
        return (await this.#find(rejected)) ?? (await this.#openForAll(open));
      } finally {
        void release();
      }
    }
    return { ...(await open()), isFound: false };
  }

  /**
   * Returns the stored session if it is usable.
   * @throws {ApiError} if a recent sign-in failed.
   */
  async #find(rejected: string | undefined): Promise<ObtainedSession | undefined> {
    const stored = await this.#access.request(() =>
      Promise.all([this.#store.loadSession(this.#account), this.#store.loadFailure(this.#account)]),
    );
    const [session, failure] = stored ?? [];
    if (session && session.lifetime > 0 && session.accessToken !== rejected) {
      return { ...session, isFound: true };
    }
    const error = failure && failure.lifetime > 0 ? sharedError(failure) : undefined;
    if (error) throw error;
    return undefined;
  }

  async #openForAll(open: () => Promise<StoredSession>): Promise<ObtainedSession> {
    try {
      const session = await open();
      await this.#access.request(() => this.#store.saveSession(this.#account, session));
      return { ...session, isFound: false };
    } catch (error) {
      const failure = failureToShare(error);
      if (failure)
        await this.#access.request(() => this.#store.saveFailure(this.#account, failure));
      throw error;
    }
  }
}
