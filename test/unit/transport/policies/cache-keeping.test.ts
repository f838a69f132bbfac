import { describe, expect, it, vi } from 'vitest';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import {
  type CameFrom,
  computeDigest,
  createStore,
  failed,
  follow,
  key,
  respond,
  sendThrough,
  url,
} from './cache-entries.js';

describe('ConditionalCache', () => {
  async function kept(headers: RawHeaders, status = 200, more: Partial<CameFrom> = {}) {
    const store = createStore(undefined);
    const { keep } = await follow(store, respond(headers, status, more));
    expect(store.set, 'stored before the body was validated').not.toHaveBeenCalled();
    await keep?.();
    expect(store.delete).not.toHaveBeenCalled();
    return store.set.mock.calls[0];
  }

  it('the cache stores the body, a digest and the headers that stay valid', async () => {
    const headers = {
      'x-zone': 'z',
      etag: '"a"',
      link: ['<1>; rel="next"', '<2>; rel="last"'],
      'content-type': 'application/json',
      'x-oauth-scopes-more': 'x',
      'last-modified': undefined,
    };
    const momentary = {
      date: 'now',
      age: '1',
      expires: 'later',
      'retry-after': '1',
      'set-cookie': ['a=b'],
      connection: 'close',
      'keep-alive': 'x',
      trailer: 'x',
      'transfer-encoding': 'chunked',
      'content-length': '9',
      'content-encoding': 'gzip',
      'www-authenticate': 'Basic',
      'x-oauth-scopes': 'repo',
      'x-accepted-oauth-scopes': 'repo',
      'x-ratelimit-remaining': '3',
      'x-request-id': 'r',
      'x-hub-request-id': 'r',
    };
    const fields = {
      url,
      statusText: 'OK',
      headers: {
        'x-zone': 'z',
        etag: '"a"',
        link: ['<1>; rel="next"', '<2>; rel="last"'],
        'content-type': 'application/json',
        'x-oauth-scopes-more': 'x',
      },
      body: new Uint8Array(Buffer.from('{"new":1}')),
    };
    expect(await kept({ ...headers, ...momentary })).toStrictEqual([
      key,
      { ...fields, digest: computeDigest(fields) },
    ]);
  });

  it('the cache stores a copy of the body', async () => {
    const store = createStore(undefined);
    const body = Buffer.from('{"new":1}');
    const given = respond({ etag: '"a"' });
    const response = { ...given.response, body };
    const { keep } = await follow(store, { ...given, response });
    body.fill(0);
    await keep?.();
    const entry = store.set.mock.calls[0]?.[1];
    expect(Buffer.from(entry?.body ?? []).toString()).toBe('{"new":1}');
  });

  it.each([
    [{ etag: '"a"' }],
    [{ 'last-modified': 'then' }],
    [{ etag: '"a"', 'cache-control': 'private, max-age=60' }],
    [{ etag: '"a"', 'cache-control': 'x-no-store' }],
    [{ etag: '"a"', vary: 'Accept, Authorization' }],
    [{ etag: '"a"', vary: 'x-*' }],
  ])('the cache stores a response with the headers %j', async (headers) => {
    expect(await kept(headers)).toBeDefined();
  });

  it.each([
    [{}],
    [{ 'content-type': 'application/json' }],
    [{ etag: '"a"', 'cache-control': 'no-store' }],
    [{ etag: '"a"', 'cache-control': 'No-Store' }],
    [{ etag: '"a"', 'cache-control': '  no-store' }],
    [{ etag: '"a"', 'cache-control': 'private,no-store' }],
    [{ etag: '"a"', 'cache-control': 'private,  no-store, max-age=0' }],
    [{ etag: '"a"', 'cache-control': ['private', 'no-store'] }],
    [{ etag: '"a"', vary: '*' }],
    [{ etag: '"a"', vary: '  *' }],
    [{ etag: '"a"', vary: 'accept,*' }],
    [{ etag: '"a"', vary: 'accept,  *' }],
  ])("the cache doesn't store a response with the headers %j", async (headers) => {
    expect(await kept(headers)).toBeUndefined();
  });

  it.each<[string, number, Partial<CameFrom>]>([
    ['a response with status 203', 203, {}],
    ['a response from an untrusted origin', 200, { trusted: false }],
    ['the result of a failed request', 200, { response: failed.response }],
  ])("the cache doesn't store %s", async (_title, status, more) => {
    expect(await kept({ etag: '"a"' }, status, more)).toBeUndefined();
  });

  it("the cache doesn't store a response while 64 writes are in progress", async () => {
    const ends: (() => void)[] = [];
    const store = {
      ...createStore(undefined),
      set: () => new Promise<void>((resolve) => ends.push(resolve)),
    };
    const cache = new ConditionalCache(store);
    const once = () => sendThrough(cache, () => respond({ etag: '"a"' }));
    for (let count = 0; count < 64; count++) void (await once()).context.settle(true);
    expect(ends).toHaveLength(64);
    expect((await once()).context.settled, 'a 65th').toBeUndefined();
    ends[0]?.();
    await vi.waitFor(async () => expect((await once()).context.settled).toBeDefined());
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('full'))],
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
  ])("the cache ignores the error if the store's set() %s", async (_title, set) => {
    const { keep } = await follow({ ...createStore(undefined), set }, respond({ etag: '"a"' }));
    expect(() => keep?.()).not.toThrow();
  });
});
