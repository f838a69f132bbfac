import { invalidOption, type OptionNames } from '../option-names.js';
import { ApiClient } from '../transport/api-client.js';
import { BaseClient, sendRaw } from '../transport/base-client.js';
import type { Call } from '../transport/call.js';
import { type ClientOptions, clientNames } from '../transport/client-options.js';
import { fromEnvironment } from '../transport/environment.js';
import { type ApiFamily, addMethods, type OwnMethod } from '../transport/extension.js';
import { type ApiVersion, acceptFor, isDated } from '../transport/http/media-type.js';
import { namedByServer } from '../transport/request/named-url.js';
import { buildRawRequest, type RawRequest } from '../transport/request/raw-request.js';
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
export class HostingClient extends BaseClient<HostingAuth, 'basic' | 'application'> {
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
    super({ api, family, added, derive: (next, methods) => derived(options, next, methods) });
    this.#api = api;
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
   * Gets what a `_url` field of an answer points to: `request`, without credentials that stand
   * in the URL. Those of the client go along to trusted origins only.
   * @param request its `path` is the field as the server sent it (RFC 6570), with values in `variables`.
   * @throws {InvalidRequestError} a URL of plain http, if the API has https; a URL on an origin that is not trusted, if it contains the client's credentials.
   * @example const gists = await hosting.follow({ path: user.gists_url, variables: { gist_id: 1 } });
   */
  follow<T = unknown>(request: RawRequest<T>, options?: HostingRequestOptions): Call<T> {
    return sendRaw(
      this.#api,
      family,
      request,
      (context) => namedByServer(buildRawRequest(request, context), context),
      options,
    );
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

const family: ApiFamily = { schemes: ['basic', 'application'], writes: 'refused' };

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
