import { invalidOption, type OptionNames } from '../option-names.js';
import { ApiClient } from '../transport/api-client.js';
import type { Call } from '../transport/call.js';
import { type ClientOptions, clientNames } from '../transport/client-options.js';
import type { Extension, OwnEndpoints } from '../transport/declaration.js';
import { fromEnvironment } from '../transport/environment.js';
import {
  addMethods,
  type ExtensionFamily,
  type OwnMethod,
  ownMethods,
} from '../transport/extension.js';
import { type ApiVersion, acceptFor, isDated } from '../transport/http/media-type.js';
import type { CloseOptions } from '../transport/options.js';
import type { ListOptions, Paginated } from '../transport/pagination/paginated.js';
import { namedByServer } from '../transport/request/named-url.js';
import {
  buildRawRequest,
  type RawRequest,
  rawAnswer,
  rawListAnswer,
} from '../transport/request/raw-request.js';
import { resolveSettings } from '../transport/settings.js';
import { Transport } from '../transport/transport.js';
import { type HostingAuth, hostingAuthorizer } from './auth/schemes.js';
import { environment } from './environment.js';
import { AdminStatistics } from './resources/admin-stats.js';
import { Applications } from './resources/applications.js';
import { Authorizations } from './resources/authorizations.js';
import { CommitComments } from './resources/commit-comments.js';
import type { HostingApi, HostingRequestOptions } from './resources/common.js';
import { Contents } from './resources/contents.js';
import { Downloads } from './resources/downloads.js';
import { GitRefs } from './resources/git-refs.js';
import { Hooks } from './resources/hooks.js';
import { Hub } from './resources/hub.js';
import { Pages } from './resources/pages.js';
import { Pulls } from './resources/pulls.js';
import { RateLimits } from './resources/rate-limit.js';
import { Releases } from './resources/releases.js';
import { Starring } from './resources/starring.js';
import { Teams } from './resources/teams.js';

/** Options of {@link HostingClient}. */
export interface HostingClientOptions extends ClientOptions {
  /** Default none: public data, 60 requests an hour. */
  readonly auth?: HostingAuth | undefined;
  /** The human-facing address, for hub topics. Default the origin of `baseUrl`. */
  readonly webUrl?: string | URL | undefined;
  /**
   * `v3` (default), the deprecated `beta`, or on newer servers the date of a version, as `2022-11-28`:
   * it goes out as `X-<Vendor>-Api-Version`, with `application/vnd.<vendor>+json`.
   */
  readonly apiVersion?: ApiVersion | undefined;
  /** The word in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*`. Default `service`. */
  readonly vendor?: string | undefined;
}

const names: OptionNames<HostingClientOptions> = {
  ...clientNames,
  auth: true,
  webUrl: true,
  apiVersion: true,
  vendor: true,
};

