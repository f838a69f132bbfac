import { BoundedMap } from '../request/bounded-map.js';
import type { CacheEntry } from './cache-entry.js';
import type { CacheStore } from './stores.js';

/** Keeps responses in memory, up to a total size. Drops the least recently used responses first. */
export class MemoryStore implements CacheStore {
  readonly #entries: BoundedMap<string, CacheEntry>;

  /** @param maxBytes maximum total size of bodies, headers, URLs and keys. */
  constructor(maxBytes: number) {
    this.#entries = new BoundedMap(maxBytes, measureCacheEntry);
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    const entry = this.#entries.get(key);
    // Setting the entry again makes it the most recently used entry.
    if (entry) this.#entries.set(key, entry);
    return entry;
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    this.#entries.set(key, entry);
  }

  async delete(key: string): Promise<void> {
    this.#entries.delete(key);
  }
}

function measureCacheEntry({ url, headers, body }: CacheEntry, key: string): number {
  let size = key.length + url.length + body.byteLength;
  for (const [name, value] of Object.entries(headers)) size += name.length + String(value).length;
  return size;
}
