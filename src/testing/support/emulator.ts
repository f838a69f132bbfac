import { readForm } from '../bodies.js';
import {
  CustomRoutes,
  createRouteContext,
  type RouteContext,
  type RouteHandler,
  runCustomRoute,
} from '../custom-routes.js';
import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { catchHttpErrors, json, type Reply, toResponse } from '../reply.js';
import { Router } from '../router.js';
import { exportSupport, importSupport } from '../world/support-data.js';
import type { Dataset } from '../world/world.js';
import { caseRoutes } from './cases.js';
import { contactRoutes } from './contacts.js';
import type { SupportRoute } from './context.js';
import { writeDate } from './dates.js';
import { failed, formatSupportError } from './errors.js';
import { createRecordRoutes, done } from './record-routes.js';
import { caseKind, contactKind } from './records.js';
import { seedSupport } from './seed.js';
import { resolveSupportSettings, type SupportEmulatorOptions } from './settings.js';
import { SupportState } from './state.js';
import { SupportWorld } from './world.js';

/** Context of a custom route in the support API. `user` is the session's `userName`. */
export type SupportRouteContext<R extends string = string> = RouteContext<R, string, SupportState>;

const router = new Router<SupportRoute>(
  { 'GET /me': () => done({ statusMessage: 'you are logged in', logged_in: true }) },
  createRecordRoutes(contactKind, contactRoutes),
  createRecordRoutes(caseKind, caseRoutes),
);

/** The support API v2: sessions, contacts and cases. */
export class SupportEmulator extends SupportWorld implements Family {
  readonly name = 'support';
  readonly prefixes = ['/api/v2'];
  readonly #seed: boolean | Dataset;
  readonly #options: SupportEmulatorOptions;
  readonly #own = new CustomRoutes<SupportRouteContext>();

  constructor(family: FamilyOptions, options: SupportEmulatorOptions = {}) {
    super(family.clock, options);
    this.#seed = family.seed;
    this.#options = options;
    this.prepare()();
  }

  get routes(): readonly string[] {
    const all = ['POST /authenticate', ...router.names, ...this.#own.names];
    return all.map((name) => name.replace(' ', ' /api/v2'));
  }

  /**
   * Adds a custom route, which takes precedence over built-in routes and remains after `reset`.
   * Callers need a session. `query` also contains the fields of a form.
   * @param route method and path below `/api/v2`. `:name` matches one segment, and `*name` matches
   * the rest of the path.
   * @throws {TypeError} if `route` is not a method and a path.
   */
  route<R extends string>(route: R, handler: RouteHandler<SupportRouteContext<R>>): void {
    // `as`: a match has exactly the parameters in the route's pattern.
    this.#own.add(route, handler as RouteHandler<SupportRouteContext>);
  }

  /** Changes settings until `reset`. Omitted settings keep their values. */
  configure(options: SupportEmulatorOptions): void {
    this.settings = resolveSupportSettings({ ...this.settings, ...options });
  }

  counts(): Readonly<Record<string, number>> {
    const { contacts, cases, campaigns } = this.state;
    return {
      contacts: contacts.size,
      cases: cases.size,
      campaigns: campaigns.size,
      authentications: this.authentications,
    };
  }

  export(): Dataset {
    return { support: exportSupport(this.state) };
  }

  prepare(to: boolean | Dataset = this.#seed): () => void {
    const state = new SupportState(this.clock);
    if (to === true) seedSupport(state, this.clock);
    else if (to) importSupport(state, to.support ?? {});
    return () => {
      this.state = state;
      this.settings = resolveSupportSettings(this.#options);
    };
  }

  /** @internal Responds to a request as a real server would. */
  async respond(family: FamilyRequest): Promise<Response> {
    this.origin = family.origin;
    const reply = await catchHttpErrors(
      async () => this.#reply(family, await readValues(family)),
      formatSupportError,
    );
    return toResponse(reply, family.method);
  }

  async #reply(family: FamilyRequest, values: URLSearchParams): Promise<Reply> {
    const { method } = family;
    const path = family.path.replace(/\/$/, '');
    if (method === 'POST' && path === '/authenticate') return this.#authenticate(values);
    const session = this.state.sessions.demand(values.get('access_token'));
    values.delete('access_token');
    const own = this.#own.match(method, family.path);
    if (own) {
      return await runCustomRoute(own.handler, {
        ...createRouteContext({ ...family, query: values }, own.params, this.clock),
        // Returns an empty object, because the API accepts only forms.
        json: async () => ({}),
        user: session.userName,
        state: this.state,
      });
    }
    const route = router.match(method, family.path);
    if (!route) {
      const { message, nearest } = family.noSuchRoute();
      return json(404, { success: false, statusMessage: message, nearest });
    }
    return route.handler({
      values,
      state: this.state,
      settings: this.settings,
      rendering: this.rendering,
      user: session.userName,
      param: (name) => route.params[name] ?? '',
    });
  }

  #authenticate(values: URLSearchParams): Reply {
    const [userName, apiKey, password] = ['userName', 'apiKey', 'password'].map(
      (name) => values.get(name) ?? '',
    );
    if (!userName || !apiKey || !password)
      throw failed('userName, apiKey and password are required');
    const { tokenLifetime, utcOffset } = this.settings;
    const session = this.state.sessions.open({ userName, apiKey, password }, tokenLifetime);
    if (!session) throw failed('invalid userName, apiKey or password');
    return done({ access_token: session.token, expires: writeDate(session.expires, utcOffset) });
  }
}

/** Reads the parameters of the query and the form. @throws {HttpError} 400 if the body is not a form. */
async function readValues({ request, query }: FamilyRequest): Promise<URLSearchParams> {
  const values = new URLSearchParams(query);
  for (const [name, value] of await readForm(request)) values.append(name, value);
  return values;
}
