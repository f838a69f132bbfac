import { BoundedMap } from '../request/bounded-map.js';
import type { CacheStore } from './stores.js';

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
