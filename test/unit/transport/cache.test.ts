import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type CacheEntry,
  type CacheStore,
  ConditionalCache,
  cacheKey,
} from '../../../src/transport/cache.js';
import type { Followed } from '../../../src/transport/follow.js';
import { Interrupt } from '../../../src/transport/interrupt.js';
import type { RawHeaders } from '../../../src/transport/raw-response.js';
import type { RequestSpec } from '../../../src/transport/request-spec.js';
import { spec } from './cached-spec.js';

const url = 'https://code.example.com/api/v3/thing?page=2';
const key = cacheKey(spec, 'me');
const plain = spec.headers;

/** An answer, or how one differs from a plain 200. */
function answer(headers: RawHeaders, status = 200, more: Partial<Followed> = {}): Followed {
  return {
    outcome: {
      failed: false,
      status,
      statusText: status === 200 ? 'OK' : 'Not Modified',
      headers,
      body: Buffer.from(status === 200 ? '{"new":1}' : ''),
    },
    target: spec.target,
    trusted: true,
    done: false,
    secrets: [],
    ...more,
  };
}

const failed: Followed = {
  ...answer({}),
  outcome: { failed: true, kind: 'connection', cause: new Error(), sent: true, status: undefined },
};

/** What the digest is of, written down once more: stores outlive the version that filled them. */
function digestOf(fields: Record<string, unknown>): string {
  const { headers, body } = fields;
  const sorted = Object.entries(headers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = body instanceof Uint8Array || Array.isArray(body) ? body : [];
  return createHash('sha256')
    .update(JSON.stringify([key, fields.url, fields.statusText, sorted]))
    .update(new Uint8Array(bytes))
    .digest('base64url');
}

/** An entry whose digest is right, whatever is wrong with it otherwise. */
function entryOf(change: Record<string, unknown> = {}): Record<string, unknown> {
  const fields = {
    url,
    statusText: 'Fine',
    headers: { etag: '"a"', 'content-type': 'application/json' },
    body: new Uint8Array(Buffer.from('{"old":1}')),
    ...change,
  };
  return { ...fields, digest: digestOf(fields) };
}

/** A store that gives this one thing. */
function storeOf(found: unknown) {
  return {
    // `as`: what a store gives is not believed, so it is not held to its type here.
    get: vi.fn(async (_key: string) => found as CacheEntry | undefined),
    set: vi.fn(async (_key: string, _entry: CacheEntry) => {}),
    delete: vi.fn(async (_key: string) => {}),
  } satisfies CacheStore;
}

/** Follows with these answers in turn; gives the result and the header fields that were sent. */
async function follow(store: CacheStore, ...answers: Followed[]) {
  const cache = new ConditionalCache(store);
  const sent: RequestSpec['headers'][] = [];
  const followed = await cache.follow(spec, 'me', new Interrupt([], 0), async ({ headers }) => {
    const next = answers[sent.length];
    sent.push(headers);
    if (!next) throw new Error('asked more often than expected');
    return next;
  });
  return { followed, sent };
}

const conditional = (name: string, value: string) => [...plain, [name, value]];

describe('what is kept', () => {
  async function kept(headers: RawHeaders, status = 200, more: Partial<Followed> = {}) {
    const store = storeOf(undefined);
    const { followed } = await follow(store, answer(headers, status, more));
    expect(store.set, 'kept before its body was found good').not.toHaveBeenCalled();
    followed.keep?.();
    expect(store.delete).not.toHaveBeenCalled();
    return store.set.mock.calls[0];
  }

  it('the answer with its own header fields, under the key, with a digest of all', async () => {
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
      { ...fields, digest: digestOf(fields) },
    ]);
  });

  it('a copy of the body: its memory is used again', async () => {
    const store = storeOf(undefined);
    const body = Buffer.from('{"new":1}');
    const given = answer({ etag: '"a"' });
    const outcome = { ...given.outcome, body };
    const { followed } = await follow(store, { ...given, outcome });
    body.fill(0);
    followed.keep?.();
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
  ])('%j is', async (headers) => {
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
  ])('%j is not', async (headers) => {
    expect(await kept(headers)).toBeUndefined();
  });

  it.each<[string, number, Partial<Followed>]>([
    ['another status', 203, {}],
    ['a place that is not trusted', 200, { trusted: false }],
    ['a failure', 200, { outcome: failed.outcome }],
  ])('nothing of %s', async (_title, status, more) => {
    expect(await kept({ etag: '"a"' }, status, more)).toBeUndefined();
  });

  it('nothing while 64 writes are under way, and again when one of them has ended', async () => {
    const ends: (() => void)[] = [];
    const store = {
      ...storeOf(undefined),
      set: () => new Promise<void>((resolve) => ends.push(resolve)),
    };
    const cache = new ConditionalCache(store);
    const once = () =>
      cache.follow(spec, 'me', new Interrupt([], 0), async () => answer({ etag: '"a"' }));
    for (let count = 0; count < 64; count++) (await once()).keep?.();
    expect(ends).toHaveLength(64);
    expect((await once()).keep, 'a 65th').toBeUndefined();
    ends[0]?.();
    await vi.waitFor(async () => expect((await once()).keep).toBeDefined());
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('full'))],
    [
      'throws',
      () => {
        throw new Error('full');
      },
    ],
  ])('a store that %s costs no call', async (_title, set) => {
    const { followed } = await follow({ ...storeOf(undefined), set }, answer({ etag: '"a"' }));
    expect(() => followed.keep?.()).not.toThrow();
  });
});

