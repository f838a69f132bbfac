import type { Call, JsonCall } from '../../transport/call.js';
import { endpoint, json, nothing, orNull } from '../../transport/request/endpoint.js';
import { filledText } from '../../transport/request/input.js';
import { clientId } from '../auth/application-rules.js';
import { Authorization } from '../models/index.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** Names an OAuth application. */
export interface ApplicationInput {
  /** The application's client id, 20 characters. */
  readonly client_id: string;
}

/** Names a token of an OAuth application. */
export interface ApplicationTokenInput extends ApplicationInput {
  /** The token; masked in errors and in `response.url`. */
  readonly access_token: string;
}

const application = { client_id: clientId };

/** What the endpoints of one token have in common. */
const token = '/applications/{client_id}/tokens/{access_token}';
const ofToken = {
  input: { ...application, access_token: filledText },
  secret: ['access_token'],
  redirects: 'trusted' as const,
  auth: 'application',
};

const checkToken = endpoint<ApplicationTokenInput>(`GET ${token}`)({
  operation: 'applications.checkToken',
  ...ofToken,
  answer: orNull(json(Authorization)),
});

const resetToken = endpoint<ApplicationTokenInput>(`POST ${token}`)({
  operation: 'applications.resetToken',
  ...ofToken,
  answer: json(Authorization),
});

const revokeToken = endpoint<ApplicationTokenInput>(`DELETE ${token}`)({
  operation: 'applications.revokeToken',
  ...ofToken,
  answer: nothing,
});

const revokeAllTokens = endpoint<ApplicationInput>('DELETE /applications/{client_id}/tokens')({
  operation: 'applications.revokeAllTokens',
  input: application,
  auth: 'application',
  answer: nothing,
});

/**
 * Tokens of an OAuth application. The endpoints accept only the
 * application's own id and secret, `auth: { type: 'application', clientId, clientSecret }`, sent as
 * Basic authentication: any other scheme is a `ConfigurationError`, and nothing is sent.
 */
export class Applications extends HostingResource {
  /**
   * `GET /applications/{client_id}/tokens/{access_token}`
   *
   * Whose token it is and what it may do; null for an invalid token (404). Checks do not count as
   * failed logins, so that they lock nobody out.
   * @throws {ConfigurationError} credentials other than those of the application.
   * @example await hosting.applications.checkToken({ client_id: 'abcde12345abcde12345', access_token: token });
   */
  checkToken(
    input: ApplicationTokenInput,
    options?: HostingRequestOptions,
  ): JsonCall<Authorization | null, null> {
    // `as`: a 404 is null with a schema of the caller's too.
    return this.api.call(checkToken, input, options) as JsonCall<Authorization | null, null>;
  }

  /**
   * `POST /applications/{client_id}/tokens/{access_token}`
   *
   * Replaces a valid token: the answer holds the new one, and the old one is invalid at once.
   * @throws {NotFoundError} an invalid token.
   * @throws {ConfigurationError} credentials other than those of the application.
   * @example await hosting.applications.resetToken({ client_id: 'abcde12345abcde12345', access_token: token });
   */
  resetToken(
    input: ApplicationTokenInput,
    options?: HostingRequestOptions,
  ): JsonCall<Authorization> {
    return this.api.call(resetToken, input, options);
  }

  /**
   * `DELETE /applications/{client_id}/tokens/{access_token}`
   *
   * Makes a token invalid.
   * @throws {ConfigurationError} credentials other than those of the application.
   * @throws {NotFoundError}
   * @example await hosting.applications.revokeToken({ client_id: 'abcde12345abcde12345', access_token: token });
   */
  revokeToken(input: ApplicationTokenInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(revokeToken, input, options);
  }

  /**
   * `DELETE /applications/{client_id}/tokens`
   *
   * Makes every token of the application invalid. The server does so in a background job: it may take
   * a few minutes until the last one is.
   * @throws {ConfigurationError} credentials other than those of the application.
   * @example await hosting.applications.revokeAllTokens({ client_id: 'abcde12345abcde12345' });
   */
  revokeAllTokens(input: ApplicationInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(revokeAllTokens, input, options);
  }
}
