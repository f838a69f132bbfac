import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import type { buildConnector, Dispatcher } from 'undici';
// Imports only the Agent, because importing all of undici would replace the global agent that
// `fetch` uses.
import AgentClass from 'undici/lib/dispatcher/agent.js';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';
import { asError } from '../schema/unknown-values.js';
import { type Handler, type Listening, listen, serve } from './node-server.js';

/**
 * Creates an undici dispatcher that connects to an HTTP server in this process without a network
 * socket. If `respond` throws, the call fails with that error as its cause.
 */
export function dispatcherOver(respond: Handler): Dispatcher {
  return dispatchersOver(respond)();
}

/**
 * Returns a function that creates dispatchers. The dispatchers share a server, so a `refuse` fault
 * affects all of them.
 */
export function dispatchersOver(respond: Handler): () => Dispatcher {
  const connect = connectTo(respond);
  return () => new AgentClass({ connect });
}

/**
 * Dispatcher that forwards to another dispatcher, and can also listen on a port. Has no `#private`
 * fields, because `compose` wraps the dispatcher in a `Proxy`, which can't access such fields.
 */
export class ListeningDispatcher extends DispatcherClass {
  private readonly servers: Listening[] = [];

  /** @param owned dispatcher to close and destroy together with this dispatcher. */
  constructor(
    private readonly inner: Dispatcher,
    private readonly owned: Dispatcher | undefined,
  ) {
    super();
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    return this.inner.dispatch(options, handler);
  }

  override close(callback?: () => void): Promise<void> {
    return this.end((dispatcher) => dispatcher.close(), callback);
  }

  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> {
    const [why, done] = typeof error === 'function' ? [null, error] : [error ?? null, callback];
    return this.end((dispatcher) => dispatcher.destroy(why), done);
  }

  /** Starts a server that is closed together with this dispatcher. */
  protected async serve(respond: Handler, port: number): Promise<Listening> {
    const server = await listen(respond, port);
    this.servers.push(server);
    return server;
  }

  /** Ends the owned dispatcher, and then closes the servers. */
  private async end(how: (dispatcher: Dispatcher) => Promise<void>, done?: () => void) {
    if (this.owned) await how(this.owned);
    await Promise.all(this.servers.map((server) => server.close()));
    done?.();
  }
}

/** Creates a connector for undici's Agent. All its connections lead to one HTTP server. */
function connectTo(respond: Handler): buildConnector.connector {
  /** The client's end of each connection, by the server's end. */
  const connections = new Map<Duplex, Duplex>();
  let refusedUntil = Number.NEGATIVE_INFINITY;
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    const fail = (cause: unknown) => connections.get(socket)?.destroy(asError(cause));
    const reset = () => fail(createSystemError('ECONNRESET', 'read ECONNRESET'));
    const refuse = (ms: number) => {
      refusedUntil = performance.now() + ms;
      for (const client of connections.values()) client.destroy();
    };
    serve(respond, incoming, outgoing, { origin: undefined, refuse, reset }).catch(fail);
  });
  const connect = async (isEncrypted: boolean): Promise<Duplex> => {
    if (performance.now() < refusedUntil) {
      throw createSystemError('ECONNREFUSED', 'connect ECONNREFUSED');
    }
    const [client, own] = duplexPair();
    connections.set(own, client);
    // The ends of a pair don't close each other.
    client.once('close', () => own.destroy());
    own.once('close', () => {
      connections.delete(own);
      client.destroy();
    });
    // `encrypted` is set as in a `TLSSocket`, so that URLs in responses have the request's scheme.
    server.emit('connection', Object.assign(own, { encrypted: isEncrypted }));
    return client;
  };
  // undici expects the callback to run after this function has returned.
  return ({ protocol }, callback) => {
    connect(protocol === 'https:').then(
      // `as`: undici uses only the members of a socket that a duplex stream has.
      (client) => callback(null, client as Socket),
      (error: Error) => callback(error, null),
    );
  };
}

function createSystemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
