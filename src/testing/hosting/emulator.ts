import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { sha1 } from '../random.js';
import { empty, json, type Reply, redirect, toResponse } from '../reply.js';
import { Router } from '../router.js';
import { addContents } from './contents.js';
import {
  type HostingCaller,
  type HostingContext,
  type HostingRoute,
  notFound,
  Refused,
} from './context.js';
import { Credentials } from './credentials.js';
import { addPulls } from './pulls.js';
import { RateLimits, type Window } from './rate-limits.js';
import { addReleases, addUploads } from './releases.js';
import { seedWorld } from './seed.js';
import { addStarring } from './starring.js';
import { HostingState } from './state.js';

const apiPrefix = '/api/v3';
const uploadPrefix = '/api/uploads';

/** The hosting API: state, routes, and what every answer goes through. */
export class HostingEmulator implements Family {
  readonly prefixes = [apiPrefix, uploadPrefix];
  /** Everything it knows: read it in assertions, change it to set a scene. */
  state = new HostingState();
  readonly #options: FamilyOptions;
  readonly #routes = new Map<string, Router<HostingRoute>>();
  #limits: RateLimits;
  #credentials: Credentials;

  constructor(options: FamilyOptions) {
    this.#options = options;
    this.#limits = new RateLimits(options.clock);
    this.#credentials = new Credentials(this.state, options.vendor);
    this.#routes.set(apiPrefix, apiRoutes(this.#limits));
    this.#routes.set(uploadPrefix, uploadRoutes());
    this.reset();
  }

  /** Budgets hold so many requests from now on, for every caller; undefined for the contract's numbers. */
  setRateLimit(limit: number | undefined): void {
    this.#limits.setLimit(limit);
  }

  reset(): void {
    this.state = new HostingState();
    this.#credentials = new Credentials(this.state, this.#options.vendor);
    this.#limits.setLimit(undefined);
    if (this.#options.seed) seedWorld(this.state, this.#options.clock);
  }

  async answer(request: FamilyRequest, prefix: string): Promise<Response> {
    const reply = await this.#answer(request, prefix);
    return toResponse(reply, request.method);
  }

  async #answer(request: FamilyRequest, prefix: string): Promise<Reply> {
    const { vendor } = this.#options;
    let caller: HostingCaller = {
      account: undefined,
      scheme: 'none',
      scopes: undefined,
      key: 'anonymous',
    };
    let window: Window | undefined;
    try {
      caller = this.#credentials.identify(request.request.headers, request.query);
      window = this.#limits.window(caller);
      const route = this.#routes.get(prefix)?.match(request.method, request.path);
      const free = request.path.replace(/\/$/, '') === '/rate_limit';
      if (!free && !this.#limits.take(window)) {
        throw new Refused(json(403, { message: `API rate limit exceeded for ${caller.key}.` }));
      }
      const moved = this.#moved(request, prefix);
      if (moved) return this.#finish(moved, request, caller, window);
      if (!route) throw notFound();
      const reply = await route.handler(this.#context(request, route.params, caller, vendor));
      return this.#finish(reply, request, caller, window);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return this.#finish(error.reply, request, caller, window);
    }
  }

  #context(
    request: FamilyRequest,
    params: Readonly<Record<string, string>>,
    caller: HostingCaller,
    vendor: string,
  ): HostingContext {
    return {
      ...request,
      params,
      caller,
      vendor,
      state: this.state,
      clock: this.#options.clock,
      api: `${request.origin}${apiPrefix}`,
      accept:
        (request.request.headers.get('accept') ?? '').split(',', 1)[0]?.split(';', 1)[0]?.trim() ??
        '',
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
    const query = new URL(request.request.url).search;
    return redirect(301, `${request.origin}${prefix}/repos/${target}${rest}${query}`);
  }

  /** ETag and 304 (which costs nothing), budget, scopes, media type. */
  #finish(
    reply: Reply,
    request: FamilyRequest,
    caller: HostingCaller,
    window: Window | undefined,
  ): Reply {
    const { vendor, clock } = this.#options;
    const word = `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
    const headers: Record<string, string> = {
      ...reply.headers,
      date: clock.now.toUTCString(),
      [`X-${word}-Media-Type`]: `${vendor}.v3; format=json`,
      [`X-${word}-Request-Id`]: sha1(
        request.method,
        request.path,
        String(this.state.nextId()),
      ).slice(0, 16),
    };
    if (caller.scopes) {
      headers['X-OAuth-Scopes'] = caller.scopes.join(', ');
      headers['X-Accepted-OAuth-Scopes'] = 'repo';
    }
    const reads = request.method === 'GET' || request.method === 'HEAD';
    let finished = reply;
    if (reads && reply.status === 200) {
      const etag = `"${sha1(reply.body ?? '', request.request.headers.get('accept') ?? '', caller.key)}"`;
      headers.etag = etag;
      headers['cache-control'] = 'private, max-age=60, s-maxage=60';
      headers.vary = 'Accept, Authorization';
      if (request.request.headers.get('if-none-match') === etag) {
        finished = empty(304);
        if (window) window.remaining += 1;
      }
    }
    if (window) {
      headers['X-RateLimit-Limit'] = String(window.limit);
      headers['X-RateLimit-Remaining'] = String(window.remaining);
      headers['X-RateLimit-Reset'] = String(window.reset);
    }
    return { ...finished, headers };
  }
}

function apiRoutes(limits: RateLimits): Router<HostingRoute> {
  const router = new Router<HostingRoute>();
  addPulls(router);
  addReleases(router);
  addContents(router);
  addStarring(router);
  router.add('GET /rate_limit', ({ caller }) => {
    const { limit, remaining, reset } = limits.window(caller);
    const core = { limit, remaining, reset };
    return json(200, {
      resources: { core, search: { limit: 30, remaining: 30, reset } },
      rate: core,
    });
  });
  return router;
}

function uploadRoutes(): Router<HostingRoute> {
  const router = new Router<HostingRoute>();
  addUploads(router);
  return router;
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
