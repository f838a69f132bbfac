import type { RequestInfo, ResponseInfo } from '../response-info.js';
import { brand, type ErrorInit, hide, TriforgeError } from './triforge-error.js';

/** One entry of `errors` in a 422 body. A plain string becomes `{ code: 'custom', message }`. */
export interface ValidationProblem {
  /** Kind of thing that is wrong. */
  readonly resource?: string | undefined;
  /** Field that is wrong. */
  readonly field?: string | undefined;
  /** What is wrong, in one word: `missing`, `missing_field`, `invalid`, `already_exists` or `custom`. */
  readonly code:
    | 'missing'
    | 'missing_field'
    | 'invalid'
    | 'already_exists'
    | 'org'
    | 'not_owned'
    | 'custom'
    | (string & {});
  /** What is wrong, as a sentence. */
  readonly message?: string | undefined;
}

/** What an {@link ApiError} is made of. */
export interface ApiErrorInit extends ErrorInit {
  /** The request that failed. */
  readonly request: RequestInfo;
  /** Status, headers and limits of the answer. */
  readonly response: ResponseInfo;
  /** URL of the documentation page that the server names: http or https, without secrets. Undefined if it names none. */
  readonly documentationUrl?: string | undefined;
  /** What is wrong, field by field. */
  readonly errors?: readonly ValidationProblem[] | undefined;
  /** The decoded body, or what makes it when it is read: an object where it was JSON, else text. Not printed with the error. */
  readonly body?: unknown;
  /** Default: true for 5xx. */
  readonly mayHaveActed?: boolean | undefined;
}

/** The server answered, and refused. Catch a leaf class, or this one for all of them. */
export abstract class ApiError extends TriforgeError {
  /** HTTP status, as in 404. */
  readonly status: number;
  /** URL of the documentation page that the server names: http or https, without secrets. Undefined if it names none. */
  readonly documentationUrl: string | undefined;
  /** What is wrong, field by field, the first 100 of it (`body` holds all); empty where the server lists nothing. */
  readonly errors: readonly ValidationProblem[];
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  /**
   * Whether the server may have executed the request, in this attempt or an earlier one: after a 5xx,
   * a connection that was lost before, or a 303 to a result that could
   * not be had. False: it certainly was not.
   */
  readonly mayHaveActed: boolean;
  /** Status, headers and limits of the answer. */
  declare readonly response: ResponseInfo;
  /** The decoded body: an object where it was JSON, else text. */
  declare readonly body: unknown;

  constructor(message: string, init: ApiErrorInit) {
    super(message, init);
    this.status = init.response.status;
    this.documentationUrl = init.documentationUrl;
    this.errors = init.errors ?? [];
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed ?? init.response.status >= 500;
    hide(this, { response: init.response, body: init.body });
  }
}
brand(ApiError, 'ApiError');

/**
 * Any status without a class of its own.
 * @remarks Read `status` and the message.
 * @example
 * try {
 *   await hosting.pulls.merge({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof UnexpectedStatusError)) throw error;
 *   console.log(error.status);
 * }
 */
export class UnexpectedStatusError extends ApiError {
  /** Always `unexpected_status`. */
  readonly code = 'unexpected_status';
}
brand(UnexpectedStatusError, 'UnexpectedStatusError');

/**
 * 400: the server could not read the request.
 * @remarks Read the message: it says what is malformed.
 * @example
 * try {
 *   await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/' });
 * } catch (error) {
 *   if (!(error instanceof BadRequestError)) throw error;
 *   console.log(error.message);
 * }
 */
export class BadRequestError extends ApiError {
  /** Always `bad_request`. */
  readonly code = 'bad_request';
}
brand(BadRequestError, 'BadRequestError');

/** Why credentials were refused, where the server says. */
export type AuthenticationReason = 'bad_credentials' | 'otp_required';

/**
 * 401: the credentials are missing, wrong or expired, or a one-time password is required.
 * @remarks `bad_credentials`: renew or correct the credentials. `otp_required`: set `otp` with
 * Basic authentication; if it was set, its code is wrong or expired.
 * @example
 * try {
 *   await hosting.starring.listStarred().first();
 * } catch (error) {
 *   if (!(error instanceof AuthenticationError)) throw error;
 *   console.log(error.reason === 'otp_required' ? 'pass a code in otp' : 'renew the token');
 * }
 */
export class AuthenticationError extends ApiError {
  /** Always `authentication`. */
  readonly code = 'authentication';
  /** Whether the credentials are wrong, or a valid one-time password is missing. */
  readonly reason: AuthenticationReason;
  constructor(message: string, init: ApiErrorInit & { readonly reason?: AuthenticationReason }) {
    super(message, init);
    this.reason = init.reason ?? 'bad_credentials';
  }
}
brand(AuthenticationError, 'AuthenticationError');

/** Why permission was refused, where the server says. */
export type PermissionReason = 'forbidden' | 'login_lockout';

