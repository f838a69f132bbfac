import type { Dispatcher } from 'undici';

/** What a client hands to a dispatcher. */
export type Outgoing = Dispatcher.DispatchOptions;

/** Path and query as they go out. */
export function targetOf(options: Outgoing): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  if (query.size === 0) return options.path;
  return `${options.path}${options.path.includes('?') ? '&' : '?'}${query}`;
}

/**
 * The `Request` of what a client sends, its body streamed.
 * `GET` and `HEAD` go without a body: a `Request` takes none.
 */
export function toRequest(options: Outgoing, signal: AbortSignal): Request {
  const { method } = options;
  // Put together, not resolved: a path that begins with // must not become another host.
  const url = new URL(new URL(String(options.origin)).origin + targetOf(options));
  const headers = headersOf(options.headers);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  const body = bodyOf(options.body);
  const known = body === null || typeof body === 'string' || body instanceof Uint8Array;
  // As undici says on the wire; `Request` itself says no length.
  if (known && method !== 'DELETE' && !headers.has('content-length')) {
    headers.set('content-length', String(Buffer.byteLength(body ?? '')));
  }
  return new Request(url, { method, headers, signal, body, duplex: 'half' });
}

/** @param body undici's types name fewer than it takes: `fetch` hands over an async iterable. */
function bodyOf(
  body: unknown,
): string | Uint8Array<ArrayBuffer> | FormData | ReadableStream | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body);
  if (isForm(body)) return formOf(body);
  if (typeof body === 'object' && isIterable(body)) return ReadableStream.from(bytesOf(body));
  throw new TypeError('expected a body of text, bytes, a form, a stream or an iterable of bytes');
}

/** undici's class is another than the global one, with the same tag. */
export function isForm(body: unknown): body is Iterable<[string, string | Blob]> {
  return Object.prototype.toString.call(body) === '[object FormData]';
}

function formOf(body: Iterable<[string, string | Blob]>): FormData {
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

/** Header fields in any of the forms that undici takes. */
export function headersOf(given: Outgoing['headers']): Headers {
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
