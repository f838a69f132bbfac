import { ConfigurationError } from '../errors.js';
import type { StandardSchema } from '../standard-schema.js';
import type { Call } from '../transport/call.js';
import { Caller } from '../transport/caller.js';
import { acceptFor } from '../transport/media-type.js';
import type { ClientOptions } from '../transport/options.js';
import type { ListOptions, Paginated } from '../transport/paginated.js';
import {
  buildRawRequest,
  type RawRequest,
  rawAnswer,
  rawListAnswer,
} from '../transport/raw-request.js';
import { stripParameters } from '../transport/redact.js';
import type { RequestSpec } from '../transport/request-spec.js';
import { resolveSettings } from '../transport/settings.js';
import { Transport } from '../transport/transport.js';
import type { TemplateValue } from '../transport/uri-template.js';
import { AdminStatistics } from './admin-stats.js';
import { Applications } from './applications.js';
import { type HostingAuth, hostingAuthorizer } from './auth.js';
import { Authorizations } from './authorizations.js';
import type { HostingCaller, HostingRequestOptions } from './caller.js';
import { CommitComments } from './commit-comments.js';
import { Contents } from './contents.js';
import { Downloads } from './downloads.js';
import { GitRefs } from './git-refs.js';
import { Hooks } from './hooks.js';
import { Hub } from './hub.js';
import { Pages } from './pages.js';
import { Pulls } from './pulls.js';
import { RateLimits } from './rate-limit.js';
import { Releases } from './releases.js';
import { Starring } from './starring.js';
import { Teams } from './teams.js';

/** Options of {@link HostingClient}. */
export interface HostingClientOptions extends ClientOptions {
  /** Default none: public data, 60 requests an hour. */
  readonly auth?: HostingAuth | undefined;
  /** The human-facing address, for hub topics. Default the origin of `baseUrl`. */
  readonly webUrl?: string | URL | undefined;
  /** `v3` (default), or the deprecated `beta`. */
  readonly apiVersion?: 'v3' | 'beta' | undefined;
  /** The word in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*`. Default `service`. */
  readonly vendor?: string | undefined;
}

/**
 * The hosting API v3 (contract part A).
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
  /** @deprecated by the service since 11 December 2012: use {@link releases} and their assets. */
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
  readonly #caller: HostingCaller;

  constructor(options: HostingClientOptions);
  /** @internal `withAuth` makes a client over a transport that exists. */
  constructor(options: HostingClientOptions, caller: HostingCaller);
  constructor(options: HostingClientOptions, caller: HostingCaller = newCaller(options)) {
    this.#options = options;
    this.#caller = caller;
    this.adminStats = new AdminStatistics(caller);
    this.applications = new Applications(caller);
    this.authorizations = new Authorizations(caller);
    this.commitComments = new CommitComments(caller);
    this.contents = new Contents(caller);
    this.downloads = new Downloads(caller);
    this.gitRefs = new GitRefs(caller);
    this.hooks = new Hooks(caller);
    this.hub = new Hub(caller, webUrlOf(options) ?? caller.transport.settings.base.origin);
    this.pages = new Pages(caller);
    this.pulls = new Pulls(caller);
    this.rateLimit = new RateLimits(caller);
    this.releases = new Releases(caller);
    this.starring = new Starring(caller);
    this.teams = new Teams(caller);
  }

  readonly #options: HostingClientOptions;

  /**
   * Sends a request that no method covers.
   * @throws {InvalidRequestError} a path, method or body that can't be sent.
   */
  request<T = unknown>(request: RawRequest<T>, options?: HostingRequestOptions): Call<T> {
    return this.#caller.send(
      (headers) => this.#build(request, headers),
      () => rawAnswer(request),
      options,
    );
  }

  /** Iterates over a list that no method covers; `schema` is that of one item. */
  paginate<T = unknown>(
    request: RawRequest<T>,
    options?: HostingRequestOptions & ListOptions,
  ): Paginated<T> {
    return this.#caller.listOf(
      (headers) => this.#build(request, headers),
      () => rawListAnswer(request),
      options,
    );
  }

  /**
   * Gets what a `_url` field of an answer points to.
   * @param urlTemplate the field as the server sent it (RFC 6570).
   * @param variables values for it.
   * @remarks Credentials go along to trusted origins only.
   */
  follow<T = unknown>(
    urlTemplate: string,
    variables: Readonly<Record<string, TemplateValue | undefined>> = {},
    options?: HostingRequestOptions & { readonly schema?: StandardSchema<T> | undefined },
  ): Call<T> {
    const request = { path: urlTemplate, variables, schema: options?.schema };
    return this.#caller.send(
      (headers) => {
        const spec = this.#build(request, headers);
        // Credentials in a server's URL are old or ours; ours are attached where they belong.
        const path = stripParameters(spec.target.path, this.#caller.authorizer.queryNames);
        return { ...spec, target: { ...spec.target, path } };
      },
      () => rawAnswer(request),
      options,
    );
  }

  /** The same client with other credentials: sockets, remembered redirects and budgets are shared. */
  withAuth(auth: HostingAuth): HostingClient {
    return derived(this.#options, this.#caller.withAuth(auth));
  }

  /** Ends the sockets this client opened, and so those of all `withAuth` made of it. A dispatcher of yours stays open. */
  async close(): Promise<void> {
    await this.#caller.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #build(request: Omit<RawRequest, 'schema'>, headers: RequestSpec['headers']): RequestSpec {
    const { base, media, accept } = this.#caller.transport.settings;
    return buildRawRequest(request, { base, media, accept, headers });
  }
}

/** Outside of the class: a class that names itself inside is called `_HostingClient` in what is built. */
function derived(options: HostingClientOptions, caller: HostingCaller): HostingClient {
  return new HostingClient(options, caller);
}

function newCaller(options: HostingClientOptions): HostingCaller {
  const vendor = options?.vendor ?? 'service';
  const version = options?.apiVersion ?? 'v3';
  if (version !== 'v3' && version !== 'beta') {
    throw new ConfigurationError("apiVersion: expected 'v3' or 'beta'", 'apiVersion');
  }
  const media = { vendor, version };
  const settings = resolveSettings(options, { media, accept: acceptFor(media) });
  const authorizerOf = (auth: HostingAuth) => hostingAuthorizer(auth, vendor);
  return new Caller(new Transport(settings), hostingAuthorizer(options.auth, vendor), authorizerOf);
}

/** The human-facing address, without a slash at its end. @throws {ConfigurationError} */
function webUrlOf({ webUrl }: HostingClientOptions): string | undefined {
  if (webUrl === undefined) return undefined;
  const url = URL.canParse(String(webUrl)) ? new URL(webUrl) : undefined;
  const plain = url && url.username + url.password + url.search + url.hash === '';
  if (plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  throw new ConfigurationError(
    'webUrl: expected an absolute http or https URL without user name, query and fragment',
    'webUrl',
  );
}
