import { afterEach, describe, expect, it, vi } from 'vitest';
import { HostingClient } from '../../../../src/hosting/index.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import {
  cacheKey,
  formatEntry,
  isCacheable,
  isStorable,
  parseEntry,
} from '../../../../src/transport/policies/cache.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import type { CacheStore } from '../../../../src/transport/stores/stores.js';
import { spec } from './cached-spec.js';

const url = 'https://code.example.com/api/v3/thing?page=2';
const key = cacheKey(spec, 'me');

function createRaw(headers: RawHeaders, status = 200, text = '{"new":1}') {
  const body = [Buffer.from(status === 200 ? text : '')];
  return { failed: false, status, statusText: 'OK', headers, body } as const;
}

const createEntry = (headers: RawHeaders = { etag: '"a"' }) =>
  formatEntry(key, url, createRaw(headers, 200, '{"old":1}'));

describe('the cache option', () => {
  afterEach(() => void vi.useRealTimers());

  /** Makes a call whose response is cacheable. */
  const call = (store: CacheStore) => {
    const fetch = async () => new Response('{"id":7}', { headers: { etag: '"a"' } });
    const auth = { type: 'none' } as const;
    const client = new HostingClient({ baseUrl: 'https://a.test', fetch, auth, cache: { store } });
    return client.request('GET x');
  };

  it('stores a response for a day', async () => {
    const set = vi.fn(async () => undefined);
    await call({ get: async () => undefined, set });
    const text = expect.any(String);
    await vi.waitFor(() => expect(set).toHaveBeenCalledExactlyOnceWith(text, text, 86_400_000));
  });

  it('waits at most one second for a store', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const get = vi.fn(() => new Promise<undefined>(() => undefined));
    const done = vi.fn();
    void call({ get, set: async () => undefined }).then(done);
    await vi.waitFor(() => expect(get).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitFor(() => expect(done).toHaveBeenCalledWith({ id: 7 }));
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
    const response = { ...createRaw({ etag: '"a"' }), body: [Buffer.from([0xff])] };
    expect(isStorable(response)).toBe(false);
    expect(isStorable({ ...response, body: [Buffer.from('ü')] })).toBe(true);
  });
});

describe('isCacheable()', () => {
  it.each<[string, Partial<RequestSpec>, boolean]>([
    ['a plain GET', {}, true],
    ['a HEAD request', { method: 'HEAD' }, false],
    ['a request whose URL contains a secret', { secrets: ['token'] }, false],
    ['a range request', { headers: [['range', 'bytes=0-9']] }, false],
    ['a request with a validator', { headers: [['if-none-match', '"a"']] }, false],
  ])('classifies %s', (_title, change, expected) => {
    expect(isCacheable({ ...spec, ...change })).toBe(expected);
  });
});

describe('cacheKey()', () => {
  it.each<[string, Partial<RequestSpec>, string]>([
    ['the path', { target: { ...spec.target, path: '/api/v3/other' } }, 'me'],
    ['the origin', { target: { ...spec.target, origin: 'http://code.example.com' } }, 'me'],
    ['the media type', { accept: 'text/plain' }, 'me'],
    ['the credentials', {}, 'you'],
  ])('the cache key depends on %s', (_title, change, fingerprint) => {
    expect(cacheKey({ ...spec, ...change }, fingerprint)).not.toBe(key);
  });
});
