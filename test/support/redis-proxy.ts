import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of Redis that can delay data from Redis and break connections. */
export class RedisProxy implements AsyncDisposable {
  readonly url: string;
  /** Delay in ms for data from Redis. */
  delay = 0;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>, port: number) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(target: number): Promise<RedisProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream);
      upstream.on('data', (bytes) => {
        setTimeout(() => client.destroyed || client.write(bytes), proxy.delay);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // `as`: the server listens on a TCP port.
    const { port } = server.address() as { port: number };
    const proxy = new RedisProxy(server, sockets, port);
    return proxy;
  }

  /** Breaks all connections, but continues to accept new connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
