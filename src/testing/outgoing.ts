import type { Dispatcher } from 'undici';
import { describeKind } from '../schema/unknown-values.js';
import { streamPieces } from './reply.js';

/** Request that a client passes to a dispatcher. */
export type Outgoing = Dispatcher.DispatchOptions;

/** Returns the path and query as sent. */
export function buildTarget(options: Outgoing): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  if (query.size === 0) return options.path;
  return `${options.path}${options.path.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Creates a `Request` with a streamed body. Drops the body of `GET` and `HEAD`, because `Request`
 * rejects it.
 */
export function toRequest(options: Outgoing, signal: AbortSignal): Request {
  const { method } = options;
  // Concatenates the URL instead of resolving it, because a path that starts with // would change
  // the host.
  const url = new URL(new URL(String(options.origin)).origin + buildTarget(options));
  const headers = toHeaders(options.headers);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const bytes = toBytes(options.body ?? '');
  // undici sends `Content-Length` on the wire, but `Request` doesn't set it.
  if (bytes && method !== 'DELETE' && !headers.has('content-length')) {
    headers.set('content-length', String(bytes.length));
  }
  const isEmpty = options.body === undefined || options.body === null;
  const body = isEmpty ? null : bytes ? streamPieces(bytes) : toRequestBody(options.body);
  return new Request(url, { method, headers, signal, body, duplex: 'half' });
}

/**
 * Returns the bytes of a body that is text or bytes. Undefined for other bodies.
 * @param body Unknown, because `fetch` passes types that undici doesn't declare.
 */
function toBytes(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  return body instanceof Uint8Array || body instanceof ArrayBuffer
    ? new Uint8Array(body)
    : undefined;
}

/** Converts a form, a stream or an iterable to a type that `Request` accepts. */
function toRequestBody(body: unknown): FormData | ReadableStream {
  if (isForm(body)) return toFormData(body);
  if (typeof body === 'object' && body !== null && isIterable(body))
    return ReadableStream.from(bytesOf(body));
  throw new TypeError(
    `body: must be text, bytes, a form, a stream or an iterable of bytes (got ${describeKind(body)})`,
  );
}

/**
 * Returns whether a body is a form. undici's `FormData` differs from the global class, but has the
 * same tag.
 */
export function isForm(body: unknown): body is Iterable<[string, string | Blob]> {
  return Object.prototype.toString.call(body) === '[object FormData]';
}

function toFormData(body: Iterable<[string, string | Blob]>): FormData {
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  return form;
}

function isIterable(value: object): value is AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

async function* bytesOf(source: AsyncIterable<unknown> | Iterable<unknown>) {
  for await (const piece of source) {
    yield piece instanceof Uint8Array ? piece : Buffer.from(String(piece));
  }
}

/** Converts headers from any format that undici accepts. */
export function toHeaders(given: Outgoing['headers']): Headers {
  const headers = new Headers();
  if (!given) return headers;
  if (Array.isArray(given)) {
    const flat = given.flat();
    for (let index = 0; index + 1 < flat.length; index += 2) {
      headers.append(String(flat[index]), String(flat[index + 1]));
    }
    return headers;
  }
  const pairs = Symbol.iterator in given ? given : Object.entries(given);
  for (const [name, value] of pairs) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) headers.append(name, String(each));
    }
  }
  return headers;
}
