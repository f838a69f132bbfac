import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { wasReused } from '../../../../src/transport/dispatch/failure-kind.js';
import type { WireRequest } from '../../../../src/transport/dispatch/wire-request.js';
import type { RequestBody } from '../../../../src/transport/request/body.js';

const request = (body?: RequestBody): WireRequest => ({
  origin: 'https://code.example.com', // 24 bytes
  path: '/api/v3/user', // 12 bytes
  method: 'GET',
  headers: ['accept', 'text/plain', 'x-note', 'short'], // 27 bytes, plus 2 for each of the four
  body,
});

/** Maximum size in bytes of `request()` without a body: the sum of its parts plus 120. */
const bare = 120 + 24 + 12 + 27 + 8;

/** Creates a failure as undici reports it, with the byte counts of its socket. */
const failed = (bytesWritten: number, bytesRead = 1) => ({ socket: { bytesRead, bytesWritten } });

describe('wasReused()', () => {
  const kinds: readonly (readonly [string, RequestBody | undefined, number])[] = [
    ['no body', undefined, 0],
    ['bytes', { kind: 'bytes', bytes: new Uint8Array(300), contentType: 'image/png' }, 300],
    ['UTF-8 text', { kind: 'text', text: 'größe €', contentType: 'text/plain' }, 11],
    ['a form', { kind: 'form', text: 'a=1&b=2' }, 7],
    ['an empty form', { kind: 'form', text: '' }, 0],
  ];

  it.each(kinds)(
    'returns true only if the socket wrote more than a request with %s',
    (_, body, length) => {
      expect(wasReused(failed(bare + length + 1), request(body))).toBe(true);
      expect(wasReused(failed(bare + length), request(body))).toBe(false);
      expect(wasReused(failed(0), request(body))).toBe(false);
    },
  );

  it('returns true only if the socket wrote more than a request without headers', () => {
    const plain = { ...request(), headers: [] };
    expect(wasReused(failed(120 + 24 + 12 + 1), plain)).toBe(true);
    expect(wasReused(failed(120 + 24 + 12), plain)).toBe(false);
  });

  it('returns false for a request with a stream body', () => {
    const body: RequestBody = {
      kind: 'stream',
      replayable: false,
      open: () =>
        Promise.resolve({ stream: Readable.from([]), contentType: 'image/png', length: 0 }),
    };
    expect(wasReused(failed(Number.MAX_SAFE_INTEGER), request(body))).toBe(false);
  });

  it('returns false if the socket has received nothing', () => {
    expect(wasReused(failed(bare + 1000, 0), request())).toBe(false);
    expect(wasReused(failed(bare + 1000, 1), request())).toBe(true);
  });

  it("returns false if one of the socket's byte counts is missing", () => {
    expect(wasReused({ socket: { bytesWritten: bare + 1000 } }, request())).toBe(false);
    expect(wasReused({ socket: { bytesRead: 10 } }, request())).toBe(false);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'socket'],
    ['an error without a socket', new Error('no connection')],
    ['an error whose socket is null', { socket: null }],
    ['an error whose socket is a string', { socket: 'tcp' }],
  ])('returns false if the cause is %s', (_, cause) => {
    expect(wasReused(cause, request())).toBe(false);
  });
});
