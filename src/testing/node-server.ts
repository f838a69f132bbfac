import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { errorMessage, getMember, isError } from '../schema/unknown-values.js';
import { formatError, HttpError } from './reply.js';
import { allowReading, checkSite, parseOrigin, type SiteOptions } from './sites.js';
import { readPieces, truncatedBody, wireFaults } from './wire-faults.js';

/** Default for the `malformed` fault. */
const malformed = 'HTTP/1.1 200 OK\r\nthis field has no colon\r\ncontent-length: 0\r\n\r\n';

/** Words in header names that are not spelled as one capital letter followed by lowercase letters. */
const spelled = new Map(
  ['ETag', 'OAuth', 'OTP', 'RateLimit', 'GitHub', 'WWW', 'MD5', 'SHA256', 'XSS', 'UA'].map(
    (word) => [word.toLowerCase(), word],
  ),
);

/**
 * Returns headers as alternating names and values, with names as HTTP/1.1 servers spell them:
 * `X-RateLimit-Limit`, `ETag`. Names in a `Response` are lowercase, but some clients look up
 * headers case-sensitively.
 */
export function rawHeaders(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => [spell(name), value]);
}

/** Converts received headers. */
export function toHeaders(received: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received)) {
    for (const each of [value].flat()) headers.append(name, each);
  }
  return headers;
}

function spell(name: string): string {
  return name
    .split('-')
    .map((word) => spelled.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('-');
}

/** Responds to a request. `rawPath` is the path and query as sent. `Request` contains only the normalized URL. */
export type Handler = (request: Request, rawPath: string) => Promise<Response>;

/** A running server. */
export interface Listening {
  /** Port that the server listens on. */
  readonly port: number;
  /** Base URL, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Stops listening. */
  close(): Promise<void>;
  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an HTTP or HTTPS server.
 * @param port 0 for a free port.
 * @param host Address to listen on. Default: 127.0.0.1.
 * @param sites TLS certificate, public origin, and hosts and origins to accept in addition to this
 * machine and `host`.
 */
export async function listen(
  respond: Handler,
  port: number,
  host = '127.0.0.1',
  sites: SiteOptions = {},
): Promise<Listening> {
  const own = host.includes(':') ? `[${host}]` : host;
  const { allowHosts = [], tls } = sites;
  // Browsers send an origin without a trailing slash.
  const allowOrigins = sites.allowOrigins?.map((each) => each.replace(/\/$/, ''));
  const origin = sites.origin === undefined ? undefined : parseOrigin(sites.origin);
  const ofOrigin = origin === undefined ? [] : [new URL(origin).hostname];
  const allowed = { allowHosts: [own, ...ofOrigin, ...allowHosts], allowOrigins };
  let bound = port;
  let reopening: NodeJS.Timeout | undefined;
  const sockets = new Set<Socket>();
  /** Stops listening and closes all connections, including those without a complete handshake. */
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  /**
   * Closes all connections and refuses new connections for `ms` milliseconds, like a restarting
   * server.
   */
  const refuse = (ms: number) => {
    if (reopening) return;
    stop();
    reopening = setTimeout(() => {
      reopening = undefined;
      server.listen(bound, host);
    }, ms);
  };
  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    // Node can't reset a TLS connection.
    const reset = () => void (tls ? socket.destroy() : socket.resetAndDestroy());
    try {
      checkSite(incoming.headers, allowed);
      if (allowReading(incoming, outgoing, allowed)) return;
      await serve(respond, incoming, outgoing, { origin, refuse, reset });
    } catch (cause) {
      respondWithFailure(outgoing, cause);
    }
  };
  const server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  await once(server.listen(port, host), 'listening').catch((cause: unknown) => {
    if (getMember(cause, 'code') !== 'EADDRINUSE') throw cause;
    throw new Error(
      `port: must be free (got ${port}, which another process uses, probably an earlier emulator). Stop that process, or choose another port.`,
      { cause },
    );
  });
  // Another process may take the port while the server refuses connections.
  server.on('error', (error) =>
    process.emitWarning(`the emulator cannot listen again on port ${bound}: ${error.message}`),
  );
  // `as`: the address of a TCP server is an AddressInfo.
  bound = (server.address() as AddressInfo).port;
  const close = async () => {
    clearTimeout(reopening);
    const closed = once(server, 'close');
    stop();
    await closed;
  };
  // Most certificates for development are valid for localhost.
  const name = tls && host === '127.0.0.1' ? 'localhost' : own;
  const url = `${tls ? 'https' : 'http'}://${name}:${bound}`;
  return { port: bound, url: origin ?? url, close, [Symbol.asyncDispose]: close };
}

/** The server's public origin and functions that {@link serve} uses. */
interface ServerActions {
  readonly origin: string | undefined;
  /** Closes all connections and refuses new connections for `ms` milliseconds. */
  readonly refuse: (ms: number) => void;
  /** Ends the request's connection with a TCP reset. */
  readonly reset: () => void;
}

/** Responds with the emulator's error if the client is still connected and waiting. */
function respondWithFailure(outgoing: ServerResponse, cause: unknown): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
    return;
  }
  const message = `the emulator failed: ${isError(cause) ? cause.stack : errorMessage(cause)}`;
  const { status, body } =
    cause instanceof HttpError ? cause.toReply(formatError) : formatError(500, message);
  // The failed response may have set headers that don't fit the error response.
  for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
  outgoing.writeHead(status, STATUS_CODES[status], {
    'Content-Type': 'application/json; charset=utf-8',
  });
  outgoing.end(body);
  outgoing.req.removeAllListeners('readable').resume();
}

