import { InvalidRequestError } from '../../errors/index.js';
import { getMember, isError } from '../../schema/unknown-values.js';
import type { FailureKind } from '../http/raw-response.js';
import type { WireRequest } from './wire-request.js';

/**
 * The status by which a proxy refused to pass a request on; undefined where it did not. undici tells of
 * it in words alone.
 */
export function proxyRefusal(cause: unknown): number | undefined {
  if (!isError(cause)) return undefined;
  const found = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(cause.message);
  return found ? Number(found[1]) : undefined;
}

/** What kind of failure an error of undici, or of a body's source, is. @param answered its head had come. */
export function classifyFailure(cause: unknown, answered: boolean): FailureKind {
  if (cause instanceof InvalidRequestError) return 'invalid_body';
  switch (getMember(cause, 'code')) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'timeout_connect';
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'timeout_headers';
    case 'UND_ERR_BODY_TIMEOUT':
      return 'timeout_body';
    default:
      return answered ? 'truncated' : 'connection';
  }
}

/** What undici writes around the fields that are counted one by one; the least request is longer. */
const framing = 120;

/**
 * True where the connection that failed had carried an answer before this request: the server may have
 * closed it while it was idle. undici says how many bytes a socket has seen in its life; more than this
 * one request has is more than one request.
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
  if (body?.kind === 'stream') return Number.POSITIVE_INFINITY; // nobody asks: it is sent once
  return body ? size + Buffer.byteLength(body.text) : size;
}
