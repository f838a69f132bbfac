import { InvalidRequestError } from '../../errors/index.js';
import type { Call, JsonCall } from '../../transport/call.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, jsonMapped, list, nothing } from '../../transport/request/endpoint.js';
import {
  id,
  nullable,
  optional,
  type PageInput,
  paging,
  text,
  texts,
} from '../../transport/request/input.js';
import { clientId, clientSecret } from '../auth/application-rules.js';
import type { Scope } from '../auth/scopes.js';
import { Authorization } from '../models/index.js';
import { type HostingListOptions, type HostingRequestOptions, HostingResource } from './common.js';

/** Names an authorization. */
export interface AuthorizationInput {
  /** Id of the authorization. */
  readonly id: number;
}

/** A token to create, without the application. */
export interface NewToken {
  /** Scopes of the token. The server stores a normalized list. Default: none, which allows public information. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Purpose of the token. */
  readonly note: string;
  /** A URL that explains the note. */
  readonly note_url?: string | null | undefined;
}

/** Input of {@link Authorizations.create} for a personal token. */
export interface CreatePersonalToken extends NewToken {
  readonly client_id?: undefined;
  readonly client_secret?: undefined;
}

/** Input of {@link Authorizations.create} for a token of an OAuth application. */
export interface CreateApplicationToken extends NewToken {
  /** Id of the OAuth application, 20 characters. Needs `client_secret`. */
  readonly client_id: string;
  /** Secret of that application, 40 characters. Needs `client_id`. */
  readonly client_secret: string;
}

/** Input of {@link Authorizations.create}: both `client_id` and `client_secret`, or neither. */
export type CreateAuthorization = CreatePersonalToken | CreateApplicationToken;

/** Input of {@link Authorizations.getOrCreateForApp}. */
export interface GetOrCreateAuthorization {
  /** Id of the OAuth application, 20 characters. */
  readonly client_id: string;
  /** Secret of that application, 40 characters. */
  readonly client_secret: string;
  /** What a new token may do; one that exists keeps its own. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Purpose of the token. */
  readonly note?: string | null | undefined;
  /** A URL that explains the note. */
  readonly note_url?: string | null | undefined;
}

/** Changes to an authorization, without its scopes. Omitted fields keep their value. */
export interface UpdateNotes extends AuthorizationInput {
  /** Purpose of the token. */
  readonly note?: string | null | undefined;
  /** A URL that explains the note. */
  readonly note_url?: string | null | undefined;
}

/** Input of {@link Authorizations.update} that replaces the scopes. */
export interface ReplaceScopes extends UpdateNotes {
  /** Replaces the scopes. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly add_scopes?: undefined;
  readonly remove_scopes?: undefined;
}

/** Input of {@link Authorizations.update} that adds scopes. */
export interface AddScopes extends UpdateNotes {
  readonly scopes?: undefined;
  /** Scopes to add. */
  readonly add_scopes?: readonly Scope[] | undefined;
  readonly remove_scopes?: undefined;
}

/** Input of {@link Authorizations.update} that removes scopes. */
export interface RemoveScopes extends UpdateNotes {
  readonly scopes?: undefined;
  readonly add_scopes?: undefined;
  /** Scopes to remove. */
  readonly remove_scopes?: readonly Scope[] | undefined;
}

/** Input of {@link Authorizations.update}: at most one of `scopes`, `add_scopes` and `remove_scopes`. */
export type UpdateAuthorization = ReplaceScopes | AddScopes | RemoveScopes;

/** What {@link Authorizations.getOrCreateForApp} found or made. */
export interface FoundAuthorization {
  /** The authorization. */
  readonly authorization: Authorization;
  /** True when it is new (201), false when the user had one for the application (200). */
  readonly created: boolean;
}

const notes = { note: optional(nullable(text)), note_url: optional(nullable(text)) };

const listAuthorizations = endpoint<PageInput>('GET /authorizations')({
  operation: 'authorizations.list',
  input: paging,
  auth: 'basic',
  answer: list(Authorization),
});

const getAuthorization = endpoint<AuthorizationInput>('GET /authorizations/{id}')({
  operation: 'authorizations.get',
  input: { id },
  auth: 'basic',
  answer: json(Authorization),
});

const createAuthorization = endpoint<CreateAuthorization>('POST /authorizations')({
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
    throw new InvalidRequestError(
      `authorizations.create: ${missing}: expected both client_id and client_secret, or neither`,
      { field: missing },
    );
  },
  secret: ['client_secret'],
  redirects: 'trusted',
  auth: 'basic',
  answer: json(Authorization),
});