/**
 * Responds to a request.
 * @throws any error from `respond`.
 */
export async function serve(
  respond: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { origin, refuse, reset }: ServerActions,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const { url: target = '/' } = incoming;
  const request = readRequest(incoming, target, origin, left.signal);
  if (!request) {
    outgoing.writeHead(405, { 'Content-Length': '0' }).end();
    return;
  }
  const response = await respond(request, target);
  const fault = wireFaults.get(response);
  // `Response.error()`, which msw handlers may return, has this type.
  if (fault?.kind === 'reset' || fault?.kind === 'refuse' || response.type === 'error') {
    reset();
    if (fault?.kind === 'refuse') refuse(fault.ms);
    return;
  }
  if (fault?.kind === 'malformed') {
    incoming.socket.end(fault.raw ?? malformed);
    return;
  }
  const headers = rawHeaders(response.headers);
  // The emulator's clock sets the date, and a replay sends only recorded headers.
  outgoing.sendDate = false;
  if (response.statusText === '') outgoing.writeHead(response.status, headers);
  else outgoing.writeHead(response.status, response.statusText, headers);
  if (fault?.kind === 'slow') outgoing.flushHeaders();
  await send(outgoing, response, left.signal);
  // Discards the rest of an unread upload, which would block the connection.
  incoming.removeAllListeners('readable').resume();
}

async function send(
  outgoing: ServerResponse,
  response: Response,
  left: AbortSignal,
): Promise<void> {
  try {
    for await (const piece of readPieces(response, left)) {
      if (!outgoing.write(piece)) await once(outgoing, 'drain', { signal: left });
    }
  } catch (error) {
    if (error !== truncatedBody) throw error;
    await new Promise((resolve) => outgoing.write('', resolve));
    outgoing.destroy();
    return;
  }
  outgoing.end();
}

/** Creates a `Request` with a streamed body. Returns undefined for methods that `Request` rejects. */
function readRequest(
  incoming: IncomingMessage,
  target: string,
  origin: string | undefined,
  signal: AbortSignal,
): Request | undefined {
  const method = incoming.method ?? 'GET';
  // `Request` also rejects CONNECT, but Node closes the connection of a CONNECT request before this
  // code runs.
  if (method === 'TRACE') return undefined;
  const scheme = Reflect.get(incoming.socket, 'encrypted') === true ? 'https' : 'http';
  const base = origin ?? `${scheme}://${incoming.headers.host ?? '127.0.0.1'}`;
  // Concatenates the URL instead of resolving it, because a target that starts with // would change
  // the host.
  const url = URL.canParse(base + target)
    ? new URL(base + target)
    : new URL(origin ?? 'http://127.0.0.1/');
  const headers = toHeaders(incoming.headers);
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers, signal });
  // A reader that stops early must not close the connection, because the response still needs it.
  const body = ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
  return new Request(url, { method, headers, signal, body, duplex: 'half' });
}
