import type { RequestInfo } from '../response-info.js';
import { brand, type ErrorInit, TriforgeError } from './triforge-error.js';

/**
 * An input is invalid. The client detects most problems before it sends a request. Some problems
 * occur later, for example if upload data has the wrong size or a download file can't be written.
 * @remarks Correct the input named in `field`. If the call was a write, the server didn't execute
 * it. The only exception is `field: 'as'` (see `.as(schema)`).
 * @example
 * try {
 *   await hosting.pulls.list({ owner: '', repo });
 * } catch (error) {
 *   if (!(error instanceof InvalidRequestError)) throw error;
 *   console.log(error.field);
 * }
 */
export class InvalidRequestError extends TriforgeError<ErrorInit & { readonly field: string }> {
  /** Code of the error class. */
  readonly code = 'invalid_request';
  /** Name of the invalid input, as sent to the server. */
  declare readonly field: string;
}
brand(InvalidRequestError, 'InvalidRequestError');

/**
 * A client option is invalid, or the endpoint doesn't accept the client's type of credentials.
 * @remarks Correct the option named in `option`, or use a client with the credentials that the
 * message names. If a call failed, the server didn't execute it.
 * @example
 * try {
 *   await hosting.authorizations.list().first();
 * } catch (error) {
 *   if (!(error instanceof ConfigurationError)) throw error;
 *   console.log(error.option);
 * }
 */
export class ConfigurationError extends TriforgeError<ErrorInit & { readonly option: string }> {
  /** Code of the error class. */
  readonly code = 'configuration';
  /** Name of the invalid client option. */
  declare readonly option: string;
}
brand(ConfigurationError, 'ConfigurationError');

/** Constructor input for errors about requests without a usable response. */
export interface UnansweredInit extends ErrorInit {
  /** Failed request, without secrets. */
  readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  readonly mayHaveActed: boolean;
}

/**
 * No complete response arrived because the connection failed or the client is closed. `cause`
 * contains the underlying error, whose `code` is `CLIENT_CLOSED` for a closed client.
 * @remarks Check `cause` for a wrong host name or port, or a certificate or proxy problem. If
 * `mayHaveActed` is true, check whether the server executed the call before you repeat it.
 * @example
 * try {
 *   await hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' });
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.log(error.mayHaveActed ? 'check whether it exists' : 'send it again', error.cause);
 * }
 */
export class ConnectionError extends TriforgeError<UnansweredInit> {
  /** Code of the error class. */
  readonly code = 'connection';
  /** Failed request, without secrets. */
  declare readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  declare readonly mayHaveActed: boolean;
}
brand(ConnectionError, 'ConnectionError');

/**
 * Time limit that was exceeded. `connect` limits the time to connect. `headers`, `body` and `total`
 * are limits in the `timeout` option. If a call would have to wait too long for a rate limit, the
 * call fails with a `RateLimitError` instead.
 */
export type TimeoutReason = 'connect' | 'headers' | 'body' | 'total';

/**
 * A connection, a call or an appliance's configuration run took too long.
 * @remarks Repeat the call later. Unless `reason` is `connect`, you can also increase the `timeout`
 * of the client or the call. If `mayHaveActed` is true, check whether the server executed the call
 * before you repeat it.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 }, { timeout: 2000 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(error.reason);
 * }
 */
export class TimeoutError extends TriforgeError<
  UnansweredInit & { readonly reason: TimeoutReason }
> {
  /** Code of the error class. */
  readonly code = 'timeout';
  /** Time limit that was exceeded. */
  declare readonly reason: TimeoutReason;
  /** Failed request, without secrets. */
  declare readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  declare readonly mayHaveActed: boolean;
}
brand(TimeoutError, 'TimeoutError');

/**
 * Reason why a redirect was not followed:
 * - `loop`, `too_many`: the redirects form a loop, or exceed `maxRedirects`
 * - `insecure`: the redirect leads from https to http
 * - `cross_origin_body`, `cross_origin_write`: the redirect would send a body or a write to an
 *   untrusted origin
 * - `contains_secret`: the redirect would reveal credentials or a secret input to an untrusted
 *   origin
 * - `not_replayable`: the body is a stream that has already been read
 * - `bad_location`: the `Location` header is missing, has several values, or isn't an http or https
 *   URL
 * - `not_allowed`: the response contains credentials, which are accepted only from the requested
 *   URL or a trusted origin
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
 * The client can't or must not follow a redirect.
 * @remarks Check `location`. Usually, `baseUrl` contains an old host name, or http instead of
 * https. If the service uses additional origins, add them to `trustedOrigins`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof RedirectError)) throw error;
 *   console.log(error.location);
 * }
 */
export class RedirectError extends TriforgeError<
  UnansweredInit & { readonly reason: RedirectReason; readonly location: string | undefined }
> {
  /** Code of the error class. */
  readonly code = 'redirect';
  /** Reason why the redirect was not followed. */
  declare readonly reason: RedirectReason;
  /** URL in the `Location` header, with secrets masked. */
  declare readonly location: string | undefined;
  /** Failed request, without secrets. */
  declare readonly request: RequestInfo;
  /**
   * Whether the server may have executed the request. True after a 303, or if an earlier attempt
   * failed midway.
   */
  declare readonly mayHaveActed: boolean;
}
brand(RedirectError, 'RedirectError');

/**
 * A function in the `hooks` option threw an error or returned invalid headers.
 * @remarks Read `cause`, which is either the hook's error or an error that describes the invalid
 * header. If `mayHaveActed` is true, check whether the server executed the call before you repeat
 * it.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof HookError)) throw error;
 *   console.log(error.cause);
 * }
 */
export class HookError extends TriforgeError<UnansweredInit> {
  /** Code of the error class. */
  readonly code = 'hook';
  /** Request for which the hook was called, without secrets. */
  declare readonly request: RequestInfo;
  /** Whether the server may have executed the request. */
  declare readonly mayHaveActed: boolean;
}
brand(HookError, 'HookError');

/**
 * Union of the errors for invalid requests and options, failed connections, timeouts, rejected
 * redirects and failed hooks.
 */
export type AnyRequestError =
  | InvalidRequestError
  | ConfigurationError
  | ConnectionError
  | TimeoutError
  | RedirectError
  | HookError;
