import type { Call } from '../transport/call.js';
import { endpoint, json, nothing, orNull } from '../transport/endpoint.js';
import { filledText } from '../transport/input.js';
import { clientId } from './application-rules.js';
import type { HostingCaller, HostingRequestOptions } from './caller.js';
import { Authorization } from './models/index.js';

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
const applicationToken = { ...application, access_token: filledText };

const checkToken = endpoint<ApplicationTokenInput>()({
  operation: 'applications.checkToken',
  method: 'GET',
  path: '/applications/{client_id}/tokens/{access_token}',
  input: applicationToken,
  secret: ['access_token'],
  auth: 'application',
  answer: orNull(json(Authorization)),
});

const resetToken = endpoint<ApplicationTokenInput>()({
  operation: 'applications.resetToken',
  method: 'POST',
  path: '/applications/{client_id}/tokens/{access_token}',
  input: applicationToken,
  secret: ['access_token'],
  auth: 'application',
  answer: json(Authorization),
});

const revokeToken = endpoint<ApplicationTokenInput>()({
  operation: 'applications.revokeToken',
  method: 'DELETE',
  path: '/applications/{client_id}/tokens/{access_token}',
  input: applicationToken,
  secret: ['access_token'],
  auth: 'application',
  answer: nothing,
});

const revokeAllTokens = endpoint<ApplicationInput>()({
  operation: 'applications.revokeAllTokens',
  method: 'DELETE',
  path: '/applications/{client_id}/tokens',
  input: application,
  auth: 'application',
  answer: nothing,
});

/**
 * Tokens of an OAuth application (contract section "Authorizations"). The endpoints accept only the
 * application's own id and secret, `auth: { type: 'application', clientId, clientSecret }`, sent as
 * Basic authentication: any other scheme is a `ConfigurationError`, and nothing is sent.
 */
export class Applications {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /**
   * Whose token it is and what it may do; null for an invalid token (404). Checks do not count as
   * failed logins, so that they lock nobody out.
   * @throws {ConfigurationError} credentials other than those of the application.
   */
  checkToken(
    input: ApplicationTokenInput,
    options?: HostingRequestOptions,
  ): Call<Authorization | null> {
    return this.#caller.call(checkToken, input, options);
  }

  /**
   * Replaces a valid token: the answer holds the new one, and the old one is invalid at once.
   * @throws {NotFoundError} an invalid token.
   * @throws {ConfigurationError} credentials other than those of the application.
   */
  resetToken(input: ApplicationTokenInput, options?: HostingRequestOptions): Call<Authorization> {
    return this.#caller.call(resetToken, input, options);
  }

  /** Makes a token invalid. @throws {ConfigurationError} credentials other than those of the application. @throws {NotFoundError} */
  revokeToken(input: ApplicationTokenInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(revokeToken, input, options);
  }

  /**
   * Makes every token of the application invalid. The server does so in a background job: it may take
   * a few minutes until the last one is.
   * @throws {ConfigurationError} credentials other than those of the application.
   */
  revokeAllTokens(input: ApplicationInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(revokeAllTokens, input, options);
  }
}
