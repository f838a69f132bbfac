import type { Dispatcher } from 'undici';
import { dispatcherOver } from '../dispatcher.js';
import { DispatcherBase } from '../dispatcher-base.js';
import { checkNames } from '../known-names.js';
import type { Listening } from '../node-server.js';
import { readForRecord } from '../recorded-body.js';
import { json, toResponse } from '../reply.js';
import { describeRecorded, type RequestedExchange } from './describe-request.js';
import {
  inlineBody,
  type RecordedExchange,
  readRecordedBody,
  readRecording,
  sameBody,
} from './format.js';
import { hasBody, rewriteAddresses } from './forward.js';
import { Masks } from './masks.js';

/** Options for {@link replay}. */
export interface ReplayOptions {
  /**
   * With `strict`, each recorded request gets a response as many times as it was recorded. With
   * `lenient`, requests with a different query, body or headers get the most similar response, and
   * repeated requests get the last recorded response. Default: `strict`.
   */
  readonly mode?: 'strict' | 'lenient' | undefined;
  /** The recorder's `secrets`, if requests contain them. Default: none. */
  readonly secrets?: readonly string[] | undefined;
}

/** Request without a matching recorded exchange. */
export interface MissedRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path and query with secrets masked. */
  readonly path: string;
  /** Human-readable reason. */
  readonly why: string;
}

interface Recorded {
  readonly exchange: RecordedExchange;
  readonly target: ReplayTarget;
  used: boolean;
}

interface ReplayTarget {
  /** Path and query, as recorded. */
  readonly whole: string;
  readonly path: string;
  /** Query with its parameters sorted by name. */
  readonly query: string;
}

/** Dispatcher that responds from a recording. Create it with {@link replay}. */
export interface Replay extends Dispatcher {
  /** Requests that no recorded exchange matches, in the order they were sent. */
  readonly missed: readonly MissedRequest[];
  /** Method and URL of recorded requests that have not been sent yet. */
  readonly unused: readonly string[];
  /**
   * Responds to any client over HTTP on 127.0.0.1 until this server or the dispatcher is closed.
   * @param port Default: a free port.
   */
  listen(port?: number): Promise<Listening>;
}

class ReplayingDispatcher extends DispatcherBase implements Replay {
  private readonly state: Answering;

  constructor(from: string, options: ReplayOptions) {
    checkNames('replay', options, ['mode', 'secrets']);
    const state = new Answering(from, options);
    const inner = dispatcherOver(state.respond);
    super(inner, inner);
    this.state = state;
  }

  get missed(): readonly MissedRequest[] {
    return this.state.missed;
  }

  get unused(): readonly string[] {
    return this.state.unused;
  }

  async listen(port = 0): Promise<Listening> {
    return await this.serve(this.state.respond, port);
  }
}

/**
 * Creates a dispatcher that responds from a recording made by `createRecorder`, without a server.
 * Replaces the recorded server's address in responses with the requested address.
 *
 * ```ts
 * const recording = replay('fixtures/');
 * const hosting = new HostingClient({ baseUrl, auth, dispatcher: recording });
 * …
 * assert.deepEqual(recording.missed, []);
 * ```
 * @param from folder of the recording.
 * @throws {TypeError} if a secret is too short or too long.
 * @throws {Error} if the folder has no recording.
 */
export function replay(from: string, options: ReplayOptions = {}): Replay {
  return new ReplayingDispatcher(from, options);
}

class Answering {
  readonly missed: MissedRequest[] = [];
  readonly #folder: string;
  readonly #lenient: boolean;
  readonly #masks: Masks;
  readonly #recorded: readonly Recorded[];
  readonly #origins: ReadonlySet<string>;

