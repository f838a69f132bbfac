import { invalidOption, type OptionNames } from '../option-names.js';
import { showValue } from '../schema/unknown-values.js';
import { ApiClient } from '../transport/api-client.js';
import type { ApiFamily } from '../transport/base-client.js';
import { BaseClient } from '../transport/base-client.js';
import { type Environment, fromEnvironment } from '../transport/environment.js';
import { type ApiVersion, buildMediaType, isDated } from '../transport/http/media-type.js';
import { type ClientOptions, clientNames, resolveSettings } from '../transport/settings.js';

import { Transport } from '../transport/transport.js';
import { type HostingAuth, hostingAuthorizer } from './auth/schemes.js';
import { AdminStatistics } from './resources/admin-stats.js';
import { Applications, Authorizations } from './resources/authorizations.js';

import { CommitComments } from './resources/commit-comments.js';
import type { HostingApi } from './resources/common.js';
import { Contents } from './resources/contents.js';
import { GitRefs } from './resources/git-refs.js';
import { Hooks, Hub } from './resources/hooks.js';
import { Pages } from './resources/pages.js';
import { Pulls } from './resources/pulls.js';
import { RateLimits } from './resources/rate-limit.js';
import { Downloads, Releases } from './resources/releases.js';
import { Starring } from './resources/starring.js';
import { Teams } from './resources/teams.js';

/** Environment variables that `HostingClient.fromEnv` reads. */
export const environment: Environment = {
  options: {
    baseUrl: 'TRIFORGE_BASE_URL',
    vendor: 'TRIFORGE_VENDOR',
    apiVersion: 'TRIFORGE_API_VERSION',
    proxy: 'TRIFORGE_PROXY',
  },
  auth: [
    { own: { type: 'token' }, parts: { token: 'TRIFORGE_TOKEN' } },
    {
      own: { type: 'basic' },
      parts: { username: 'TRIFORGE_USERNAME', password: 'TRIFORGE_PASSWORD' },
    },
    {
      own: { type: 'application' },
      parts: { clientId: 'TRIFORGE_CLIENT_ID', clientSecret: 'TRIFORGE_CLIENT_SECRET' },
    },
  ],
};

/** Options for {@link HostingClient}. */
export interface HostingClientOptions extends ClientOptions {
  /**
   * Credentials. Without credentials, you can read only public data, usually at 60 requests per
   * hour. Default: none.
   */
  readonly auth?: HostingAuth | undefined;
  /**
   * API version: `v3`, the deprecated `beta`, or, on newer servers, a date such as `2022-11-28`.
   * The client sends a date as `X-<Vendor>-Api-Version`, with `Accept:
   * application/vnd.<vendor>+json`. Default: `v3`.
   */
  readonly apiVersion?: ApiVersion | undefined;
  /**
   * Vendor name in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*` headers. Default:
   * `service`.
   */
  readonly vendor?: string | undefined;
}

const names: OptionNames<HostingClientOptions> = {
  ...clientNames,
  auth: true,
  apiVersion: true,
  vendor: true,
};

