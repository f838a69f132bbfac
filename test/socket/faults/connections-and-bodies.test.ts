import * as zlib from 'node:zlib';
import { Agent } from 'undici';
import { expect } from 'vitest';
import { nobody, serve } from '../../support/server.js';
import {
  broken,
  bytes,
  connection,
  fails,
  fine,
  gives,
  ok,
  onSocket,
  type Place,
  respond,
  retriesGet,
  testFaults,
} from './fault-table.js';

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

/**
 * Starts a server that responds to the first request on each connection and closes the connection
 * at the second request.
 */
async function forgetful(): Promise<Place> {
  const known = new WeakSet<object>();
  return await serve((seen, response, index) => {
    const { socket } = response;
    if (socket && known.has(socket)) return socket.destroy();
    if (socket) known.add(socket);
    return fine(seen, response, index);
  });
}

testFaults('connections', 'a connection', [
  {
    name: 'that is refused',
    place: nobody,
    ends: {
      GET: { error: connection(false, 'ECONNREFUSED'), attempts: 3 },
      POST: { error: connection(false, 'ECONNREFUSED'), attempts: 3 },
      'idempotent PUT': { error: connection(false, 'ECONNREFUSED'), attempts: 3 },
    },
  },
  {
    name: 'that is reset before the headers',
    place: onSocket((socket) => socket.resetAndDestroy()),
    ends: {
      GET: { error: connection(true, 'ECONNRESET'), attempts: 3 },
      POST: { error: connection(true, 'ECONNRESET') },
      'idempotent PUT': { error: connection(true, 'ECONNRESET'), attempts: 3 },
    },
  },
  {
    name: 'that is reset within the headers',
    place: onSocket((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => socket.resetAndDestroy()),
    ),
    ends: {
      GET: { error: { code: 'connection', mayHaveActed: true }, attempts: 3 },
      POST: { error: { name: 'ConnectionError', code: 'connection', mayHaveActed: true } },
    },
  },
  {
    name: 'that is reset within the body',
    place: onSocket((socket) =>
      socket.write(respond('201 Created', '{"a":', 100), () => socket.resetAndDestroy()),
    ),
    ends: {
      GET: { error: { code: 'response_body', reason: 'truncated', status: 201 }, attempts: 3 },
      POST: { error: { reason: 'truncated', status: 201, mayHaveActed: true } },
    },
  },
  {
    name: "to a server that doesn't speak HTTP",
    place: bytes('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
    ends: retriesGet(connection(true)),
  },
  {
    name: 'that the server closes when it is reused',
    place: forgetful,
    before: 1,
    options: { retry: { limit: 1, baseDelay: 0 } },
    ends: {
      GET: { result: ok, attempts: 2 },
      POST: { error: { ...connection(true), message: expect.stringContaining('may have') } },
      'idempotent PUT': { result: ok, attempts: 2 },
    },
  },
]);

testFaults('response heads', 'a response head with', [
  {
    name: 'a 102 and a 103 before the final response',
    place: bytes(
      Buffer.concat([
        Buffer.from(
          'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\netag: "early"\r\n\r\n',
        ),
        respond('200 OK', '{"ok":true}'),
      ]),
    ),
    ends: gives(ok),
  },
  {
    name: 'a header of 70 KB',
    place: bytes(respond(`200 OK\nx-huge: ${'x'.repeat(70_000)}`, '1')),
    ends: fails(connection(true, 'UND_ERR_HEADERS_OVERFLOW')),
  },
]);

testFaults('https URLs', 'an https URL', [
  {
    name: 'of a server that never responds to TLS',
    place: async () => {
      const { origin } = await onSocket(() => undefined)();
      return {
        origin: origin.replace('http:', 'https:'),
        options: { dispatcher: new Agent() },
      };
    },
    call: { timeout: 500 },
    ends: fails({ name: 'TimeoutError', reason: 'total', mayHaveActed: false }),
  },
]);
