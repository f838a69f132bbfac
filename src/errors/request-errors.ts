import type { RequestInfo } from '../response-info.js';
import { brand, type ErrorInit, TriforgeError } from './triforge-error.js';

/**
 * An invalid input, found before anything was sent. Or, found later: upload data that is not as long as
 * its declared size, or a file that a download can't be written to.
 * @remarks Correct the input that `field` names. The server has executed no write.
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
  /** The invalid input, by its wire name. */
  readonly field: string;
  constructor(message: string, init: ErrorInit & { readonly field: string }) {
    super(message, init);
    this.field = init.field;
  }
}
brand(InvalidRequestError, 'InvalidRequestError');

/**
 * A wrong option of a client, or credentials that the endpoint does not accept.
 * @remarks Correct the option that `option` names, or use a client with the credentials that the
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
  /** The invalid client option. */
  readonly option: string;
  constructor(message: string, init: ErrorInit & { readonly option: string }) {
    super(message, init);
    this.option = init.option;
  }
}
brand(ConfigurationError, 'ConfigurationError');

/** What the error of a request without a usable response is made from. */
export interface UnansweredInit extends ErrorInit {
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  readonly mayHaveActed: boolean;
}

/**
 * No response: the connection failed, or the client is closed. `cause` is the system's error; its `code`
 * is `CLIENT_CLOSED` after `close()`.
 * @remarks Look at `cause`: a wrong name or port, a certificate, a proxy. If `mayHaveActed` is true,
 * check whether a write was executed before you repeat it.
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
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  readonly mayHaveActed: boolean;
  constructor(message: string, init: UnansweredInit) {
    super(message, init);
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed;
  }
}
brand(ConnectionError, 'ConnectionError');

/** The limit of the option `timeout` that ran out. A rate limit that a call would have to wait for too long is a `RateLimitError`. */
export type TimeoutReason = 'connect' | 'headers' | 'body' | 'total';

/**
 * No response in time.
 * @remarks Repeat the call later, or raise the `timeout` of the client or the call. If `mayHaveActed`
 * is true, check first whether a write was executed.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 }, { timeout: 2000 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(error.reason);
 * }
 */
export class TimeoutError extends TriforgeError {
  /** Always `timeout`. */
  readonly code = 'timeout';
  /** The limit that ran out. */
  readonly reason: TimeoutReason;
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  readonly mayHaveActed: boolean;
  constructor(message: string, init: UnansweredInit & { readonly reason: TimeoutReason }) {
    super(message, init);
    this.reason = init.reason;
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed;
  }
}
brand(TimeoutError, 'TimeoutError');

/**
 * Why a redirect was not followed:
 * - `loop`, `too_many`: the redirects form a loop, or are more than `maxRedirects`;
 * - `insecure`: it leads from https to http;
 * - `cross_origin_body`, `cross_origin_write`: it sends a body, or a request that changes something, to
 *   an origin that is not trusted;
 * - `contains_secret`: it would reveal credentials or a secret input to an origin that is not trusted;
 * - `not_replayable`: the body is a stream that has already been read;
 * - `bad_location`: its `Location` is missing or isn't an http or https URL;
 * - `not_allowed`: the response contains credentials, which are accepted only from the called address.
 */
export type RedirectReason =
  | 'loop'
  | 'too_many'
  | 'insecure'
  | 'cross_origin_body'
  | 'cross_origin_write'
  | 'contains_secret'
  | 'not_replayable'
  | 'bad_location'
  | 'not_allowed';

/**
 * A redirect that must not, or can't, be followed.
 * @remarks See where `location` points. Usually, `baseUrl` has http instead of https, or an old host
 * name; `trustedOrigins` is for other origins of the service.
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
  /** Why the redirect was not followed. */
  readonly reason: RedirectReason;
  /** The URL in `Location`, masked. */
  readonly location: string | undefined;
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  /**
   * Whether the server may have executed the request: a 303 reports that it did and only the result is
   * missing, or an earlier attempt failed halfway.
   */
  readonly mayHaveActed: boolean;
  constructor(
    message: string,
    init: UnansweredInit & {
      readonly reason: RedirectReason;
      readonly location: string | undefined;
    },
  ) {
    super(message, init);
    this.reason = init.reason;
    this.location = init.location;
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed;
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
