import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyBuffer } from './body-buffer.js';
import { createReceiver, type Receipt } from './receive.js';
import type { ReceiverOptions } from './receiver-options.js';
import { notRaw } from './signature.js';

const plain = 'text/plain; charset=utf-8';

/**
 * A listener for `node:http` and for frameworks that take one, as `app.post('/hook', listener)`. It answers
 * 202 (after the handler, unless `respond` says otherwise), 400 no delivery, 401 no fitting
 * signature, 405 no POST, 413 too long, 415 another media type, 500 the handler failed; a failing handler
 * never ends the process. A delivery that is sent again while it is handled waits for the same outcome.
 *
 * ```ts
 * createServer(createNodeListener({ secret, onDelivery: (delivery) => console.log(delivery.event) }));
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export function createNodeListener(
  options: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const receive = createReceiver(options);
  return (request, response) => {
    const { method, headers } = request;
    // A sender that leaves early is no failure of ours.
    response.on('error', () => undefined);
    void receive({
      method,
      headers,
      readBody: async (limit) => {
        const kept = parkedBody(request);
        if (kept === undefined) return await readNode(request, limit);
        return Buffer.byteLength(kept) > limit ? undefined : kept;
      },
    })
      .then((receipt) => {
        if (response.headersSent) return;
        response.writeHead(receipt.status, headersOf(receipt));
        // node:http reads and drops the rest of the body, so that the sender gets the response.
        response.end(`${receipt.text}\n`);
      })
      // Frameworks replace methods of the response, and theirs may throw.
      .catch(() => response.destroy());
  };
}

/**
 * The same as {@link createNodeListener} for servers that speak `Request` and `Response`. With
 * `respond: 'before'` the runtime must let work go on after the response.
 * @throws {ConfigurationError} naming the option that is wrong.
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
      headers: headersOf(receipt),
    });
  };
}

function headersOf({ status }: Receipt): Record<string, string> {
  return { 'content-type': plain, ...(status === 405 && { allow: 'POST' }) };
}

/**
 * The raw body where something before us has read it and kept the bytes: as `rawBody`, or as a `body` of bytes or text.
 * @throws {SignatureError} `not_raw` where only a parsed body is left.
 */
function parkedBody(request: IncomingMessage): string | Uint8Array | undefined {
  for (const name of ['rawBody', 'body']) {
    const kept: unknown = Reflect.get(request, name);
    if (typeof kept === 'string' || kept instanceof Uint8Array) return kept;
  }
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  throw notRaw('the body was read and parsed before the listener got it');
}

/** The whole body; undefined as soon as it is longer than the limit. What follows is dropped as it comes. */
function readNode(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const body = new BodyBuffer(limit);
    const onData = (chunk: Uint8Array | string) => {
      if (body.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) return;
      request.off('data', onData);
      resolve(undefined);
    };
    request.on('data', onData);
    request.once('end', () => resolve(body.bytes()));
    request.once('error', reject);
    const left = () => reject(new Error('the sender left before the body was whole'));
    request.once('close', left);
    if (request.destroyed) left();
  });
}

async function readFetch(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) throw notRaw('the body was read before the handler got it');
  const body = new BodyBuffer(limit);
  for await (const chunk of request.body ?? []) {
    if (!body.add(chunk)) return undefined;
  }
  return body.bytes();
}
