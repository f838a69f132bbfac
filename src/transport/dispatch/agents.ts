import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import requestTunnel from 'undici/lib/api/api-connect.js';
import createConnector from 'undici/lib/core/connect.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { asError } from '../../schema/unknown-values.js';
import { formatBasicAuth } from '../request/credentials.js';
import type { Proxies, TlsSettings } from './dispatcher.js';
import { createProxyRejection } from './failure-kind.js';

/** Maximum time in ms to connect, or to create a tunnel through a proxy. */
const timeout = 10_000;

/** Settings for all connections. undici 8 uses HTTP/2 unless it is disabled. */
const common = { timeout, allowH2: false };

/** The parts of an undici agent that the client uses. */
export type ClientAgent = Pick<Dispatcher, 'dispatch'> & { destroy(): Promise<unknown> };

/** Creates an agent that connects directly. */
export function createAgent(tls: TlsSettings, connecting: Set<Duplex>): ClientAgent {
  return new AgentClass({
    connect: watchConnections(createConnector({ ...tls, ...common }), connecting),
  });
}

/** Creates an agent that sends http requests to the proxy and https requests through a tunnel. */
export function createProxyAgent(
  { http, https = http, none }: Proxies,
  originTls: TlsSettings,
  proxyTls: TlsSettings,
  connecting: Set<Duplex>,
): ClientAgent {
  const connectDirectly = createConnector({ ...originTls, ...common });
  const connectToProxy = createConnector({ ...proxyTls, ...common });
  const toProxies = new AgentClass({
    connect: watchConnections((target, callback) => {
      const origin = `${target.protocol}//${target.host}`;
      translateErrors(connectToProxy, (error) => addProxyName(error, origin))(target, callback);
    }, connecting),
  });
  const toOrigins = new AgentClass({
    connect: watchConnections(
      translateErrors((target, callback) => {
        const origin = new URL(`${target.protocol}//${target.host}`);
        const isTunneled = origin.protocol === 'https:' && isProxied(origin, none);
        if (!https || !isTunneled) return connectDirectly(target, callback);
        createTunnel(toProxies, https, origin, connecting).then(
          (httpSocket) => connectDirectly({ ...target, httpSocket }, callback),
          (error: unknown) => callback(asError(error), null),
        );
      }, replaceErrorCode),
      connecting,
    ),
  });
  return {
    dispatch(options, handler) {
      const origin = new URL(String(options.origin));
      if (!http || origin.protocol === 'https:' || !isProxied(origin, none)) {
        return toOrigins.dispatch(options, handler);
      }
      const own = ['host', origin.host, ...Object.entries(authorize(http)).flat()];
      // `as`: the client passes alternating names and values.
      const headers = [...((options.headers ?? []) as string[]), ...own];
      const path = `${origin.origin}${options.path}`;
      const forwarded = { ...options, origin: http.origin, path, headers };
      return toProxies.dispatch(forwarded, watchRejection(handler));
    },
    destroy: () => Promise.all([toOrigins.destroy(), toProxies.destroy()]),
  };
}

/** Aborts a forwarded request if the proxy rejects it with a 407. Forwards all other events. */
function watchRejection(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, ...rest) {
      if (status === 407) controller.abort(createProxyRejection(status));
      else handler.onResponseStart?.(controller, status, ...rest);
    },
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}

/** Opens a tunnel to a target. Rejects if the proxy doesn't create the tunnel in time. */
async function createTunnel(
  agent: Agent,
  proxy: URL,
  { host, port }: URL,
  connecting: Set<Duplex>,
): Promise<Socket> {
  const { socket, statusCode } = await requestTunnel.call(agent, {
    origin: proxy.origin,
    path: port ? host : `${host}:443`,
    headers: { host, ...authorize(proxy) },
    headersTimeout: timeout,
  });
  // No pool owns the socket before its TLS handshake, so `close` must destroy it.
  connecting.add(socket);
  socket.once('close', () => connecting.delete(socket));
  if (statusCode === 200) return socket as Socket; // `as`: an agent without HTTP/2 opens sockets.
  socket.on('error', () => undefined).destroy();
  throw createProxyRejection(statusCode);
}

function authorize({ username, password }: URL): Record<string, string> {
  if (password === '') return {};
  const [user, secret] = [username, password].map(decodeURIComponent);
  return { 'proxy-authorization': formatBasicAuth(user ?? '', secret ?? '') };
}

/**
 * Returns whether no entry of `NO_PROXY` matches an origin. An entry is `*`, or a host with an
 * optional port. A host also matches its subdomains.
 */
function isProxied({ hostname, port, protocol }: URL, none: readonly string[]): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return none.every((entry) => {
    const [, pattern = '', entryPort = ownPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    const host = pattern.replace(/^\*?\.?/, '').toLowerCase();
    const isMatch = host === '' || hostname === host || hostname.endsWith(`.${host}`);
    return !isMatch || entryPort !== ownPort;
  });
}

// Workarounds for undici's connectors. Each comment describes the behavior of undici that requires
// the workaround.

/** Wraps an undici connector. Translates the errors of failed connections. */
function translateErrors(
  connect: buildConnector.connector,
  translate: (error: NodeJS.ErrnoException) => Error,
): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) =>
      result[0] === null ? callback(...result) : callback(translate(result[0]), null),
    );
}

/** Names the proxy, which undici's connection errors don't mention. */
function addProxyName(error: NodeJS.ErrnoException, proxy: string): Error {
  error.message = `could not connect to the proxy ${proxy}: ${error.message || error.code}`;
  return error;
}

/**
 * Replaces error codes that undici misinterprets. undici would retry forever if the proxy closed
 * the connection. If the proxy created no tunnel, undici would report a headers timeout.
 */
function replaceErrorCode(error: NodeJS.ErrnoException): Error {
  // undici 8 has a separate code for a proxy that closes the connection.
  if (/^UND_ERR_(?:SOCKET|INFO|PRX_CONN)$/.test(error.code ?? '')) error.code = 'ECONNRESET';
  if (error.code === 'UND_ERR_HEADERS_TIMEOUT') error.code = 'UND_ERR_CONNECT_TIMEOUT';
  return error;
}

/**
 * Wraps an undici connector. Records sockets while they connect and disguises resets. undici
 * treats ECONNRESET as the end of a body without a length, so a truncated file would look complete.
 */
function watchConnections(
  connect: buildConnector.connector,
  connecting: Set<Duplex>,
): buildConnector.connector {
  return (target, callback) => {
    // undici returns the socket, although its types declare no return value.
    const socket: unknown = connect(target, (...result) => {
      if (socket instanceof Socket) connecting.delete(socket);
      if (result[1]) disguiseResets(result[1]);
      callback(...result);
    });
    if (socket instanceof Socket) connecting.add(socket);
  };
}

/**
 * Changes the code of ECONNRESET errors while undici's listeners run. Restores the original code
 * afterward.
 */
function disguiseResets(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') return;
    error.code = 'ECONNRESET_WITHIN_BODY';
    process.nextTick(() => {
      error.code = 'ECONNRESET';
    });
  });
}
