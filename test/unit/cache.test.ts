import { expect, test } from 'vitest';
import { cacheKey, isCacheable } from '../../src/transport/cache.js';
import type { RequestSpec } from '../../src/transport/request-spec.js';
import { spec } from './transport/cached-spec.js';

test('a plain GET may be answered from the cache', () => {
  expect(isCacheable(spec)).toBe(true);
});

test.each<[string, Partial<RequestSpec>]>([
  ['a HEAD', { method: 'HEAD' }],
  ['a POST', { method: 'POST' }],
  ['a request whose URL holds a secret', { secrets: ['token'] }],
  ['a request for a range', { headers: [['range', 'bytes=0-9']] }],
  ['a request with a validator of its own', { headers: [['if-none-match', '"a"']] }],
  ['a request with a date of its own', { headers: [['if-modified-since', 'then']] }],
])('%s may not', (_title, change) => {
  expect(isCacheable({ ...spec, ...change })).toBe(false);
});

test.each<[string, Partial<RequestSpec>, string]>([
  ['another path', { target: { ...spec.target, path: '/api/v3/other' } }, 'me'],
  ['another origin', { target: { ...spec.target, origin: 'http://code.example.com' } }, 'me'],
  ['another media type', { accept: 'text/plain' }, 'me'],
  ['another header field', { headers: [['accept-language', 'fr']] }, 'me'],
  ['another credential', {}, 'you'],
  ['no credential', {}, ''],
])('%s has another key', (_title, change, fingerprint) => {
  expect(cacheKey({ ...spec, ...change }, fingerprint)).not.toBe(cacheKey(spec, 'me'));
});

test('the same request has the same key, in whatever order its header fields stand', () => {
  const headers = [
    ['a', '1'],
    ['b', '2'],
  ] as const;
  const turned = { ...spec, headers: [headers[1], headers[0]] };
  expect(cacheKey({ ...spec, headers }, 'me')).toBe(cacheKey(turned, 'me'));
});

test('a key says nothing of what it is for', () => {
  expect(cacheKey(spec, 'me')).toMatch(/^[\w-]{43}$/);
});
