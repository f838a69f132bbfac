import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { closedCause } from './deadline.js';

/** The proxies of a client. */
export interface Proxies {
  /** For `http:`; undefined connects directly. */
  readonly http: URL | undefined;
  /** For `https:`; undefined takes that for `http:`. */
  readonly https: URL | undefined;
  /** Hosts that are connected to directly, as `NO_PROXY` names them. */
  readonly none: string;
}

/** How connections are secured, as `node:tls` takes it. */
export interface TlsSettings extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> {
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
}

/** How a client connects. */
export interface Connections {
  readonly tls: TlsSettings;
  readonly proxies: Proxies | undefined;
  readonly baseOrigin: string;
}

/** Dispatchers of a client's requests. */
export interface Dispatchers {
  /** Dispatcher of all requests. Undefined if it depends on the origin, or must be loaded first. */
  readonly single: Dispatcher | undefined;
  /**
   * Returns the dispatcher for an origin; a promise while its module is loaded.
   * @param trusted whether the client's certificate may be presented, if the origin gets it at all.
   */
  of(origin: string, trusted: boolean): Dispatcher | Promise<Dispatcher>;
  /** The proxy that an origin would be reached by, as it may be shown. */
  getProxy(origin: string): string | undefined;
  /** Ends all connections immediately. */
  close(): Promise<unknown>;
}

/** Milliseconds that a connection may take, and a proxy to make one. */
const timeout = 10_000;

/**
 * Group of connections with the same settings. `anonymous`: to the origin of `baseUrl`, without the
 * certificate.
 */
type OriginTrust = 'base' | 'anonymous' | 'trusted' | 'foreign';

/** Agents of the client's own: undici's global one may carry what others have set. */
export class AgentPool implements Dispatchers {
  readonly single: Dispatcher | undefined;
  readonly #connections: Connections;
  readonly #made = new Map<OriginTrust, Dispatcher | Promise<Dispatcher>>();
  #closed = false;
  /** Sockets that are not connected yet: undici ends only connected ones. */
  readonly #connecting = new Set<Duplex>();

  constructor(connections: Connections) {
    this.#connections = connections;
    const { proxies, tls } = connections;
    if (proxies || tls.cert !== undefined || tls.servername !== undefined) return;
    this.single = this.#createAgent(tls);
    this.#made.set('base', this.single);
  }

  of(origin: string, trusted: boolean): Dispatcher | Promise<Dispatcher> {
    const whose = this.#whose(origin, trusted);
    const known = this.#made.get(whose);
    if (known) return known;
    const made = this.#make(whose);
    this.#made.set(whose, made);
    return made;
  }

