import type { RequestHandler } from 'msw';
import type { Dispatcher } from 'undici';
import { EmulatorClock } from './clock.js';
import { dispatcherOver } from './dispatcher.js';
import { type LoggedRequest, RequestLog } from './exchange-log.js';
import type { Family } from './family.js';
import { breakOnWire, type Fault, type FaultMatcher, FaultPlan } from './faults.js';
import { HostingEmulator } from './hosting/emulator.js';
import { mswHandlers } from './msw.js';
import { type Listening, listen } from './node-server.js';
import { json, toResponse } from './reply.js';

/** Options of {@link createEmulator}. */
export interface EmulatorOptions {
  /** The word in `application/vnd.<vendor>.v3+json` and `X-<Vendor>-*`. Default `service`. */
  readonly vendor?: string | undefined;
  /** Start of the emulator's own time. Default 2014-06-01T12:00:00Z. */
  readonly now?: Date | undefined;
  /** Start with the seed world (default), or with nothing in it. */
  readonly seed?: boolean | undefined;
}

/** Where a listening emulator is to be reached. */
export interface EmulatorAddress {
  readonly port: number;
  /** `http://127.0.0.1:<port>`: also the OAuth `authUrl` and the `webUrl`. */
  readonly url: string;
  /** `baseUrl` of a HostingClient. */
  readonly hostingUrl: string;
  /** `baseUrl` of a SupportClient. */
  readonly supportUrl: string;
  /** `baseUrl` of a ConsoleClient. */
  readonly consoleUrl: string;
}

/** The service in memory: see {@link createEmulator}. */
export class Emulator {
  readonly clock: EmulatorClock;
  readonly hosting: HostingEmulator;
  readonly #log = new RequestLog();
  readonly #faults = new FaultPlan();
  readonly #families: readonly Family[];
  #listening: Listening | undefined;

  constructor(options: EmulatorOptions = {}) {
    this.clock = new EmulatorClock(options.now);
    const { vendor = 'service', seed = true } = options;
    this.hosting = new HostingEmulator({ vendor, seed, clock: this.clock });
    this.#families = [this.hosting];
  }

  /** Every request received, with credentials masked. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries;
  }

  /** {@link requests} as text, one line each. */
  printRequests(): string {
    return this.#log.print();
  }

  /**
   * Makes requests fail.
   * @param options.times how many requests it meets. Default 1.
   */
  fail(
    matcher: FaultMatcher,
    fault: Fault,
    options: { readonly times?: number | undefined } = {},
  ): void {
    this.#faults.add(matcher, fault, options.times);
  }

  /** Back to the state it began with; the record of requests and the faults are cleared. */
  reset(): void {
    for (const family of this.#families) family.reset();
    this.#log.clear();
    this.#faults.clear();
  }

  /** Answers one request: what every way in comes down to. */
  readonly answer = async (request: Request, rawPath?: string): Promise<Response> => {
    const url = new URL(request.url);
    const path = rawPath ?? url.pathname + url.search;
    const headers = new Headers(request.headers);
    const response = await this.#faulty(request, url, path);
    const broken = response.status === 599;
    this.#log.add(request.method, path, headers, broken ? 0 : response.status);
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
    };
  }

  /** An undici dispatcher that answers in process: for the `dispatcher` option of a client, with any base URL. */
  async dispatcher(): Promise<Dispatcher> {
    return await dispatcherOver(this.answer);
  }

  /**
   * msw handlers for a `setupServer` of your own; your `server.use(…)` still wins. Needs msw.
   * @param origin answer this origin only. Default any.
   */
  async handlers(origin?: string): Promise<RequestHandler[]> {
    return await mswHandlers(this.answer, (url) => origin === undefined || url.origin === origin);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #faulty(request: Request, url: URL, rawPath: string): Promise<Response> {
    const path = rawPath.split('?', 1)[0] ?? rawPath;
    const fault = this.#faults.take(request.method, path);
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
        return breakOnWire(new Response(null, { status: 599 }), fault);
      case 'truncate':
        return breakOnWire(await this.#route(request, url, path), fault);
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.ms));
        return await this.#route(request, url, path);
      default:
        return await this.#route(request, url, path);
    }
  }

  async #route(request: Request, url: URL, path: string): Promise<Response> {
    for (const family of this.#families) {
      for (const prefix of family.prefixes) {
        if (path !== prefix && !path.startsWith(`${prefix}/`)) continue;
        return await family.answer(
          {
            request,
            method: request.method,
            origin: url.origin,
            path: path.slice(prefix.length),
            query: url.searchParams,
          },
          prefix,
        );
      }
    }
    return toResponse(json(404, { message: 'Not Found' }), request.method);
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
