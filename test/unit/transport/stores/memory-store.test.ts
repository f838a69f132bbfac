import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../../src/transport/stores/stores.js';

describe('MemoryStore', () => {
  it('a memory store counts the bytes of keys and values against the capacity', () => {
    const store = new MemoryStore(10);
    store.set('key', 'über..');
    expect(store.get('key'), 'it fits exactly').toBe('über..');
    store.set('key', 'über...');
    expect(store.get('key'), 'it is one byte too large').toBeUndefined();
  });

  it('a memory store evicts the least recently used value first', () => {
    const store = new MemoryStore(4);
    store.set('a', '1');
    store.set('b', '2');
    store.get('a');
    store.set('c', '3');
    expect(['a', 'b', 'c'].map((key) => store.get(key))).toEqual(['1', undefined, '3']);
  });
});
