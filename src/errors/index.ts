import type { AnyApiError } from './api-errors.js';
import type { AnyRequestError } from './request-errors.js';
import type { AnyResponseError } from './response-errors.js';
import { listKinds } from './triforge-error.js';

export * from './api-errors.js';
export * from './request-errors.js';
export * from './response-errors.js';
export { type ErrorInit, TriforgeError } from './triforge-error.js';

/** Union of all leaf classes. A `switch` on `code` narrows an error to its class. */
export type AnyTriforgeError = AnyApiError | AnyRequestError | AnyResponseError;

/**
 * Checks whether a value is a triforge error, even if another copy of the package created it.
 * Narrows the value to the union of all leaf classes.
 */
export function isTriforgeError(value: unknown): value is AnyTriforgeError {
  return listKinds(value).includes('TriforgeError');
}

/**
 * Checks whether a value is an `ApiError`, which means that the server sent an error response, or
 * the client didn't send the request because of a rate limit.
 */
export function isApiError(value: unknown): value is AnyApiError {
  return listKinds(value).includes('ApiError');
}
