import type { Dispatcher } from 'undici';
import { optionNames } from '../option-names.js';
import { readForRecord } from './bodies.js';
import { EmulatorClock, fixedClock } from './clock.js';
import { ConsoleEmulator } from './console/emulator.js';
import { dispatchersOver } from './dispatcher.js';
import type { Family } from './family.js';
import { type Fault, type FaultMatcher, type FaultOptions, FaultPlan } from './faults.js';
import { HostingEmulator } from './hosting/emulator.js';
import { checkNames } from './known-names.js';
import { type Listening, listen } from './node-server.js';
import { formatError, toResponse } from './reply.js';
import { type LoggedRequest, RequestLog } from './request-log.js';
import { parseOrigin, type SiteOptions } from './sites.js';
import { SupportEmulator } from './support/emulator.js';
import type { SupportEmulatorOptions } from './support/settings.js';
import { checkVendor } from './vendor.js';
import { applyFault, wireFaults } from './wire-faults.js';
import { checkWorld, type Dataset } from './world/world.js';

/** Status of the emulator. */
export interface EmulatorStatus {
  /** The emulator's time in ISO 8601. */
  readonly now: string;
  /** Milliseconds by which a running clock is ahead of real time. Null if the clock is fixed. */
  readonly ahead: number | null;
  /** Number of records of each API, by kind. */
  readonly families: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Last 50 requests, newest first. */
  readonly requests: readonly Pick<
    LoggedRequest,
    'id' | 'time' | 'method' | 'path' | 'status' | 'size'
  >[];
  /** Number of requests since the start or the last reset. */
  readonly received: number;
  /** Pending faults. */
  readonly faults: readonly {
    /** Kind of the fault. */
    readonly kind: string;
    /** Description of the requests that the fault applies to. */
    readonly match: string;
    /** Number of requests that the fault still applies to. Null for all. */
    readonly left: number | null;
  }[];
}

export function describeStatus(
  clock: EmulatorClock,
  families: readonly Family[],
  log: RequestLog,
  faults: FaultPlan,
): EmulatorStatus {
  const recent = log.entries.slice(-50).reverse();
  return {
    now: clock.now.toISOString(),
    ahead: clock.ahead ?? null,
    families: Object.fromEntries(families.map((each) => [each.name, each.counts()])),
    requests: recent.map(({ id, time, method, path, status, size }) => ({
      ...{ id, time, method, path, status, size },
    })),
    received: log.received,
    faults: faults.pending.map(({ matcher: { method, path, query }, fault, left }) => ({
      kind: fault.kind,
      match:
        `${method ?? 'any method'} ${path ?? 'any path'} ${JSON.stringify(query) ?? ''}`.trim(),
      left: Number.isFinite(left) ? left : null,
    })),
  };
}

/** Options for {@link createEmulator}. */
export interface EmulatorOptions extends SiteOptions {
  /** Vendor name in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*`. Default: `service`. */
  readonly vendor?: string | undefined;
  /**
   * Fixed time of the emulator's clock, such as `'2014-06-01T12:00:00Z'`. The clock stays at this
   * time until you move it. Default: the world's `now` or `ahead`. If the world has neither, the
   * clock starts at the current time.
   */
  readonly clock?: Date | string | undefined;
  /**
   * Initial data: true for the seed world, false for no data, or a custom world (see `readWorld`).
   * Default: true.
   */
  readonly seed?: boolean | Dataset | undefined;
  /** Number of recorded requests to keep. The oldest are discarded first. Default: 10,000. */
  readonly keepRequests?: number | undefined;
  /** Callback for each recorded request, for logging. Default: none. */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
  /** Settings of the support API. Default: the defaults of {@link SupportEmulatorOptions}. */
  readonly support?: SupportEmulatorOptions | undefined;
}

const ownNames = optionNames<EmulatorOptions>()(
  'vendor clock seed keepRequests allowHosts allowOrigins origin tls onRequest support',
);

