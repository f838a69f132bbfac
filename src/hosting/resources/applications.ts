import type { Call, JsonCall } from '../../transport/api-client.js';
import { defineEndpoint, json, noContent, nullOn404 } from '../../transport/request/endpoint.js';
import { filledText } from '../../transport/request/input.js';
import { clientId } from '../auth/application-rules.js';
import { Authorization } from '../models/index.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** Input that identifies an OAuth application. */
export interface ApplicationInput {
  /** Client ID of the application, 20 characters. */
  readonly client_id: string;
}

/** Input that identifies an OAuth application's token. */
export interface ApplicationTokenInput extends ApplicationInput {
  /** Access token. Masked in errors and in `response.url`. */
  readonly access_token: string;
}

const application = { client_id: clientId };

const token = '/applications/{client_id}/tokens/{access_token}';
const ofToken = {
  input: { ...application, access_token: filledText },
  secret: ['access_token'],
  redirects: 'trusted' as const,
  auth: 'application',
};

const checkToken = defineEndpoint<ApplicationTokenInput>(`GET ${token}`)({
  operation: 'applications.checkToken',
  ...ofToken,
  response: nullOn404(json(Authorization)),
});

const resetToken = defineEndpoint<ApplicationTokenInput>(`POST ${token}`)({
  operation: 'applications.resetToken',
  ...ofToken,
  response: json(Authorization),
});

const revokeToken = defineEndpoint<ApplicationTokenInput>(`DELETE ${token}`)({
  operation: 'applications.revokeToken',
  ...ofToken,
  response: noContent,
});

const revokeAllTokens = defineEndpoint<ApplicationInput>('DELETE /applications/{client_id}/tokens')(
  {
    operation: 'applications.revokeAllTokens',
    input: application,
    auth: 'application',
    response: noContent,
  },
);

/**
 * An OAuth application's tokens. The endpoints accept only the application's client ID and secret,
 * sent as Basic authentication: `auth: { type: 'application', clientId, clientSecret }`. With a
 * different scheme, calls throw a `ConfigurationError` without sending a request.
 */
export class Applications extends HostingResource {
  /**
   * `GET /applications/{client_id}/tokens/{access_token}`
   *
   * Returns the owner and scopes of a token, or null if the token is invalid (404). Checks don't
   * count as failed logins, so they can't lock out a user.
   * @throws {ConfigurationError} if `auth.type` isn't `application`.
   * @example await hosting.applications.checkToken({ client_id: 'abcde12345abcde12345', access_token: token });
   */
  checkToken(
    input: ApplicationTokenInput,
    options?: HostingRequestOptions,
  ): JsonCall<Authorization | null, null> {
    // `as`: a 404 yields null even if the caller passes a schema.
    return this.api.call(checkToken, input, options) as JsonCall<Authorization | null, null>;
  }

  /**
   * `POST /applications/{client_id}/tokens/{access_token}`
   *
   * Replaces a valid token and returns the new token. The old token becomes invalid immediately.
   * @throws {NotFoundError} if the token is invalid.
   * @throws {ConfigurationError} if `auth.type` isn't `application`.
   * @example await hosting.applications.resetToken({ client_id: 'abcde12345abcde12345',
   * access_token: token });
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
   * Revokes a token.
   * @throws {ConfigurationError} if `auth.type` isn't `application`.
   * @throws {NotFoundError} if the token is invalid.
   * @example await hosting.applications.revokeToken({ client_id: 'abcde12345abcde12345', access_token: token });
   */
  revokeToken(input: ApplicationTokenInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(revokeToken, input, options);
  }

  /**
   * `DELETE /applications/{client_id}/tokens`
   *
   * Revokes every token of an application. The server revokes them in a background job, which may
   * take a few minutes.
   * @throws {ConfigurationError} if `auth.type` isn't `application`.
   * @example await hosting.applications.revokeAllTokens({ client_id: 'abcde12345abcde12345' });
   */
  revokeAllTokens(input: ApplicationInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(revokeAllTokens, input, options);
  }
}
