import type { LRUCache } from 'lru-cache';
import type { CacheStore } from './cache.js';
import type { CacheEntry } from './cache-entry.js';

/** Keeps answers in memory, up to so many bytes; what was not asked for longest goes first. */
export class MemoryStore implements CacheStore {
  readonly #maxBytes: number;
  #entries: Promise<LRUCache<string, CacheEntry>> | undefined;

  /** @param maxBytes of bodies and header fields together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    return (await this.#open()).get(key);
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    (await this.#open()).set(key, entry);
  }

  async delete(key: string): Promise<void> {
    (await this.#open()).delete(key);
  }

  /** Who caches nothing does not load what it needs. */
  #open(): Promise<LRUCache<string, CacheEntry>> {
    this.#entries ??= import('lru-cache').then(
      (library) =>
        new library.LRUCache<string, CacheEntry>({
          maxSize: this.#maxBytes,
          sizeCalculation: sizeOf,
        }),
    );
    return this.#entries;
  }
}

function sizeOf({ url, headers, body }: CacheEntry, key: string): number {
  let size = key.length + url.length + body.byteLength;
  for (const [name, value] of Object.entries(headers)) size += name.length + String(value).length;
  return size;
}
