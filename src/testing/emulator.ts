import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'msw';
import type { Dispatcher } from 'undici';
import { EmulatorClock } from './clock.js';
import { ConsoleEmulator } from './console/emulator.js';
import { dispatcherOver } from './dispatcher.js';
import { type LoggedRequest, RequestLog } from './exchange-log.js';
import type { Family } from './family.js';
import { type Fault, type FaultMatcher, type FaultOptions, FaultPlan } from './faults.js';
import { HostingEmulator } from './hosting/emulator.js';
import { mswHandlers } from './msw.js';
import { type Listening, listen } from './node-server.js';
import { recorded } from './recorded.js';
import { json, toResponse } from './reply.js';
import type { EmulatorStatus } from './status-page.js';
import { SupportEmulator } from './support/emulator.js';
import type { SupportEmulatorOptions } from './support/settings.js';
import { breakOnWire, nothingBut, wireFaultOf } from './wire.js';

/** Options of {@link createEmulator}. */
export interface EmulatorOptions {
  /** The word in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*`. Default `service`. */
  readonly vendor?: string | undefined;
  /** Start of the emulator's own time. Default 2014-06-01T12:00:00Z. */
  readonly now?: Date | undefined;
  /** Start with the seed world (default), or with nothing in it. */
  readonly seed?: boolean | undefined;
  /** How many requests the record keeps; the oldest are forgotten. Default all. */
  readonly keepRequests?: number | undefined;
  /** Lifetime of tokens, sizes of answers and timezone of the support API. */
  readonly support?: SupportEmulatorOptions | undefined;
}

/** Where a listening emulator is to be reached. */
export interface EmulatorAddress {
  readonly port: number;
  /** `http://127.0.0.1:<port>`: also the OAuth `authUrl`. */
  readonly url: string;
  /** `baseUrl` of a HostingClient. */
  readonly hostingUrl: string;
  /** `baseUrl` of a SupportClient. */
  readonly supportUrl: string;
  /** `baseUrl` of a ConsoleClient. */
  readonly consoleUrl: string;
  /** `webUrl` of a HostingClient: where hub topics begin. */
  readonly webUrl: string;
}

/** Faults without any answer, whose status stays 0 in the record. */
const noAnswer: ReadonlySet<string> = new Set(['reset', 'malformed', 'refuse']);

/** How many of the last requests the status shows. */
const shownRequests = 50;

/** The service in memory: see {@link createEmulator}. */
export class Emulator {
  readonly clock: EmulatorClock;
  readonly hosting: HostingEmulator;
  readonly support: SupportEmulator;
  readonly console: ConsoleEmulator;
  readonly #log: RequestLog;
  readonly #faults = new FaultPlan();
  readonly #families: readonly Family[];
  #listening: Listening | undefined;

  constructor(options: EmulatorOptions = {}) {
    this.clock = new EmulatorClock(options.now);
    this.#log = new RequestLog(options.keepRequests);
    const { vendor = 'service', seed = true } = options;
    const family = { vendor, seed, clock: this.clock };
    this.hosting = new HostingEmulator(family);
    this.support = new SupportEmulator(family, options.support);
    this.console = new ConsoleEmulator(family);
    this.#families = [this.hosting, this.support, this.console];
  }

  /** Every request received, in the order of arrival, with credentials masked. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries;
  }

  /** {@link requests} as text, one line each. */
  printRequests(): string {
    return this.#log.print();
  }

  /**
   * Makes requests fail: `emulator.fail({ method: 'GET', path: '/pulls', query: { page: '2' } }, { kind: 'reset' })`.
   * @param options how often: once, unless it says otherwise.
   */
  fail(matcher: FaultMatcher, fault: Fault, options?: FaultOptions): void {
    this.#faults.add(matcher, fault, options);
  }

  /** Takes back what {@link fail} asked for. */
  clearFaults(): void {
    this.#faults.clear();
  }

