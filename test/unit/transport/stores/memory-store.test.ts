import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../../../src/transport/stores/cache-entry.js';
import { MemoryStore } from '../../../../src/transport/stores/memory-store.js';

describe('MemoryStore', () => {
  const entry = (bytes: number): CacheEntry => ({
    url: 'u'.repeat(20),
    statusText: 'OK',
    headers: { etag: 'e'.repeat(6), link: ['12', '45'] }, // 4 + 6 + 4 + 5 bytes
    body: new Uint8Array(bytes),
    digest: '',
  });
  const about = 20 + 19; // Size of the URL and headers in bytes.

  it('a memory store returns an entry until it is deleted', async () => {
    const store = new MemoryStore(1000);
    expect(await store.get('a')).toBeUndefined();
    const kept = entry(10);
    await store.set('a', kept);
    expect(await store.get('a')).toBe(kept);
    await store.delete('b');
    expect(await store.get('a')).toBe(kept);
    await store.delete('a');
    expect(await store.get('a')).toBeUndefined();
  });

  it('a memory store counts the key, URL, headers and body against the capacity', async () => {
    const store = new MemoryStore(100);
    const name = 'k'.repeat(30);
    await store.set(name, entry(100 - about - 30));
    expect(await store.get(name), 'it fits exactly').toBeDefined();
    await store.set(`${name}k`, entry(100 - about - 30));
    expect(await store.get(`${name}k`), 'it is one byte too large').toBeUndefined();
  });

  it('a memory store evicts the least recently used entry first', async () => {
    const store = new MemoryStore(2 * (about + 1 + 10));
    await store.set('a', entry(10));
    await store.set('b', entry(10));
    await store.get('a');
    await store.set('c', entry(10));
    expect(await store.get('a')).toBeDefined();
    expect(await store.get('b')).toBeUndefined();
    expect(await store.get('c')).toBeDefined();
  });
});