describe('what a store gives is believed', () => {
  it('where it is whole: the server is asked with its validator, and it is the answer', async () => {
    const store = storeOf(entryOf());
    const { followed, sent } = await follow(
      store,
      answer({ date: 'now', 'content-type': 'text/x', 'content-length': '0', etag: '"a"' }, 304),
    );
    expect(store.get).toHaveBeenCalledExactlyOnceWith(key);
    expect(sent).toEqual([conditional('if-none-match', '"a"')]);
    expect(followed.fromCache).toBe(true);
    expect(followed.outcome).toStrictEqual({
      failed: false,
      status: 200,
      statusText: 'Fine',
      headers: { etag: '"a"', 'content-type': 'application/json', date: 'now' },
      body: Buffer.from('{"old":1}'),
    });
    expect(store.delete).not.toHaveBeenCalled();
    expect(store.set).not.toHaveBeenCalled();
  });

  it('in whatever order its header fields stand', async () => {
    const headers = { 'x-c': '3', etag: '"a"', 'x-b': '2' };
    const turned = { 'x-b': '2', 'x-c': '3', etag: '"a"' };
    const { followed } = await follow(
      storeOf({ ...entryOf({ headers }), headers: turned }),
      answer({}, 304),
    );
    expect(followed.fromCache).toBe(true);
  });

  it('with lists of header fields, be they empty', async () => {
    const headers = { etag: '"a"', link: ['<1>', '<2>'], 'x-none': [] };
    const { followed } = await follow(storeOf(entryOf({ headers })), answer({}, 304));
    expect(followed.outcome).toMatchObject({ headers });
  });

  it('as it was when it was checked', async () => {
    const link = ['<1>', '<2>'];
    const body = new Uint8Array(Buffer.from('{"old":1}'));
    const store = storeOf(entryOf({ headers: { etag: '"a"', link }, body }));
    const cache = new ConditionalCache(store);
    const { outcome } = await cache.follow(spec, 'me', new Interrupt([], 0), async () => {
      link[0] = '<evil>';
      body.fill(0);
      return answer({}, 304);
    });
    expect(outcome).toMatchObject({
      headers: { link: ['<1>', '<2>'] },
      body: Buffer.from('{"old":1}'),
    });
  });

  it.each<[string, Record<string, unknown>, [string, string]]>([
    ['ETag first', { etag: 'W/"a"', 'last-modified': 'then' }, ['if-none-match', 'W/"a"']],
    ['else the date', { 'last-modified': 'then' }, ['if-modified-since', 'then']],
    ['a list is joined', { etag: ['"a"', '"b"'] }, ['if-none-match', '"a", "b"']],
  ])('%s', async (_title, headers, [name, value]) => {
    const { sent } = await follow(storeOf(entryOf({ headers })), answer({}, 304));
    expect(sent).toEqual([conditional(name, value)]);
  });

  it('without a validator the server is asked without conditions', async () => {
    const store = storeOf(entryOf({ headers: { 'content-type': 'application/json' } }));
    const { followed, sent } = await follow(store, answer({}));
    expect(sent).toEqual([plain]);
    expect(followed.fromCache).toBeUndefined();
    expect(store.delete).not.toHaveBeenCalled();
  });
});

