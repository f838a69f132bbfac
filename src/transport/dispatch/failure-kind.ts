import { InvalidRequestError } from '../../errors/index.js';
import { getMember, isError } from '../../schema/unknown-values.js';
import type { FailureKind } from '../http/raw-response.js';
import type { WireRequest } from './wire-request.js';

/** Creates the error for a request that a proxy rejected, with undici's message. */
export function createProxyRejection(status: number): Error {
  return new Error(`Proxy response (${status})`);
}

/**
 * Returns the status with which a proxy rejected a request. Undefined if no proxy rejected it.
 * undici's own proxy agent reports the status only in the error's message.
 */
export function parseProxyRejection(cause: unknown): number | undefined {
  if (!isError(cause)) return undefined;
  const found = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message);
  return found ? Number(found[1]) : undefined;
}

/**
 * Classifies an error from undici or from a body's source.
 * @param hasResponse whether the response's headers have arrived.
 */
export function classifyFailure(cause: unknown, hasResponse: boolean): FailureKind {
  if (cause instanceof InvalidRequestError) return 'invalid_body';
  switch (getMember(cause, 'code')) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'timeout_connect';
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'timeout_headers';
    case 'UND_ERR_BODY_TIMEOUT':
      return 'timeout_body';
    default:
      return hasResponse ? 'truncated' : 'connection';
  }
}

/** Upper bound for the number of bytes that undici adds to a request. */
const framing = 120;

/**
 * Returns whether the failed connection served an earlier request. If so, the server may have
 * closed the idle connection. There was an earlier request if the socket has read any bytes, and
 * has written more bytes than this request contains.
 */
export function wasReused(cause: unknown, request: WireRequest): boolean {
  const socket = getMember(cause, 'socket');
  if (!(Number(getMember(socket, 'bytesRead')) > 0)) return false;
  return Number(getMember(socket, 'bytesWritten')) > measureHead(request);
}

function measureHead({ origin, path, headers, body }: WireRequest): number {
  let size = framing + origin.length + path.length;
  for (const each of headers) size += each.length + 2;
  if (body?.kind === 'bytes') return size + body.bytes.length;
  // The size of a streamed body is unknown here, so never report reuse.
  if (body?.kind === 'stream') return Number.POSITIVE_INFINITY;
  return body ? size + Buffer.byteLength(body.text) : size;
}
