import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreAccess } from './store-access.js';
import type { LockStore } from './stores.js';

/** Shortest and longest time between two checks of another owner's lock, in ms. */
const [firstLook, lastLook] = [10, 100];

/** Time in ms until a failed release is first retried. Doubles with each retry. */
const firstRepeat = 100;

/** Acquires locks from a store that may be slow or unavailable. */
export class StoreLocks {
  readonly #store: LockStore;
  readonly #access: StoreAccess;

  constructor(store: LockStore, access: StoreAccess) {
    this.#store = store;
    this.#access = access;
  }

  /**
   * Acquires a lock. If another owner has the lock, waits until it is free, but no longer than
   * `longest`. A lock that the store grants too late is released immediately.
   * @param isWanted returns false once the lock is no longer needed.
   * @param longest maximum time in ms to wait for another owner's lock. If `longest` exceeds the
   * lease, owners renew their locks so that only a dead process's lock expires.
   * @returns a function that releases the lock. Undefined if another owner has the lock, or if the
   * store is unavailable.
   */
  async acquire(
    name: string,
    lease: number,
    isWanted: () => boolean = () => true,
    longest = lease,
  ): Promise<(() => Promise<void>) | undefined> {
    const owner = randomBytes(12).toString('base64url');
    const release = () => this.#release(name, owner, lease);
    const holder = await this.#access.request(
      () => this.#store.acquireLock(name, owner, lease),
      // Release the lock, because the store may have granted it even if the response was lost.
      () => void release(),
    );
    if (holder === owner) {
      return longest > lease ? this.#renewUntilReleased(name, owner, lease, release) : release;
    }
    if (holder !== undefined) await this.#waitUntilFree(name, holder, longest, isWanted);
    return undefined;
  }

  /** Renews a lock until the returned function releases it. */
  #renewUntilReleased(
    name: string,
    owner: string,
    lease: number,
    release: () => Promise<void>,
  ): () => Promise<void> {
    let isReleased = false;
    let renewal: Promise<unknown> | undefined;
    const renew = () => {
      renewal = this.#access.request(
        () => this.#store.acquireLock(name, owner, lease),
        // A renewal that arrives after the release may acquire the lock again.
        () => isReleased && void release(),
      );
    };
    const timer = setInterval(renew, lease / 3).unref();
    return async () => {
      clearInterval(timer);
      isReleased = true;
      await renewal;
      await release();
    };
  }

  async #waitUntilFree(
    name: string,
    holder: string,
    longest: number,
    isWanted: () => boolean,
  ): Promise<void> {
    const ends = performance.now() + longest;
    for (let wait = firstLook; isWanted() && performance.now() < ends; wait *= 2) {
      const now = await this.#access.request(() => this.#store.lockOwner(name));
      if (now !== holder) return;
      await sleep(Math.min(wait, lastLook));
    }
  }

  /**
   * Releases a lock. Retries while the store is unavailable, because other owners can't acquire the
   * lock until it is released or the lease ends.
   */
  async #release(name: string, owner: string, lease: number): Promise<void> {
    const ends = performance.now() + lease;
    for (let wait = firstRepeat; ; wait *= 2) {
      try {
        await this.#store.releaseLock(name, owner);
        return;
      } catch {
        if (performance.now() + wait >= ends) return;
        await sleep(wait, undefined, { ref: false });
      }
    }
  }
}
