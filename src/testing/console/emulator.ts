import {
  CustomRoutes,
  createRouteContext,
  type RouteContext,
  type RouteHandler,
  runCustomRoute,
} from '../custom-routes.js';
import type { Family, FamilyOptions, FamilyRequest } from '../family.js';
import { catchHttpErrors, formatError, httpError, type Reply, toResponse } from '../reply.js';
import type { Dataset } from '../world/world.js';
import { consoleRouter, type ReceivedPart, readInputs } from './routes.js';
import { ConsoleState, type KeyInState, md5, steps } from './state.js';

/** License of a seeded emulator, for `new ConsoleClient({ auth: { license: consoleSeed.license } })`. */
export const consoleSeed: { readonly license: Buffer; readonly licenseMd5: string } = {
  license: Buffer.from('license of the seed world'),
  licenseMd5: md5('license of the seed world'),
};

/**
 * Context of a custom Management Console route. `user` is always undefined, because requests
 * authenticate with the license.
 */
export type ConsoleRouteContext<R extends string = string> = RouteContext<
  R,
  undefined,
  ConsoleState
>;

/** Recorded upload, without its content. */
export type ConsoleUpload = Omit<ReceivedPart, 'content'>;

/**
 * The Management Console API of one appliance: provisioning, settings, maintenance and keys. A
 * configuration run advances by one step with each status request.
 */
export class ConsoleEmulator implements Family {
  readonly name = 'console';
  readonly prefixes = ['/setup/api'];
  /** `Content-Type` of JSON responses. Older appliances send `text/html`. Default: `application/json`. */
  contentType = 'application/json';
  readonly #options: FamilyOptions;
  readonly #own = new CustomRoutes<ConsoleRouteContext>();
  #uploads: ConsoleUpload[] = [];
  #state: ConsoleState;

  constructor(options: FamilyOptions) {
    this.#options = options;
    this.#state = this.#first(options.seed);
  }

  /**
   * Adds a custom route, which takes precedence over built-in routes and remains after `reset`.
   * @param route method and path below `/setup/api`. `:name` matches one segment, and `*name`
   * matches the rest of the path.
   * @throws {TypeError} if `route` is not a method and a path.
   */
  route<R extends string>(route: R, handler: RouteHandler<ConsoleRouteContext<R>>): void {
    // `as`: a match has exactly the parameters in the route's pattern.
    this.#own.add(route, handler as RouteHandler<ConsoleRouteContext>);
  }

  /** Uploaded license and package files, oldest first. */
  get uploads(): readonly ConsoleUpload[] {
    return this.#uploads;
  }

  /** Settings as the API returns them. */
  get settings(): Readonly<Record<string, unknown>> {
    return structuredClone(this.#state.settings);
  }

  /** Authorized SSH keys. */
  get keys(): readonly KeyInState[] {
    return [...this.#state.keys];
  }

  /** Whether maintenance is `on`, `off` or `scheduled`. */
  get maintenance(): string {
    return this.#state.maintenanceStatus;
  }

  /** MD5 hash of the license that authenticates requests. Undefined on an appliance without a license. */
  get licenseMd5(): string | undefined {
    return this.#state.licenseMd5;
  }

  /**
   * Fails the next configuration run at the specified step, as in
   * `emulator.console.failStep('Updating configuration')`. Only full provisioning runs have the
   * `Preparing storage device` step.
   * @throws {Error} if the step is unknown.
   */
  failStep(key: string): void {
    this.#state.script.failing = checkStep(key);
  }

  /**
   * Makes a step of the next run last for `questions` status requests.
   * @throws {Error} if the step is unknown.
   */
  slowStep(key: string, questions: number): void {
    this.#state.script.slow.set(checkStep(key), questions);
  }

  /** Makes the first `questions` status requests of the next run return the previous run's status. */
  staleStatus(questions: number): void {
    this.#state.script.stale = questions;
  }

  /**
   * Sets a service's number of open connections. During maintenance, each status request closes one
   * connection of each service.
   * @param service name, such as `git operations`.
   */
  setConnections(service: string, number: number): void {
    this.#state.connections.set(service, number);
  }

  counts(): Readonly<Record<string, number>> {
    return {
      uploads: this.#uploads.length,
      'configuration runs': Number(this.#state.get('configuration_run_count')),
      'authorized keys': this.#state.keys.length,
    };
  }

  export(): Dataset {
    return { console: this.#state.export() };
  }

  prepare(to: boolean | Dataset = this.#options.seed): () => void {
    const next = this.#first(to);
    return () => {
      this.#uploads = [];
      this.contentType = 'application/json';
      this.#state = next;
    };
  }

  /** @internal Responds to a request as a real appliance would. */
  async respond(family: FamilyRequest): Promise<Response> {
    const reply = await catchHttpErrors(() => this.#reply(family), formatError);
    return toResponse(reply, family.method);
  }

  async #reply(family: FamilyRequest): Promise<Reply> {
    const own = this.#own.match(family.method, family.path);
    if (own) {
      this.#authorize(family);
      const context = createRouteContext(family, own.params, this.#options.clock);
      const state = this.#state;
      return await runCustomRoute(own.handler, { ...context, user: undefined, state });
    }
    const route = consoleRouter.match(family.method, family.path);
    if (!route) throw httpError(404, family.unknownRoute);
    // Checks the license before reading the body so that an unauthorized client doesn't send the
    // whole upload.
    if (!route.handler.open) this.#authorize(family);
    // Keeps the current list, because a reset may replace `#uploads` before the body has arrived.
    const uploads = this.#uploads;
    const reply = route.handler.respond({
      state: this.#state,
      inputs: await readInputs(family),
      configCheck: `${family.origin}/setup/api/configcheck`,
      received: ({ content: _content, ...part }) => uploads.push(part),
    });
    const type = reply.body === undefined ? {} : { 'content-type': this.contentType };
    return { ...reply, headers: { ...reply.headers, ...type } };
  }

  #authorize({ request, query }: FamilyRequest): void {
    const basic = /^Basic (.+)/i.exec(request.headers.get('authorization') ?? '')?.[1];
    const [user, password] = Buffer.from(basic ?? '', 'base64')
      .toString()
      .split(':');
    const hash = user === 'license' ? password : query.get('license_md5');
    if (!this.#state.licenseMd5 || hash !== this.#state.licenseMd5) {
      throw httpError(401, 'Authentication required');
    }
  }

  #first(seed: boolean | Dataset): ConsoleState {
    const state = new ConsoleState(this.#options.vendor, this.#options.clock);
    if (typeof seed === 'object') state.import(seed.console ?? {});
    else if (seed) {
      state.licenseMd5 = consoleSeed.licenseMd5;
      state.set('configuration_run_count', 1);
      state.standing = {
        status: 'success',
        progress: [{ key: 'Updating configuration', status: 'DONE' }],
      };
    }
    return state;
  }
}

/** Rejects an unknown step, because a run would never reach it. */
function checkStep(key: string): string {
  if (steps.some((each) => each === key)) return key;
  throw new Error(`unknown step '${key}'. Known steps: ${steps.join(', ')}.`);
}
