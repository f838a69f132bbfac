import type { Contact, ContactNote, SupportCase } from '../../support/models/case.js';
import { readForm } from '../bodies.js';
import type { EmulatorClock } from '../clock.js';
import {
  CustomRoutes,
  createRouteContext,
  type RouteContext,
  type RouteHandler,
  runCustomRoute,
} from '../custom-routes.js';
import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { catchHttpErrors, httpError, type Reply, toResponse } from '../reply.js';
import { Router } from '../router.js';
import { exportSupport, importSupport } from '../world/support-data.js';
import type { Dataset } from '../world/world.js';
import { writeDate } from './dates.js';
import {
  type CaseData,
  type CaseTouch,
  type ContactData,
  type ContactTouch,
  caseKind,
  contactKind,
  type StoredRecord,
} from './records.js';
import {
  caseRoutes,
  contactRoutes,
  createRecordRoutes,
  done,
  failed,
  formatSupportError,
  type Rendering,
  renderCase,
  renderContact,
  type SupportRoute,
} from './routes.js';
import { seedSupport } from './seed.js';
import type { SupportUser } from './sessions.js';
import {
  resolveSupportSettings,
  type SupportEmulatorOptions,
  type SupportSettings,
} from './settings.js';
import { type Records, SupportState } from './state.js';

/** Context of a custom route in the support API. `user` is the session's `userName`. */
export type SupportRouteContext<R extends string = string> = RouteContext<R, string, SupportState>;

export const supportRouter = new Router<SupportRoute>(
  { 'GET /me': () => done({ statusMessage: 'you are logged in', logged_in: true }) },
  createRecordRoutes(contactKind, contactRoutes),
  createRecordRoutes(caseKind, caseRoutes),
);

/** A case in the emulator with its notes, which the API doesn't return. */
export interface CaseInState extends SupportCase {
  /** Notes, in the order they were added. */
  readonly notes?: ContactNote[] | undefined;
}

/** The support API v2: sessions, contacts and cases. */
export class SupportEmulator implements Family {
  readonly name = 'support';
  readonly prefixes = ['/api/v2'];
  /** State of the support API. Read it in assertions, or change it to set up a test. */
  state: SupportState;
  readonly #clock: EmulatorClock;
  readonly #seed: boolean | Dataset;
  readonly #options: SupportEmulatorOptions;
  readonly #own = new CustomRoutes<SupportRouteContext>();
  #settings: SupportSettings;
  /** Origin of the last request. */
  #origin = 'http://127.0.0.1';

  constructor({ clock, seed }: FamilyOptions, options: SupportEmulatorOptions = {}) {
    this.#clock = clock;
    this.#seed = seed;
    this.#options = options;
    this.#settings = resolveSupportSettings(options);
    this.state = new SupportState(clock);
    this.prepare()();
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
    this.#settings = resolveSupportSettings({ ...this.#settings, ...options });
  }