  constructor(from: string, { mode = 'strict', secrets }: ReplayOptions) {
    if (mode !== 'strict' && mode !== 'lenient') {
      throw new TypeError(`replay: mode: must be 'strict' or 'lenient' (got '${String(mode)}')`);
    }
    this.#folder = from;
    this.#lenient = mode === 'lenient';
    this.#masks = new Masks(secrets);
    this.#recorded = readRecording(from).map((exchange) => ({
      exchange,
      target: parseReplayTarget(exchange.request.url),
      used: false,
    }));
    this.#origins = new Set(
      this.#recorded.map(({ exchange }) => new URL(exchange.request.url).origin),
    );
  }

  get unused(): readonly string[] {
    return this.#recorded
      .filter(({ used }) => !used)
      .map(({ exchange: { request } }) => `${request.method} ${request.url}`);
  }

  readonly respond = async (request: Request, rawPath: string): Promise<Response> => {
    const { origin } = new URL(request.url);
    const [readable, text] = await readForRecord(request);
    // Reads the whole body, because a client that gets a response earlier may report a broken connection.
    await readable.body?.pipeTo(new WritableStream());
    const asked = describeRecorded(
      this.#masks,
      request.method,
      origin + rawPath,
      request.headers,
      text,
    );
    const found = this.#find(asked);
    if (typeof found === 'string') {
      const path = asked.url.slice(origin.length);
      this.missed.push({ method: asked.method, path, why: found });
      const message = `replay: ${asked.method} ${path}: ${found}`;
      return toResponse(json(501, { message }), request.method);
    }
    found.used = true;
    return await this.#replied(found.exchange, origin);
  };

  /** Finds the recorded exchange for a request. Returns a human-readable reason if there is none. */
  #find(asked: RequestedExchange): Recorded | string {
    const { path, query } = parseReplayTarget(asked.url);
    const sent = inlineBody(asked.headers['content-type'] ?? '', asked.text ?? '') ?? {};
    const here = this.#recorded.filter(
      ({ exchange, target }) => exchange.request.method === asked.method && target.path === path,
    );
    const sameQuery = (each: Recorded) => each.target.query === query;
    const same = (each: Recorded) => sameBody(each.exchange.request, sent);
    const sameHeaders = (each: Recorded) => isSame(each.exchange.request.headers, asked.headers);
    const exact = here.filter((each) => sameQuery(each) && same(each) && sameHeaders(each));
    const next = exact.find(({ used }) => !used);
    if (next) return next;
    if (this.#lenient) {
      const score = (each: Recorded) =>
        8 * Number(sameQuery(each)) +
        4 * Number(same(each)) +
        2 * Number(!each.used) +
        Number(sameHeaders(each));
      const [nearest] =
        exact.length > 0 ? exact.slice(-1) : here.toSorted((a, b) => score(b) - score(a));
      if (nearest) return nearest;
    }
    if (exact.length > 0)
      return `the request was recorded ${describeCount(exact.length)}, but sent more often`;
    if (here.length === 0) return 'no request with this method and path was recorded';
    const near = here.filter(sameQuery);
    if (near.length === 0)
      return `the request was recorded with a different query (${listTargets(here)})`;
    return `the request was recorded with a different ${near.some(same) ? 'header' : 'body'} (${listTargets(near)})`;
  }

  async #replied({ request, response }: RecordedExchange, origin: string): Promise<Response> {
    const headers = new Headers(response.headers);
    const { status } = response;
    let body: Buffer | null = null;
    if (hasBody(request.method, status)) {
      body = readRecordedBody(this.#folder, response);
      headers.set('content-length', String(body.length));
    }
    return await rewriteAddresses(new Response(body, { status, headers }), (text) => {
      let moved = text;
      if (this.#origins.has(origin)) return moved;
      for (const each of this.#origins) moved = moved.replaceAll(each, origin);
      return moved;
    });
  }
}

function parseReplayTarget(url: string): ReplayTarget {
  const { origin } = new URL(url);
  const whole = url.slice(origin.length);
  const [path = ''] = whole.split('?', 1);
  const query = new URLSearchParams(whole.slice(path.length));
  query.sort();
  return { whole, path, query: query.toString() };
}

/** Compares recorded headers, whose names are always in the same order. */
function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>) {
  return JSON.stringify(one) === JSON.stringify(other);
}

function describeCount(number: number): string {
  return number === 1 ? 'once' : `${number} times`;
}

function listTargets(near: readonly Recorded[]): string {
  return [...new Set(near.slice(0, 3).map(({ target }) => target.whole))].join(', ');
}
