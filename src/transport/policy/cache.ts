import { containsSecret } from '../../masks/nested-secrets.js';
import type { Deadline } from '../dispatch/deadline.js';
import { type Publish, publish } from '../request/diagnostics.js';
import { type RequestSpec, urlOf } from '../request/request-spec.js';
import {
  type CacheEntry,
  cacheKey,
  checked,
  contradicts,
  digestOf,
  isStorable,
  lasting,
  renewed,
  validatorsOf,
} from './cache-entry.js';
import type { FollowedResponse } from './redirects.js';
import { StoreAccess, within } from './store-access.js';
import { StoreLocks } from './store-locks.js';
import type { LockStore, StoreSettings } from './stores.js';

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

/**
 * Sends the request, or one with further headers.
 * @param known secrets of an earlier request of the same attempt, whose credentials may have been renewed.
 */
type SendCached = (spec: RequestSpec, known?: readonly string[]) => Promise<FollowedResponse>;

/** A request whose answer others wait for has so long, in ms, until they ask for themselves. */
const flightLease = 10_000;

/** A store is not waited for longer than this, in ms, unless it says so: asking the server anew is no slower. */
const storePatience = 1000;

/** Each holds a body: a store that is too slow must not fill the memory. */
const mostWrites = 64;

/**
 * Asks again with the validator of what is kept, and answers from it where the server says 304. It
 * never answers without asking. Keyed by method, URL, header fields, and a fingerprint of the credentials.
 */
export class ConditionalCache {
  readonly #store: CacheStore;
  readonly #patience: number;
  readonly #access: StoreAccess;
  readonly #locks: StoreLocks | undefined;
  readonly #writes = new Set<Promise<void>>();

  constructor(store: CacheStore, publishing: Publish = publish) {
    this.#store = store;
    this.#patience = store.timeout ?? storePatience;
    this.#access = new StoreAccess('cache', this.#patience, publishing);
    this.#locks = hasLocks(store) ? new StoreLocks(store, this.#access) : undefined;
  }

  /**
   * Where the store has locks, who asks for the same at the same time as another waits for that answer,
   * and asks with its validator.
   */
  async follow(
    spec: RequestSpec,
    fingerprint: string,
    deadline: Deadline,
    send: SendCached,
  ): Promise<FollowedResponse> {
    const key = cacheKey(spec, fingerprint);
    const acquiring = this.#locks?.acquire(key, flightLease, () => !deadline.interruption);
    const release = acquiring && (await deadline.until(acquiring));
    if (!release) {
      // The lock may still be granted after an interruption.
      void acquiring?.then((late) => late && this.#quietly(late), ignore);
      return this.#follow(key, spec, deadline, send);
    }
    const land = () => this.#quietly(release);
    let followed: FollowedResponse | undefined;
    try {
      followed = await this.#follow(key, spec, deadline, send);
    } finally {
      if (!followed?.keep) void land();
    }
    const { keep } = followed;
    return { ...followed, keep: keep && ((good) => keep(good).finally(land)) };
  }

  /** What is still being written has been, or takes too long. */
  async close(): Promise<void> {
    while (this.#writes.size > 0) {
      try {
        await within(this.#patience, Promise.all(this.#writes));
      } catch {
        return;
      }
    }
  }

  async #follow(
    key: string,
    spec: RequestSpec,
    deadline: Deadline,
    send: SendCached,
  ): Promise<FollowedResponse> {
    const entry = await deadline.until(this.#find(key));
    if (!entry) return this.#keeping(key, spec, await send(spec));
    const validators = validatorsOf(entry);
    const followed = await send({ ...spec, headers: [...spec.headers, ...validators] });
    const { outcome } = followed;
    if (outcome.failed || outcome.status !== 304) return this.#keeping(key, spec, followed);
    const elsewhere = !followed.trusted || urlOf(followed.target) !== entry.url;
    if (elsewhere || contradicts(entry, outcome)) {
      // A redirect leads elsewhere by now, or a proxy mixes things up: this 304 speaks of something else.
      this.#forget(key);
      return this.#keeping(key, spec, await send(spec, followed.secrets));
    }
    return { ...followed, fromCache: true, outcome: renewed(entry, outcome) };
  }

  async #find(key: string): Promise<CacheEntry | undefined> {
    // `unknown`: a store's result must be checked.
    const found: unknown = await this.#access.ask(() => this.#store.get(key));
    if (found === undefined || found === null) return undefined;
    try {
      const entry = checked(key, found);
      if (!entry) this.#forget(key); // a store may be shared with others, and on a disk
      return entry;
    } catch {
      return undefined;
    }
  }

  /** What can be kept is copied now, as its memory is used again, and kept once it was found good. */
  #keeping(key: string, spec: RequestSpec, followed: FollowedResponse): FollowedResponse {
    const { outcome } = followed;
    if (outcome.failed || !followed.trusted || !isStorable(outcome)) return followed;
    if (this.#access.isLost || this.#writes.size >= mostWrites) return followed;
    const url = urlOf(followed.target);
    // A redirect may have put the credentials of the request into its target.
    const isRedirected = url !== urlOf(spec.target);
    if (isRedirected && containsSecret(url, followed.secrets)) return followed;
    const answer = {
      url,
      statusText: outcome.statusText,
      headers: lasting(outcome.headers),
      body: new Uint8Array(outcome.body),
    };
    const keep = async (good = true) => {
      if (!good || this.#access.isLost) return;
      const entry = { ...answer, digest: digestOf(key, answer) };
      await this.#quietly(() => this.#store.set(key, entry));
    };
    return { ...followed, keep };
  }

  #forget(key: string): void {
    if (!this.#access.isLost) void this.#quietly(() => this.#store.delete(key));
  }

  /** A store that can't keep is a cache that forgets. */
  #quietly(act: () => Promise<void>): Promise<void> {
    const ended = () => {
      this.#writes.delete(writing);
    };
    const writing = (async () => act())().then(ended, ended);
    this.#writes.add(writing);
    return writing;
  }
}

function hasLocks(store: CacheStore): store is CacheStore & LockStore {
  return Boolean(store.acquireLock && store.lockOwner && store.releaseLock);
}

function ignore(): void {}
