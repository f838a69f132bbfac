import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { toHeaders } from '../outgoing.js';
import { readForRecord } from '../recorded-body.js';
import { isText } from './format.js';

/**
 * Headers that aren't forwarded: hop-by-hop headers, and headers that must not influence the
 * response.
 */
const connectionHeaders =
  'accept-encoding connection expect host keep-alive transfer-encoding'.split(' ');

/**
 * Forwards a request to a server through a dispatcher.
 * @returns the response, in which the address of the request replaces the server's address.
 */
export async function forward(
  dispatcher: Dispatcher,
  origin: string,
  request: Request,
  path: string,
): Promise<Response> {
  const [readable, text] = await readForRecord(request);
  const headers = new Headers(readable.headers);
  for (const name of connectionHeaders) headers.delete(name);
  const response = await dispatchRequest(dispatcher, {
    origin,
    path,
    // `as`: undici's type lists only common methods, but undici sends any method.
    method: request.method as Dispatcher.HttpMethod,
    headers: Object.fromEntries(headers),
    body:
      text !== undefined
        ? Buffer.from(await readable.arrayBuffer())
        : readable.body && Readable.fromWeb(readable.body),
  });
  return await withOrigin(response, origin, new URL(request.url).origin);
}

/** Replaces an address in the headers and in a text body. Other bodies pass through unchanged. */
async function withOrigin(response: Response, from: string, to: string): Promise<Response> {
  const { status, statusText } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, value.replaceAll(from, to));
  const text = isText(headers.get('content-type') ?? '') && !headers.has('content-encoding');
  if (!text || !response.body) return new Response(response.body, { status, statusText, headers });
  // Latin-1 preserves bytes that aren't UTF-8, and byte order marks.
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
  headers.set('content-length', String(body.length));
  return new Response(body, { status, statusText, headers });
}

/** Dispatches a request. Returns its response with a streamed body. */
function dispatchRequest(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let out: Readable | undefined;
    dispatcher.dispatch(options, {
      onRequestStart() {},
      onResponseStart(controller, status, fields, statusText = '') {
        if (status < 200) return;
        out = new Readable({
          read: () => controller.resume(),
          destroy: (error, done) => {
            if (!out?.readableEnded) controller.abort(error ?? new Error('the reader stopped'));
            done(error);
          },
        });
        // `as`: Node's web stream and the global one are the same class with two type declarations.
        const body = Readable.toWeb(out) as ReadableStream<Uint8Array>;
        const bodyless = options.method === 'HEAD' || [204, 205, 304].includes(status);
        const headers = toHeaders(fields);
        for (const name of connectionHeaders) headers.delete(name);
        resolve(new Response(bodyless ? null : body, { status, statusText, headers }));
      },
      onResponseData(controller, chunk) {
        // Copies the bytes, because undici reuses their buffer.
        if (out?.push(Buffer.from(chunk)) === false) controller.pause();
      },
      onResponseEnd() {
        out?.push(null);
      },
      onResponseError(_controller, error) {
        out?.destroy(error);
        reject(error);
      },
    });
  });
}