/** Addresses of a listening emulator. */
export interface EmulatorAddress {
  /** Port that the emulator listens on. */
  readonly port: number;
  /**
   * Base URL: `origin` if set, otherwise `http://127.0.0.1:<port>` (`https://localhost:<port>` with
   * `tls`). Also the OAuth `authUrl`.
   */
  readonly url: string;
  /** `baseUrl` to pass to a `HostingClient`. */
  readonly hostingUrl: string;
  /** `baseUrl` to pass to a `SupportClient`. */
  readonly supportUrl: string;
  /** `baseUrl` to pass to a `ConsoleClient`. */
  readonly consoleUrl: string;
  /** URL of the web interface, for hub topics and as `authUrl` of an `OAuthWebFlow`. */
  readonly webUrl: string;
  /** Closes the emulator, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Kinds of faults that send no response. The request log records status 0 for affected requests.
 */
const noResponse: ReadonlySet<string> = new Set(['reset', 'malformed', 'refuse']);

/** In-memory emulator of the service. Create it with {@link createEmulator}. */
export class Emulator {
  /** Clock shared by all APIs. Starts at the current time, or stays at a fixed time. */
  readonly clock: EmulatorClock;
  /** The hosting API and its OAuth pages. */
  readonly hosting: HostingEmulator;
  /** The support API. */
  readonly support: SupportEmulator;
  /** The appliance's Management Console. */
  readonly console: ConsoleEmulator;
  readonly #log: RequestLog;
  readonly #faults = new FaultPlan();
  readonly #families: readonly Family[];
  /** Prefixes of all families, longest first. */
  readonly #prefixes: readonly { readonly family: Family; readonly prefix: string }[];
  readonly #sites: SiteOptions;
  readonly #onRequest: (request: LoggedRequest) => void;
  #listening: Promise<Listening> | undefined;
  #createDispatcher: (() => Dispatcher) | undefined;

  constructor(options: EmulatorOptions = {}) {
    checkNames('createEmulator', options, Object.keys(ownNames));
    this.#log = new RequestLog(options.keepRequests);
    const { vendor = 'service', seed = true, clock, onRequest = () => {} } = options;
    const { allowHosts, allowOrigins, origin, tls } = options;
    this.#sites = { allowHosts, allowOrigins, origin, tls };
    if (origin !== undefined) parseOrigin(origin);
    this.#onRequest = onRequest;
    checkVendor(vendor);
    const world = typeof seed === 'boolean' ? {} : checkWorld(seed, 'seed');
    this.clock = new EmulatorClock(clock === undefined ? world : fixedClock(clock));
    const family = { vendor, seed, clock: this.clock };
    const families = this.clock.hold(
      () =>
        [
          new HostingEmulator(family),
          new SupportEmulator(family, options.support),
          new ConsoleEmulator(family),
        ] as const,
    );
    [this.hosting, this.support, this.console] = families;
    this.#families = families;
    this.#prefixes = this.#families
      .flatMap((each) => each.prefixes.map((prefix) => ({ family: each, prefix })))
      .sort((a, b) => b.prefix.length - a.prefix.length);
  }

  /** Recorded requests in arrival order, with credentials masked. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries;
  }

  /** Returns {@link requests} as text, one line per request. */
  printRequests(): string {
    return this.#log.print();
  }

  /**
   * Makes matching requests fail, as in
   * `emulator.fail({ method: 'GET', path: '/pulls', query: { page: '2' } }, { kind: 'reset' })`.
   * @param options How many requests fail, and how many succeed first.
   * @throws {TypeError} if the fault's kind or a property name is unknown.
   * @throws {RangeError} if a value is out of range.
   */
  fail(matcher: FaultMatcher, fault: Fault, options?: FaultOptions): void {
    this.#faults.add(matcher, fault, options);
  }

