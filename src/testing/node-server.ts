import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { errorMessage, getMember, isError } from '../schema/unknown-values.js';
import { rawHeaders, toHeaders } from './header-names.js';
import { formatError, HttpError } from './reply.js';
import {
  allowReading,
  checkSite,
  type EmulatorTlsOptions,
  parseOrigin,
  type SiteOptions,
} from './sites.js';
import { findWireFault, malformedHead, readPieces, TruncatedBodyError } from './wire-faults.js';

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
  const { allowHosts = [], allowOrigins, tls } = sites;
  const origin = sites.origin === undefined ? undefined : parseOrigin(sites.origin);
  const ofOrigin = origin === undefined ? [] : [new URL(origin).hostname];
  const allowed = { allowHosts: [own, ...ofOrigin, ...allowHosts], allowOrigins };
  let bound = port;
  let reopening: NodeJS.Timeout | undefined;
  /** TCP connections by peer, because a TLS socket itself can't be reset. */
  const connections = new Map<string, Socket>();
  /**
   * Closes all connections and refuses new connections for `ms` milliseconds, like a restarting
   * server.
   */
  const refuse = (ms: number) => {
    if (reopening) return;
    server.close();
    server.closeAllConnections();
    reopening = setTimeout(() => {
      reopening = undefined;
      server.listen(bound, host);
    }, ms);
  };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const reset = () => connections.get(describePeer(incoming.socket))?.resetAndDestroy();
    startInOrder(outgoing, async () => {
      try {
        checkSite(incoming.headers, allowed);
        if (allowReading(incoming, outgoing, allowed)) return;
        await serve(respond, incoming, outgoing, { origin, refuse, reset });
      } catch (cause) {
        respondWithFailure(outgoing, cause);
      }
    });
  };
  const server = tls ? createSecureServer(tls, onRequest) : createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    const peer = describePeer(socket);
    connections.set(peer, socket);
    socket.once('close', () => connections.delete(peer));
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
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  const url = `${tls ? `https://${certifiedName(tls, host, own)}` : `http://${own}`}:${bound}`;
  return { port: bound, url: origin ?? url, close, [Symbol.asyncDispose]: close };
}

/** The last response of each connection. */
const lastResponses = new WeakMap<object, ServerResponse>();

/**
 * Starts pipelined requests one at a time. If they ran concurrently, a client could exhaust memory
 * by sending hundreds of requests in one packet without reading the responses.
 */
function startInOrder(outgoing: ServerResponse, begin: () => void): void {
  const { socket } = outgoing.req;
  const previous = lastResponses.get(socket);
  lastResponses.set(socket, outgoing);
  if (!previous || previous.writableFinished) begin();
  else previous.once('close', begin);
}

function describePeer({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Returns the host name for URLs: `localhost` if the certificate is valid for `localhost` but not
 * for `host`, otherwise `own`.
 */
function certifiedName({ cert }: EmulatorTlsOptions, host: string, own: string): string {
  const certificate = new X509Certificate(cert);
  const named = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  return named === undefined && certificate.checkHost('localhost') ? 'localhost' : own;
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
  // The failed response may have set headers that don't fit this one.
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
  const target = readTarget(incoming);
  const request = readRequest(incoming, target, origin, left.signal);
  if (!request) {
    outgoing.writeHead(405, { 'Content-Length': '0' }).end();
    return;
  }
  const response = await respond(request, target);
  const fault = findWireFault(response);
  // `Response.error()`, such as that of msw, has this type.
  if (fault?.kind === 'reset' || fault?.kind === 'refuse' || response.type === 'error') {
    reset();
    if (fault?.kind === 'refuse') refuse(fault.ms);
    return;
  }
  if (fault?.kind === 'malformed') {
    incoming.socket.end(malformedHead(fault));
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
    if (!(error instanceof TruncatedBodyError)) throw error;
    await new Promise((resolve) => outgoing.write('', resolve));
    outgoing.destroy();
    return;
  }
  outgoing.end();
}

/**
 * Returns a request's path and query. If a client uses the server as its proxy, the request has
 * the whole URL instead (RFC 9112, section 3.2.2).
 */
function readTarget({ url = '/', headers }: IncomingMessage): string {
  const [, host, rest] = /^https?:\/\/([^/?#]*)(.*)/i.exec(url) ?? [];
  return host !== undefined && host === headers.host ? rest || '/' : url;
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
