import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import type { HttpResponse } from '../../../../src/transport/http/raw-response.js';
import {
  ConditionalCache,
  cacheKey,
  formatEntry,
  isCacheable,
  isStorable,
  parseEntry,
} from '../../../../src/transport/policies/cache.js';
import { CallContext } from '../../../../src/transport/policies/context.js';
import { anonymous } from '../../../../src/transport/request/credentials.js';
import type { RequestSpec, Target } from '../../../../src/transport/request/request-spec.js';
import { resolveSettings } from '../../../../src/transport/settings.js';
import { spec } from './cached-spec.js';

const url = 'https://code.example.com/api/v3/thing?page=2';
const key = cacheKey(spec, 'me');

/** A response and its origin. */
interface CameFrom {
  readonly response: HttpResponse;
  readonly target: Target;
  readonly trusted: boolean;
}

function createRaw(headers: RawHeaders, status = 200, text = '{"new":1}') {
  const body = Buffer.from(status === 200 ? text : '');
  return { failed: false, status, statusText: 'OK', headers, body } as const;
}

/** Creates a response, by default a 200. */
const respond = (headers: RawHeaders, status = 200, more: Partial<CameFrom> = {}): CameFrom => ({
  response: createRaw(headers, status),
  target: spec.target,
  trusted: true,
  ...more,
});

const createEntry = (headers: RawHeaders = { etag: '"a"' }) =>
  formatEntry(key, url, createRaw(headers, 200, '{"old":1}'));

/** Creates the context of a call that has sent no request yet. */
function createContext(): CallContext {
  const settings = resolveSettings(
    { baseUrl: 'https://code.example.com/api/v3' },
    { media: { vendor: 'service', version: 'v3' }, accept: 'application/json' },
  );
  const timeouts = { total: 0, headers: 0, body: 0 };
  const retry = { limit: 3, baseDelay: 0, maxDelay: 0, maxRetryAfter: 60_000 };
  const responseSpec = { kind: 'json', schema: undefined } as const;
  return new CallContext(
    {
      ...{ spec, responseSpec, isDecoded: false, authorizer: anonymous, signals: [] },
      ...{ timeouts, retry, validation: 'strict' },
    },
    settings,
    new Deadline([], 0),
  );
}

/** Creates a store that always returns `found`. */
const createStore = (found?: string) => ({
  get: vi.fn(async (_key: string): Promise<string | undefined> => found),
  set: vi.fn((_key: string, _value: string, _lifetime: number): unknown => undefined),
});

/** Sends a call through the cache. The server returns `responses` in order. */
async function follow(store: ReturnType<typeof createStore>, ...responses: CameFrom[]) {
  const sent: RequestSpec['headers'][] = [];
  const context = createContext();
  context.attempt.identity = 'me';
  const cache = new ConditionalCache(store);
  const response = await cache.send(spec, context, async (request) => {
    const next = responses[sent.length];
    sent.push(request.headers);
    if (!next) throw new Error('the cache sent more requests than expected');
    Object.assign(context.attempt, { target: next.target, trusted: next.trusted });
    return next.response;
  });
  const settle = async (good: boolean) => {
    context.settle(good);
    await cache.close();
  };
  return { response, sent, settle, fromCache: context.attempt.fromCache };
}

const conditional = (name: string, value: string) => [...spec.headers, [name, value]];

