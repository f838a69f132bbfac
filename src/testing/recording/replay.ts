import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import { readForRecord } from '../bodies.js';
import { dispatcherOver, ListeningDispatcher } from '../dispatcher.js';
import { checkNames } from '../known-names.js';
import type { Handler, Listening } from '../node-server.js';
import { json, toResponse } from '../reply.js';
import {
  isText,
  type RecordedExchange,
  type RecordedRequest,
  readRecordedBody,
  readRecording,
} from './format.js';
import { Masks } from './masks.js';

/** Options for {@link replay}. */
export interface ReplayOptions {
  /**
   * With `strict`, each recorded request gets a response as many times as it was recorded. With
   * `lenient`, requests with a different query, body or headers get the response to the most similar
   * recorded request, and repeated requests get the last recorded response. Default: `strict`.
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

/** Recorded exchange, and whether a request has used it. */
interface Recorded {
  readonly exchange: RecordedExchange;
  readonly target: Target;
  used: boolean;
}

interface Target {
  /** Path and query, as recorded. */
  readonly whole: string;
  readonly path: string;
  /** Query with its parameters sorted by name. */
  readonly query: string;
}

class ReplayingDispatcher extends ListeningDispatcher implements Replay {
  constructor(
    readonly missed: readonly MissedRequest[],
    private readonly recorded: readonly Recorded[],
    private readonly respond: Handler,
  ) {
    const inner = dispatcherOver(respond);
    super(inner, inner);
  }

  get unused(): readonly string[] {
    return this.recorded
      .filter(({ used }) => !used)
      .map(({ exchange: { request } }) => `${request.method} ${request.url}`);
  }

  async listen(port = 0): Promise<Listening> {
    return await this.serve(this.respond, port);
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
  checkNames('replay', options, ['mode', 'secrets']);
  const { mode = 'strict', secrets } = options;
  if (mode !== 'strict' && mode !== 'lenient') {
    throw new TypeError(`replay: mode: must be 'strict' or 'lenient' (got '${String(mode)}')`);
  }
  const masks = new Masks(secrets);
  const recorded = readRecording(from).map((exchange) => ({
    exchange,
    target: parseTarget(exchange.request.url),
    used: false,
  }));
  const missed: MissedRequest[] = [];
  const origins = new Set(recorded.map(({ exchange }) => new URL(exchange.request.url).origin));

  const respond: Handler = async (request, rawPath) => {
    const { origin } = new URL(request.url);
    const [readable, text] = await readForRecord(request);
    // Reads the whole body, because a client that gets a response earlier may report a broken connection.
    await readable.body?.pipeTo(new WritableStream());
    const { method, headers } = request;
    const sent = masks.request(method, origin + rawPath, headers, text)();
    const found = findExchange(sent, recorded, mode === 'lenient');
    if (typeof found === 'string') {
      const path = sent.url.slice(origin.length);
      missed.push({ method, path, why: found });
      return toResponse(json(501, { message: `replay: ${method} ${path}: ${found}` }), method);
    }
    found.used = true;
    const { response } = found.exchange;
    const body = hasBody(method, response.status) ? readRecordedBody(from, response) : null;
    const replied = new Response(body, { status: response.status, headers: response.headers });
    if (body) replied.headers.set('content-length', String(body.length));
    if (origins.has(origin)) return replied;
    return await rewriteAddresses(replied, (content) =>
      [...origins].reduce((moved, each) => moved.replaceAll(each, origin), content),
    );
  };
  return new ReplayingDispatcher(missed, recorded, respond);
}

/** Finds the recorded exchange for a request. Returns a human-readable reason if there is none. */
function findExchange(
  sent: RecordedRequest,
  recorded: readonly Recorded[],
  isLenient: boolean,
): Recorded | string {
  const { path, query } = parseTarget(sent.url);
  const here = recorded.filter(
    ({ exchange, target }) => exchange.request.method === sent.method && target.path === path,
  );
  const sameQuery = ({ target }: Recorded) => target.query === query;
  const sameBody = ({ exchange: { request } }: Recorded) =>
    isDeepStrictEqual([request.json, request.text], [sent.json, sent.text]);
  const sameHeaders = ({ exchange }: Recorded) =>
    isDeepStrictEqual(exchange.request.headers, sent.headers);
  const exact = here.filter((each) => sameQuery(each) && sameBody(each) && sameHeaders(each));
  const next = exact.find(({ used }) => !used);
  if (next) return next;
  if (isLenient) {
    const score = (each: Recorded) =>
      8 * Number(sameQuery(each)) +
      4 * Number(sameBody(each)) +
      2 * Number(!each.used) +
      Number(sameHeaders(each));
    const nearest = exact.at(-1) ?? here.toSorted((a, b) => score(b) - score(a))[0];
    if (nearest) return nearest;
  }
  if (exact.length > 0) {
    const times = exact.length === 1 ? 'once' : `${exact.length} times`;
    return `the request was recorded ${times}, but sent more often`;
  }
  if (here.length === 0) return 'no request with this method and path was recorded';
  const near = here.filter(sameQuery);
  const part = near.some(sameBody) ? 'header' : near.length > 0 ? 'body' : 'query';
  const targets = (near.length > 0 ? near : here).slice(0, 3).map(({ target }) => target.whole);
  return `the request was recorded with a different ${part} (${[...new Set(targets)].join(', ')})`;
}

function parseTarget(url: string): Target {
  const whole = url.slice(new URL(url).origin.length);
  const [path = ''] = whole.split('?', 1);
  const query = new URLSearchParams(whole.slice(path.length));
  query.sort();
  return { whole, path, query: query.toString() };
}

/** Returns whether the response to a request has a body. */
export function hasBody(method: string, status: number): boolean {
  return method !== 'HEAD' && ![204, 205, 304].includes(status);
}

/** Rewrites a response's headers and text body. Bodies of other types pass through unchanged. */
export async function rewriteAddresses(
  response: Response,
  rewrite: (content: string) => string,
): Promise<Response> {
  const { status, statusText } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, rewrite(value));
  const isPlain = isText(headers.get('content-type') ?? '') && !headers.has('content-encoding');
  if (!isPlain || !response.body) {
    return new Response(response.body, { status, statusText, headers });
  }
  // Latin-1 preserves byte order marks and bytes that aren't UTF-8.
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = Buffer.from(rewrite(bytes.toString('latin1')), 'latin1');
  headers.set('content-length', String(body.length));
  return new Response(body, { status, statusText, headers });
}
