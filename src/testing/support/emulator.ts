import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { json, type Reply, toResponse } from '../reply.js';
import { Router } from '../router.js';
import { done } from './answers.js';
import { addCases } from './cases.js';
import { addContacts } from './contacts.js';
import type { SupportContext, SupportRoute } from './context.js';
import { writeDate } from './dates.js';
import { failed, notFound, Refusal } from './refusals.js';
import { Search } from './search.js';
import { seedSupport } from './seed.js';
import type { Session } from './sessions.js';
import { type SupportEmulatorOptions, settingsOf } from './settings.js';
import { SupportState } from './state.js';
import { SupportWorld } from './world.js';

/** The support API v2: sessions, contacts, cases. */
export class SupportEmulator extends SupportWorld implements Family {
  readonly name = 'support';
  readonly prefixes = ['/api/v2'];
  readonly #seed: boolean;
  readonly #options: SupportEmulatorOptions;
  readonly #router = routes();
  #contactSearch = new Search(this.state.contacts);
  #caseSearch = new Search(this.state.cases);

  constructor(family: FamilyOptions, options: SupportEmulatorOptions = {}) {
    super(family.clock, options);
    this.#seed = family.seed;
    this.#options = options;
    this.reset();
  }

  /** Behaves otherwise from now on, until `reset`; what is not named stays. */
  configure(options: SupportEmulatorOptions): void {
    this.settings = settingsOf({ ...this.settings, ...options });
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

  reset(): void {
    this.state = new SupportState(this.clock);
    this.settings = settingsOf(this.#options);
    this.#contactSearch = new Search(this.state.contacts);
    this.#caseSearch = new Search(this.state.cases, { state: ({ state }) => state });
    if (this.#seed) seedSupport(this, this.clock);
  }

  async answer(family: FamilyRequest): Promise<Response> {
    const { request, method } = family;
    const values = await valuesOf(family);
    try {
      return toResponse(this.#reply(family, values), method);
    } catch (error) {
      if (error instanceof Refusal) return toResponse(error.reply, request.method);
      throw error;
    }
  }

  #reply(family: FamilyRequest, values: URLSearchParams): Reply {
    const { method } = family;
    const path = family.path.replace(/\/$/, '');
    if (method === 'POST' && path === '/authenticate') return this.#authenticate(values);
    const token = values.get('access_token');
    const { sessions } = this.state;
    if (path === '/me' && (method === 'GET' || method === 'HEAD')) {
      // Asking without a token is no error here, asking with a bad one is (public facts).
      if (!token) return me(undefined);
      return me(sessions.demand(token));
    }
    const session = sessions.demand(token);
    values.delete('access_token');
    const route = this.#router.match(method, family.path);
    if (!route) throw notFound('there is no such resource');
    return route.handler(this.#context(family, values, session, route.params));
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

  #context(
    family: FamilyRequest,
    values: URLSearchParams,
    session: Session,
    params: Readonly<Record<string, string>>,
  ): SupportContext {
    return {
      ...family,
      values,
      state: this.state,
      settings: this.settings,
      contactSearch: this.#contactSearch,
      caseSearch: this.#caseSearch,
      change: { by: session.userName },
      param: (name) => params[name] ?? '',
    };
  }
}

function routes(): Router<SupportRoute> {
  const router = new Router<SupportRoute>();
  addContacts(router);
  addCases(router);
  return router;
}

function me(session: Session | undefined): Reply {
  const statusMessage = session ? 'you are logged in' : 'you are not logged in';
  return json(200, { success: true, statusMessage, logged_in: session !== undefined });
}

/** Parameters are plain HTTP parameters: those of the query, and those of a form. */
async function valuesOf({ request, query }: FamilyRequest): Promise<URLSearchParams> {
  const values = new URLSearchParams(query);
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return values;
  for (const [name, value] of new URLSearchParams(await request.text())) values.append(name, value);
  return values;
}