  /** Removes all faults that {@link fail} added. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** Returns the time, the number of records, the last requests and the pending faults. */
  status(): EmulatorStatus {
    return describeStatus(this.clock, this.#families, this.#log, this.#faults);
  }

  /**
   * Exports the state as plain data, for `createEmulator({ seed })`, {@link restore} or a file. Excludes
   * recorded requests, faults, rate limits, deliveries and operations in progress.
   */
  export(): Dataset {
    const parts = this.#families.map((family) => family.export());
    // A JSON round trip creates a copy without undefined members.
    return JSON.parse(JSON.stringify(Object.assign(this.clock.export(), ...parts)));
  }

  /** Exports the state like {@link export}. Pass the result to {@link restore} later in a test. */
  snapshot(): Dataset {
    return this.export();
  }

  /**
   * Restores a snapshot, including its clock. Keeps recorded requests, faults and custom routes.
   * Also keeps the clock if the world has neither `now` nor `ahead`.
   * @throws {Error} if a value is invalid. The message contains the value's path and rule. The
   * state stays unchanged.
   */
  restore(world: Dataset): void {
    checkWorld(world, 'world');
    const before = this.clock.export();
    if (world.now !== undefined || world.ahead !== undefined) this.clock.restore(world);
    try {
      this.#refill(world);
    } catch (error) {
      this.clock.restore(before);
      throw error;
    }
  }

  /** Resets the data and the clock to their initial state. Clears the recorded requests and the faults. */
  reset(): void {
    this.clock.reset();
    this.#refill();
    this.#log.clear();
    this.#faults.clear();
  }

  /**
   * Responds to one request. All other entry points use this method.
   * @param rawPath path and query as sent. `Request` contains only the normalized URL.
   */
  readonly respond = async (request: Request, rawPath?: string): Promise<Response> => {
    const url = new URL(request.url);
    const target = rawPath ?? url.pathname + url.search;
    const [readable, body] = await readForRecord(request);
    const logResponse = this.#log.add(request.method, this.clock.now, {
      target,
      headers: readable.headers,
      body,
    });
    const path = target.split('?', 1)[0] ?? target;
    const planned = this.#faults.take(request.method, path, url.searchParams);
    const response = await applyFault(planned, readable, () => this.#route(readable, url, path));
    const fault = wireFaults.get(response);
    const none = fault !== undefined && noResponse.has(fault.kind);
    this.#onRequest(logResponse(none ? undefined : response));
    if (none) return response;
    if (!response.headers.has('date')) response.headers.set('date', this.clock.now.toUTCString());
    return response;
  };

  /**
   * Serves real HTTP on 127.0.0.1, or HTTPS with the `tls` option.
   * @param port Default: a free port.
   */
  async listen(port = 0): Promise<EmulatorAddress> {
    if (this.#listening) throw new Error('the emulator is already listening');
    const listening = listen(this.respond, port, undefined, this.#sites);
    this.#listening = listening;
    listening.catch(() => {
      this.#listening = undefined;
    });
    const { url, port: bound } = await listening;
    return {
      port: bound,
      url,
      hostingUrl: `${url}/api/v3/`,
      supportUrl: `${url}/api/v2/`,
      consoleUrl: `${url}/`,
      webUrl: url,
      [Symbol.asyncDispose]: () => this.close(),
    };
  }

  /**
   * Creates an undici dispatcher that responds in process. Pass it as a client's `dispatcher` option,
   * with any base URL.
   */
  dispatcher(): Dispatcher {
    this.#createDispatcher ??= dispatchersOver(this.respond);
    return this.#createDispatcher();
  }

  /** Stops listening and ends background work. */
  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    for (const family of this.#families) await family.close?.();
    await (await listening?.catch(() => undefined))?.close();
  }

  /** Closes the emulator, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #refill(world?: Dataset): void {
    const changes = this.clock.hold(() => this.#families.map((family) => family.prepare(world)));
    for (const change of changes) change();
  }

  async #route(request: Request, url: URL, path: string): Promise<Response> {
    const { method } = request;
    const found = this.#prefixes.find(
      ({ prefix }) => path === prefix || path.startsWith(`${prefix}/`),
    );
    const unknownRoute = `emulator: unknown route: ${method} ${path}`;
    if (!found) return toResponse(formatError(404, unknownRoute), method);
    const below = path.slice(found.prefix.length);
    const { origin, searchParams: query } = url;
    const familyRequest = { request, method, origin, path: below, query, unknownRoute };
    return await found.family.respond(familyRequest, found.prefix);
  }
}

/**
 * Creates an emulator that keeps its state in memory and responds like the real service.
 *
 * ```ts
 * const emulator = createEmulator();
 * const { hostingUrl } = await emulator.listen();
 * ```
 * @throws {TypeError} if an option is unknown.
 * @throws {Error} if `seed` is an invalid world. The message names the path and rule of each
 * invalid value.
 */
export function createEmulator(options?: EmulatorOptions): Emulator {
  return new Emulator(options);
}