describe('what a store gives is refused, and deleted', () => {
  const whole = entryOf();
  const noText = { headers: { etag: '"a"', 'x-a': 5 } };
  it.each<[string, unknown]>([
    ['a text', 'entry'],
    ['a number', 0],
    ['a function', Object.assign(() => undefined, whole)],
    ['an empty object', {}],
    ['a URL that is no text', entryOf({ url: 5 })],
    ['a status text that is no text', entryOf({ statusText: 5 })],
    ['no status text', entryOf({ statusText: undefined })],
    ['header fields that are a text', entryOf({ headers: 'ab' })],
    ['header fields that are null', entryOf({ headers: null })],
    ['no header fields', entryOf({ headers: undefined })],
    ['a field that is a number', entryOf(noText)],
    ['a field that is null', entryOf({ headers: { etag: '"a"', 'x-a': null } })],
    ['a list that holds a number', entryOf({ headers: { etag: '"a"', 'x-a': [5] } })],
    ['a list that holds one number', entryOf({ headers: { etag: '"a"', 'x-a': ['a', 5] } })],
    ['a body that is a list', entryOf({ body: [123, 125] })],
    ['no body', entryOf({ body: undefined })],
    ['an ETag that splits the request', entryOf({ headers: { etag: '"a"\r\nx-evil: 1' } })],
    ['a date beyond latin1', entryOf({ headers: { 'last-modified': 'thén\u0100' } })],
    ['no digest', { ...whole, digest: undefined }],
    ['another digest', { ...whole, digest: digestOf({}) }],
    ['another body', { ...whole, body: new Uint8Array(Buffer.from('{"evil":1}')) }],
    ['another URL', { ...whole, url: `${url}0` }],
    ['another status text', { ...whole, statusText: 'OK' }],
    ['another field', { ...whole, headers: { etag: '"b"', 'content-type': 'application/json' } }],
  ])('%s', async (_title, found) => {
    const store = storeOf(found);
    const { followed, sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent, 'the header fields sent').toEqual([plain]);
    expect(followed.fromCache).toBeUndefined();
    expect(store.delete).toHaveBeenCalledExactlyOnceWith(key);
  });

  it.each([undefined, null])('but %s is only nothing', async (found) => {
    const store = storeOf(found);
    const { sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent).toEqual([plain]);
    expect(store.delete).not.toHaveBeenCalled();
  });

  it('and neither is a store that throws', async () => {
    const store = storeOf(undefined);
    store.get.mockImplementation(() => {
      throw new Error('not open');
    });
    const { sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent).toEqual([plain]);
    expect(store.delete).not.toHaveBeenCalled();
  });
});

