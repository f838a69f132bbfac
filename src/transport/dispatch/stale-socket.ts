import type { WireRequest } from './wire-request.js';

/** What undici writes around the fields that are counted one by one; the least request is longer. */
const framing = 120;

/**
 * True where the connection that failed had carried an answer before this request: the server may have
 * closed it while it was idle. undici says how many bytes a socket has seen in its life; more than this
 * one request has is more than one request.
 */
export function wasReused(cause: unknown, request: WireRequest): boolean {
  const socket = property(cause, 'socket');
  if (!(Number(property(socket, 'bytesRead')) > 0)) return false;
  return Number(property(socket, 'bytesWritten')) > sizeOf(request);
}

function sizeOf({ origin, path, headers, body }: WireRequest): number {
  let size = framing + origin.length + path.length;
  for (const each of headers) size += each.length + 2;
  if (body?.kind === 'bytes') return size + body.bytes.length;
  if (body?.kind === 'stream') return Number.POSITIVE_INFINITY; // nobody asks: it is sent once
  return body ? size + Buffer.byteLength(body.text) : size;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
