import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type RedisClientOptions } from 'redis';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { until } from './client.js';

/** Returns whether a program is installed. */
function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Command that starts the Redis server: `FLEET_ENGINE` if set, otherwise Redis or, if Redis isn't
 * installed, Valkey. Undefined if neither is installed.
 */
export const engine =
  process.env.FLEET_ENGINE ?? ['redis-server', 'valkey-server'].find((name) => isThere(name));

/** Reason shown if tests are skipped because no engine is installed. */
export const noEngine = 'redis-server is not installed: apt-get install redis-server';

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  // `as`: the server listens on a TCP port.
  return (address as { port: number }).port;
}

/**
 * Real Redis server with a temporary folder. Persists data only if its arguments enable
 * persistence.
 */
export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly #args: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'triforge-redis-'));
  #child: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.url = `redis://127.0.0.1:${port}`;
    this.#args = args;
  }

  /**
   * Starts a server.
   * @param args Additional arguments for the program.
   */
  static async start(...args: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), args);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const port = `${this.port}`;
    const own = ['--port', port, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const args = [...own, '--appendonly', 'no', '--protected-mode', 'no', ...this.#args];
    this.#child = spawn(engine ?? 'redis-server', args, { stdio: 'ignore' });
    await until('Redis responds', () => this.isReady());
  }

  async isReady(): Promise<boolean> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: false } });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.ping()) === 'PONG';
    } catch {
      return false;
    } finally {
      if (client.isOpen) client.destroy();
    }
  }

  /**
   * Sends a signal. `SIGSTOP` simulates a hanging machine whose connections stay open. `SIGCONT`
   * resumes the server.
   */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export type RedisConnection = ReturnType<typeof createClient>;

async function connect(options: RedisClientOptions): Promise<RedisConnection> {
  const client: RedisConnection = createClient(options);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Connects a node-redis client and destroys the client when the test ends. */
export async function connectRedis(
  url: string,
  socket: NonNullable<RedisClientOptions['socket']> = {},
): Promise<RedisConnection> {
  const client = await connect({ url, socket });
  onTestFinished(() => {
    if (client.isOpen) client.destroy();
  });
  return client;
}

/**
 * Starts Redis for the suite that calls this function, and empties Redis before each test. `server`
 * and the connected `client` are available in tests and hooks.
 */
export function useRedis(): { readonly server: RedisServer; readonly client: RedisConnection } {
  let running: { server: RedisServer; client: RedisConnection } | undefined;
  beforeAll(async () => {
    const server = await RedisServer.start();
    running = { server, client: await connect({ url: server.url }) };
  });
  beforeEach(async () => void (await running?.client.flushAll()));
  afterAll(async () => {
    running?.client.destroy();
    await running?.server[Symbol.asyncDispose]();
  });
  const started = () => {
    if (!running) throw new Error('Redis runs only within tests and hooks');
    return running;
  };
  return {
    get server() {
      return started().server;
    },
    get client() {
      return started().client;
    },
  };
}
