import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import { dispatcherOver } from '../dispatcher.js';
import { DispatcherBase } from '../dispatcher-base.js';
import { checkNames } from '../known-names.js';
import type { Handler, Listening } from '../node-server.js';
import { readForRecord } from '../recorded-body.js';
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
  constructor(
    readonly missed: readonly MissedRequest[],
    readonly unused: readonly string[],
    private readonly respond: Handler,
  ) {
    const inner = dispatcherOver(respond);
    super(inner, inner);
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
  const unused = readRecording(from);
  const used: RecordedExchange[] = [];
  const missed: MissedRequest[] = [];
  const names = unused.map(({ request }) => `${request.method} ${request.url}`);
  const origins = new Set(unused.map(({ request }) => new URL(request.url).origin));

  const respond: Handler = async (request, rawPath) => {
    const { origin } = new URL(request.url);
    const [readable, text] = await readForRecord(request);
    // Reads the whole body, because a client that gets a response earlier may report a broken connection.
    await readable.body?.pipeTo(new WritableStream());
    const { method, headers } = request;
    const sent = masks.scrub(masks.request(method, origin + rawPath, headers, text));
    const found = findExchange(sent, unused, used, mode === 'lenient');
    if (typeof found === 'string') {
      const path = sent.url.slice(origin.length);
      missed.push({ method, path, why: found });
      return toResponse(json(501, { message: `replay: ${method} ${path}: ${found}` }), method);
    }
    const at = unused.indexOf(found);
    if (at >= 0) {
      used.push(...unused.splice(at, 1));
      names.splice(at, 1);
    }
    const { status, headers: recorded } = found.response;
    const body = hasBody(method, status) ? readRecordedBody(from, found.response) : null;
    const replied = new Response(body, { status, headers: recorded });
    if (body) replied.headers.set('content-length', String(body.length));
    if (origins.has(origin)) return replied;
    return await rewriteAddresses(replied, (content) =>
      [...origins].reduce((moved, each) => moved.replaceAll(each, origin), content),
    );
  };
  return new ReplayingDispatcher(missed, names, respond);
}

/**
 * Finds the recorded exchange for a request. Returns a human-readable reason if there is none.
 * @param used exchanges that have been replayed, in that order.
 */
function findExchange(
  sent: RecordedRequest,
  unused: readonly RecordedExchange[],
  used: readonly RecordedExchange[],
  isLenient: boolean,
): RecordedExchange | string {
  const [path, query] = splitTarget(sent.url);
  const ranked = [...unused, ...used.toReversed()]
    .filter(({ request }) => request.method === sent.method && splitTarget(request.url)[0] === path)
    .map((exchange) => {
      const { url, headers, json: value, text } = exchange.request;
      const sameQuery = splitTarget(url)[1] === query;
      const sameBody = isDeepStrictEqual([value, text], [sent.json, sent.text]);
      const sameHeaders = isDeepStrictEqual(headers, sent.headers);
      return {
        exchange,
        score: 4 * Number(sameQuery) + 2 * Number(sameBody) + Number(sameHeaders),
      };
    })
    .toSorted((one, other) => other.score - one.score);
  const [best] = ranked;
  if (!best) return 'no request with this method and path was recorded';
  const { exchange, score } = best;
  if (isLenient || (score === exactScore && unused.includes(exchange))) return exchange;
  if (score === exactScore) {
    const times = ranked.filter((each) => each.score === exactScore).length;
    return `the request was recorded ${times === 1 ? 'once' : `${times} times`}, but sent more often`;
  }
  const [part, near] =
    score < 4
      ? ['query', ranked]
      : [score < 6 ? 'body' : 'header', ranked.filter((each) => each.score >= 4)];
  const targets = near.slice(0, 3).map((each) => {
    const { origin, href } = new URL(each.exchange.request.url);
    return href.slice(origin.length);
  });
  return `the request was recorded with a different ${part} (${[...new Set(targets)].join(', ')})`;
}

/** Score of an exchange with the same query, body and headers. */
const exactScore = 7;

/** Returns the path of a URL, and its query with the parameters sorted by name. */
function splitTarget(url: string): [path: string, query: string] {
  const target = url.slice(new URL(url).origin.length);
  const [path = ''] = target.split('?', 1);
  const query = new URLSearchParams(target.slice(path.length));
  query.sort();
  return [path, query.toString()];
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
