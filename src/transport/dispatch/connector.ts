import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';

/**
 * undici's own connector, but a reset connection is never the end of a body. undici takes ECONNRESET
 * for it where neither a length nor chunks say where a body ends: half a file would pass for the whole.
 */
export function resetAwareConnector(
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = connectorOf(options);
  return (target, callback) => {
    connect(target, (error, socket) => {
      if (error) {
        callback(error, null);
        return;
      }
      disguiseResets(socket);
      callback(null, socket);
    });
  };
}

/** undici compares the code as soon as it is told of the error; nobody else shall see another one. */
function disguiseResets(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') return;
    error.code = 'ECONNRESET_WITHIN_BODY';
    process.nextTick(() => {
      error.code = 'ECONNRESET';
    });
  });
}
