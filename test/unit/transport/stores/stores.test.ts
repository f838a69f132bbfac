import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedMap } from '../../../../src/transport/request/bounded-map.js';
import { MemoryStore, StoreAccess, withTimeout } from '../../../../src/transport/stores/stores.js';
import { rejectionOf, watchWarnings } from '../../../support/client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('withTimeout()', () => {
  it('leaves no timer after the promise settles', async () => {
    expect(await withTimeout(1000, Promise.resolve('reply'))).toBe('reply');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    const cause = new Error('gone');
    expect(await rejectionOf(withTimeout(1000, Promise.reject(cause)))).toBe(cause);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws after the timeout', async () => {
    const raised = rejectionOf(withTimeout(1000, new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(String(await raised)).toContain('1000 ms');
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'accepts a timeout longer than a timer allows (%d ms)',
    async (ms) => {
      vi.useRealTimers();
      const warnings = watchWarnings();
      const reply = new Promise((resolve) => setTimeout(resolve, 20, 'reply'));
      expect(await withTimeout(ms, reply)).toBe('reply');
      expect(warnings).toEqual([]);
    },
  );
});

describe('StoreAccess', () => {
  function world() {
    const states: string[] = [];
    const access = new StoreAccess('cache', 1000, (_name, make) => {
      // `as`: only store events arrive here.
      states.push((make() as { readonly state: string }).state);
    });
    const requests: string[] = [];
    const responds = () =>
      access.request(() => {
        requests.push('responds');
        return 'reply';
      });
    const fails = () =>
      access.request(() => {
        requests.push('fails');
        return Promise.reject(new Error('gone'));
      });
    /** Creates a request that stays pending until it is released. */
    const hangs = () => {
      let letGo = () => {};
      const ended = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const pending = access.request(() => {
        requests.push('hangs');
        return ended;
      });
      return { pending, letGo };
    };
    return { access, states, requests, responds, fails, hangs };
  }

  it('reports each loss and return of a store once', async () => {
    const { states, responds, fails } = world();
    expect(await responds()).toBe('reply');
    expect(states).toEqual([]);
    for (let round = 0; round < 2; round++) {
      for (const send of [fails, fails, responds, responds]) {
        await send();
        await vi.advanceTimersByTimeAsync(5000);
      }
    }
    expect(states).toEqual(['lost', 'back', 'lost', 'back']);
  });

  it('retries an unavailable store at increasing intervals of up to five seconds', async () => {
    const { access, requests, fails } = world();
    const begin = performance.now();
    const tries: number[] = [];
    while (performance.now() - begin < 20_000) {
      const before = requests.length;
      await fails();
      expect(access.isLost).toBe(true);
      if (requests.length > before) tries.push(performance.now() - begin);
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(tries).toEqual([0, 250, 750, 1750, 3750, 7750, 12_750, 17_750]);
  });

  it('sends only one request at a time to an unavailable store', async () => {
    const { requests, fails, responds, hangs } = world();
    await fails();
    await vi.advanceTimersByTimeAsync(250);
    const probe = hangs();
    expect(await responds()).toBeUndefined();
    expect(requests).toEqual(['fails', 'hangs']);
    probe.letGo();
    await probe.pending;
    expect(await responds()).toBe('reply');
  });
});

describe('a memory store', () => {
  it('counts the bytes of keys and values against the capacity', () => {
    const store = new MemoryStore(10);
    store.set('key', 'über..');
    expect(store.get('key'), 'it fits exactly').toBe('über..');
    store.set('key', 'über...');
    expect(store.get('key'), 'it is one byte too large').toBeUndefined();
  });
});

describe('a bounded map', () => {
  it('drops the oldest entry when the map exceeds its capacity', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('drops enough old entries to fit a larger entry', () => {
    const map = new BoundedMap<string, string>(10, (value) => value.length);
    map.set('a', '1234').set('b', '1234').set('c', '12').set('d', '1234567');
    expect([...map.keys()]).toEqual(['c', 'd']);
  });

  it('frees the capacity of replaced and deleted entries', () => {
    const map = new BoundedMap<string, string>(4, (value) => value.length);
    map.set('a', '1234').set('a', '12').set('b', '12');
    expect([...map.keys()]).toEqual(['a', 'b']);
    expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
    map.set('c', '12');
    expect([...map.keys()]).toEqual(['b', 'c']);
  });
});
