import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import {
  conditional,
  createEntry,
  createStore,
  follow,
  key,
  plain,
  respond,
  sendThrough,
} from './cache-entries.js';

describe('ConditionalCache', () => {
  it('the cache serves an intact stored response after revalidation', async () => {
    const store = createStore(createEntry());
    const { fromCache, response, sent } = await follow(
      store,
      respond({ date: 'now', 'content-type': 'text/x', 'content-length': '0', etag: '"a"' }, 304),
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

  it('the cache accepts stored headers in any order', async () => {
    const headers = { 'x-c': '3', etag: '"a"', 'x-b': '2' };
    const turned = { 'x-b': '2', 'x-c': '3', etag: '"a"' };
    const { fromCache } = await follow(
      createStore({ ...createEntry({ headers }), headers: turned }),
      respond({}, 304),
    );
    expect(fromCache).toBe(true);
  });

  it('the cache returns stored headers that are lists', async () => {
    const headers = { etag: '"a"', link: ['<1>', '<2>'], 'x-none': [] };
    const { response } = await follow(createStore(createEntry({ headers })), respond({}, 304));
    expect(response).toMatchObject({ headers });
  });

  it('the cache ignores changes to a stored response after its validation', async () => {
    const link = ['<1>', '<2>'];
    const body = new Uint8Array(Buffer.from('{"old":1}'));
    const store = createStore(createEntry({ headers: { etag: '"a"', link }, body }));
    const cache = new ConditionalCache(store);
    const { response } = await sendThrough(cache, () => {
      link[0] = '<evil>';
      body.fill(0);
      return respond({}, 304);
    });
    expect(response).toMatchObject({
      headers: { link: ['<1>', '<2>'] },
      body: Buffer.from('{"old":1}'),
    });
  });

  it.each<[string, Record<string, unknown>, [string, string]]>([
    [
      'the ETag rather than the date',
      { etag: 'W/"a"', 'last-modified': 'then' },
      ['if-none-match', 'W/"a"'],
    ],
    ['the date if there is no ETag', { 'last-modified': 'then' }, ['if-modified-since', 'then']],
    ['a joined list of ETags', { etag: ['"a"', '"b"'] }, ['if-none-match', '"a", "b"']],
  ])('the cache revalidates a stored response with %s', async (_title, headers, [name, value]) => {
    const { sent } = await follow(createStore(createEntry({ headers })), respond({}, 304));
    expect(sent).toEqual([conditional(name, value)]);
  });

  it("the cache doesn't send conditions for a stored response without a validator", async () => {
    const store = createStore(createEntry({ headers: { 'content-type': 'application/json' } }));
    const { fromCache, sent } = await follow(store, respond({}));
    expect(sent).toEqual([plain]);
    expect(fromCache).toBe(false);
    expect(store.delete).not.toHaveBeenCalled();
  });
});

describe('store timeouts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('the cache leaves no timer if a lock is granted immediately', async () => {
    const locks = {
      acquireLock: async (_name: string, owner: string) => owner,
      lockOwner: async () => undefined,
      releaseLock: async () => undefined,
    };
    const cache = new ConditionalCache({ ...createStore(undefined), ...locks });
    await sendThrough(cache, () => respond({}));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the cache waits at most one second for a slow store', async () => {
    const slow: ((found: undefined) => void)[] = [];
    const store = createStore(undefined);
    const cache = new ConditionalCache(store);
    const send = () => respond({});
    const call = () => sendThrough(cache, send);
    // Fast responses don't extend the time for later responses.
    for (let count = 0; count < 5; count++) await call();
    store.get.mockImplementation(() => new Promise((resolve) => slow.push(resolve)));
    let ended = false;
    const sending = call().then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(ended, 'ended before the second was over').toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    await sending;
    expect(store.get).toHaveBeenCalledTimes(6);
    await vi.advanceTimersByTimeAsync(10_000);
    await call();
    expect(store.get, 'no request while a reply is pending').toHaveBeenCalledTimes(6);
    slow[0]?.(undefined);
    await vi.advanceTimersByTimeAsync(0);
    store.get.mockResolvedValue(undefined);
    await call();
    await call();
    expect(store.get, 'requested again after the reply').toHaveBeenCalledTimes(8);
    expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  });

  it('the cache retries an unresponsive store after 30 seconds', async () => {
    const store = createStore(undefined);
    const cache = new ConditionalCache(store);
    const call = () => sendThrough(cache, () => respond({}));
    store.get.mockImplementation(() => new Promise(() => undefined));
    const first = call();
    await vi.advanceTimersByTimeAsync(1010);
    await first;
    await vi.advanceTimersByTimeAsync(30_000);
    await call();
    expect(store.get).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    const second = call();
    await vi.advanceTimersByTimeAsync(1010);
    await second;
    expect(store.get).toHaveBeenCalledTimes(2);
  });
});
