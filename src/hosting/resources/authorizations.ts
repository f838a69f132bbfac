import type { Call, JsonCall } from '../../transport/api-client.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  defineEndpoint,
  json,
  jsonMapped,
  list,
  noContent,
  nullOn404,
} from '../../transport/request/endpoint.js';
import {
  createInputError,
  filledText,
  id,
  nullable,
  optional,
  type PageInput,
  paging,
  text,
  texts,
} from '../../transport/request/input.js';
import { clientId, clientSecret } from '../auth/schemes.js';
import type { Scope } from '../auth/scopes.js';
import { Authorization } from '../models/index.js';
import { type HostingListOptions, type HostingRequestOptions, HostingResource } from './common.js';

/** Input that identifies an authorization. */
export interface AuthorizationInput {
  /** Numeric ID of the authorization. */
  readonly id: number;
}

/** Input of {@link Authorizations.create} for a personal token or an application's token. */
export interface CreateAuthorization {
  /**
   * Scopes of the token. The server omits scopes that another scope implies. Without scopes, the
   * token has access only to public information. Default: none.
   */
  readonly scopes?: readonly Scope[] | undefined;
  /** Purpose of the token. */
  readonly note: string;
  /** URL of a page that explains the note. */
  readonly note_url?: string | null | undefined;
  /**
   * 20-character client ID of the OAuth application. Requires `client_secret`. Default: none, so
   * the token is a personal token.
   */
  readonly client_id?: string | undefined;
  /** 40-character client secret of the OAuth application. Requires `client_id`. */
  readonly client_secret?: string | undefined;
}

/** Input of {@link Authorizations.getOrCreateForApp}. */
export interface GetOrCreateAuthorization {
  /** 20-character client ID of the OAuth application. */
  readonly client_id: string;
  /** 40-character client secret of the OAuth application. */
  readonly client_secret: string;
  /** Scopes of a new token. An existing token keeps its scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Purpose of the token. */
  readonly note?: string | null | undefined;
  /** URL of a page that explains the note. */
  readonly note_url?: string | null | undefined;
}

/**
 * Input of {@link Authorizations.update}, with at most one of the three scope inputs. Omitted fields
 * keep their value.
 */
export interface UpdateAuthorization extends AuthorizationInput {
  /** Purpose of the token. */
  readonly note?: string | null | undefined;
  /** URL of a page that explains the note. */
  readonly note_url?: string | null | undefined;
  /** Scopes that replace the current scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Scopes to add. */
  readonly add_scopes?: readonly Scope[] | undefined;
  /** Scopes to remove. */
  readonly remove_scopes?: readonly Scope[] | undefined;
}

/** Result of {@link Authorizations.getOrCreateForApp}. */
export interface FoundAuthorization {
  /** Existing or new authorization. */
  readonly authorization: Authorization;
  /**
   * Whether the authorization is new (201). False if the user already had an authorization for the
   * application (200).
   */
  readonly created: boolean;
}

const notes = { note: optional(nullable(text)), note_url: optional(nullable(text)) };

const listAuthorizations = defineEndpoint<PageInput>('GET /authorizations')({
  operation: 'authorizations.list',
  input: paging,
  auth: 'basic',
  response: list(Authorization),
});

const getAuthorization = defineEndpoint<AuthorizationInput>('GET /authorizations/{id}')({
  operation: 'authorizations.get',
  input: { id },
  auth: 'basic',
  response: json(Authorization),
});

const createAuthorization = defineEndpoint<CreateAuthorization>('POST /authorizations')({
  operation: 'authorizations.create',
  input: {
    scopes: optional(texts),
    ...notes,
    note: text,
    client_id: optional(clientId),
    client_secret: optional(clientSecret),
  },
  check: ({ client_id, client_secret }) => {
    if ((client_id === undefined) === (client_secret === undefined)) return;
    const missing = client_id === undefined ? 'client_id' : 'client_secret';
    const why = 'is required. Pass both client_id and client_secret, or neither.';
    throw createInputError(missing, why, 'authorizations.create');
  },
  secret: ['client_secret'],
  redirects: 'trusted',
  auth: 'basic',
  response: json(Authorization),
});

const getOrCreateAuthorization = defineEndpoint<GetOrCreateAuthorization>(
  'PUT /authorizations/clients/{client_id}',
)({
  operation: 'authorizations.getOrCreateForApp',
  input: {
    client_id: clientId,
    client_secret: clientSecret,
    scopes: optional(texts),
    ...notes,
  },
  secret: ['client_secret'],
  redirects: 'trusted',
  auth: 'basic',
  response: jsonMapped(
    Authorization,
    (authorization, { status }): FoundAuthorization => ({ authorization, created: status === 201 }),
  ),
});

