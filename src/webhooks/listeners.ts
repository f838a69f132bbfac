import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReceiver, type Receipt, type ReceiverOptions } from './receive.js';

/**
 * A listener for `node:http` (and servers that take one). It answers 202, 400, 401, 405, 413, 415 or 500,
 * after the handler; a failing handler never ends the process.
 *
 * ```ts
 * createServer(createNodeListener({ secret, onDelivery: (delivery) => console.log(delivery.event) }));
 * ```
 */
export function createNodeListener(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const receive = createReceiver(options);
  return (request, response) => {
    const done = (receipt: Receipt) => {
      // What was not read of a body that is too long would hold the connection.
      if (!request.readableEnded) response.setHeader('connection', 'close');
      response.statusCode = receipt.status;
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(`${receipt.text}\n`);
    };
    void receive({
      method: request.method,
      headers: request.headers,
      // A body that is too long is left unread: destroying it would take the connection, and the answer, along.
      readBody: (limit) => readAll(request.iterator({ destroyOnReturn: false }), limit),
    }).then(done);
  };
}

/** The same for servers that speak `Request` and `Response`. */
export function createFetchHandler(
  options: ReceiverOptions,
): (request: Request) => Promise<Response> {
  const receive = createReceiver(options);
  return async (request) => {
    const { status, text } = await receive({
      method: request.method,
      headers: request.headers,
      readBody: (limit) => readAll(request.body ?? [], limit),
    });
    return new Response(`${text}\n`, {
      status,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  };
}

/** The whole body; undefined as soon as it is longer than the limit. */
async function readAll(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