/**
 * The hosting API v3.
 *
 * ```ts
 * const hosting = new HostingClient({ baseUrl: 'https://code.example.com/api/v3/', auth: { type: 'token', token } });
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export class HostingClient {
  /** Numbers of the whole server, for its administrators. */
  readonly adminStats: AdminStatistics;
  /** Tokens of an OAuth application, checked and revoked by its id and secret. */
  readonly applications: Applications;
  /** Tokens made with a user's name and password. */
  readonly authorizations: Authorizations;
  /** Comments on commits. */
  readonly commitComments: CommitComments;
  /** Files of a repository: README, text and bytes, archives, and commits of single files. */
  readonly contents: Contents;
  /**
   * Files offered for download; superseded by releases.
   * @deprecated by the service since 11 December 2012: use {@link releases} and their assets.
   */
  readonly downloads: Downloads;
  /** Branches and tags as references (`heads/main`). */
  readonly gitRefs: GitRefs;
  /** Webhooks of a repository; their deliveries are received by `triforge/webhooks`. */
  readonly hooks: Hooks;
  /** Subscriptions by PubSubHubbub. */
  readonly hub: Hub;
  /** The site of a repository and its builds. */
  readonly pages: Pages;
  /** Pull requests, their commits and files, and merging. */
  readonly pulls: Pulls;
  /** `current`: the budget as the last answers told; `get()` asks the server. */
  readonly rateLimit: RateLimits;
  /** Releases and their assets, up and down. */
  readonly releases: Releases;
  /** Stars: who starred, what is starred, to star and to unstar. */
  readonly starring: Starring;
  /** Teams of organizations, their members and repositories. */
  readonly teams: Teams;
  readonly #api: HostingApi;

  constructor(options: HostingClientOptions);
  /** @internal `withAuth` and `extend` make a client over a transport that exists. */
  constructor(options: HostingClientOptions, api: HostingApi, added: readonly OwnMethod[]);
  constructor(
    options: HostingClientOptions,
    api: HostingApi = newApi(options),
    added: readonly OwnMethod[] = [],
  ) {
    this.#options = options;
    this.#api = api;
    this.#added = added;
    this.adminStats = new AdminStatistics(api);
    this.applications = new Applications(api);
    this.authorizations = new Authorizations(api);
    this.commitComments = new CommitComments(api);
    this.contents = new Contents(api);
    this.downloads = new Downloads(api);
    this.gitRefs = new GitRefs(api);
    this.hooks = new Hooks(api);
    this.hub = new Hub(api, webUrlOf(options) ?? api.transport.settings.base.origin);
    this.pages = new Pages(api);
    this.pulls = new Pulls(api);
    this.rateLimit = new RateLimits(api);
    this.releases = new Releases(api);
    this.starring = new Starring(api);
    this.teams = new Teams(api);
    addMethods(this, api, added);
  }

  readonly #options: HostingClientOptions;
  readonly #added: readonly OwnMethod[];

  /**
   * Makes a client of the variables `TRIFORGE_BASE_URL`, `TRIFORGE_TOKEN` and others: see the guide
   * about credentials. No other variable is read, and none by the constructor.
   * @param options win over the environment.
   * @throws {ConfigurationError} naming the variable that is missing or wrong.
   */
  static fromEnv(options?: Partial<HostingClientOptions>): HostingClient {
    return fromEnvironment(environment, options, (all: HostingClientOptions) => new this(all));
  }

  /**
   * Sends a request that no method covers.
   * @throws {InvalidRequestError} a path, method or body that can't be sent.
   */
  request<T = unknown>(request: RawRequest<T>, options?: HostingRequestOptions): Call<T> {
    return this.#api.send(
      (context) => buildRawRequest(request, context),
      () => rawAnswer(request),
      options,
    );
  }

  /** Iterates over a list that no method covers; `schema` is that of one item. */
  paginate<T = unknown>(
    request: RawRequest<T>,
    options?: HostingRequestOptions & ListOptions,
  ): Paginated<T> {
    return this.#api.listOf(
      (context) => buildRawRequest(request, context),
      () => rawListAnswer(request),
      options,
    );
  }

  /**
   * Gets what a `_url` field of an answer points to: `request`, without credentials that stand
   * in the URL. Those of the client go along to trusted origins only.
   * @param request its `path` is the field as the server sent it (RFC 6570), with values in `variables`.
   * @throws {InvalidRequestError} a URL of plain http, if the API has https; a URL on an origin that is not trusted, if it contains the client's credentials.
   * @example const gists = await hosting.follow({ path: user.gists_url, variables: { gist_id: 1 } });
   */
  follow<T = unknown>(request: RawRequest<T>, options?: HostingRequestOptions): Call<T> {
    return this.#api.send(
      (context) => namedByServer(buildRawRequest(request, context), context),
      () => rawAnswer(request),
      options,
    );
  }

  /**
   * The same client with endpoints of your own beside ours, declared by `endpoint` of `triforge/extend`:
   * same checks, errors, retries and masks. This client stays as it is.
   * @throws {ConfigurationError} a wrong declaration, by its name, or a name that is taken.
   * @example const own = hosting.extend({ issues: { list: endpoint({ path: '/issues', paginate: 'link' }) } });
   */
  extend<const Declared extends OwnEndpoints<'basic' | 'application'>>(
    endpoints: Declared,
  ): this & Extension<Declared, HostingAuth> {
    const added = [...this.#added, ...ownMethods(endpoints, family)];
    // `as`: the methods are those of the declarations, which the compiler reads their types from.
    return derived(this.#options, this.#api, added) as this & Extension<Declared, HostingAuth>;
  }

  /** The same client with other credentials, over the same sockets and the same `maxConcurrency`; budgets are of each credential. */
  withAuth(auth: HostingAuth): this {
    // `as`: what `extend` added is added again.
    return derived(this.#options, this.#api.withAuth(auth), this.#added) as this;
  }

  /**
   * Closes the client. Calls in flight have `gracePeriod` to finish; then they fail with a
   * `ConnectionError`, and all connections end. Streams that no one reads end immediately, and new calls
   * fail. A dispatcher that you passed stays open. Clients created by `withAuth` and `extend` are closed
   * too.
   * @throws {InvalidRequestError} if `gracePeriod` is not a number of milliseconds.
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.#api.transport.close(options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Outside of the class: a class that names itself inside is called `_HostingClient` in what is built. */
function derived(
  options: HostingClientOptions,
  api: HostingApi,
  added: readonly OwnMethod[],
): HostingClient {
  return new HostingClient(options, api, added);
}

const family: ExtensionFamily = { schemes: ['basic', 'application'], writes: 'refused' };

function newApi(options: HostingClientOptions): HostingApi {
  const vendor = options?.vendor ?? 'service';
  const version = options?.apiVersion ?? 'v3';
  const dated = isDated(version);
  if (version !== 'v3' && version !== 'beta' && !dated) {
    throw invalidOption('apiVersion', "expected 'v3', 'beta', or a date such as '2022-11-28'");
  }
  const media = { vendor, version };
  const accept = acceptFor(media);
  const headers = dated ? [[`x-${vendor.toLowerCase()}-api-version`, version] as const] : undefined;
  const settings = resolveSettings(options, { media, accept, headers, names });
  const authorizerOf = (auth: HostingAuth) => hostingAuthorizer(auth, vendor);
  return new ApiClient(
    new Transport(settings),
    hostingAuthorizer(options.auth, vendor),
    authorizerOf,
  );
}

/** The human-facing address, without a slash at its end. @throws {ConfigurationError} */
function webUrlOf({ webUrl }: HostingClientOptions): string | undefined {
  if (webUrl === undefined) return undefined;
  const url = URL.canParse(String(webUrl)) ? new URL(webUrl) : undefined;
  const plain = url && url.username + url.password + url.search + url.hash === '';
  if (plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  throw invalidOption(
    'webUrl',
    'expected an absolute http or https URL without user name, query and fragment',
  );
}
