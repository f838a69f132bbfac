import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { cacheKey, isCacheable } from '../../../../src/transport/stores/cache-entry.js';
import { url } from './cache-entries.js';
import { spec } from './cached-spec.js';

describe('isCacheable()', () => {
  it('isCacheable() accepts a plain GET', () => {
    expect(isCacheable(spec)).toBe(true);
  });

  it.each<[string, Partial<RequestSpec>]>([
    ['a HEAD request', { method: 'HEAD' }],
    ['a POST request', { method: 'POST' }],
    ['a request whose URL contains a secret', { secrets: ['token'] }],
    ['a range request', { headers: [['range', 'bytes=0-9']] }],
    ['a request with a validator from the caller', { headers: [['if-none-match', '"a"']] }],
    [
      'a range request with another header',
      {
        headers: [
          ['accept-language', 'de'],
          ['range', 'bytes=0-9'],
        ],
      },
    ],
    ['a request with a date from the caller', { headers: [['if-modified-since', 'then']] }],
  ])('isCacheable() rejects %s', (_title, change) => {
    expect(isCacheable({ ...spec, ...change })).toBe(false);
  });
});

describe('cacheKey()', () => {
  it('cacheKey() hashes the method, URL, media type, credentials and sorted headers', () => {
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

  it.each<[string, Partial<RequestSpec>, string]>([
    ['the path', { target: { ...spec.target, path: '/api/v3/other' } }, 'me'],
    ['the origin', { target: { ...spec.target, origin: 'http://code.example.com' } }, 'me'],
    ['the media type', { accept: 'text/plain' }, 'me'],
    ['the headers', { headers: [['accept-language', 'fr']] }, 'me'],
    ['the credentials', {}, 'you'],
    ['the presence of credentials', {}, ''],
  ])('the cache key depends on %s', (_title, change, fingerprint) => {
    expect(cacheKey({ ...spec, ...change }, fingerprint)).not.toBe(cacheKey(spec, 'me'));
  });

  it('the cache key ignores the order of headers', () => {
    const headers = [
      ['a', '1'],
      ['b', '2'],
    ] as const;
    const turned = { ...spec, headers: [headers[1], headers[0]] };
    expect(cacheKey({ ...spec, headers }, 'me')).toBe(cacheKey(turned, 'me'));
  });
});
