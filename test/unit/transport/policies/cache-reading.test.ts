import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import {
  answer,
  conditional,
  entryOf,
  follow,
  key,
  plain,
  sendThrough,
  storeOf,
} from './cache-entries.js';

describe('a stored response', () => {
  it('is revalidated and served if it is intact', async () => {
    const store = storeOf(entryOf());
    const { fromCache, response, sent } = await follow(
      store,
      answer({ date: 'now', 'content-type': 'text/x', 'content-length': '0', etag: '"a"' }, 304),
    );
    expect(store.get).toHaveBeenCalledExactlyOnceWith(key);
    expect(sent).toEqual([conditional('if-none-match', '"a"')]);
    expect(fromCache).toBe(true);
    expect(response).toStrictEqual({
      failed: false,
      status: 200,
      statusText: 'Fine',
      headers: { etag: '"a"', 'content-type': 'application/json', date: 'now' },
      body: Buffer.from('{"old":1}'),
    });
    expect(store.delete).not.toHaveBeenCalled();
    expect(store.set).not.toHaveBeenCalled();
  });

  it('is valid with its headers in any order', async () => {
    const headers = { 'x-c': '3', etag: '"a"', 'x-b': '2' };
    const turned = { 'x-b': '2', 'x-c': '3', etag: '"a"' };
    const { fromCache } = await follow(
      storeOf({ ...entryOf({ headers }), headers: turned }),
      answer({}, 304),
    );
    expect(fromCache).toBe(true);
  });

  it('can have lists in its headers, even empty ones', async () => {
    const headers = { etag: '"a"', link: ['<1>', '<2>'], 'x-none': [] };
    const { response } = await follow(storeOf(entryOf({ headers })), answer({}, 304));
    expect(response).toMatchObject({ headers });
  });

  it('cannot change after its validation', async () => {
    const link = ['<1>', '<2>'];
    const body = new Uint8Array(Buffer.from('{"old":1}'));
    const store = storeOf(entryOf({ headers: { etag: '"a"', link }, body }));
    const cache = new ConditionalCache(store);
    const { response } = await sendThrough(cache, () => {
      link[0] = '<evil>';
      body.fill(0);
      return answer({}, 304);
    });
    expect(response).toMatchObject({
      headers: { link: ['<1>', '<2>'] },
      body: Buffer.from('{"old":1}'),
    });
  });

  it.each<[string, Record<string, unknown>, [string, string]]>([
    [
      'its ETag if it also has a date',
      { etag: 'W/"a"', 'last-modified': 'then' },
      ['if-none-match', 'W/"a"'],
    ],
    ['its date if it has no ETag', { 'last-modified': 'then' }, ['if-modified-since', 'then']],
    ['a joined list of ETags', { etag: ['"a"', '"b"'] }, ['if-none-match', '"a", "b"']],
  ])('is revalidated with %s', async (_title, headers, [name, value]) => {
    const { sent } = await follow(storeOf(entryOf({ headers })), answer({}, 304));
    expect(sent).toEqual([conditional(name, value)]);
  });

  it('is requested without conditions if it has no validator', async () => {
    const store = storeOf(entryOf({ headers: { 'content-type': 'application/json' } }));
    const { fromCache, sent } = await follow(store, answer({}));
    expect(sent).toEqual([plain]);
    expect(fromCache).toBe(false);
    expect(store.delete).not.toHaveBeenCalled();
  });
});

describe('a slow store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('leaves no timer behind if its lock is granted immediately', async () => {
    const locks = {
      acquireLock: async (_name: string, owner: string) => owner,
      lockOwner: async () => undefined,
      releaseLock: async () => undefined,
    };
    const cache = new ConditionalCache({ ...storeOf(undefined), ...locks });
    await sendThrough(cache, () => answer({}));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('delays a call by at most one second, and is then skipped until it responds', async () => {
    const slow: ((found: undefined) => void)[] = [];
    const store = storeOf(undefined);
    const cache = new ConditionalCache(store);
    const send = () => answer({});
    const ask = () => sendThrough(cache, send);
    // Fast responses don't extend the time for later responses.
    for (let count = 0; count < 5; count++) await ask();
    store.get.mockImplementation(() => new Promise((resolve) => slow.push(resolve)));
    let ended = false;
    const asking = ask().then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(ended, 'ended before the second was over').toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    await asking;
    expect(store.get).toHaveBeenCalledTimes(6);
    await vi.advanceTimersByTimeAsync(10_000);
    await ask();
    expect(store.get, 'asked although an answer is due').toHaveBeenCalledTimes(6);
    slow[0]?.(undefined);
    await vi.advanceTimersByTimeAsync(0);
    store.get.mockResolvedValue(undefined);
    await ask();
    await ask();
    expect(store.get, 'not asked although it answered').toHaveBeenCalledTimes(8);
    expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  });

  it('is tried again after 30 seconds if it never responds', async () => {
    const store = storeOf(undefined);
    const cache = new ConditionalCache(store);
    const ask = () => sendThrough(cache, () => answer({}));
    store.get.mockImplementation(() => new Promise(() => undefined));
    const first = ask();
    await vi.advanceTimersByTimeAsync(1010);
    await first;
    await vi.advanceTimersByTimeAsync(30_000);
    await ask();
    expect(store.get).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    const second = ask();
    await vi.advanceTimersByTimeAsync(1010);
    await second;
    expect(store.get).toHaveBeenCalledTimes(2);
  });
});