  getProxy(origin: string): string | undefined {
    const { proxies } = this.#connections;
    const proxy = origin.startsWith('https:') ? (proxies?.https ?? proxies?.http) : proxies?.http;
    return proxy?.origin;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#made.values()].map(async (each) => (await each).destroy()));
    for (const socket of this.#connecting) socket.destroy(closedCause());
  }

  #createAgent(tls: buildConnector.BuildOptions): Dispatcher {
    return new AgentClass({ connect: watched(connectorOf({ ...tls, timeout }), this.#connecting) });
  }

  #whose(origin: string, trusted: boolean): OriginTrust {
    const { tls, baseOrigin } = this.#connections;
    if (tls.cert === undefined && tls.servername === undefined) return 'base';
    if (origin === baseOrigin) return trusted ? 'base' : 'anonymous';
    return trusted ? 'trusted' : 'foreign';
  }

  #make(whose: OriginTrust): Dispatcher | Promise<Dispatcher> {
    // A certificate is shown where credentials are sent, and another name is that of one server.
    const { servername, cert, key, ...trust } = this.#connections.tls;
    const tls: buildConnector.BuildOptions = {
      ...trust,
      ...((whose === 'base' || whose === 'trusted') && { cert, key }),
      ...((whose === 'base' || whose === 'anonymous') && { servername }),
    };
    const { proxies } = this.#connections;
    const made = proxies
      ? proxyAgent(proxies, { ...tls, timeout }, { ...trust, timeout }, this.#connecting)
      : this.#createAgent(tls);
    // A dispatcher that is created too late must not send either.
    if (this.#closed) {
      if (made instanceof Promise) void made.then((dispatcher) => dispatcher.destroy());
      else void made.destroy();
    }
    return made;
  }
}

/** Loads what most clients do not need. Requests to http go to the proxy as they are, those to https through a tunnel. */
async function proxyAgent(
  { http, https, none }: Proxies,
  requestTls: buildConnector.BuildOptions,
  proxyTls: buildConnector.BuildOptions,
  connecting: Set<Duplex>,
): Promise<Dispatcher> {
  const [{ default: EnvAgentClass }, { default: PoolClass }, { default: connect }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/api/api-connect.js'),
    ]);
  const proxies = new Set([http?.href, https?.href]);
  const connectToProxy = connectorOf(proxyTls);
  const toProxy = ({ origin }: URL) => {
    const pool = new PoolClass(origin, {
      connect: watched(
        translated(connectToProxy, (error) => named(error, origin)),
        connecting,
      ),
      // How long it may take to make a tunnel; other requests bring limits of their own.
      headersTimeout: timeout,
    });
    // All of undici gives its pools this method, which makes tunnels; a pool that is loaded alone lacks it.
    const tunnel = async (options: Dispatcher.ConnectOptions) => {
      const made = await connect.call(pool, options);
      // Neither pool knows the socket until TLS is set up in it.
      connecting.add(made.socket);
      made.socket.once('close', () => connecting.delete(made.socket));
      return made;
    };
    return Object.assign(pool, { connect: tunnel });
  };
  return new EnvAgentClass({
    // undici looks into the environment for what is undefined.
    httpProxy: http?.href ?? '',
    httpsProxy: https?.href ?? '',
    noProxy: none,
    proxyTunnel: false,
    connect: connectorOf(requestTls),
    requestTls,
    proxyTls,
    clientFactory: toProxy,
    factory: (origin, options) => {
      const url = new URL(origin);
      if (proxies.has(url.href)) return toProxy(url);
      const { connect: given } = options as Pool.Options; // as: undici's Agent hands on its own options
      if (typeof given !== 'function') throw new TypeError('undici returned no connector');
      return new PoolClass(origin, {
        ...options,
        connect: watched(translated(given, settled), connecting),
      });
    },
  });
}

/** A connector with other errors. */
function translated(
  connect: buildConnector.connector,
  translate: (error: NodeJS.ErrnoException) => Error,
): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) =>
      result[0] === null ? callback(...result) : callback(translate(result[0]), null),
    );
}

/** The proxy itself can't be reached. */
function named(error: NodeJS.ErrnoException, proxy: string): Error {
  error.message = `the proxy ${proxy}: ${error.message || error.code}`;
  return error;
}

/** undici would try again for ever where a proxy ends the connection, and speak of headers where it makes none. */
function settled(error: NodeJS.ErrnoException): Error {
  if (error.code === 'UND_ERR_SOCKET' || error.code === 'UND_ERR_INFO') error.code = 'ECONNRESET';
  if (error.code === 'UND_ERR_HEADERS_TIMEOUT') error.code = 'UND_ERR_CONNECT_TIMEOUT';
  return error;
}

/**
 * Wraps a connector of undici: records sockets while they connect, and disguises resets. undici takes
 * ECONNRESET for the end of a body without a length, so half a file would pass for the whole.
 */
function watched(
  connect: buildConnector.connector,
  connecting: Set<Duplex>,
): buildConnector.connector {
  return (target, callback) => {
    // undici returns the socket, which its types don't say.
    const socket: unknown = connect(target, (...result) => {
      if (socket instanceof Socket) connecting.delete(socket);
      if (result[1]) disguiseResets(result[1]);
      callback(...result);
    });
    if (socket instanceof Socket) connecting.add(socket);
  };
}

/** undici compares the code as soon as it is told of the error; nobody else shall see another one. */
function disguiseResets(socket: Socket): void {
  socket.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') return;
    error.code = 'ECONNRESET_WITHIN_BODY';
    process.nextTick(() => {
      error.code = 'ECONNRESET';
    });
  });
}
