import type { RequestInfo, ResponseInfo } from '../response-info.js';
import { brand, type ErrorInit, TriforgeError } from './triforge-error.js';

/** Entry in a 422 response's `errors`. A plain string becomes `{ code: 'custom', message }`. */
export interface ValidationProblem {
  /** Type of the invalid resource. */
  readonly resource?: string | undefined;
  /** Invalid field. */
  readonly field?: string | undefined;
  /** Error code. Servers may send other codes. */
  readonly code:
    | 'missing'
    | 'missing_field'
    | 'invalid'
    | 'already_exists'
    | 'org'
    | 'not_owned'
    | 'custom'
    | (string & {});
  /** Human-readable description of the problem. */
  readonly message?: string | undefined;
}

/** Constructor input of {@link ApiError}. */
export interface ApiErrorInit extends ErrorInit {
  /** Failed request. */
  readonly request: RequestInfo;
  /** Response status, headers and rate limit. */
  readonly response: ResponseInfo;
  /** Documentation URL sent by the server (http or https, without secrets). */
  readonly documentationUrl?: string | undefined;
  /** Validation problems sent by the server. */
  readonly errors?: readonly ValidationProblem[] | undefined;
  /** Decoded body (see {@link ApiError.body}), or a function that decodes it on first access. */
  readonly body?: unknown;
  /** Whether the server may have executed the request. Default: true for 5xx. */
  readonly mayHaveActed?: boolean | undefined;
}

/**
 * Base class for errors caused by error responses, and for requests that the client didn't send
 * because of a rate limit. Catch a subclass to handle one kind of error, or this class to handle
 * all of them.
 */
export abstract class ApiError<
  Init extends ApiErrorInit = ApiErrorInit,
> extends TriforgeError<Init> {
  /** HTTP status code, for example 404. */
  readonly status: number;
  /** Documentation URL sent by the server (http or https, without secrets). */
  readonly documentationUrl: string | undefined;
  /** First 100 validation problems (`body` has all of them). Empty if the server lists none. */
  readonly errors: readonly ValidationProblem[];
  /** Failed request, without secrets. */
  declare readonly request: RequestInfo;
  /**
   * Whether the server may have executed the request, in this attempt or an earlier one. True after
   * a 5xx, a lost connection, or a 303 whose result could not be fetched. If false, the server
   * didn't execute the request.
   */
  readonly mayHaveActed: boolean;
  /** Response status, headers and rate limit. */
  declare readonly response: ResponseInfo;
  /** Decoded body. JSON is parsed. Any other body is text. Not printed with the error. */
  declare readonly body: unknown;

  constructor(message: string, init: Init) {
    super(message, init);
    this.status = init.response.status;
    this.documentationUrl = init.documentationUrl;
    this.errors = init.errors ?? [];
    this.mayHaveActed = init.mayHaveActed ?? this.status >= 500;
  }
}
brand(ApiError, 'ApiError');

/**
 * The response has an unsuccessful status that no other class covers, such as 405.
 * @remarks Check `status` and `message`.
 * @example
 * try {
 *   await hosting.pulls.merge({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof UnexpectedStatusError)) throw error;
 *   console.log(error.status);
 * }
 */
export class UnexpectedStatusError extends ApiError {
  /** Code of the error class. */
  readonly code = 'unexpected_status';
}
brand(UnexpectedStatusError, 'UnexpectedStatusError');

/**
 * The request is malformed, or the server rejected a value in it (400).
 * @remarks Check `message` for the reason.
 * @example
 * try {
 *   await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/' });
 * } catch (error) {
 *   if (!(error instanceof BadRequestError)) throw error;
 *   console.log(error.message);
 * }
 */
export class BadRequestError extends ApiError {
  /** Code of the error class. */
  readonly code = 'bad_request';
}
brand(BadRequestError, 'BadRequestError');

/** Reason why the server rejected the credentials. */
export type AuthenticationReason = 'bad_credentials' | 'otp_required';

/**
 * The credentials are missing, wrong or expired, or a one-time password is required (401). If the
 * support API rejects a sign-in with `success: false`, the status is 200.
 * @remarks For `bad_credentials`, renew or correct the credentials. For `otp_required`, use Basic
 * authentication and set `otp`. If `otp` is already set, the code is wrong or expired.
 * @example
 * try {
 *   await hosting.starring.listStarred().first();
 * } catch (error) {
 *   if (!(error instanceof AuthenticationError)) throw error;
 *   console.log(error.reason === 'otp_required' ? 'pass a code in otp' : 'renew the token');
 * }
 */
export class AuthenticationError extends ApiError<
  ApiErrorInit & { readonly reason: AuthenticationReason }
> {
  /** Code of the error class. */
  readonly code = 'authentication';
  /** Reason for the rejection: wrong credentials, or a missing or invalid one-time password. */
  declare readonly reason: AuthenticationReason;
}
brand(AuthenticationError, 'AuthenticationError');

/** Reason why the server denied permission. */
export type PermissionReason = 'forbidden' | 'login_lockout';

