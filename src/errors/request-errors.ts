import type { RequestInfo } from '../response-info.js';
import { brand, TriforgeError } from './triforge-error.js';

/**
 * Bad input, found before anything was sent; or an upload whose data is not as long as was said, or a
 * file that a download can not be written to, broken off before it was whole.
 */
export class InvalidRequestError extends TriforgeError {
  /** Always `invalid_request`. */
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
  /** Always `configuration`. */
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
  /** Always `connection`. */
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

/** Which of the limits ran out, of the option `timeout`. A limit that would make a call wait too long is a `RateLimitError`. */
export type TimeoutKind = 'connect' | 'headers' | 'body' | 'total';

/** No answer came in time. */
export class TimeoutError extends TriforgeError {
  /** Always `timeout`. */
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
  /** Always `redirect`. */
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