describe('the answer to a condition', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['the same ETag', { etag: '"a"' }, '"a"'],
    ['no ETag', { etag: '"a"' }, undefined],
    ['a weak ETag now', { etag: '"a"' }, 'W/"a"'],
    ['a weak ETag then', { etag: 'W/"a"' }, '"a"'],
    ['an ETag where there was a date', { 'last-modified': 'then' }, '"a"'],
  ])('304 with %s: from the cache', async (_title, headers, etag) => {
    const store = storeOf(entryOf({ headers }));
    const { followed } = await follow(store, answer({ etag }, 304));
    expect(followed.fromCache).toBe(true);
    expect(store.delete).not.toHaveBeenCalled();
  });

  it.each<[string, string, Followed]>([
    ['another ETag', '"a"', answer({ etag: '"b"' }, 304)],
    ['an ETag that is another without its W/', '"aW/b"', answer({ etag: '"ab"' }, 304)],
    [
      'another place',
      '"a"',
      answer({}, 304, { target: { ...spec.target, path: '/api/v3/other' } }),
    ],
    ['a place that is not trusted', '"a"', answer({}, 304, { trusted: false })],
  ])('304 with %s: forgotten, and asked again without conditions', async (_title, etag, first) => {
    const store = storeOf(entryOf({ headers: { etag } }));
    const { followed, sent } = await follow(store, first, answer({ etag: '"n"' }));
    expect(sent).toEqual([conditional('if-none-match', etag), plain]);
    expect(store.delete).toHaveBeenCalledExactlyOnceWith(key);
    expect(followed).toMatchObject({ outcome: { body: Buffer.from('{"new":1}') } });
    followed.keep?.();
    expect(store.set).toHaveBeenCalledOnce();
  });

  it('200: the new answer is kept', async () => {
    const store = storeOf(entryOf());
    const { followed } = await follow(store, answer({ etag: '"n"' }));
    expect(followed.fromCache).toBeUndefined();
    followed.keep?.();
    expect(store.set).toHaveBeenCalledExactlyOnceWith(
      key,
      expect.objectContaining({ headers: { etag: '"n"' } }),
    );
    expect(store.delete).not.toHaveBeenCalled();
  });

  it('a failure is handed on, and what is kept stays', async () => {
    const store = storeOf(entryOf());
    expect((await follow(store, failed)).followed).toBe(failed);
    expect(store.delete).not.toHaveBeenCalled();
  });
});

describe('a slow store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is waited for one second, and left alone while three questions are open', async () => {
    const slow: ((found: undefined) => void)[] = [];
    const store = storeOf(undefined);
    const cache = new ConditionalCache(store);
    const send = async () => answer({});
    const ask = () => cache.follow(spec, 'me', new Interrupt([], 0), send);
    for (let count = 0; count < 5; count++) await ask(); // quick answers are no credit for later
    store.get.mockImplementation(() => new Promise((resolve) => slow.push(resolve)));
    for (let count = 0; count < 3; count++) {
      let ended = false;
      const asking = ask().then(() => {
        ended = true;
      });
      await vi.advanceTimersByTimeAsync(999);
      expect(ended, 'ended before the second was over').toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await asking;
    }
    expect(store.get).toHaveBeenCalledTimes(8);
    await ask();
    expect(store.get, 'asked although three answers are due').toHaveBeenCalledTimes(8);
    slow[0]?.(undefined);
    await vi.advanceTimersByTimeAsync(0);
    store.get.mockResolvedValue(undefined);
    await ask();
    expect(store.get, 'not asked although it answered').toHaveBeenCalledTimes(9);
    expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  });
});

describe('a key', () => {
  it('is a digest of method, URL, media type, credentials and sorted header fields', () => {
    const headers = [
      ['b', '2'],
      ['c', '3'],
      ['a', '1'],
    ] as const;
    const parts = ['GET', url, 'application/json', 'me', ['a: 1', 'b: 2', 'c: 3']];
    expect(cacheKey({ ...spec, headers }, 'me')).toBe(
      createHash('sha256').update(JSON.stringify(parts)).digest('base64url'),
    );
  });
});