  /** All contacts as the API returns them, in creation order. */
  get contacts(): readonly Contact[] {
    return Array.from(this.state.contacts.all, (each) => renderContact(each, this.#rendering));
  }

  /** All cases, in creation order. */
  get cases(): readonly CaseInState[] {
    return Array.from(this.state.cases.all, (each) => ({
      ...renderCase(each, this.#rendering),
      ...(each.notes.length > 0 && { notes: each.notes.map((note) => ({ ...note })) }),
    }));
  }

  /** Number of sessions that `/authenticate` has opened since the start or the last `reset`. */
  get authentications(): number {
    return this.state.sessions.opened;
  }

  /** Adds an API user. */
  addUser(user: SupportUser): void {
    this.state.sessions.add(user);
  }

  /** Adds a campaign. Returns its ID. */
  addCampaign(name: string): number {
    return this.state.campaign(name).id ?? 0;
  }

  /** Adds a contact and returns its API representation. @throws {RangeError} if the ID is taken. */
  addContact(data: ContactData = {}): Contact {
    return renderContact(this.state.addContact(data), this.#rendering);
  }

  /**
   * Adds many contacts quickly.
   * @param make function that returns the properties of the contact at an index. Default: contacts
   * with a `crm_id`, created and changed one second apart, ending now.
   * @returns the contacts' IDs.
   */
  addContacts(count: number, make = this.#ordinary(count)): number[] {
    return Array.from({ length: count }, (_, index) => this.state.addContact(make(index)).id);
  }

  /**
   * Changes a contact without a request, as a support agent would. Sets the update date to `updated`.
   * Default: the emulator's time.
   * @throws {RangeError} if the contact doesn't exist.
   */
  touchContact(id: number, touch: ContactTouch = {}): Contact {
    const { contacts } = this.state;
    return renderContact(this.state.change(contacts, find(contacts, id), touch), this.#rendering);
  }

  /**
   * Adds a case and returns its API representation.
   * @throws {RangeError} if the ID is taken, or the contact doesn't exist.
   */
  addCase(data: CaseData = {}): SupportCase {
    return renderCase(this.state.addCase(data), this.#rendering);
  }

  /**
   * Changes a case without a request, as {@link touchContact} does. Setting a closed case to `Open` reopens it.
   * @throws {RangeError} if the case doesn't exist.
   */
  touchCase(id: number, touch: CaseTouch = {}): SupportCase {
    const { cases } = this.state;
    const stored = this.state.change(cases, find(cases, id), touch);
    const before = stored.state;
    stored.state = touch.state ?? before;
    if (before !== 'Open' && stored.state === 'Open') {
      stored.reopened = true;
      stored.lastOpened = stored.updated;
    }
    return renderCase(stored, this.#rendering);
  }

  /** Expires all tokens. Requests with an expired token get a 401. */
  expireTokens(): void {
    this.state.sessions.expireAll();
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
    const state = new SupportState(this.#clock);
    if (to === true) seedSupport(state, this.#clock);
    else if (to) importSupport(state, to.support ?? {});
    return () => {
      this.state = state;
      this.#settings = resolveSupportSettings(this.#options);
    };
  }

  /** @internal Responds to a request as a real server would. */
  async respond(family: FamilyRequest): Promise<Response> {
    this.#origin = family.origin;
    const reply = await catchHttpErrors(
      async () => this.#reply(family, await readValues(family)),
      formatSupportError,
    );
    return toResponse(reply, family.method);
  }

  get #rendering(): Rendering {
    return { utcOffset: this.#settings.utcOffset, origin: this.#origin, state: this.state };
  }

  #ordinary(count: number): (index: number) => ContactData {
    const now = this.#clock.now.getTime();
    return (index) => ({
      crm_id: `crm-${index + 1}`,
      created: new Date(now - (count - 1 - index) * 1000).toISOString(),
    });
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
        ...createRouteContext({ ...family, query: values }, own.params, this.#clock),
        // Returns an empty object, because the API accepts only forms.
        json: async () => ({}),
        user: session.userName,
        state: this.state,
      });
    }
    const route = supportRouter.match(method, family.path);
    if (!route) throw httpError(404, family.unknownRoute);
    return route.handler({
      values,
      state: this.state,
      settings: this.#settings,
      rendering: this.#rendering,
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
    const { tokenLifetime, utcOffset } = this.#settings;
    const session = this.state.sessions.open({ userName, apiKey, password }, tokenLifetime);
    if (!session) throw failed('invalid userName, apiKey or password');
    return done({ access_token: session.token, expires: writeDate(session.expires, utcOffset) });
  }
}

/** Reads the query and form parameters. @throws {HttpError} 400 if the body is not a form. */
async function readValues({ request, query }: FamilyRequest): Promise<URLSearchParams> {
  const values = new URLSearchParams(query);
  for (const [name, value] of await readForm(request)) values.append(name, value);
  return values;
}

/** Returns a record. @throws {RangeError} if it doesn't exist. */
function find<T extends StoredRecord>(records: Records<T>, id: number): T {
  const found = records.get(id);
  if (found) return found;
  throw new RangeError(`id: must be the ID of an existing ${records.kind.name} (got ${id})`);
}
