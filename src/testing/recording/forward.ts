import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
// Imports only this function, because importing all of undici would replace the global agent that
// `fetch` uses.
import sendRequest from 'undici/lib/api/api-request.js';
import { toHeaders } from '../outgoing.js';
import { readForRecord } from '../recorded-body.js';
import { isText } from './format.js';

/**
 * Headers that aren't forwarded: hop-by-hop headers and headers that must not influence the
 * response.
 */
const connectionHeaders =
  'accept-encoding connection expect host keep-alive transfer-encoding'.split(' ');

/**
 * Forwards a request to a server through a dispatcher.
 * @returns the response, in which the requested address replaces the server's address.
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
  const response = await sendRequest.call(dispatcher, {
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
  const { statusCode: status, statusText } = response;
  const received = toHeaders(response.headers);
  for (const name of connectionHeaders) received.delete(name);
  // `as`: the global `ReadableStream` and Node's are the same class with two type declarations.
  const body = Readable.toWeb(response.body) as ReadableStream<Uint8Array>;
  const init = { status, statusText, headers: received };
  const here = new URL(request.url).origin;
  return await rewriteAddresses(
    new Response(hasBody(request.method, status) ? body : null, init),
    (content) => content.replaceAll(origin, here),
  );
}

/** Returns whether the response to a request has a body. */
export function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && ![204, 205, 304].includes(status);
}

/** Rewrites a response's headers and text body. Bodies of other types pass through unchanged. */
export async function rewriteAddresses(
  response: Response,
  rewrite: (content: string) => string,
): Promise<Response> {
  const { status, statusText } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, rewrite(value));
  const isPlain = isText(headers.get('content-type') ?? '') && !headers.has('content-encoding');
  if (!isPlain || !response.body) {
    return new Response(response.body, { status, statusText, headers });
  }
  // Latin-1 preserves byte order marks and bytes that aren't UTF-8.
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = Buffer.from(rewrite(bytes.toString('latin1')), 'latin1');
  headers.set('content-length', String(body.length));
  return new Response(body, { status, statusText, headers });
}
