import { ConfigurationError } from '../errors/index.js';
import type { OptionNames } from '../option-names.js';
import { ApiClient, type Call, createCall, type JsonCall } from '../transport/api-client.js';
import {
  type ApiFamily,
  BaseClient,
  buildRouteRequest,
  type PaginateRouteOptions,
  paginateNames,
  type RouteArguments,
} from '../transport/base-client.js';
import { type Environment, fromEnvironment } from '../transport/environment.js';
import type { RequestOptions } from '../transport/options.js';
import type { Paginated } from '../transport/pagination/paginated.js';
import { defineEndpoint } from '../transport/request/endpoint.js';
import { type ClientOptions, clientNames, resolveSettings } from '../transport/settings.js';

import { Transport } from '../transport/transport.js';
import { Cases } from './cases.js';
import {
  checkOutcome,
  listByOffset,
  rawSlice,
  type SupportApi,
  type SupportRequestOptions,
  wholeBody,
} from './common.js';
import { Contacts } from './contacts.js';
import { type DynamicAttributes, Me } from './models/index.js';
import {
  requestSession,
  type SupportAuth,
  type SupportSession,
  supportAuthorizer,
} from './session.js';

/** Environment variables that `SupportClient.fromEnv` reads. */
export const environment: Environment = {
  options: { baseUrl: 'TRIFORGE_SUPPORT_BASE_URL', proxy: 'TRIFORGE_SUPPORT_PROXY' },
  auth: [
    {
      parts: {
        userName: 'TRIFORGE_SUPPORT_USER_NAME',
        apiKey: 'TRIFORGE_SUPPORT_API_KEY',
        password: 'TRIFORGE_SUPPORT_PASSWORD',
      },
    },
    { parts: { accessToken: 'TRIFORGE_SUPPORT_ACCESS_TOKEN' } },
  ],
  needsAuth: true,
};

/** Options for {@link SupportClient}. */
export interface SupportClientOptions extends ClientOptions {
  /** Credentials of an API user, or a session's token. */
  readonly auth: SupportAuth;
}

const names: OptionNames<SupportClientOptions> = { ...clientNames, auth: true };

const getMe = defineEndpoint<object>('GET /me')({
  operation: 'me',
  input: {},
  response: wholeBody(Me),
});

/**
 * Client for contacts and cases in the support API v2. Opens a session on first use and renews it
 * when it expires.
 *
 * ```ts
 * const support = new SupportClient({
 *   baseUrl: 'https://support.example.com/api/v2/',
 *   auth: { userName, apiKey, password },
 * });
 * ```
 *
 * To add types for dynamic attributes in contacts and cases, pass a type argument: `new
 * SupportClient<{ segment: string }>(…)`.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export class SupportClient<
  Attributes extends object = DynamicAttributes,
> extends BaseClient<SupportAuth> {
  /** Contacts, which are people and companies. */
  readonly contacts: Contacts<Attributes>;
  /** Cases, each of which tracks work for a contact. */
  readonly cases: Cases<Attributes>;
  readonly #api: SupportApi;
  readonly #options: SupportClientOptions;

  constructor(options: SupportClientOptions);
  /** @internal Used by `withAuth` to create a client that uses an existing transport. */
  constructor(options: SupportClientOptions, api: SupportApi);
  constructor(options: SupportClientOptions, api: SupportApi = createSupportApi(options)) {
    super({
      api,
      family,
      derive: (next, auth) => deriveSupportClient({ ...options, auth }, next),
    });
    this.#options = options;
    this.#api = api;
    this.contacts = new Contacts(api);
    this.cases = new Cases(api);
  }

  /**
   * Creates a client from environment variables such as `TRIFORGE_SUPPORT_BASE_URL` and
   * `TRIFORGE_SUPPORT_USER_NAME`. The Authentication guide lists all variables. An empty variable
   * is treated as unset.
   * @param options Options that take precedence over the variables. If `auth` is set, the variables
   * for credentials are ignored.
   * @throws {ConfigurationError} if a variable is missing or invalid.
   */
  static fromEnv<Attributes extends object = DynamicAttributes>(
    options?: Partial<SupportClientOptions>,
  ): SupportClient<Attributes> {
    return fromEnvironment(
      environment,
      options,
      (all: SupportClientOptions) => new this<Attributes>(all),
    );
  }

  /**
   * `POST /authenticate`
   *
   * Opens a session and returns its token. The client opens its own session automatically, so call
   * this method only to check the credentials or to use the token elsewhere.
   * @throws {AuthenticationError} if the server rejects the credentials.
   * @throws {ConfigurationError} if the client has only a token, because a token can't open a
   * session.
   * @example const { accessToken } = await support.authenticate();
   */
  authenticate(options?: RequestOptions): Call<SupportSession> {
    const { auth } = this.#options;
    if ('accessToken' in auth) {
      const why =
        'authenticate: auth: must contain a username (got a token). Use { userName, apiKey, password }.';
      return createCall(Promise.reject(new ConfigurationError(why, { option: 'auth' })));
    }
    return requestSession(this.#api.transport, auth, options);
  }

  /**
   * `GET /me`
   *
   * Reports whether the session is logged in.
   * @example const { logged_in } = await support.me();
   */
  me(options?: SupportRequestOptions): JsonCall<Me> {
    return this.#api.call(getMe, {}, options);
  }

  /**
   * Iterates over the results of a search that no method covers. Increases `index` for each page.
   * The `schema` option validates each item.
   * @example for await (const found of support.paginate('GET /contact')) console.log(found);
   */
  override paginate<const R extends `GET ${string}`, T = unknown>(
    route: R,
    ...given: RouteArguments<R, PaginateRouteOptions<SupportAuth, T>>
  ): Paginated<T> {
    const [input = {}, options = {}] = given;
    return listByOffset(
      this.#api,
      {
        operation: 'request',
        build: (page, context) => buildRouteRequest(route, page, options, family, context),
        response: () => rawSlice(options.schema),
      },
      input,
      options,
      paginateNames,
    );
  }
}

/**
 * Creates a client on an existing transport. Defined outside the class, because the bundler renames
 * a class that refers to itself (`_SupportClient`).
 */
function deriveSupportClient(options: SupportClientOptions, api: SupportApi): SupportClient {
  return new SupportClient(options, api);
}

const family: ApiFamily = { encoding: 'form', writes: 'refused', validated: checkOutcome };

function createSupportApi(options: SupportClientOptions): SupportApi {
  const media = { vendor: 'service', version: 'v3' } as const;
  const settings = resolveSettings(options, { media, accept: 'application/json', names });
  const transport = new Transport(settings);
  const createAuthorizer = (auth: SupportAuth) => supportAuthorizer(auth, transport);
  return new ApiClient(transport, createAuthorizer(options.auth), createAuthorizer);
}
