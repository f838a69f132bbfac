import type { Duplex } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import createConnector from 'undici/lib/core/connect.js';
import AgentClass from 'undici/lib/dispatcher/agent.js';
import type { Proxies, TlsSettings } from './dispatcher.js';
import {
  addProxyName,
  replaceErrorCode,
  translateErrors,
  watchConnections,
} from './workarounds.js';

/** Maximum time in ms to connect, or to create a tunnel through a proxy. */
const timeout = 10_000;

/** Settings for all connections. undici 8 uses HTTP/2 unless it is disabled. */
const common = { timeout, allowH2: false };

/** Creates an agent that connects directly. */
export function createAgent(tls: TlsSettings, connecting: Set<Duplex>): Dispatcher {
  return new AgentClass({
    connect: watchConnections(createConnector({ ...tls, ...common }), connecting),
  });
}

/** Creates an agent that sends http requests to the proxy and https requests through a tunnel. */
export async function createProxyAgent(
  { http, https, none }: Proxies,
  originTls: TlsSettings,
  ownTls: TlsSettings,
  connecting: Set<Duplex>,
): Promise<Dispatcher> {
  const [{ default: EnvAgentClass }, { default: PoolClass }, { default: connect }] =
    await Promise.all([
      import('undici/lib/dispatcher/env-http-proxy-agent.js'),
      import('undici/lib/dispatcher/pool.js'),
      import('undici/lib/api/api-connect.js'),
    ]);
  const requestTls = { ...originTls, ...common };
  const proxyTls = { ...ownTls, ...common };
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
