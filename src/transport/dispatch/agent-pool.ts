import type { Duplex } from 'node:stream';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { createClosedCause } from './deadline.js';
import {
  addProxyName,
  replaceErrorCode,
  translateErrors,
  watchConnections,
} from './workarounds.js';

export interface Proxies {
  /** Proxy for `http:`. Default: none. */
  readonly http: URL | undefined;
  /** Proxy for `https:`. Default: the proxy for `http:`. */
  readonly https: URL | undefined;
  /** Hosts to connect to directly, in the format of `NO_PROXY`. */
  readonly none: string;
}

/** TLS options for `node:tls`. Certificates and keys are PEM. */
export interface TlsSettings {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
}

export interface ConnectionSettings {
  readonly tls: TlsSettings;
  readonly proxies: Proxies | undefined;
  readonly baseOrigin: string;
}

export interface Dispatchers {
  /**
   * Dispatcher for all requests. Undefined if the dispatcher depends on the origin, or must be
   * loaded first.
   */
  readonly single: Dispatcher | undefined;
  /**
   * Returns the dispatcher for an origin, or a promise while the dispatcher's module is loading.
   * @param trusted whether the client may present its certificate to this origin.
   */
  select(origin: string, trusted: boolean): Dispatcher | Promise<Dispatcher>;
  /** Returns the proxy for an origin, without the proxy's password. */
  getProxy(origin: string): string | undefined;
  /** Ends all connections immediately. */
  close(): Promise<unknown>;
}

/** Maximum time in ms to connect, or to create a tunnel through a proxy. */
const timeout = 10_000;

/**
 * Group of connections with the same settings. `anonymous`: connections to the origin of `baseUrl`
 * without the client certificate.
 */
type ConnectionGroup = 'base' | 'anonymous' | 'trusted' | 'foreign';

/**
 * Creates separate agents for each client, because other code may have replaced undici's global
 * dispatcher.
 */
export class AgentPool implements Dispatchers {
  readonly single: Dispatcher | undefined;
  readonly #connections: ConnectionSettings;
  readonly #agents = new Map<ConnectionGroup, Dispatcher | Promise<Dispatcher>>();
  #closed = false;
  /**
   * Sockets that aren't connected yet. `close` destroys them, because undici destroys only
   * connected sockets.
   */
  readonly #connecting = new Set<Duplex>();

  constructor(connections: ConnectionSettings) {
    this.#connections = connections;
    const { proxies, tls } = connections;
    if (proxies || tls.cert !== undefined || tls.servername !== undefined) return;
    this.single = this.#createAgent(tls);
    this.#agents.set('base', this.single);
  }

  select(origin: string, trusted: boolean): Dispatcher | Promise<Dispatcher> {
    const group = this.#chooseGroup(origin, trusted);
    const known = this.#agents.get(group);
    if (known) return known;
    const made = this.#createGroup(group);
    this.#agents.set(group, made);
    return made;
  }

  getProxy(origin: string): string | undefined {
    const { proxies } = this.#connections;
    const proxy = origin.startsWith('https:') ? (proxies?.https ?? proxies?.http) : proxies?.http;
    return proxy?.origin;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#agents.values()].map(async (each) => (await each).destroy()));
    for (const socket of this.#connecting) socket.destroy(createClosedCause());
  }

  #createAgent(tls: buildConnector.BuildOptions): Dispatcher {
    return new AgentClass({
      connect: watchConnections(createConnector({ ...tls, timeout }), this.#connecting),
    });
  }

  #chooseGroup(origin: string, trusted: boolean): ConnectionGroup {
    const { tls, baseOrigin } = this.#connections;
    if (tls.cert === undefined && tls.servername === undefined) return 'base';
    if (origin === baseOrigin) return trusted ? 'base' : 'anonymous';
    return trusted ? 'trusted' : 'foreign';
  }

  #createGroup(group: ConnectionGroup): Dispatcher | Promise<Dispatcher> {
    // Only trusted origins get the certificate, and `servername` applies only to the server in
    // `baseUrl`.
    const { servername, cert, key, ...trust } = this.#connections.tls;
    const tls: buildConnector.BuildOptions = {
      ...trust,
      ...((group === 'base' || group === 'trusted') && { cert, key }),
      ...((group === 'base' || group === 'anonymous') && { servername }),
    };
    const { proxies } = this.#connections;
    const made = proxies
      ? createProxyAgent(proxies, { ...tls, timeout }, { ...trust, timeout }, this.#connecting)
      : this.#createAgent(tls);
    // A dispatcher that is created after the pool was closed must not send anything.
    if (this.#closed) {
      if (made instanceof Promise) void made.then((dispatcher) => dispatcher.destroy());
      else void made.destroy();
    }
    return made;
  }
}

/** Creates an agent that sends http requests to the proxy and https requests through a tunnel. */
async function createProxyAgent(
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
  const connectToProxy = createConnector(proxyTls);
  const toProxy = ({ origin }: URL) => {
    const pool = new PoolClass(origin, {
      connect: watchConnections(
        translateErrors(connectToProxy, (error) => addProxyName(error, origin)),
        connecting,
      ),
      // Timeout for creating a tunnel. Other requests have their own timeouts.
      headersTimeout: timeout,
    });
    // `connect` creates tunnels. undici's main module adds this method to pools, but that module
    // isn't loaded.
    const tunnel = async (options: Dispatcher.ConnectOptions) => {
      const made = await connect.call(pool, options);
      // No pool owns the socket before its TLS handshake, so `close` must destroy it.
      connecting.add(made.socket);
      made.socket.once('close', () => connecting.delete(made.socket));
      return made;
    };
    return Object.assign(pool, { connect: tunnel });
  };
  return new EnvAgentClass({
    // undici reads environment variables if these options are undefined.
    httpProxy: http?.href ?? '',
    httpsProxy: https?.href ?? '',
    noProxy: none,
    proxyTunnel: false,
    connect: createConnector(requestTls),
    requestTls,
    proxyTls,
    clientFactory: toProxy,
    factory: (origin, options) => {
      const url = new URL(origin);
      if (proxies.has(url.href)) return toProxy(url);
      const { connect: given } = options as Pool.Options; // `as`: undici's Agent passes pool options.
      if (typeof given !== 'function') throw new TypeError('undici passed no connector');
      return new PoolClass(origin, {
        ...options,
        connect: watchConnections(translateErrors(given, replaceErrorCode), connecting),
      });
    },
  });
}
