import type { AnyAnswerError } from './answer-errors.js';
import type { AnyApiError } from './api-errors.js';
import type { AnyRequestError } from './request-errors.js';
import { kindsOf } from './triforge-error.js';

export * from './answer-errors.js';
export * from './api-errors.js';
export * from './request-errors.js';
export { TriforgeError } from './triforge-error.js';

/** Every leaf class: a `switch` over `code` narrows, to `never` at the end. */
export type AnyTriforgeError = AnyApiError | AnyRequestError | AnyAnswerError;

/** True for any error of this package, from any copy of it. Narrows to the union of all leaves. */
export function isTriforgeError(value: unknown): value is AnyTriforgeError {
  return kindsOf(value).includes('TriforgeError');
}

/** True for an answer of a server that is an error. */
export function isApiError(value: unknown): value is AnyApiError {
  return kindsOf(value).includes('ApiError');
}
