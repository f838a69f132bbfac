import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
// Imports only these parts, because importing all of undici would replace the global agent that
// `fetch` uses.
import sendRequest from 'undici/lib/api/api-request.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { errorMessage } from '../../schema/unknown-values.js';
import { readForRecord } from '../bodies.js';
import { dispatcherOver, ListeningDispatcher } from '../dispatcher.js';
import { checkNames } from '../known-names.js';
import { type Listening, toHeaders } from '../node-server.js';
import { isText, RecordingWriter } from './format.js';
import { Masks } from './masks.js';
import { hasBody, rewriteAddresses } from './replay.js';

/** Options for {@link createRecorder}. */
export interface RecorderOptions {
  /**
   * Recording folder. Created if it doesn't exist. An existing recording in the folder is replaced.
   */
  readonly to: string;
  /** Dispatcher that sends the requests. Default: a new Agent, which the recorder's `close` closes. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Additional secrets to mask everywhere, of 8 to 65,536 characters each. Default: none. */
  readonly secrets?: readonly string[] | undefined;
}

/** Dispatcher that records requests and responses. Create it with {@link createRecorder}. */
export interface Recorder extends Dispatcher {
  /**
   * Records the requests of any client. Serves HTTP on 127.0.0.1 and forwards requests to `server`.
   * Replaces the server's address in responses with the recorder's address. The recorder's `close`
   * also closes this HTTP server.
   * @param server origin, such as `https://code.example.com`.
   * @param port Default: a free port.
   */
  listen(server: string | URL, port?: number): Promise<Listening>;
}

/** Forwards a request to a server and records the exchange. */
type Forward = (origin: string, request: Request, path: string) => Promise<Response>;

class RecordingDispatcher extends ListeningDispatcher implements Recorder {
  constructor(
    private readonly forward: Forward,
    agent: Dispatcher | undefined,
  ) {
    const inner = dispatcherOver((request, path) =>
      forward(new URL(request.url).origin, request, path),
    );
    super(inner, agent);
  }

  async listen(server: string | URL, port = 0): Promise<Listening> {
    const { origin } = new URL(server);
    return await this.serve(async (request, path) => {
      const here = new URL(request.url).origin;
      const response = await this.forward(origin, request, path);
      return await rewriteAddresses(response, (text) => text.replaceAll(origin, here));
    }, port);
  }
}

/**
 * Creates a dispatcher that forwards requests to a real server and records them for `replay`, with
 * secrets masked. A recording has one line of JSON per request and response, and separate files for
 * large and binary bodies. If recording fails, the call continues, and Node emits a process warning.
 *
 * ```ts
 * const recorder = createRecorder({ to: 'fixtures/' });
 * const hosting = new HostingClient({ baseUrl, auth, dispatcher: recorder });
 * ```
 * @throws {TypeError} if a secret is too short or too long.
 * @throws {Error} if the folder contains `bodies/` but no recording.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  checkNames('createRecorder', options, ['to', 'dispatcher', 'secrets']);
  const agent = options.dispatcher ?? new AgentClass();
  const writer = new RecordingWriter(options.to);
  const masks = new Masks(options.secrets);

  const forward: Forward = async (origin, request, path) => {
    const [readable, text] = await readForRecord(request);
    const { method, headers, signal } = readable;
    // Learns the credentials now, because another exchange may contain them before this exchange is
    // complete.
    const sent = masks.request(method, origin + path, headers, text);
    const response = await sendRequest.call(agent, {
      origin,
      path,
      // `as`: undici's type lists only common methods, but undici sends any method.
      method: method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(endToEnd(headers)),
      // A body that has been read is sent with its length.
      body:
        text === undefined
          ? readable.body && Readable.fromWeb(readable.body)
          : Buffer.from(await readable.arrayBuffer()),
      signal,
      // The client's own timeouts apply.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { statusCode: status, statusText } = response;
    const received = endToEnd(toHeaders(response.headers));
    const record = (bytes: Buffer | undefined) => {
      try {
        if (!bytes) throw new RangeError(`the body exceeds ${longestBody} bytes`);
        const named = new Map<string, string>();
        for (const [name, value] of received) named.set(name, masks.header(name, value));
        if (method !== 'HEAD') named.delete('content-length');
        const type = received.get('content-type') ?? '';
        const plain = removeCoding(bytes, received.get('content-encoding'));
        const encoding = plain && isUtf8(plain) ? 'utf8' : 'latin1';
        const text = plain?.toString(encoding);
        // Learns the response's secrets before masking the request, which may contain them.
        const masked = text === undefined ? undefined : masks.scrubBody(masks.body(type, text));
        // A binary body without secrets is stored as received, with its content coding.
        let body: string | Buffer = bytes;
        if (masked !== undefined && encoding === 'utf8' && isText(type)) body = masked;
        else if (masked !== undefined && masked !== text) body = Buffer.from(masked, encoding);
        if (body !== bytes) named.delete('content-encoding');
        const head = { status, headers: Object.fromEntries(named) };
        writer.add(sent(), masks.scrub(head), body);
      } catch (error) {
        const shown = sent().url;
        process.emitWarning(`${method} ${shown} was not recorded: ${errorMessage(error)}`);
      }
    };
    const body = ReadableStream.from(watch(response.body, record));
    const init = { status, statusText, headers: received };
    if (hasBody(method, status)) return new Response(body, init);
    for await (const _ of body);
    return new Response(null, init);
  };
  return new RecordingDispatcher(forward, options.dispatcher ? undefined : agent);
}

/**
 * Headers that aren't forwarded: hop-by-hop headers and headers that must not influence the
 * response.
 */
const connectionHeaders =
  'accept-encoding connection expect host keep-alive trailer transfer-encoding'.split(' ');

/** Copies headers, except {@link connectionHeaders}. */
function endToEnd(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of connectionHeaders) kept.delete(name);
  return kept;
}

/** Maximum size of a body in bytes, also after decompression. Bodies are searched for secrets in memory. */
const longestBody = 64 * 1_048_576;

/**
 * Passes a body through and collects its bytes.
 * @param ended called before the reader sees the end, because the reader may then open the
 * recording. The bytes are undefined if the body is too large.
 */
async function* watch(body: AsyncIterable<Uint8Array>, ended: (bytes?: Buffer) => void) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size <= longestBody) pieces.push(piece);
    else pieces.length = 0;
    yield piece;
  }
  ended(size <= longestBody ? Buffer.concat(pieces) : undefined);
}

const inflated = { maxOutputLength: longestBody };
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  br: (bytes) => brotliDecompressSync(bytes, inflated),
  deflate: (bytes) => unzipSync(bytes, inflated),
  gzip: (bytes) => unzipSync(bytes, inflated),
  'x-gzip': (bytes) => unzipSync(bytes, inflated),
};

/**
 * Removes the content coding. Undefined if the coding is unknown, or the bytes are invalid or too
 * large when decoded.
 */
function removeCoding(bytes: Buffer, coding: string | null): Buffer | undefined {
  try {
    return bytes.length === 0 ? bytes : decoders[(coding ?? 'identity').toLowerCase()]?.(bytes);
  } catch {
    return undefined;
  }
}