  /** What it holds, what it received last, and what it will break. */
  status(): EmulatorStatus {
    const words = ({ method = 'any method', path, query }: FaultMatcher) =>
      [method, path === undefined ? 'any path' : String(path), query && JSON.stringify(query)]
        .filter(Boolean)
        .join(' ');
    return {
      now: this.clock.now.toISOString(),
      families: Object.fromEntries(this.#families.map((each) => [each.name, each.counts()])),
      requests: this.#log.entries
        .slice(-shownRequests)
        .reverse()
        .map(({ method, path, status }) => ({ method, path, status })),
      received: this.#log.received,
      faults: this.#faults.planned.map(({ matcher, fault, left }) => ({
        kind: fault.kind,
        match: words(matcher),
        left: Number.isFinite(left) ? left : null,
      })),
    };
  }

  /** Back to the state it began with, the clock too; the record of requests and the faults are cleared. */
  reset(): void {
    this.clock.reset();
    for (const family of this.#families) family.reset();
    this.#log.clear();
    this.#faults.clear();
  }

  /**
   * Answers one request: what every way in comes down to.
   * @param rawPath path and query as they were sent; `Request` has them normalized (`..`).
   */
  readonly answer = async (request: Request, rawPath?: string): Promise<Response> => {
    const url = new URL(request.url);
    const target = rawPath ?? url.pathname + url.search;
    const [readable, body] = await recorded(request);
    const answered = this.#log.add(request.method, { target, headers: readable.headers, body });
    const response = await this.#faulty(readable, url, target.split('?', 1)[0] ?? target);
    const fault = wireFaultOf(response);
    if (fault && noAnswer.has(fault.kind)) return response;
    answered(response.status);
    if (!response.headers.has('date')) response.headers.set('date', this.clock.now.toUTCString());
    return response;
  };

  /**
   * Serves real HTTP on 127.0.0.1.
   * @param port default a free one.
   */
  async listen(port = 0): Promise<EmulatorAddress> {
    if (this.#listening) throw new Error('the emulator is listening already');
    this.#listening = await listen(this.answer, port);
    const { url } = this.#listening;
    return {
      port: this.#listening.port,
      url,
      hostingUrl: `${url}/api/v3/`,
      supportUrl: `${url}/api/v2/`,
      consoleUrl: `${url}/`,
      webUrl: url,
    };
  }

  /** An undici dispatcher that answers in process: for the `dispatcher` option of a client, with any base URL. */
  dispatcher(): Dispatcher {
    return dispatcherOver(this.answer);
  }

  /**
   * msw handlers for a `setupServer` of your own; your `server.use(…)` still wins. Needs msw.
   * @param origin answer this origin only. Default any.
   */
  async handlers(origin?: string): Promise<RequestHandler[]> {
    return await mswHandlers(this.answer, (url) => origin === undefined || url.origin === origin);
  }

  /** Stops listening, and ends what is still done in the background. */
  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    for (const family of this.#families) await family.close?.();
    await listening?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #faulty(request: Request, url: URL, path: string): Promise<Response> {
    const fault = this.#faults.take(request.method, path, url.searchParams);
    switch (fault?.kind) {
      case 'answer': {
        const { status, headers = {}, body } = fault;
        const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
        const type: Record<string, string> =
          typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
        return toResponse({ status, headers: { ...type, ...headers }, body: text }, request.method);
      }
      case 'reset':
        if (fault.executed) await this.#route(request, url, path);
        return nothingBut(fault);
      case 'malformed':
      case 'refuse':
        return nothingBut(fault);
      case 'truncate':
      case 'slow':
        return breakOnWire(await this.#route(request, url, path), fault);
      case 'delay':
        await wait(fault.ms, undefined, { signal: request.signal });
        return await this.#route(request, url, path);
      case 'hang':
        return await new Promise(() => {});
      default:
        return await this.#route(request, url, path);
    }
  }

  async #route(request: Request, url: URL, path: string): Promise<Response> {
    const { method } = request;
    let found: { family: Family; prefix: string } | undefined;
    for (const family of this.#families) {
      for (const prefix of family.prefixes) {
        const ours = path === prefix || path.startsWith(`${prefix}/`);
        if (ours && prefix.length >= (found?.prefix.length ?? 0)) found = { family, prefix };
      }
    }
    if (!found) return toResponse(json(404, { message: 'Not Found' }), method);
    const below = path.slice(found.prefix.length);
    const { origin, searchParams: query } = url;
    return await found.family.answer({ request, method, origin, path: below, query }, found.prefix);
  }
}

/**
 * Makes an emulator of the service: state in memory, answers as the contract says, the same each time.
 *
 * ```ts
 * const emulator = createEmulator();
 * const { hostingUrl } = await emulator.listen();
 * ```
 */
export function createEmulator(options?: EmulatorOptions): Emulator {
  return new Emulator(options);
}
