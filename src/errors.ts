import type { RequestInfo, ResponseInfo } from './response-info.js';
import type { StandardIssue } from './standard-schema.js';

/**
 * The kinds of an error stand under this registered symbol on its prototype, so that `instanceof`
 * holds across duplicate copies of the package and across its ESM and CommonJS builds.
 */
const kindsKey = Symbol.for('triforge.error.kinds');

function kindsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const kinds: unknown = Reflect.get(value, kindsKey);
  return Array.isArray(kinds) ? kinds : [];
}

/** Gives a class its name and its kinds. Called once below each class of this file, never for users' subclasses. */
function brand(errorClass: { readonly prototype: TriforgeError }, kind: string): void {
  const parents = kindsOf(Object.getPrototypeOf(errorClass.prototype));
  const fixed = (value: unknown) => ({ value, configurable: true, writable: true });
  Object.defineProperty(errorClass.prototype, kindsKey, fixed([kind, ...parents]));
  Object.defineProperty(errorClass.prototype, 'name', fixed(kind));
}

/** Fields that may hold what must not be printed: readable, but left out of inspection and JSON. */
function hide(error: TriforgeError, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(error, name, { value, enumerable: false, configurable: true });
  }
}

/** What every error of this package is. Each leaf class has a literal `code` of its own. */
export abstract class TriforgeError extends Error {
  abstract readonly code: string;