/**
 * Client for the hosting API v3.
 *
 * ```ts
 * const hosting = new HostingClient({
 *   baseUrl: 'https://code.example.com/api/v3/',
 *   auth: { type: 'token', token },
 * });
 * ```
 *
 * The client has no methods for users, organizations, repositories and issues. For these, use
 * `request` and `paginate`, for example `hosting.paginate('GET /orgs/{org}/repos', { org })`.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export class HostingClient extends BaseClient<HostingAuth> {
  /** Statistics of the installation, for site admins. */
  readonly adminStats: AdminStatistics;
  /** An OAuth application's tokens, which the application can check, reset and revoke. */
  readonly applications: Applications;
  /** OAuth tokens that a user manages with a username and password. */
  readonly authorizations: Authorizations;
  /** Comments on commits. */
  readonly commitComments: CommitComments;
  /**
   * Repository contents: the README, files, directories and archives, and commits that change one
   * file.
   */
  readonly contents: Contents;
  /**
   * Files offered for download.
   * @deprecated The service deprecated downloads on December 11, 2012. Use {@link releases} and
   * their assets.
   */
  readonly downloads: Downloads;
  /** Git references such as branches and tags, for example `heads/main`. */
  readonly gitRefs: GitRefs;
  /** Repository webhooks. Receive their deliveries with `triforge/webhooks`. */
  readonly hooks: Hooks;
  /** PubSubHubbub subscriptions. */
  readonly hub: Hub;
  /** Pages sites and their builds. */
  readonly pages: Pages;
  /** Pull requests, with their commits, files and merges. */
  readonly pulls: Pulls;
  /**
   * Rate-limit quota. `current` is the quota that the latest responses reported. `get()` requests
   * the quota from the server.
   */
  readonly rateLimit: RateLimits;
  /** Releases and their assets, including uploads and downloads. */
  readonly releases: Releases;
  /** A repository's stargazers and a user's starred repositories. */
  readonly starring: Starring;
  /** Teams of organizations, with their members and repositories. */
  readonly teams: Teams;

  constructor(options: HostingClientOptions);
  /** @internal Used by `withAuth` to create a client that uses an existing transport. */
  constructor(options: HostingClientOptions, api: HostingApi);
  constructor(options: HostingClientOptions, api: HostingApi = createHostingApi(options)) {
    super({ api, family, derive: (next) => deriveHostingClient(options, next) });
    this.adminStats = new AdminStatistics(api);
    this.applications = new Applications(api);
    this.authorizations = new Authorizations(api);
    this.commitComments = new CommitComments(api);
    this.contents = new Contents(api);
    this.downloads = new Downloads(api);
    this.gitRefs = new GitRefs(api);
    this.hooks = new Hooks(api);
    this.hub = new Hub(api);
    this.pages = new Pages(api);
    this.pulls = new Pulls(api);
    this.rateLimit = new RateLimits(api);
    this.releases = new Releases(api);
    this.starring = new Starring(api);
    this.teams = new Teams(api);
  }

  /**
   * Creates a client from environment variables such as `TRIFORGE_BASE_URL` and `TRIFORGE_TOKEN`.
   * The Authentication guide lists all variables. The constructor doesn't read environment
   * variables.
   * @param options Options that override the environment.
   * @throws {ConfigurationError} if a variable is missing or invalid.
   */
  static fromEnv(options?: Partial<HostingClientOptions>): HostingClient {
    return fromEnvironment(environment, options, (all: HostingClientOptions) => new this(all));
  }
}

/**
 * Creates a client on an existing transport. Defined outside the class, because the bundler renames
 * a class that refers to itself (`_HostingClient`).
 */
function deriveHostingClient(options: HostingClientOptions, api: HostingApi): HostingClient {
  return new HostingClient(options, api);
}

const family: ApiFamily = { encoding: 'json', writes: 'refused' };

function createHostingApi(options: HostingClientOptions): HostingApi {
  const vendor = options?.vendor ?? 'service';
  const version = options?.apiVersion ?? 'v3';
  const dated = isDated(version);
  if (version !== 'v3' && version !== 'beta' && !dated) {
    throw invalidOption(
      'apiVersion',
      `must be 'v3', 'beta', or a date such as '2022-11-28' (got ${showValue(version)})`,
    );
  }
  const media = { vendor, version };
  const accept = buildMediaType(media);
  const headers = dated ? [[`x-${vendor.toLowerCase()}-api-version`, version] as const] : undefined;
  const settings = resolveSettings(options, {
    media,
    accept,
    headers,
    names,
    learnedWriteInterval: 1000,
    explainBaseUrl: (path, isPage) =>
      isPage && !path.includes('/api/v3')
        ? 'If the server is an appliance, baseUrl must include the path /api/v3/, as in https://code.example.com/api/v3/.'
        : undefined,
  });
  const createAuthorizer = (auth: HostingAuth) => hostingAuthorizer(auth, vendor);
  return new ApiClient(
    new Transport(settings),
    hostingAuthorizer(options.auth, vendor),
    createAuthorizer,
  );
}
