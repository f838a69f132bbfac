import type { RequestInfo, ResponseInfo } from '../response-info.js';
import { brand, hide, TriforgeError } from './triforge-error.js';

/** One entry of `errors` in a 422 body (contract: Errors). A plain string becomes `{ code: 'custom', message }`. */
export interface ValidationProblem {
  readonly resource?: string | undefined;
  readonly field?: string | undefined;
  readonly code:
    | 'missing'
    | 'missing_field'
    | 'invalid'
    | 'already_exists'
    | 'org'
    | 'not_owned'
    | 'custom'
    | (string & {});
  readonly message?: string | undefined;
}

/** What an {@link ApiError} is made of. */
export interface ApiErrorInit {
  readonly request: RequestInfo;
  readonly response: ResponseInfo;
  readonly documentationUrl?: string | undefined;
  readonly errors?: readonly ValidationProblem[] | undefined;
  /** The decoded body: an object where it was JSON, else text. Not printed with the error. */
  readonly body?: unknown;
  /** Default: true for 5xx. */
  readonly mayHaveActed?: boolean | undefined;
}

/** The server answered, and refused. Catch a leaf class, or this one for all of them. */
export abstract class ApiError extends TriforgeError {
  readonly status: number;
  readonly documentationUrl: string | undefined;
  readonly errors: readonly ValidationProblem[];
  readonly request: RequestInfo;
  /**
   * Whether the server may have executed the request, in this attempt or an earlier one: after a 5xx
   * (but 503 with `Retry-After`), a connection that was lost before, or a 303 to a result that could
   * not be had. False: it certainly was not.
   */
  readonly mayHaveActed: boolean;
  declare readonly response: ResponseInfo;
  /** The decoded body: an object where it was JSON, else text. */
  declare readonly body: unknown;

  constructor(message: string, init: ApiErrorInit) {
    super(message);
    this.status = init.response.status;
    this.documentationUrl = init.documentationUrl;
    this.errors = init.errors ?? [];
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed ?? init.response.status >= 500;
    hide(this, { response: init.response, body: init.body });
  }
}
brand(ApiError, 'ApiError');

/** Any status without a class of its own. */
export class OtherApiError extends ApiError {
  readonly code = 'other_api';
}
brand(OtherApiError, 'OtherApiError');

/** 400: the server could not read the request. */
export class BadRequestError extends ApiError {
  readonly code = 'bad_request';
}
brand(BadRequestError, 'BadRequestError');

/** Why credentials were refused, where the server says. */
export type AuthenticationReason = 'bad_credentials' | 'otp_required';

/** 401: the credentials are missing, wrong or expired, or a one-time password is wanted. */
export class AuthenticationError extends ApiError {
  readonly code = 'authentication';
  readonly reason: AuthenticationReason;
  constructor(
    message: string,
    init: ApiErrorInit,
    reason: AuthenticationReason = 'bad_credentials',
  ) {
    super(message, init);
    this.reason = reason;
  }
}
brand(AuthenticationError, 'AuthenticationError');

/** Why permission was refused, where the server says. */
export type PermissionReason = 'forbidden' | 'login_lockout';

/** 403: known, but not allowed; `login_lockout` after too many failed logins. */
export class PermissionError extends ApiError {
  readonly code = 'permission';
  readonly reason: PermissionReason;
  constructor(message: string, init: ApiErrorInit, reason: PermissionReason = 'forbidden') {
    super(message, init);
    this.reason = reason;
  }
}
brand(PermissionError, 'PermissionError');

/** `primary`: the hourly budget is used up. `secondary`: too much at once. */
export type RateLimitKind = 'primary' | 'secondary';

/** 403 or 429: the rate limit. */
export class RateLimitError extends ApiError {
  readonly code = 'rate_limit';
  readonly kind: RateLimitKind;
  /** When to come back, where the server says. */
  readonly resetAt: Date | undefined;
  constructor(message: string, init: ApiErrorInit, kind: RateLimitKind, resetAt: Date | undefined) {
    super(message, init);
    this.kind = kind;
    this.resetAt = resetAt;
  }
}
brand(RateLimitError, 'RateLimitError');

/** 404: missing, or hidden from this credential. */
export class NotFoundError extends ApiError {
  readonly code = 'not_found';
}
brand(NotFoundError, 'NotFoundError');

/** 409: the state of the resource is in the way. */
export class ConflictError extends ApiError {
  readonly code = 'conflict';
}
brand(ConflictError, 'ConflictError');

/** 422: understood, and not valid; `errors` says what. */
export class UnprocessableError extends ApiError {
  readonly code = 'unprocessable';
}
brand(UnprocessableError, 'UnprocessableError');

/** 5xx: the server failed. */
export class ServerError extends ApiError {
  readonly code = 'server';
  /** When to come back, from `Retry-After`, where the server says. */
  readonly retryAt: Date | undefined;
  constructor(message: string, init: ApiErrorInit, retryAt?: Date) {
    super(message, init);
    this.retryAt = retryAt;
  }
}
brand(ServerError, 'ServerError');
