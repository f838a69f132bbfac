import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignatureError } from '../errors/index.js';
import { notRaw } from './delivery.js';
import { createReceiver, type Receipt, type ReceiverOptions } from './receive.js';

const plain = 'text/plain; charset=utf-8';

/**
 * Creates a listener for `node:http` and compatible frameworks, as in
 * `app.post('/hook', listener)`. An error in a handler never ends the process. A redelivery that
 * arrives during handling waits for the outcome. Responds with:
 * - 202 after the handler succeeds, or earlier if `respond` allows it;
 * - 400 if the request isn't a valid delivery;
 * - 401 if the signature is missing or doesn't match;
 * - 405 if the method isn't POST;
 * - 413 if the body is too long;
 * - 415 if the media type is unsupported;
 * - 500 if the handler fails, or a parser already consumed the body.
 *
 * ```ts
 * createServer(
 *   createNodeListener({ secret, onDelivery: (delivery) => console.log(delivery.event) }),
 * );
 * ```
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export function createNodeListener(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const receive = createReceiver(options);
  return (request, response) => {
    const { method, headers } = request;
    // Ignores response errors, because a sender may disconnect early.
    response.on('error', () => undefined);
    void receive({
      method,
      headers,
      readBody: async (limit) => {
        const kept = parkedBody(request);
        if (kept !== undefined) return Buffer.byteLength(kept) > limit ? undefined : kept;
        // If the iterator destroyed the request, the sender wouldn't receive the response.
        const body = await readChunks(request.iterator({ destroyOnReturn: false }), limit);
        request.resume(); // Discards the rest of a body that exceeds the limit.
        return body;
      },
    })
      .then((receipt) => {
        if (response.headersSent) return;
        response.writeHead(receipt.status, receiptHeaders(receipt));
        response.end(`${receipt.text}\n`);
      })
      // Frameworks may replace the response's methods with methods that throw.
      .catch(() => response.destroy());
  };
}

/**
 * Creates a handler for servers that use `Request` and `Response`. It works like the listener from
 * {@link createNodeListener}. If you set `respond`, the runtime must allow work to continue after
 * the response.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export function createFetchHandler(
  options: ReceiverOptions,
): (request: Request) => Promise<Response> {
  const receive = createReceiver(options);
  return async (request) => {
    const { method, headers } = request;
    const readBody = (limit: number) => readFetch(request, limit);
    const receipt = await receive({ method, headers, readBody });
    return new Response(`${receipt.text}\n`, {
      status: receipt.status,
      headers: receiptHeaders(receipt),
    });
  };
}

function receiptHeaders({ status }: Receipt): Record<string, string> {
  return { 'content-type': plain, ...(status === 405 && { allow: 'POST' }) };
}

/**
 * Returns the raw body if earlier middleware has read the body and stored it in `rawBody`, or in
 * `body` as bytes or text.
 * @throws {SignatureError} (`not_raw`) if only a parsed body is available.
 */
function parkedBody(request: IncomingMessage): string | Uint8Array | undefined {
  for (const name of ['rawBody', 'body']) {
    const kept: unknown = Reflect.get(request, name);
    if (typeof kept === 'string' || kept instanceof Uint8Array) return kept;
  }
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  throw notRaw('the body was read and parsed before the listener ran');
}

/** Reads the body of a request that no other code has read. */
async function readFetch(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (!request.bodyUsed) return await readChunks(request.body ?? [], limit);
  throw new SignatureError(
    'the body was read before the handler ran, but a signature covers the received bytes. Verify the delivery first, or read the body from request.clone().',
    { reason: 'not_raw' },
  );
}

/** Initial buffer size in bytes. */
const minRoom = 16 * 1024;

/**
 * Returns the whole body, or undefined as soon as the body exceeds the limit. Collects the body in
 * one buffer. A list of chunks could take far more memory than `limit`, because anyone can send a
 * body in chunks of one byte.
 */
async function readChunks(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | undefined> {
  let room = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const start = size;
    size += bytes.byteLength;
    if (size > limit) return undefined;
    if (size > room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, minRoom, room.length * 2));
      larger.set(room.subarray(0, start));
      room = larger;
    }
    room.set(bytes, start);
  }
  return room.subarray(0, size);
}
