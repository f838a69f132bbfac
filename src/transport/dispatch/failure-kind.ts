import { InvalidRequestError } from '../../errors/index.js';
import { getMember, isError } from '../../schema/unknown-values.js';
import type { FailureKind } from '../http/raw-response.js';

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

/** Kinds of timeouts by undici's error code. */
const timeouts = new Map<unknown, FailureKind>([
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout_connect'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout_headers'],
  ['UND_ERR_BODY_TIMEOUT', 'timeout_body'],
]);

/**
 * Classifies an error from undici or from a body's source.
 * @param hasResponse whether the response's headers have arrived.
 */
export function classifyFailure(cause: unknown, hasResponse: boolean): FailureKind {
  if (cause instanceof InvalidRequestError) return 'invalid_body';
  const timeout = timeouts.get(getMember(cause, 'code'));
  return timeout ?? (hasResponse ? 'truncated' : 'connection');
}