/**
 * 403: known, but not allowed; `login_lockout` after too many failed logins.
 * @remarks `forbidden`: compare `response.scopes`, or ask for the permission. `login_lockout`: correct
 * the password, and wait; each further attempt prolongs the lockout.
 * @example
 * try {
 *   await hosting.hooks.list({ owner, repo }).first();
 * } catch (error) {
 *   if (!(error instanceof PermissionError)) throw error;
 *   console.log(error.reason, error.response.scopes.granted);
 * }
 */
export class PermissionError extends ApiError {
  /** Always `permission`. */
  readonly code = 'permission';
  /** Whether it is forbidden, or the account is locked after failed logins. */
  readonly reason: PermissionReason;
  constructor(message: string, init: ApiErrorInit & { readonly reason?: PermissionReason }) {
    super(message, init);
    this.reason = init.reason ?? 'forbidden';
  }
}
brand(PermissionError, 'PermissionError');

/** `primary`: the hourly budget is used up. `secondary`: too much at once. */
export type RateLimitReason = 'primary' | 'secondary';

/** The rate limit that rejected a call, and how long to wait for it. */
export interface RateLimitWait {
  /** `primary`: the hourly budget. `secondary`: too many requests in a short time. */
  readonly reason: RateLimitReason;
  /** Milliseconds to wait. */
  readonly retryAfter: number;
  /** End of the wait, by this machine's clock. */
  readonly resetAt: Date;
}

/**
 * 403 or 429: the rate limit.
 * @remarks Repeat the call after `retryAfter` milliseconds, or let the client wait:
 * `rateLimit: { onLimit: 'wait' }`. `secondary`: send fewer requests at a time (`maxConcurrency`).
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof RateLimitError)) throw error;
 *   console.log(error.retryAfter, error.resetAt);
 * }
 */
export class RateLimitError extends ApiError {
  /** Always `rate_limit`. */
  readonly code = 'rate_limit';
  /** Whether the budget was used up, or too much was sent at once. */
  readonly reason: RateLimitReason;
  /**
   * How long to wait before the next attempt, in milliseconds from when the error was created: until the
   * window ends (an hour at most), or as long as `Retry-After` says. 60000 if the server names no time.
   */
  readonly retryAfter: number;
  /**
   * When to try again: `retryAfter` from when the error was created, by this machine's clock.
   * `response.rateLimit.reset` is the end of the window by the server's clock.
   */
  readonly resetAt: Date;
  constructor(message: string, init: ApiErrorInit & RateLimitWait) {
    super(message, init);
    this.reason = init.reason;
    this.retryAfter = init.retryAfter;
    this.resetAt = init.resetAt;
  }
}
brand(RateLimitError, 'RateLimitError');

/**
 * 404: missing, or hidden from this credential.
 * @remarks Check the names. Private things are hidden, not forbidden: compare
 * `response.scopes.granted`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof NotFoundError)) throw error;
 *   console.log('missing, or hidden from a token with', error.response.scopes.granted);
 * }
 */
export class NotFoundError extends ApiError {
  /** Always `not_found`. */
  readonly code = 'not_found';
}
brand(NotFoundError, 'NotFoundError');

/**
 * 409: the request conflicts with the state of the resource.
 * @remarks Read the current state (a newer `sha`, a conflicting merge) and try again from there.
 * @example
 * try {
 *   await hosting.pulls.merge({ owner, repo, number: 1, sha });
 * } catch (error) {
 *   if (!(error instanceof ConflictError)) throw error;
 *   console.log('the head has moved: read it again');
 * }
 */
export class ConflictError extends ApiError {
  /** Always `conflict`. */
  readonly code = 'conflict';
}
brand(ConflictError, 'ConflictError');

/**
 * 422: invalid content; `errors` says what.
 * @remarks Correct what `errors` lists, by `field` and `code`.
 * @example
 * try {
 *   await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
 * } catch (error) {
 *   if (!(error instanceof UnprocessableError)) throw error;
 *   for (const { field, code } of error.errors) console.log(field, code);
 * }
 */
export class UnprocessableError extends ApiError {
  /** Always `unprocessable`. */
  readonly code = 'unprocessable';
}
brand(UnprocessableError, 'UnprocessableError');

/**
 * 5xx: the server failed.
 * @remarks Repeat the call later (at `retryAt`, if the server says when). If it keeps failing, give the
 * operators `response.requestId`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof ServerError)) throw error;
 *   console.log(error.retryAt);
 * }
 */
export class ServerError extends ApiError {
  /** Always `server`. */
  readonly code = 'server';
  /** When to try again, by this machine's clock; undefined if the response has no `Retry-After`. */
  readonly retryAt: Date | undefined;
  constructor(message: string, init: ApiErrorInit & { readonly retryAt?: Date | undefined }) {
    super(message, init);
    this.retryAt = init.retryAt;
  }
}
brand(ServerError, 'ServerError');

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
