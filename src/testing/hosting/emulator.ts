import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { json, type Reply, redirect, toResponse } from '../reply.js';
import type { Router } from '../router.js';
import type { HostingCaller, HostingContext, HostingRoute } from './context.js';
import { Credentials } from './credentials.js';
import { Deliveries, type Delivery, type DeliveryPolicy } from './deliveries.js';
import { emit } from './events.js';
import { finish } from './finish.js';
import { RateLimits, type Window } from './rate-limits.js';
import { notFound, Refused } from './refusals.js';
import type { RepoName } from './repo-builder.js';
import { apiRoutes, uploadRoutes, webRoutes } from './routes.js';
import { seedWorld } from './seed.js';
import { HostingState } from './state.js';
import { WorldBuilder } from './world-builder.js';

const apiPrefix = '/api/v3';
const uploadPrefix = '/api/uploads';
const webPrefixes = ['/login', '/archives', '/assets'];
const nobody: HostingCaller = {
  account: undefined,
  scheme: 'none',
  scopes: undefined,
  application: undefined,
  key: 'anonymous',
};

/** The hosting API and the web addresses that belong to it: state, routes, and what every answer goes through. */
export class HostingEmulator extends WorldBuilder implements Family {
  readonly name = 'hosting';
  readonly prefixes = [apiPrefix, uploadPrefix, ...webPrefixes];
  /** Who is signed in at the web pages: the user whom the authorize page asks. Default the seed's login. */
  signedIn: string | undefined;
  /** Another origin that asset downloads are redirected to (302); undefined to answer them at once (200). */
  assetOrigin: string | undefined;
  readonly #options: FamilyOptions;
  readonly #routes: ReadonlyMap<string, Router<HostingRoute>>;
  readonly #limits: RateLimits;
  readonly #deliveries: Deliveries;
  #credentials: Credentials;
  #count = 0;
  #origin = 'http://127.0.0.1';

  constructor(options: FamilyOptions) {
    super(options.clock);
    this.#options = options;
    this.#limits = new RateLimits(options.clock);
    this.#deliveries = new Deliveries(options.vendor);
    this.#credentials = new Credentials(this.state, options.vendor);
    const web = webRoutes({
      signedIn: () => this.signedIn ?? this.state.accounts.keys().next().value,
    });
    this.#routes = new Map([
      [apiPrefix, apiRoutes(this.#limits, () => this.assetOrigin)],
      [uploadPrefix, uploadRoutes()],
      ...webPrefixes.map((prefix) => [prefix, web] as const),
    ]);
    this.reset();
  }

  counts(): Readonly<Record<string, number>> {
    const { accounts, repos, teams, tokens, applications } = this.state;
    const all = [...repos.values()];
    const sum = (of: (repo: (typeof all)[number]) => number) =>
      all.reduce((total, repo) => total + of(repo), 0);
    return {
      accounts: accounts.size,
      repositories: repos.size,
      'pull requests': sum(({ pulls }) => pulls.length),
      releases: sum(({ releases }) => releases.length),
      hooks: sum(({ hooks }) => hooks.length),
      teams: teams.size,
      tokens: tokens.size,
      applications: applications.size,
      deliveries: this.deliveries.length,
    };
  }

  /** What was sent to hooks, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries.sent;
  }

  /** Comes back when every delivery was answered or failed. */
  async deliveriesSettled(): Promise<void> {
    await this.#deliveries.settled();
  }

  /** Where deliveries may go. Default this machine only. */
  allowDeliveries(policy: DeliveryPolicy): void {
    this.#deliveries.allow = policy;
  }

