import {
  CustomRoutes,
  createRouteContext,
  type RouteContext,
  type RouteHandler,
  type RouteReply,
  runCustomRoute,
} from '../custom-routes.js';
import type { Family, FamilyOptions, FamilyRequest, RouteRequest } from '../family.js';
import { catchHttpErrors, createRedirect, httpError, type Reply, toResponse } from '../reply.js';
import { exportHosting, importHosting } from '../world/hosting.js';
import type { Dataset } from '../world/world.js';
import { CallerRegistry, type HostingCaller, HourlyLimits, nobody } from './callers.js';
import { apiPrefix, createContext, type HostingContext, type HostingRoute } from './context.js';
import { paged } from './crud.js';
import { Deliveries, type DeliveryPolicy, type HookDelivery } from './deliveries.js';
import { emit } from './events.js';
import { finish } from './finish.js';
import type { Account } from './records/accounts.js';
import type { Repo } from './records/repository.js';
import { formatHostingError } from './refusals.js';
import { apiRouter, uploadRouter, webRouter } from './routes.js';
import { seedWorld } from './seed.js';
import type { HostingState } from './state.js';
import { HostingWorld, type RepoName } from './world.js';

const uploadPrefix = '/api/uploads';
/** Prefix of all paths outside the API: the OAuth pages, and the web pages that responses link to. */
const webPrefix = '';
const routers = new Map([
  [apiPrefix, apiRouter],
  [uploadPrefix, uploadRouter],
  [webPrefix, webRouter],
]);

/** Context of a custom route in the hosting API. `user` is undefined for anonymous callers. */
export interface HostingRouteContext<R extends string = string>
  extends RouteContext<R, Account | undefined, HostingState> {
  /** Returns the page of `items` that `page` and `per_page` select, with a `Link` header. */
  page(items: readonly unknown[]): RouteReply;
}

/** The hosting API and its web pages. */
export class HostingEmulator extends HostingWorld implements Family {
  readonly name = 'hosting';
  readonly prefixes = [apiPrefix, uploadPrefix, webPrefix];
  readonly #own = new CustomRoutes<HostingRouteContext>();
  /**
   * Login of the user who is signed in to the web pages and can authorize applications. Default: the
   * first account.
   */
  signedIn: string | undefined;
  /** Origin that asset downloads redirect to (302). Undefined to send the asset directly (200). */
  assetOrigin: string | undefined;
  readonly #options: FamilyOptions;
  readonly #limits: HourlyLimits;
  readonly #deliveries: Deliveries;
  #callers: CallerRegistry;
  #count = 0;
  #origin = 'http://127.0.0.1';

  constructor(options: FamilyOptions) {
    super(options.clock);
    this.#options = options;
    this.#limits = new HourlyLimits(options.clock);
    this.#deliveries = new Deliveries(options.vendor);
    this.#callers = new CallerRegistry(this.state, options);
    this.prepare()();
  }

  /**
   * Adds a custom route, which takes precedence over built-in routes and remains after `reset`. The
   * emulator handles credentials, rate limits, `ETag` and renamed repositories as for built-in
   * routes.
   *
   * ```ts
   * emulator.hosting.route('GET /repos/:owner/:repo/issues', ({ params, page }) =>
   *   page(issues.filter(({ repo }) => repo === params.repo)),
   * );
   * ```
   * @param route method and path below `/api/v3`. `:name` matches one segment, and `*name` matches
   * the rest of the path.
   * @throws {TypeError} if `route` is not a method and a path.
   */
  route<R extends string>(route: R, handler: RouteHandler<HostingRouteContext<R>>): void {
    // `as`: a match has exactly the parameters in the route's pattern.
    this.#own.add(route, handler as RouteHandler<HostingRouteContext>);
  }

  counts(): Readonly<Record<string, number>> {
    const { accounts, repos, teams, tokens, applications } = this.state;
    const countAll = (list: (repo: Repo) => readonly unknown[]) =>
      [...repos.values()].reduce((sum, repo) => sum + list(repo).length, 0);
    return {
      accounts: accounts.size,
      repositories: repos.size,
      'pull requests': countAll(({ pulls }) => pulls),
      releases: countAll(({ releases }) => releases),
      hooks: countAll(({ hooks }) => hooks),
      teams: teams.size,
      tokens: tokens.size,
      applications: applications.size,
      deliveries: this.deliveries.length,
    };
  }

  /** Last 1000 deliveries to hooks, oldest first. Fewer if their bodies exceed 64 MiB. */
  get deliveries(): readonly HookDelivery[] {
    return this.#deliveries.sent;
  }

  /** Waits until every delivery has received a response or failed. A delivery fails after 10 s. */
  async deliveriesSettled(): Promise<void> {
    await this.#deliveries.settled();
  }

  /** Sets the URLs that deliveries may be sent to. Default: this machine only. */
  allowDeliveries(policy: DeliveryPolicy): void {
    this.#deliveries.allow = policy;
  }

