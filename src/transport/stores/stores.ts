import { BoundedMap } from '../request/bounded-map.js';

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
