import { InvalidRequestError } from '../../errors/index.js';
import type { FailureKind } from '../http/raw-response.js';

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

/** What kind of failure an error of undici, or of a body's source, is. @param answered its head had come. */
export function kindOf(cause: unknown, answered: boolean): FailureKind {
  if (cause instanceof InvalidRequestError) return 'invalid_body';
  switch (codeOf(cause)) {
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