describe('the cache', () => {
  it.each<[string, RawHeaders, RawHeaders]>([
    ['no ETag', { etag: '"a"' }, {}],
    ['an ETag if the entry has only a date', { 'last-modified': 'then' }, { etag: '"a"' }],
  ])('serves the stored response after a 304 with %s', async (_title, stored, fresh) => {
    const found = await follow(createStore(createEntry(stored)), respond(fresh, 304));
    expect(found.fromCache).toBe(true);
    expect(found.response).toMatchObject({ status: 200, body: Buffer.from('{"old":1}') });
  });

  it('repeats the request without conditions after a 304 from an untrusted origin', async () => {
    const store = createStore(createEntry());
    const first = respond({}, 304, { trusted: false });
    const { response, sent, settle } = await follow(store, first, respond({ etag: '"n"' }));
    expect(sent).toEqual([conditional('if-none-match', '"a"'), spec.headers]);
    expect(response).toMatchObject({ body: Buffer.from('{"new":1}') });
    await settle(true);
    expect(store.set).toHaveBeenCalledOnce();
  });

  it('stores a response for a day once it is decoded', async () => {
    const store = createStore(createEntry());
    const { settle } = await follow(store, respond({ etag: '"n"' }));
    expect(store.set).not.toHaveBeenCalled();
    await settle(true);
    const entry = formatEntry(key, url, createRaw({ etag: '"n"' }));
    expect(store.set).toHaveBeenCalledExactlyOnceWith(key, entry, 86_400_000);
  });

  it('stores nothing if the request has failed', async () => {
    const store = createStore();
    const failed = { failed: true, kind: 'connection', cause: 0, sent: true } as const;
    const response = { ...failed, status: undefined };
    const { settle } = await follow(store, respond({}, 200, { response }));
    await settle(true);
    expect(store.set).not.toHaveBeenCalled();
  });

  it('revalidates with the ETag rather than the date', async () => {
    const entry = createEntry({ etag: 'W/"a"', 'last-modified': 'then' });
    const { sent } = await follow(createStore(entry), respond({}, 304));
    expect(sent).toEqual([conditional('if-none-match', 'W/"a"')]);
  });

  it('a 304 replaces stored headers, except those of a body', async () => {
    const stored = { etag: '"a"', link: ['<1>', '<2>'], 'content-type': 'application/json' };
    const fresh = { link: '<3>', 'content-type': 'text/plain', 'content-length': '0' };
    const { response } = await follow(createStore(createEntry(stored)), respond(fresh, 304));
    expect(response).toMatchObject({
      headers: { etag: '"a"', link: '<3>', 'content-type': 'application/json' },
    });
    expect(response).not.toHaveProperty('headers.content-length');
  });
});

describe('the cache with a slow store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits at most one second', async () => {
    const store = createStore();
    store.get.mockImplementation(() => new Promise(() => undefined));
    let ended = false;
    const sending = follow(store, respond({})).then(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(ended, 'ended before the second was over').toBe(false);
    await vi.advanceTimersByTimeAsync(10);
    await sending;
    expect(vi.getTimerCount(), 'timers left behind').toBe(0);
  });
});

describe('cache entries', () => {
  it('an entry is a line of JSON and the body', () => {
    const headers = {
      etag: '"a"',
      date: 'now',
      'x-ratelimit-remaining': '5',
      'x-github-request-id': 'b',
    };
    const about = { key, url, statusText: 'OK', length: 9, headers: { etag: '"a"' } };
    expect(formatEntry(key, url, createRaw(headers))).toBe(`${JSON.stringify(about)}\n{"new":1}`);
  });

  it.each([
    ['undefined', undefined],
    ['an empty text', ''],
    ['text without a line break', '{}'],
    ['JSON that is not an object', '[]\n'],
    ['an entry without a validator', createEntry().replace('"etag"', '"tag"')],
    ['an entry without a URL', createEntry().replace('"url"', '"uri"')],
  ])('parseEntry() ignores %s', (_title, text) => {
    expect(parseEntry(key, text)).toBeUndefined();
  });
});

describe('isStorable()', () => {
  it('rejects a response with invalid UTF-8', () => {
    const response = { ...createRaw({ etag: '"a"' }), body: Buffer.from([0xff]) };
    expect(isStorable(response)).toBe(false);
    expect(isStorable({ ...response, body: Buffer.from('ü') })).toBe(true);
  });
});

describe('isCacheable()', () => {
  it.each<[string, Partial<RequestSpec>, boolean]>([
    ['a plain GET', {}, true],
    ['a HEAD request', { method: 'HEAD' }, false],
    ['a POST request', { method: 'POST' }, false],
    ['a request whose URL contains a secret', { secrets: ['token'] }, false],
    ['a range request', { headers: [['range', 'bytes=0-9']] }, false],
    ['a request with a validator', { headers: [['if-none-match', '"a"']] }, false],
    ['a request with a date', { headers: [['if-modified-since', 'then']] }, false],
  ])('classifies %s', (_title, change, expected) => {
    expect(isCacheable({ ...spec, ...change })).toBe(expected);
  });
});

describe('cacheKey()', () => {
  it.each<[string, Partial<RequestSpec>, string]>([
    ['the path', { target: { ...spec.target, path: '/api/v3/other' } }, 'me'],
    ['the origin', { target: { ...spec.target, origin: 'http://code.example.com' } }, 'me'],
    ['the media type', { accept: 'text/plain' }, 'me'],
    ['the headers', { headers: [['accept-language', 'fr']] }, 'me'],
    ['the credentials', {}, 'you'],
    ['the presence of credentials', {}, ''],
  ])('the cache key depends on %s', (_title, change, fingerprint) => {
    expect(cacheKey({ ...spec, ...change }, fingerprint)).not.toBe(key);
  });
});
