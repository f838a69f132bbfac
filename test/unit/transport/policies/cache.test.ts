import { describe, expect, it } from 'vitest';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import {
  cacheKey,
  formatEntry,
  isCacheable,
  isStorable,
  parseEntry,
} from '../../../../src/transport/policies/cache.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { spec } from './cached-spec.js';

const url = 'https://code.example.com/api/v3/thing?page=2';
const key = cacheKey(spec, 'me');

function createRaw(headers: RawHeaders, status = 200, text = '{"new":1}') {
  const body = Buffer.from(status === 200 ? text : '');
  return { failed: false, status, statusText: 'OK', headers, body } as const;
}

const createEntry = (headers: RawHeaders = { etag: '"a"' }) =>
  formatEntry(key, url, createRaw(headers, 200, '{"old":1}'));

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
    const response = { ...createRaw({ etag: '"a"' }), body: Buffer.from([0xff]) };
    expect(isStorable(response)).toBe(false);
    expect(isStorable({ ...response, body: Buffer.from('ü') })).toBe(true);
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