const updateAuthorization = defineEndpoint<UpdateAuthorization>('PATCH /authorizations/{id}')({
  operation: 'authorizations.update',
  input: {
    id,
    scopes: optional(texts),
    add_scopes: optional(texts),
    remove_scopes: optional(texts),
    ...notes,
  },
  check: (input) => {
    const given = (['scopes', 'add_scopes', 'remove_scopes'] as const).filter(
      (name) => input[name] !== undefined,
    );
    const [first, second] = given;
    if (second === undefined) return;
    const why = `must not be combined with ${first}. Pass only one of scopes, add_scopes and remove_scopes.`;
    throw createInputError(second, why, 'authorizations.update');
  },
  auth: 'basic',
  response: json(Authorization),
});

const deleteAuthorization = defineEndpoint<AuthorizationInput>('DELETE /authorizations/{id}')({
  operation: 'authorizations.delete',
  input: { id },
  auth: 'basic',
  response: noContent,
});

/**
 * A user's OAuth tokens. The endpoints accept only Basic authentication with the user's password.
 * With a different scheme, calls throw a `ConfigurationError` without sending a request.
 */
export class Authorizations extends HostingResource {
  /**
   * `GET /authorizations`
   *
   * Lists the user's authorizations.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {AuthenticationError} if the credentials are invalid.
   * @example for await (const each of hosting.authorizations.list()) console.log(each);
   */
  list(input: PageInput = {}, options?: HostingListOptions): Paginated<Authorization> {
    return this.api.list(listAuthorizations, input, options);
  }

  /**
   * `GET /authorizations/{id}`
   *
   * Returns an authorization.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {NotFoundError} if the authorization doesn't exist.
   * @example await hosting.authorizations.get({ id: 1 });
   */
  get(input: AuthorizationInput, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(getAuthorization, input, options);
  }

  /**
   * `POST /authorizations`
   *
   * Creates a token. To create the token for an OAuth application, pass `client_id` and
   * `client_secret`. Newer servers return a token only when they create it.
   * @throws {InvalidRequestError} if only one of `client_id` and `client_secret` is set, or either
   * has the wrong length.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {AuthenticationError} if the credentials are invalid. If `reason` is `otp_required`,
   * the account uses two-factor authentication. Set a valid `otp`.
   * @throws {UnprocessableError} if the server rejects a field.
   * @example const made = await hosting.authorizations.create({ scopes: ['repo'], note: 'nightly report' });
   */
  create(input: CreateAuthorization, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(createAuthorization, input, options);
  }

  /**
   * `PUT /authorizations/clients/{client_id}`
   *
   * Returns the user's token for an application, or creates a token if none exists. Newer servers
   * return a token only when they create it. The client never retries a call that the server may
   * have executed.
   * @throws {InvalidRequestError} if `client_id` doesn't have 20 characters, or `client_secret`
   * doesn't have 40.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {UnprocessableError} if the server rejects a field.
   * @example await hosting.authorizations.getOrCreateForApp({ client_id: 'abcde12345abcde12345', client_secret: secret });
   */
  getOrCreateForApp(
    input: GetOrCreateAuthorization,
    options?: HostingRequestOptions,
  ): JsonCall<FoundAuthorization> {
    return this.api.call(getOrCreateAuthorization, input, options);
  }

  /**
   * `PATCH /authorizations/{id}`
   *
   * Updates a token's scopes or note.
   * @throws {InvalidRequestError} if more than one of `scopes`, `add_scopes` and `remove_scopes` is
   * set.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {NotFoundError} if the authorization doesn't exist.
   * @example await hosting.authorizations.update({ id: 1, add_scopes: ['repo'] });
   */
  update(input: UpdateAuthorization, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(updateAuthorization, input, options);
  }

  /**
   * `DELETE /authorizations/{id}`
   *
   * Deletes an authorization and its token.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {NotFoundError} if the authorization doesn't exist.
   * @example await hosting.authorizations.delete({ id: 1 });
   */
  delete(input: AuthorizationInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteAuthorization, input, options);
  }
}

/** Input that identifies an OAuth application. */
export interface ApplicationInput {
  /** 20-character client ID of the application. */
  readonly client_id: string;
}

/** Input that identifies an OAuth application's token. */
export interface ApplicationTokenInput extends ApplicationInput {
  /** Access token. The client masks the token in errors and in `response.url`. */
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
   * Returns a token's owner and scopes, or null if the token is invalid (404). Checking an invalid
   * token doesn't count as a failed login, so a check can't lock out a user.
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
   * Revokes all of an application's tokens. The server revokes the tokens in a background job,
   * which can take a few minutes.
   * @throws {ConfigurationError} if `auth.type` isn't `application`.
   * @example await hosting.applications.revokeAllTokens({ client_id: 'abcde12345abcde12345' });
   */
  revokeAllTokens(input: ApplicationInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(revokeAllTokens, input, options);
  }
}
