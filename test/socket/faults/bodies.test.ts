import * as zlib from 'node:zlib';
import { expect } from 'vitest';
import { broken, bytes, fails, gives, respond, retriesGet, testFaults } from './fault-table.js';

const json = JSON.stringify({ text: 'ä'.repeat(500) });
const value: unknown = JSON.parse(json);
const gzip = zlib.gzipSync(json);
const bomb = zlib.gzipSync(Buffer.alloc(5_000_000));
const chunked = (body: Buffer | string, end = '0\r\n\r\n') =>
  Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    Buffer.from(`${body.length.toString(16)}\r\n`),
    Buffer.from(body),
    Buffer.from(`\r\n${end}`),
  ]);

/**
 * Creates the expected outcome for a body that is truncated in transit. A read is retried. A write
 * isn't retried, because it was executed.
 */
const cut = (problem: string, status = 200) => ({
  GET: { error: broken(problem, status), attempts: 3 },
  POST: {
    error: {
      ...broken(problem, status),
      message: expect.stringContaining('The server executed the request.'),
    },
  },
});

/**
 * Creates the expected outcome for an invalid body that arrived completely. Neither method is
 * retried, because a retry would not help.
 */
const wrong = (problem: string, status = 200) => ({
  GET: { error: broken(problem, status) },
  POST: { error: broken(problem, status) },
});

testFaults('valid bodies', 'a valid body', [
  {
    name: 'without a coding',
    place: bytes(respond('200 OK', Buffer.from(json))),
    ends: gives(value),
  },
  { name: 'in chunks', place: bytes(chunked('{"a":1}')), ends: gives({ a: 1 }) },
  {
    name: 'that ends with the connection',
    place: bytes(respond('200 OK\nconnection: close', '{"a":1}', false), true),
    ends: gives({ a: 1 }),
  },
  {
    name: 'in gzip',
    place: bytes(respond('200 OK\ncontent-encoding: gzip', gzip)),
    ends: gives(value),
  },
]);

testFaults('invalid bodies', 'a body', [
  {
    name: 'that is shorter than its Content-Length, on a connection that ends,',
    place: bytes(respond('200 OK', '{"a":', 100), true),
    ends: cut('truncated'),
  },
  {
    name: 'that is shorter than its Content-Length, on a connection that stays open,',
    place: bytes(respond('200 OK', '{"a":', 100)),
    call: { timeout: { body: 20 } },
    ends: retriesGet({ name: 'TimeoutError', reason: 'body', mayHaveActed: true }),
    bound: 30_000,
  },
  {
    name: 'in chunks that ends without a last chunk',
    place: bytes(chunked('{}', ''), true),
    ends: cut('truncated'),
  },
  {
    name: 'with an invalid chunk size',
    place: bytes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n'),
    ends: cut('truncated'),
  },
  {
    name: 'in truncated gzip',
    place: bytes(respond('200 OK\ncontent-encoding: gzip', gzip.subarray(0, gzip.length - 12))),
    ends: cut('truncated'),
  },
  {
    name: 'labeled gzip but not compressed',
    place: bytes(respond('200 OK\ncontent-encoding: gzip', '{"a":1}')),
    ends: wrong('undecodable'),
  },
  {
    name: 'that decompresses to more bytes than allowed',
    place: bytes(respond('200 OK\ncontent-encoding: gzip, gzip', zlib.gzipSync(bomb))),
    options: { maxResponseBytes: 100_000 },
    ends: wrong('too_large'),
  },
  {
    name: 'that exceeds maxResponseBytes',
    place: bytes(respond('200 OK', `"${'x'.repeat(2000)}"`)),
    options: { maxResponseBytes: 1000 },
    ends: wrong('too_large'),
  },
  {
    name: 'with invalid UTF-8',
    place: bytes(respond('200 OK', Buffer.from([0x22, 0xc3, 0x28, 0x22]))),
    // A write was executed, so it returns the rest of the response.
    ends: { ...wrong('undecodable'), POST: { result: '\ufffd(' } },
  },
  {
    name: 'with invalid JSON',
    place: bytes(respond('200 OK', '{"a":')),
    ends: wrong('invalid_json'),
  },
  {
    name: 'of HTML in a 200',
    place: bytes(respond('200 OK\ncontent-type: text/html', '<html>secret</html>')),
    ends: wrong('unexpected_type'),
  },
  { name: 'that is empty in a 200', place: bytes(respond('200 OK', '')), ends: wrong('empty') },
  {
    name: 'of HTML in a 502',
    place: bytes(respond('502 Bad Gateway\ncontent-type: text/html', '<html>nginx</html>')),
    ends: {
      GET: {
        error: {
          name: 'ServerError',
          status: 502,
          message: expect.stringMatching(/^request: 502 Bad Gateway \[/),
          mayHaveActed: true,
        },
        attempts: 3,
      },
      POST: { error: { name: 'ServerError', status: 502, mayHaveActed: true } },
    },
  },
  {
    name: 'of gzipped HTML in a 404',
    place: bytes(respond('404 Not Found\ncontent-encoding: gzip', zlib.gzipSync('<html>'))),
    ends: fails({ name: 'NotFoundError', body: '<html>', mayHaveActed: false }),
  },
  {
    name: 'that exceeds maxResponseBytes in a 500',
    place: bytes(respond('500 Oh', 'x'.repeat(2000))),
    options: { maxResponseBytes: 1000 },
    ends: wrong('too_large', 500),
  },
  {
    name: 'that is truncated in a 403',
    place: bytes(respond('403 Forbidden', '{"mess', 100), true),
    ends: retriesGet(broken('truncated', 403, false)),
  },
]);

testFaults('204 responses', 'a 204', [
  {
    name: 'with a body',
    place: bytes(respond('204 No Content', '{"ok":true}', false)),
    ends: { GET: { result: undefined }, POST: { result: undefined } },
  },
]);