  /** Delivers an event with a custom payload to the hooks that subscribe to the event. */
  emit(repo: RepoName, event: string, payload: object): void {
    const origin = this.#origin;
    const request = new Request(`${origin}/`);
    const context = this.#context({ request, origin, query: new URLSearchParams() });
    emit(context, this.repoNamed(repo), event, payload);
  }

  /** Sets the rate limit of every caller, in requests per hour. Undefined restores the documented limits. */
  setRateLimit(limit: number | undefined): void {
    this.#limits.setLimit(limit);
  }

  /** Unlocks all accounts by clearing the failed logins. */
  unlock(): void {
    this.#callers.unlock();
  }

  export(): Dataset {
    return { hosting: exportHosting(this.state) };
  }

  prepare(to: boolean | Dataset = this.#options.seed): () => void {
    const next = new HostingWorld(this.clock);
    if (to === true) seedWorld(next, this.clock);
    else if (to) importHosting(next, to.hosting ?? {}, this.clock);
    return () => {
      this.state = next.state;
      this.signedIn = undefined;
      this.assetOrigin = undefined;
      this.#count = 0;
      this.#callers = new CallerRegistry(this.state, this.#options);
      this.#limits.setLimit(undefined);
      this.#deliveries.clear();
    };
  }

  async close(): Promise<void> {
    await this.#deliveries.stop();
  }

  /** @internal Responds to one request as a real server would. */
  async respond(request: FamilyRequest, prefix: string): Promise<Response> {
    this.#origin = request.origin;
    const reply =
      prefix === webPrefix
        ? await catchHttpErrors(() => this.#respondToWeb(request), formatHostingError)
        : await this.#respondToApi(request, prefix);
    return toResponse(reply, request.method);
  }

  async #respondToWeb(request: FamilyRequest): Promise<Reply> {
    const route = webRouter.match(request.method, request.path);
    if (!route) throw httpError(404, request.unknownRoute);
    return await route.handler(this.#context(request, nobody, route.params));
  }

  /** Identifies the caller, applies the rate limit, runs the route and finishes the response. */
  async #respondToApi(family: FamilyRequest, prefix: string): Promise<Reply> {
    const { request, path } = family;
    this.#count += 1;
    const count = this.#count;
    const accepted = new Set<string>();
    let caller = nobody;
    let window = this.#limits.window(nobody);
    let charged = false;
    const reply = await catchHttpErrors(async () => {
      caller = this.#callers.identify(family);
      window = this.#limits.window(caller);
      charged = this.#limits.charge(caller, path);
      return await this.#route(family, prefix, caller, accepted);
    }, formatHostingError);
    return finish(reply, { request, caller, accepted, window, charged, count }, this.#options);
  }

  /** Finds and runs the route of an API request. Custom routes take precedence. */
  async #route(
    family: FamilyRequest,
    prefix: string,
    caller: HostingCaller,
    accepted: Set<string>,
  ): Promise<Reply> {
    const { method, path } = family;
    const moved = this.#moved(family, prefix);
    if (moved) return moved;
    const own = prefix === apiPrefix ? this.#own.match(method, path) : undefined;
    const route = own
      ? { ...own, handler: createOwnRoute(own.handler) }
      : routers.get(prefix)?.match(method, path);
    if (!route) throw httpError(404, family.unknownRoute);
    return await route.handler(this.#context(family, caller, route.params, accepted));
  }

  #context(
    { request, origin, query }: RouteRequest,
    caller = nobody,
    params: HostingContext['params'] = {},
    accepted = new Set<string>(),
  ): HostingContext {
    // Keeps the current state, because a reset may replace it before the request's body has
    // arrived.
    const { state } = this;
    const call = { request, origin, query, caller, params, accepted };
    return createContext(call, new HostingWorld(this.clock, state), {
      ...this.#options,
      limits: this.#limits,
      send: (hook, event, payload) => {
        if (this.state === state) this.#deliveries.send(hook, event, payload, request.headers);
      },
      signedIn: this.signedIn ?? state.accounts.keys().next().value,
      assetOrigin: this.assetOrigin,
    });
  }

  /** Returns a permanent redirect for a renamed repository. Undefined for other requests. */
  #moved(request: FamilyRequest, prefix: string): Reply | undefined {
    const [, old = '', rest] = /^\/repos\/([^/]+\/[^/]+)(.*)/.exec(request.path) ?? [];
    const target = this.state.renamed.get(old);
    if (target === undefined || this.state.repos.has(old)) return undefined;
    const query = new URLSearchParams(request.query);
    for (const secret of ['access_token', 'client_id', 'client_secret']) query.delete(secret);
    const search = query.size > 0 ? `?${query}` : '';
    return createRedirect(301, `${request.origin}${prefix}/repos/${target}${rest}${search}`);
  }
}

/** Creates a route that calls a custom route's handler. */
function createOwnRoute(handler: RouteHandler<HostingRouteContext>): HostingRoute {
  return async (context) =>
    await runCustomRoute(handler, {
      ...createRouteContext(context, context.params, context.clock),
      user: context.caller.account,
      state: context.state,
      page: (items) => paged(context, items, (item) => item),
    });
}