  static override [Symbol.hasInstance](value: unknown): boolean {
    const kind = Object.hasOwn(this.prototype, kindsKey) ? kindsOf(this.prototype)[0] : undefined;
    // A user's own subclass carries no kind of its own: only its own instances match it.
    if (kind === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    return kindsOf(value).includes(kind);
  }
}
brand(TriforgeError, 'TriforgeError');

/** Bad input, found before anything was sent; or an upload whose data is not as long as was said, broken off before it was whole. */
export class InvalidRequestError extends TriforgeError {
  readonly code = 'invalid_request';
  /** @param field the input that is wrong, by its wire name. */
  constructor(
    message: string,
    readonly field: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
brand(InvalidRequestError, 'InvalidRequestError');

/** A client that was set up wrongly, or is used with credentials that the endpoint does not accept. */
export class ConfigurationError extends TriforgeError {
  readonly code = 'configuration';
  /** @param option the client option that is wrong. */
  constructor(
    message: string,
    readonly option: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
brand(ConfigurationError, 'ConfigurationError');

/** No answer came: the connection failed. `cause` is the failure itself. */
export class ConnectionError extends TriforgeError {
  readonly code = 'connection';
  /** @param mayHaveActed whether the server may have executed the request. */
  constructor(
    message: string,
    readonly request: RequestInfo,
    readonly mayHaveActed: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
brand(ConnectionError, 'ConnectionError');

/** Which of the limits ran out; `rate_limit` is the wait that `rateLimit.maxWait` allows. */
export type TimeoutKind = 'connect' | 'headers' | 'body' | 'total';

/** No answer came in time. */
export class TimeoutError extends TriforgeError {
  readonly code = 'timeout';
  /** @param mayHaveActed whether the server may have executed the request. */
  constructor(
    message: string,
    readonly request: RequestInfo,
    readonly kind: TimeoutKind,
    readonly mayHaveActed: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
brand(TimeoutError, 'TimeoutError');

/** Why a redirect was not followed. */
export type RedirectReason =
  | 'loop'
  | 'too_many'
  | 'insecure'
  | 'cross_origin_body'
  | 'not_replayable'
  | 'bad_location';

/** A redirect that must not, or can't, be followed. */
export class RedirectError extends TriforgeError {
  readonly code = 'redirect';
  /** @param location where the server pointed, masked. */
  constructor(
    message: string,
    readonly request: RequestInfo,
    readonly reason: RedirectReason,
    readonly location: string | undefined,
    /** Whether the server has executed the request: a 303 says so, and only its result is missing. */
    readonly mayHaveActed: boolean,
  ) {
    super(message);
  }
}
brand(RedirectError, 'RedirectError');

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

/** Support API: HTTP 200 with `success: false` (contract: Errors, Support API v2). */
export class OperationFailedError extends TriforgeError {
  readonly code = 'operation_failed';
  declare readonly response: ResponseInfo;
  declare readonly body: unknown;
  /** @param statusMessage the server's reason, where it gives one. */
  constructor(
    message: string,
    readonly statusMessage: string | undefined,
    readonly request: RequestInfo,
    hidden: { readonly response: ResponseInfo; readonly body: unknown },
  ) {
    super(message);
    hide(this, { response: hidden.response, body: hidden.body });
  }
}
brand(OperationFailedError, 'OperationFailedError');

/** The words of the contract's OAuth error tables, open to others. */
export type OAuthErrorWord =
  | 'application_suspended'
  | 'redirect_uri_mismatch'
  | 'access_denied'
  | 'incorrect_client_credentials'
  | 'bad_verification_code'
  | 'state_mismatch'
  | (string & {});

/** The OAuth web flow failed: at the callback, or when the code was exchanged (also inside HTTP 200). */
export class OAuthError extends TriforgeError {
  readonly code = 'oauth';
  constructor(
    message: string,
    /** The contract's word; `state_mismatch` when the callback carried another `state` than was sent. */
    readonly error: OAuthErrorWord,
    readonly errorDescription: string | undefined,
    readonly errorUri: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
brand(OAuthError, 'OAuthError');

/** Console: a configuration run ended with a FAILED step. */
export class ConfigurationFailedError extends TriforgeError {
  readonly code = 'configuration_failed';
  /** @param step the `key` of the step that failed. @param status the whole status, as it was read. */
  constructor(
    message: string,
    readonly step: string,
    readonly status: unknown,
  ) {
    super(message);
  }
}
brand(ConfigurationFailedError, 'ConfigurationFailedError');

/** An answer that does not fit its model. The request itself was executed. */
export class ResponseShapeError extends TriforgeError {
  readonly code = 'response_shape';
  /** The answer as it came. */
  declare readonly data: unknown;
  declare readonly response: ResponseInfo;
  /** @param issues every field that differs, with its path. */
  constructor(
    message: string,
    readonly request: RequestInfo,
    readonly issues: readonly StandardIssue[],
    hidden: { readonly data: unknown; readonly response: ResponseInfo },
  ) {
    super(message);
    hide(this, { data: hidden.data, response: hidden.response });
  }
}
brand(ResponseShapeError, 'ResponseShapeError');

/** What was wrong with a body. */
export type BodyProblem =
  | 'truncated'
  | 'invalid_json'
  | 'too_large'
  | 'empty'
  | 'unexpected_type'
  | 'undecodable';

/** A body that could not be read whole: cut short, not JSON, too large. */
export class ResponseBodyError extends TriforgeError {
  readonly code = 'response_body';
  declare readonly response: ResponseInfo | undefined;
  /** Whether the server may have executed the request; after a 2xx it has. */
  readonly mayHaveActed: boolean;
  constructor(
    message: string,
    readonly request: RequestInfo,
    readonly problem: BodyProblem,
    /** HTTP status of the answer whose body it was. */
    readonly status: number,
    options?: ErrorOptions & {
      readonly response?: ResponseInfo | undefined;
      readonly mayHaveActed?: boolean | undefined;
    },
  ) {
    super(message, options);
    this.mayHaveActed = options?.mayHaveActed ?? true;
    hide(this, { response: options?.response });
  }
}
brand(ResponseBodyError, 'ResponseBodyError');

/** Why a webhook delivery was not believed. */
export type SignatureProblem = 'missing' | 'malformed' | 'mismatch' | 'not_raw';

/** A webhook delivery that fails verification. */
export class SignatureError extends TriforgeError {
  readonly code = 'signature';
  constructor(
    message: string,
    readonly problem: SignatureProblem,
  ) {
    super(message);
  }
}
brand(SignatureError, 'SignatureError');

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
