// Workarounds for undici's connectors. Each comment describes the behavior of undici that requires
// the workaround.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';

/** Wraps an undici connector. Translates the errors of failed connections. */
export function translateErrors(
  connect: buildConnector.connector,
  translate: (error: NodeJS.ErrnoException) => Error,
): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) =>
      result[0] === null ? callback(...result) : callback(translate(result[0]), null),
    );
}

/** Names the proxy, which undici's connection errors don't mention. */
export function addProxyName(error: NodeJS.ErrnoException, proxy: string): Error {
  error.message = `could not connect to the proxy ${proxy}: ${error.message || error.code}`;
  return error;
}

/**
 * Replaces error codes that undici misinterprets. undici would retry forever if the proxy closed
 * the connection. If the proxy created no tunnel, undici would report a headers timeout.
 */
export function replaceErrorCode(error: NodeJS.ErrnoException): Error {
  // undici 8 has a separate code for a proxy that closes the connection.
  if (/^UND_ERR_(?:SOCKET|INFO|PRX_CONN)$/.test(error.code ?? '')) error.code = 'ECONNRESET';
  if (error.code === 'UND_ERR_HEADERS_TIMEOUT') error.code = 'UND_ERR_CONNECT_TIMEOUT';
  return error;
}

/**
 * Wraps an undici connector. Records sockets while they connect and disguises resets. undici
 * treats ECONNRESET as the end of a body without a length, so a truncated file would look complete.
 */
export function watchConnections(
  connect: buildConnector.connector,
  connecting: Set<Duplex>,
): buildConnector.connector {
  return (target, callback) => {
    // undici returns the socket, although its types declare no return value.
    const socket: unknown = connect(target, (...result) => {
      if (socket instanceof Socket) connecting.delete(socket);
      if (result[1]) disguiseResets(result[1]);
      callback(...result);
    });
    if (socket instanceof Socket) connecting.add(socket);
  };
}

/**
 * Changes the code of ECONNRESET errors while undici's listeners run. Restores the original code
 * afterward.
 */
function disguiseResets(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') return;
    error.code = 'ECONNRESET_WITHIN_BODY';
    process.nextTick(() => {
      error.code = 'ECONNRESET';
    });
  });
}
