import type {
  ConfigurationFailedError,
  OAuthError,
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
  SignatureError,
} from './errors/answer-errors.js';
import type {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  OtherApiError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './errors/api-errors.js';
import type {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  RedirectError,
  TimeoutError,
} from './errors/request-errors.js';
import { kindsOf } from './errors/triforge-error.js';

export * from './errors/answer-errors.js';
export * from './errors/api-errors.js';
export * from './errors/request-errors.js';
export { TriforgeError } from './errors/triforge-error.js';

/** Every leaf that stands for an answer of a server. */
export type AnyApiError =
  | OtherApiError
  | BadRequestError
  | AuthenticationError
  | PermissionError
  | RateLimitError
  | NotFoundError
  | ConflictError
  | UnprocessableError
  | ServerError;

/** Every leaf class: a `switch` over `code` narrows, to `never` at the end. */
export type AnyTriforgeError =
  | AnyApiError
  | InvalidRequestError
  | ConfigurationError
  | ConnectionError
  | TimeoutError
  | RedirectError
  | OperationFailedError
  | OAuthError
  | ConfigurationFailedError
  | ResponseShapeError
  | ResponseBodyError
  | SignatureError;

/** True for any error of this package, from any copy of it. Narrows to the union of all leaves. */
export function isTriforgeError(value: unknown): value is AnyTriforgeError {
  return kindsOf(value).includes('TriforgeError');
}

/** True for an answer of a server that is an error. */
export function isApiError(value: unknown): value is AnyApiError {
  return kindsOf(value).includes('ApiError');
}
