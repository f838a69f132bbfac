import type { RequestInfo } from '../response-info.js';
import { brand, TriforgeError } from './triforge-error.js';

/**
 * Bad input, found before anything was sent; or an upload whose data is not as long as was said, or a
 * file that a download can not be written to, broken off before it was whole.
 * @remarks Mend the input that `field` names. Nothing was sent.
 * @example
 * try {
 *   await hosting.pulls.list({ owner: '', repo });
 * } catch (error) {
 *   if (!(error instanceof InvalidRequestError)) throw error;
 *   console.log(error.field);
 * }
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

/**
 * A client that was set up wrongly, or is used with credentials that the endpoint does not accept.
 * @remarks Mend the option that `option` names, or use a client with the credentials that the
 * message asks for. Nothing was sent.
 * @example
 * try {
 *   await hosting.authorizations.list().first();
 * } catch (error) {
 *   if (!(error instanceof ConfigurationError)) throw error;
 *   console.log(error.option);
 * }
 */
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

/**
 * No answer came: the connection failed. `cause` is the failure itself.
 * @remarks Look at `cause`: name, port, certificate, proxy. Where `mayHaveActed` is true, look
 * whether a write was done before you repeat it.
 * @example
 * try {
 *   await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.mayHaveActed ? 'look whether it is there' : 'send it again', error.cause);
 * }
 */
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

/**
 * No answer came in time.
 * @remarks Repeat it later, or give more time: `timeout` of the client or the call. Where
 * `mayHaveActed` is true, look whether a write was done first.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 }, { timeout: 2000 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(error.kind);
 * }
 */
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

/**
 * A redirect that must not, or can't, be followed.
 * @remarks See where `location` points. A `baseUrl` with http in place of https, or an old host
 * name, is the usual reason; `trustedOrigins` is for origins that belong to the service.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof RedirectError)) throw error;
 *   console.log(error.location);
 * }
 */
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

/** Every leaf for a request that was wrong, or got no answer. */
export type AnyRequestError =
  | InvalidRequestError
  | ConfigurationError
  | ConnectionError
  | TimeoutError
  | RedirectError;