const getOrCreateAuthorization = endpoint<GetOrCreateAuthorization>(
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
  answer: jsonMapped(
    Authorization,
    (authorization, { status }): FoundAuthorization => ({ authorization, created: status === 201 }),
  ),
});

const updateAuthorization = endpoint<UpdateAuthorization>('PATCH /authorizations/{id}')({
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
    throw new InvalidRequestError(
      `authorizations.update: ${second}: excludes ${first}: only one of scopes, add_scopes and remove_scopes can be given`,
      { field: second },
    );
  },
  auth: 'basic',
  answer: json(Authorization),
});

const deleteAuthorization = endpoint<AuthorizationInput>('DELETE /authorizations/{id}')({
  operation: 'authorizations.delete',
  input: { id },
  auth: 'basic',
  answer: nothing,
});

/**
 * A user's own OAuth tokens. The endpoints accept only Basic
 * authentication of that user: any other scheme is a `ConfigurationError`, and nothing is sent.
 */
export class Authorizations extends HostingResource {
  /**
   * `GET /authorizations`
   *
   * The user's authorizations.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {AuthenticationError}
   * @example for await (const each of hosting.authorizations.list()) console.log(each);
   */
  list(input: PageInput = {}, options?: HostingListOptions): Paginated<Authorization> {
    return this.api.list(listAuthorizations, input, options);
  }

  /**
   * `GET /authorizations/{id}`
   *
   * One authorization.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {NotFoundError}
   * @example await hosting.authorizations.get({ id: 1 });
   */
  get(input: AuthorizationInput, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(getAuthorization, input, options);
  }

  /**
   * `POST /authorizations`
   *
   * Makes a token; with `client_id` and `client_secret` one of that application (the non-web flow).
   * Newer servers show the token in this answer only.
   * @throws {InvalidRequestError} one of id and secret without the other, or of another length.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {AuthenticationError} `reason: 'otp_required'`: the account has two factors, set `otp`.
   * @throws {UnprocessableError}
   * @example const made = await hosting.authorizations.create({ scopes: ['repo'], note: 'nightly report' });
   */
  create(input: CreateAuthorization, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(createAuthorization, input, options);
  }

  /**
   * `PUT /authorizations/clients/{client_id}`
   *
   * The user's token for an application, made if there is none. Never sent twice: newer servers show
   * a token only when they make it.
   * @throws {InvalidRequestError} id and secret of another length than 20 and 40 characters.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {UnprocessableError}
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
   * Changes scopes and notes of a token.
   * @throws {InvalidRequestError} more than one of `scopes`, `add_scopes` and `remove_scopes`.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {NotFoundError}
   * @example await hosting.authorizations.update({ id: 1, add_scopes: ['repo'] });
   */
  update(input: UpdateAuthorization, options?: HostingRequestOptions): JsonCall<Authorization> {
    return this.api.call(updateAuthorization, input, options);
  }

  /**
   * `DELETE /authorizations/{id}`
   *
   * Deletes an authorization and its token.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {NotFoundError}
   * @example await hosting.authorizations.delete({ id: 1 });
   */
  delete(input: AuthorizationInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteAuthorization, input, options);
  }
}
