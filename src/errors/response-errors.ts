import type { RequestInfo, ResponseInfo } from '../response-info.js';
import type { StandardIssue } from '../schema/standard-schema.js';
import { brand, type ErrorInit, TriforgeError } from './triforge-error.js';

/** Constructor input for errors about a response that the client could read. */
export interface AnsweredInit extends ErrorInit {
  /** Request that was executed, without secrets. */
  readonly request: RequestInfo;
  /** Response status and headers. */
  readonly response: ResponseInfo;
}

/**
 * The support API rejected an operation, with the status 200 and `success: false`.
 * @remarks If the server sent an explanation, it is in `statusMessage`.
 * @example
 * try {
 *   await support.contacts.update({ contact_id: 1, name: 'Mona' });
 * } catch (error) {
 *   if (!(error instanceof OperationFailedError)) throw error;
 *   console.log(error.statusMessage);
 * }
 */
export class OperationFailedError extends TriforgeError<
  AnsweredInit & { readonly statusMessage?: string | undefined; readonly body: unknown }
> {
  /** Code of the error class. */
  readonly code = 'operation_failed';
  /** Response status and headers. */
  declare readonly response: ResponseInfo;
  /** Parsed response body. */
  declare readonly body: unknown;
  /** Reason sent by the server. Undefined if the server doesn't send a reason. */
  declare readonly statusMessage: string | undefined;
  /** Failed request, without secrets. */
  declare readonly request: RequestInfo;
}
brand(OperationFailedError, 'OperationFailedError');

/** OAuth error codes. Servers may send other codes. */
export type OAuthErrorWord =
  | 'application_suspended'
  | 'redirect_uri_mismatch'
  | 'access_denied'
  | 'incorrect_client_credentials'
  | 'bad_verification_code'
  | 'state_mismatch'
  | (string & {});

/**
 * The OAuth web flow failed at the callback or during the code exchange. Servers may report a failed
 * exchange with the status 200.
 * @remarks Look up the value of `error` in `docs/oauth.md`.
 * @example
 * try {
 *   await oauth.exchangeCode({ code });
 * } catch (error) {
 *   if (!(error instanceof OAuthError)) throw error;
 *   console.log(error.error);
 * }
 */
export class OAuthError extends TriforgeError<
  ErrorInit & {
    readonly error: OAuthErrorWord;
    readonly errorDescription?: string | undefined;
    readonly errorUri?: string | undefined;
  }
> {
  /** Code of the error class. */
  readonly code = 'oauth';
  /** Error code sent by the server, or `state_mismatch` if the callback's `state` doesn't match. */
  declare readonly error: OAuthErrorWord;
  /** Explanation sent by the server. Undefined if the server doesn't send an explanation. */
  declare readonly errorDescription: string | undefined;
  /** URL of a page about the error. Undefined if the server doesn't send a URL. */
  declare readonly errorUri: string | undefined;
}
brand(OAuthError, 'OAuthError');

/**
 * An appliance's configuration run failed.
 * @remarks Find the failed `step` in the appliance's log, correct the settings, and run the
 * configuration again.
 * @example
 * try {
 *   await appliance.waitForConfiguration().done();
 * } catch (error) {
 *   if (!(error instanceof ApplianceConfigurationError)) throw error;
 *   console.log(error.step, error.status);
 * }
 */
export class ApplianceConfigurationError extends TriforgeError<
  ErrorInit & { readonly step: string; readonly status: unknown }
> {
  /** Code of the error class. */
  readonly code = 'appliance_configuration';
  /** The `key` of the failed step. Empty if the status doesn't name a step. */
  declare readonly step: string;
  /** Complete status, as received. */
  declare readonly status: unknown;
}
brand(ApplianceConfigurationError, 'ApplianceConfigurationError');

/**
 * A response doesn't match its model. The server has executed the request.
 * @remarks Compare the differences in `issues` with the response in `data`. If the server deviates
 * from the documented API, set `vendor` or `validation: 'warn'`.
 * @example
 * try {
 *   await hosting.pulls.get({ owner, repo, number: 1 });
 * } catch (error) {
 *   if (!(error instanceof ResponseShapeError)) throw error;
 *   console.log(error.issues, error.data);
 * }
 */
export class ResponseShapeError extends TriforgeError<
  AnsweredInit & { readonly issues: readonly StandardIssue[]; readonly data: unknown }
> {
  /** Code of the error class. */
  readonly code = 'response_shape';
  /** Always true, because the server executed the request. */
  readonly mayHaveActed = true;
  /** Response data, as received. */
  declare readonly data: unknown;
  /** Response status and headers. */
  declare readonly response: ResponseInfo;
  /** First 20 differences, with their paths. */
  declare readonly issues: readonly StandardIssue[];
  /** Request that was executed, without secrets. */
  declare readonly request: RequestInfo;
}
brand(ResponseShapeError, 'ResponseShapeError');

/** Reason why a body could not be read. */
export type ResponseBodyReason =
  | 'truncated'
  | 'invalid_json'
  | 'too_large'
  | 'empty'
  | 'unexpected_type'
  | 'undecodable';

/**
 * The response body could not be read, for example because it is truncated, too large, or not valid
 * JSON.
 * @remarks If `mayHaveActed` is true, check whether the server executed the call before you repeat
 * it. For `too_large`, increase `maxResponseBytes` or stream the body. For `truncated`, repeat the
 * call. For `unexpected_type` or `invalid_json`, check that `baseUrl` points to the API and not to
 * a login page.
 * @example
 * try {
 *   await hosting.contents.getReadme({ owner, repo });
 * } catch (error) {
 *   if (!(error instanceof ResponseBodyError)) throw error;
 *   console.log(error.reason);
 * }
 */
export class ResponseBodyError extends TriforgeError<
  ErrorInit & {
    readonly request: RequestInfo;
    readonly reason: ResponseBodyReason;
    readonly status: number;
    readonly response?: ResponseInfo | undefined;
    readonly mayHaveActed: boolean;
  }
> {
  /** Code of the error class. */
  readonly code = 'response_body';
  /** Response status and headers. */
  declare readonly response: ResponseInfo | undefined;
  /** Whether the server may have executed the request. */
  declare readonly mayHaveActed: boolean;
  /** Reason why the body could not be read. */
  declare readonly reason: ResponseBodyReason;
  /** HTTP status code of the response. */
  declare readonly status: number;
  /** Request that was sent, without secrets. */
  declare readonly request: RequestInfo;
}
brand(ResponseBodyError, 'ResponseBodyError');

/** Reason why a webhook delivery failed verification. */
export type SignatureReason = 'missing' | 'malformed' | 'mismatch' | 'not_raw';

/**
 * A webhook delivery could not be verified.
 * @remarks For `not_raw`, verify the delivery before a body parser changes it (see
 * `docs/webhooks.md`). For other reasons, respond with 401. If you expected a genuine delivery,
 * compare the secrets, and check that no proxy changes the body or the signature header.
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
export class SignatureError extends TriforgeError<
  ErrorInit & { readonly reason: SignatureReason }
> {
  /** Code of the error class. */
  readonly code = 'signature';
  /** Reason why the delivery failed verification. */
  declare readonly reason: SignatureReason;
}
brand(SignatureError, 'SignatureError');

/**
 * Union of the errors for operations rejected with HTTP 200, OAuth failures, failed appliance
 * configurations, invalid responses, and webhook deliveries that fail verification.
 */
export type AnyResponseError =
  | OperationFailedError
  | OAuthError
  | ApplianceConfigurationError
  | ResponseShapeError
  | ResponseBodyError
  | SignatureError;