/**
 * The caller has no permission, or is locked out after too many failed logins (403).
 * @remarks For `forbidden`, check the scopes in `response.scopes`, or request the permission. For
 * `login_lockout`, correct the password. Then wait, because during the lockout the server also
 * rejects valid credentials.
 * @example
 * try {
 *   await hosting.hooks.list({ owner, repo }).first();
 * } catch (error) {
 *   if (!(error instanceof PermissionError)) throw error;
 *   console.log(error.reason, error.response.scopes.granted);
 * }
 */
export class PermissionError extends ApiError<
  ApiErrorInit & { readonly reason: PermissionReason }
> {
  /** Code of the error class. */
  readonly code = 'permission';
  /** Reason for the denial: a forbidden action, or an account locked after failed logins. */
  declare readonly reason: PermissionReason;
}
brand(PermissionError, 'PermissionError');

/**
 * Reason for a rate limit. `primary` means that the hourly quota is exhausted. `secondary` means
 * that a burst contained too many requests.
 */
export type RateLimitReason = 'primary' | 'secondary';

/** The rate limit that rejected a call, and the time to wait. */
export interface RateLimitWait {
  /**
   * Exceeded limit: the hourly quota (`primary`), or the limit on bursts of requests (`secondary`).
   */
  readonly reason: RateLimitReason;
  /** Time to wait in milliseconds. */
  readonly retryAfter: number;
  /** Time when the wait ends, according to the local clock. */
  readonly resetAt: Date;
}

/**
 * The caller exceeded a rate limit (403 or 429), or the client didn't send the request because of a
 * rate limit or `writeInterval`.
 * @remarks Repeat the call after `retryAfter` milliseconds. For the reason `primary`, set
 * `rateLimit: { onLimit: 'wait' }` to make the client wait automatically. For `secondary`, lower
 * `maxConcurrency`, or increase `retry.maxRetryAfter` so that the client accepts longer waits.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof RateLimitError)) throw error;
 *   console.log(error.retryAfter, error.resetAt);
 * }
 */
export class RateLimitError extends ApiError<ApiErrorInit & RateLimitWait> {
  /** Code of the error class. */
  readonly code = 'rate_limit';
  /** Limit that was exceeded: the hourly quota, or the limit on bursts of requests. */
  declare readonly reason: RateLimitReason;
  /**
   * Milliseconds to wait before the next attempt, counted from the error's creation. The wait lasts
   * until the window ends (at most one hour), or as long as `Retry-After` specifies. 60000 if the
   * server specifies neither. For a request that wasn't sent, the wait lasts until the client could
   * send the request.
   */
  declare readonly retryAfter: number;
  /**
   * Earliest local time for the next attempt, `retryAfter` milliseconds after the error was
   * created. `response.rateLimit.reset` is the end of the window according to the server's clock.
   */
  declare readonly resetAt: Date;
}
brand(RateLimitError, 'RateLimitError');

/**
 * The resource doesn't exist, or is hidden from the caller (404).
 * @remarks Check the names in the request. The server also responds with 404 if the caller has no
 * access to a private resource, so check `response.scopes.granted`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log('missing, or hidden from a token with', error.response.scopes.granted);
 * }
 */
export class NotFoundError extends ApiError {
  /** Code of the error class. */
  readonly code = 'not_found';
}
brand(NotFoundError, 'NotFoundError');

/**
 * The request conflicts with the resource's state (409).
 * @remarks Fetch the current state, such as a newer `sha`, resolve any conflicts, and try again.
 * @example
 * try {
 *   await hosting.pulls.merge({ owner, repo, number: 1, sha });
 * } catch (error) {
 *   if (!(error instanceof ConflictError)) throw error;
 *   console.log('the head has moved: read it again');
 * }
 */
export class ConflictError extends ApiError {
  /** Code of the error class. */
  readonly code = 'conflict';
}
brand(ConflictError, 'ConflictError');

/**
 * The server can't process the request, for example because a field is invalid (422). `errors`
 * lists the problems that the server reports.
 * @remarks Use the `field` and `code` of each problem in `errors` to correct the request. If
 * `errors` is empty, check `message`.
 * @example
 * try {
 *   await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
 * } catch (error) {
 *   if (!(error instanceof UnprocessableError)) throw error;
 *   for (const { field, code } of error.errors) console.log(field, code);
 * }
 */
export class UnprocessableError extends ApiError {
  /** Code of the error class. */
  readonly code = 'unprocessable';
}
brand(UnprocessableError, 'UnprocessableError');

/**
 * The server failed (5xx).
 * @remarks Repeat the call later. If `retryAt` is set, wait until then. If the call keeps failing,
 * send `response.requestId` to the server's operators.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof ServerError)) throw error;
 *   console.log(error.retryAt);
 * }
 */
export class ServerError extends ApiError<ApiErrorInit & { readonly retryAt?: Date | undefined }> {
  /** Code of the error class. */
  readonly code = 'server';
  /** Local time for the next attempt. Undefined if there is no `Retry-After` header. */
  declare readonly retryAt: Date | undefined;
}
brand(ServerError, 'ServerError');

/** Union of all {@link ApiError} classes. */
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
