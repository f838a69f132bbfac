import type { RequestInfo, ResponseInfo } from '../response-info.js';
import type { StandardIssue } from '../schema/standard-schema.js';
import { brand, type ErrorInit, hide, TriforgeError } from './triforge-error.js';

/**
 * Support API: HTTP 200 with `success: false`.
 * @remarks `statusMessage` says why the support API refused.
 * @example
 * try {
 *   await support.contacts.update({ contact_id: 1, name: 'Mona' });
 * } catch (error) {
 *   if (!(error instanceof OperationFailedError)) throw error;
 *   console.log(error.statusMessage);
 * }
 */
export class OperationFailedError extends TriforgeError {
  /** Always `operation_failed`. */
  readonly code = 'operation_failed';
  /** Status and headers of the answer. */
  declare readonly response: ResponseInfo;
  /** The answer's body as it was parsed. */
  declare readonly body: unknown;
  /** The server's reason; undefined if it gives none. */
  readonly statusMessage: string | undefined;
  /** The request that failed, without secrets. */
  readonly request: RequestInfo;
  constructor(
    message: string,
    init: ErrorInit & {
      readonly statusMessage?: string | undefined;
      readonly request: RequestInfo;
      readonly response: ResponseInfo;
      readonly body: unknown;
    },
  ) {
    super(message, init);
    this.statusMessage = init.statusMessage;
    this.request = init.request;
    hide(this, { response: init.response, body: init.body });
  }
}
brand(OperationFailedError, 'OperationFailedError');

/** The OAuth error words, open to others. */
export type OAuthErrorWord =
  | 'application_suspended'
  | 'redirect_uri_mismatch'
  | 'access_denied'
  | 'incorrect_client_credentials'
  | 'bad_verification_code'
  | 'state_mismatch'
  | (string & {});

/**
 * The OAuth web flow failed: at the callback, or when the code was exchanged (also inside HTTP 200).
 * @remarks Look up `error` in `docs/oauth.md`.
 * @example
 * try {
 *   await oauth.exchangeCode({ code });
 * } catch (error) {
 *   if (!(error instanceof OAuthError)) throw error;
 *   console.log(error.error);
 * }
 */
export class OAuthError extends TriforgeError {
  /** Always `oauth`. */
  readonly code = 'oauth';
  /** The server's word; `state_mismatch` if the callback has another `state` than was sent. */
  readonly error: OAuthErrorWord;
  /** The server's explanation; undefined if it gives none. */
  readonly errorDescription: string | undefined;
  /** URL of a page about the error; undefined if the server names none. */
  readonly errorUri: string | undefined;
  constructor(
    message: string,
    init: ErrorInit & {
      readonly error: OAuthErrorWord;
      readonly errorDescription?: string | undefined;
      readonly errorUri?: string | undefined;
    },
  ) {
    super(message, init);
    this.error = init.error;
    this.errorDescription = init.errorDescription;
    this.errorUri = init.errorUri;
  }
}
brand(OAuthError, 'OAuthError');

/**
 * Console: a step of a configuration run FAILED.
 * @remarks See the appliance's log for the `step`, correct its settings, and configure again.
 * @example
 * try {
 *   await appliance.waitForConfiguration().done();
 * } catch (error) {
 *   if (!(error instanceof ApplianceConfigurationError)) throw error;
 *   console.log(error.step, error.status);
 * }
 */
export class ApplianceConfigurationError extends TriforgeError {
  /** Always `appliance_configuration`. */
  readonly code = 'appliance_configuration';
  /** `key` of the step that failed. */
  readonly step: string;
  /** The whole status, as it was read. */
  readonly status: unknown;
  constructor(
    message: string,
    init: ErrorInit & { readonly step: string; readonly status: unknown },
  ) {
    super(message, init);
    this.step = init.step;
    this.status = init.status;
  }
}
brand(ApplianceConfigurationError, 'ApplianceConfigurationError');

/**
 * A response that does not fit its model. The request itself was executed.
 * @remarks `issues` says what differs, and `data` has the response. For a server that deviates, set
 * `vendor`, or `validation: 'warn'`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof ResponseShapeError)) throw error;
 *   console.log(error.issues, error.data);
 * }
 */