  /** Delivers an event with a payload of your own to the hooks that subscribed to it. */
  emit(repo: RepoName, event: string, payload: object): void {
    const request = new Request(`${this.#origin}/`);
    const { origin, searchParams: query } = new URL(request.url);
    const context = this.#context(
      { request, method: 'GET', origin, path: '', query },
      {},
      nobody,
      new Set(),
    );
    emit(context, this.repoNamed(repo), event, payload);
  }

  /** Budgets hold so many requests from now on, for every caller; undefined for the contract's numbers. */
  setRateLimit(limit: number | undefined): void {
    this.#limits.setLimit(limit);
  }

  /** Forgets failed logins: nobody is locked out. */
  unlock(): void {
    this.#credentials.unlock();
  }

  reset(): void {
    this.state = new HostingState();
    this.signedIn = undefined;
    this.assetOrigin = undefined;
    this.#count = 0;
    this.#credentials = new Credentials(this.state, this.#options.vendor);
    this.#limits.setLimit(undefined);
    this.#deliveries.clear();
    if (this.#options.seed) seedWorld(this, this.#options.clock);
  }

  async close(): Promise<void> {
    await this.#deliveries.stop();
  }

  async answer(request: FamilyRequest, prefix: string): Promise<Response> {
    this.#origin = request.origin;
    const reply = webPrefixes.includes(prefix)
      ? await this.#answerWeb(request, prefix)
      : await this.#answerApi(request, prefix);
    return toResponse(reply, request.method);
  }

  async #answerWeb(request: FamilyRequest, prefix: string): Promise<Reply> {
    const route = this.#routes.get(prefix)?.match(request.method, prefix + request.path);
    try {
      if (!route) throw notFound();
      return await route.handler(this.#context(request, route.params, nobody, new Set()));
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  async #answerApi(family: FamilyRequest, prefix: string): Promise<Reply> {
    const { vendor, clock } = this.#options;
    const { request, path } = family;
    this.#count += 1;
    const accepted = new Set<string>();
    let caller: HostingCaller | undefined;
    let window: Window | undefined;
    let reply: Reply;
    try {
      caller = this.#credentials.identify(request.headers, family.query, path);
      window = this.#limits.window(caller);
      this.#charge(path, caller, window);
      const moved = this.#moved(family, prefix);
      const route = this.#routes.get(prefix)?.match(request.method, path);
      if (!moved && !route) throw notFound();
      reply =
        moved ??
        (await route?.handler(this.#context(family, route.params, caller, accepted))) ??
        notFound().reply;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reply = error.reply;
    }
    return finish(reply, { request, vendor, clock, caller, window, accepted, count: this.#count });
  }

  /** @throws {Refused} 403 where nothing is left */
  #charge(path: string, caller: HostingCaller, window: Window): void {
    if (path.replace(/\/$/, '') === '/rate_limit') return;
    if (this.#limits.take(window)) return;
    throw new Refused(json(403, { message: `API rate limit exceeded for ${caller.key}.` }));
  }

  #context(
    request: FamilyRequest,
    params: Readonly<Record<string, string>>,
    caller: HostingCaller,
    accepted: Set<string>,
  ): HostingContext {
    const accept = request.request.headers.get('accept') ?? '';
    return {
      ...request,
      params,
      caller,
      accepted,
      vendor: this.#options.vendor,
      state: this.state,
      world: this,
      deliveries: this.#deliveries,
      clock: this.#options.clock,
      api: `${request.origin}${apiPrefix}`,
      accept: accept.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? '',
      param: (name) => params[name] ?? '',
      body: () => readBody(request.request),
    };
  }

  /** A renamed repository moves for good (contract: Errors, Redirects). */
  #moved(request: FamilyRequest, prefix: string): Reply | undefined {
    const [, owner = '', name = '', rest = ''] =
      /^\/repos\/([^/]+)\/([^/]+)(.*)$/.exec(request.path) ?? [];
    const target = this.state.renamed.get(`${owner}/${name}`);
    if (target === undefined) return undefined;
    const query = new URLSearchParams(request.query);
    for (const secret of ['access_token', 'client_id', 'client_secret']) query.delete(secret);
    const search = query.size > 0 ? `?${query}` : '';
    return redirect(301, `${request.origin}${prefix}/repos/${target}${rest}${search}`);
  }
}

/** A JSON body as an object (contract: Errors): 400 where it is no JSON, or no hash. */
async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refused(json(400, { message: 'Problems parsing JSON' }));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refused(json(400, { message: 'Body should be a JSON Hash' }));
  }
  return Object.fromEntries(Object.entries(value));
}
