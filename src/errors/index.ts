import type {
  ApplianceConfigurationError,
  OAuthError,
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
  SignatureError,
} from './answer-errors.js';
import type {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnexpectedStatusError,
  UnprocessableError,
} from './api-errors.js';
import type {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  RedirectError,
  TimeoutError,
} from './request-errors.js';
import { kindsOf } from './triforge-error.js';

export * from './answer-errors.js';
export * from './api-errors.js';
export * from './request-errors.js';
export { TriforgeError } from './triforge-error.js';

/** Every leaf that stands for an answer of a server. */
export type AnyApiError =
  | UnexpectedStatusError
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
  | ApplianceConfigurationError
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