export class ResponseShapeError extends TriforgeError {
  /** Always `response_shape`. */
  readonly code = 'response_shape';
  /** The answer as it came. */
  declare readonly data: unknown;
  /** Status and headers of the answer. */
  declare readonly response: ResponseInfo;
  /** The fields that differ, each with its path; at most 20 of them. */
  readonly issues: readonly StandardIssue[];
  /** The request that was executed, without secrets. */
  readonly request: RequestInfo;
  constructor(
    message: string,
    init: ErrorInit & {
      readonly request: RequestInfo;
      readonly issues: readonly StandardIssue[];
      readonly data: unknown;
      readonly response: ResponseInfo;
    },
  ) {
    super(message, init);
    this.issues = init.issues;
    this.request = init.request;
    hide(this, { data: init.data, response: init.response });
  }
}
brand(ResponseShapeError, 'ResponseShapeError');

/** Why a body could not be read. */
export type ResponseBodyReason =
  | 'truncated'
  | 'invalid_json'
  | 'too_large'
  | 'empty'
  | 'unexpected_type'
  | 'undecodable';

/**
 * A body that could not be read: truncated, not JSON, or too large.
 * @remarks A write may have been executed: check. `too_large`: raise `maxResponseBytes`, or stream.
 * `truncated`: repeat the read. `unexpected_type`, `invalid_json`: is it the API at `baseUrl`, or a
 * login page?
 * @example
 * try {
 *   await hosting.contents.getReadme({ owner, repo });
 * } catch (error) {
 *   if (!(error instanceof ResponseBodyError)) throw error;
 *   console.log(error.reason);
 * }
 */
export class ResponseBodyError extends TriforgeError {
  /** Always `response_body`. */
  readonly code = 'response_body';
  /** Status and headers of the answer. */
  declare readonly response: ResponseInfo | undefined;
  /** Whether the server may have executed the request; after a 2xx it has. */
  readonly mayHaveActed: boolean;
  /** Why the body could not be read. */
  readonly reason: ResponseBodyReason;
  /** HTTP status of the response. */
  readonly status: number;
  /** The request that was sent, without secrets. */
  readonly request: RequestInfo;
  constructor(
    message: string,
    init: ErrorInit & {
      readonly request: RequestInfo;
      readonly reason: ResponseBodyReason;
      readonly status: number;
      readonly response?: ResponseInfo | undefined;
      readonly mayHaveActed?: boolean | undefined;
    },
  ) {
    super(message, init);
    this.reason = init.reason;
    this.status = init.status;
    this.request = init.request;
    this.mayHaveActed = init.mayHaveActed ?? true;
    hide(this, { response: init.response });
  }
}
brand(ResponseBodyError, 'ResponseBodyError');

/** Why a webhook delivery fails verification. */
export type SignatureReason = 'missing' | 'malformed' | 'mismatch' | 'not_raw';

/**
 * A webhook delivery that fails verification.
 * @remarks `mismatch`: compare the secrets. `not_raw`: verify before a body parser, as
 * `docs/webhooks.md` says. `missing`, `malformed`: not from the service; respond with 401.
 * @example
 * import { parseDelivery } from 'triforge/webhooks';
 *
 * export function receive(headers: Record<string, string>, body: Uint8Array) {
 *   try {
 *     return parseDelivery({ headers, body, secret });
 *   } catch (error) {
 *     if (!(error instanceof SignatureError)) throw error;
 *     console.log(error.reason);
 *     return undefined;
 *   }
 * }
 */
export class SignatureError extends TriforgeError {
  /** Always `signature`. */
  readonly code = 'signature';
  /** Why the delivery fails verification. */
  readonly reason: SignatureReason;
  constructor(message: string, init: ErrorInit & { readonly reason: SignatureReason }) {
    super(message, init);
    this.reason = init.reason;
  }
}
brand(SignatureError, 'SignatureError');

/** Every leaf for an answer that is a failure inside a success, or not what was expected. */
export type AnyAnswerError =
  | OperationFailedError
  | OAuthError
  | ApplianceConfigurationError
  | ResponseShapeError
  | ResponseBodyError
  | SignatureError;
