import { Agent } from 'undici';
import { expect } from 'vitest';
import { nobody, serve } from '../../support/server.js';
import {
  bytes,
  connection,
  fails,
  fine,
  gives,
  ok,
  once,
  onHttp,
  onSocket,
  type Place,
  respond,
  retriesGet,
  testFaults,
} from './fault-table.js';

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
    name: 'that is reset once before the headers',
    place: onHttp(once((_seen, response) => response.socket?.resetAndDestroy())),
    ends: {
      GET: { result: ok, attempts: 2 },
      POST: { error: connection(true, 'ECONNRESET') },
      'idempotent PUT': { result: ok, attempts: 2 },
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
    name: 'that is reset once within the body',
    place: onHttp(
      once((_seen, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{', () => response.socket?.resetAndDestroy());
      }),
    ),
    ends: {
      GET: { result: ok, attempts: 2 },
      POST: { error: { reason: 'truncated', mayHaveActed: true } },
      'idempotent PUT': { result: ok, attempts: 2 },
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
    // undici treats an unrequested 100 as an error, and a handler can't override that.
    name: 'an unrequested 100 before the final response',
    place: bytes(
      Buffer.concat([
        Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'),
        respond('200 OK', '{"ok":true}'),
      ]),
    ),
    ends: retriesGet(connection(true, 'UND_ERR_SOCKET')),
  },
  {
    name: 'a header of 70 KB',
    place: bytes(respond(`200 OK\nx-huge: ${'x'.repeat(70_000)}`, '1')),
    ends: fails(connection(true, 'UND_ERR_HEADERS_OVERFLOW')),
  },
  {
    name: 'a status above 599',
    place: bytes(respond('999 Odd', '{"message":"no"}')),
    ends: {
      GET: { error: { name: 'ServerError', status: 999 }, attempts: 3 },
      POST: { error: { name: 'ServerError', status: 999, mayHaveActed: true } },
    },
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
