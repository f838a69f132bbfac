import { errorMessage } from '../../schema/unknown-values.js';
import { BoundedMap } from '../request/bounded-map.js';
import type { DiagnosticEvents, Publish } from '../request/diagnostics.js';
import { maxTimerDelay, setImmediate } from '../request/event-loop.js';

/** Settings that every store can have. */
export interface StoreSettings {
  /**
   * Time in ms that a call waits for the store before continuing without it. Default: 1000 ms for a
   * cache, 50 ms for other stores.
   */
  readonly timeout?: number | undefined;
}

/**
 * Store for cached responses, such as a `Map`. Keys are opaque, differ between credentials, and
 * don't contain credentials. Values contain responses as text. A store may drop values at any time.
 * If the store throws or is slow, calls continue without the cache.
 */
export interface CacheStore extends StoreSettings {
  /** Returns a key's value, or `undefined` or `null` if there is none. */
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Sets a key's value. The store may drop the value after `lifetime` ms. */
  set(key: string, value: string, lifetime: number): unknown;
}

/** Store for handled webhook deliveries that several processes share. */
export interface DeliveryStore extends StoreSettings {
  /** Returns a key's value, or `undefined` or `null` if there is none. */
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Sets a key's value, which expires after `lifetime` ms. */
  set(key: string, value: string, lifetime: number): unknown;
  /**
   * Sets a key's value, unless the key already has one. Must be atomic.
   * @returns whether the value was set.
   */
  setIfAbsent(key: string, value: string, lifetime: number): boolean | Promise<boolean>;
  /** Deletes a key. */
  delete(key: string): unknown;
}

/** Keeps responses in memory, up to a total size. Drops the least recently used responses first. */
export class MemoryStore implements CacheStore {
  readonly #values: BoundedMap<string, string>;

  /** @param maxBytes maximum total size of keys and values, as UTF-8. */
  constructor(maxBytes: number) {
    this.#values = new BoundedMap(maxBytes, (value, key) => key.length + Buffer.byteLength(value));
  }

  get(key: string): string | undefined {
    const value = this.#values.get(key);
    // Setting the value again makes it the most recently used value.
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
  }
}

/**
 * Settles like `pending`, but rejects if `pending` takes longer than `ms`. Timers fire before I/O,
 * so a process that was suspended reads its sockets once more before the promise rejects.
 */
export function withTimeout<T>(ms: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error(`no response within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(give), Math.min(ms, maxTimerDelay));
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Shortest and longest time between two requests to an unavailable store, in ms. */
export const [firstRetry, lastRetry] = [250, 5000];

/**
 * Accesses a store that may be slow or unavailable. A store failure never makes a call fail. After
 * a failure, requests are skipped, except for an occasional request that checks whether the store
 * is available again.
 */
export class StoreAccess {
  readonly #store: DiagnosticEvents['triforge:store']['store'];
  readonly #patience: number;
  readonly #publish: Publish;
  #isLost = false;
  #delay = firstRetry;
  #retryAt = 0;

  /** @param patience maximum time in ms for each request. */
  constructor(
    store: DiagnosticEvents['triforge:store']['store'],
    patience: number,
    publish: Publish,
  ) {
    this.#store = store;
    this.#patience = patience;
    this.#publish = publish;
  }

  /** Whether a request has failed and none has succeeded since then. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Sends a request. Returns its result, or undefined if it fails, takes too long or is skipped.
   */
  async request<T>(send: () => T | Promise<T>): Promise<Awaited<T> | undefined> {
    if (this.#isLost) {
      const now = performance.now();
      if (now < this.#retryAt) return undefined;
      this.#delay = Math.min(lastRetry, this.#delay * 2);
      this.#retryAt = now + this.#delay;
    }
    try {
      const result = await withTimeout(this.#patience, Promise.resolve().then(send));
      this.#reportFound();
      return result;
    } catch (error) {
      this.#reportLost(error);
      return undefined;
    }
  }

  /** Reports the first failure. Ignores later failures until the store responds again. */
  #reportLost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#delay = firstRetry;
    this.#retryAt = performance.now() + firstRetry;
    const reason = errorMessage(error);
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'lost', reason }));
  }

  /** Reports that the store responds again, if it was unavailable. */
  #reportFound(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'back' }));
  }
}
