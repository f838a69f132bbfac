import { describe, expect, test } from 'vitest';
import { ranged } from '../../src/testing/hosting/releases.js';

const file = {
  headers: {},
  contentType: 'text/plain',
  content: new TextEncoder().encode('0123456789'),
  etag: '"e"',
};
const respond = (headers: Record<string, string>, method = 'GET') => {
  const reply = ranged(new Request('http://x', { method, headers }), file);
  const text = typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
  return [reply.status, text, reply.headers['content-range']];
};

describe('range requests (RFC 9110)', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['Bytes=9-9', '9', 'bytes 9-9/10'],
  ])('the emulator responds to the range %s with a 206 that contains %s', (range, text, served) => {
    expect(respond({ range })).toEqual([206, text, served]);
  });

  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
    'the emulator responds with 416 to the unsatisfiable range %s',
    (range) => {
      expect(respond({ range })).toEqual([416, '', 'bytes */10']);
    },
  );

  test.each([
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,4-5',
    'xbytes=0-1',
    'lines=0-1',
    'bytes=a-b',
  ])('the emulator responds with 200 to the invalid or missing range %j', (range) => {
    expect(respond(range === '' ? {} : { range })).toEqual([200, '0123456789', undefined]);
  });

  test('the emulator responds with a 206 only to a GET whose If-Range matches', () => {
    expect(respond({ range: 'bytes=4-', 'if-range': '"e"' })[0]).toBe(206);
    expect(respond({ range: 'bytes=4-', 'if-range': '"f"' })[0]).toBe(200);
    expect(respond({ range: 'bytes=4-', 'if-range': 'W/"e"' })[0]).toBe(200);
    expect(respond({ range: 'bytes=4-' }, 'HEAD')[0]).toBe(200);
  });
});
