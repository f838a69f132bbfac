import type { Duplex } from 'node:stream';
import type { ClientAgent } from './agents.js';
import { createClosedCause } from './deadline.js';
import type { ConnectionSettings, Dispatchers } from './dispatcher.js';

/**
 * Group of connections with the same settings. `anonymous`: connections to the origin of `baseUrl`
 * without the client certificate.
 */
type ConnectionGroup = 'base' | 'anonymous' | 'trusted' | 'foreign';

/** Creates the dispatchers for a client without a custom `dispatcher` or `fetch`. */
export function createDispatchers(connections: ConnectionSettings): Dispatchers {
  return new AgentPool(connections);
}

/**
 * Creates separate agents for each client, because other code may have replaced undici's global
 * dispatcher. undici is loaded with the first request.
 */
class AgentPool implements Dispatchers {
  single: ClientAgent | undefined;
  readonly #connections: ConnectionSettings;
  /** Whether connections to all origins have the same settings. */
  readonly #isUniform: boolean;
  readonly #agents = new Map<ConnectionGroup, ClientAgent | Promise<ClientAgent>>();
  #closed = false;
  /**
   * Sockets that aren't connected yet. `close` destroys them, because undici destroys only
   * connected sockets.
   */
  readonly #connecting = new Set<Duplex>();

  constructor(connections: ConnectionSettings) {
    this.#connections = connections;
    const { cert, servername } = connections.tls;
    this.#isUniform = cert === undefined && servername === undefined;
  }

  select(origin: string, trusted: boolean): ClientAgent | Promise<ClientAgent> {
    const group = this.#chooseGroup(origin, trusted);
    const known = this.#agents.get(group);
    if (known) return known;
    const loading = this.#createAgent(group);
    this.#agents.set(group, loading);
    return loading;
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

  #chooseGroup(origin: string, trusted: boolean): ConnectionGroup {
    if (this.#isUniform) return 'base';
    if (origin === this.#connections.baseOrigin) return trusted ? 'base' : 'anonymous';
    return trusted ? 'trusted' : 'foreign';
  }

  async #createAgent(group: ConnectionGroup): Promise<ClientAgent> {
    // Only trusted origins get the certificate, and `servername` applies only to the server in
    // `baseUrl`.
    const { tls, proxies } = this.#connections;
    const { servername, cert, key, ...trust } = tls;
    const requestTls = {
      ...trust,
      ...((group === 'base' || group === 'trusted') && { cert, key }),
      ...((group === 'base' || group === 'anonymous') && { servername }),
    };
    const { createAgent, createProxyAgent } = await import('./agents.js');
    const agent = proxies
      ? createProxyAgent(proxies, requestTls, trust, this.#connecting)
      : createAgent(requestTls, this.#connecting);
    // A dispatcher that is created after the pool was closed must not send anything.
    if (this.#closed) await agent.destroy();
    this.#agents.set(group, agent);
    if (this.#isUniform) this.single = agent;
    return agent;
  }
}
