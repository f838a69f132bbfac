import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { until } from './client.js';
import { engine, freePort, RedisServer } from './redis-server.js';

/** A master, its replica, and a Sentinel that promotes the replica when the master fails. */
export class RedisSentinel implements AsyncDisposable {
  readonly name = 'main';
  readonly port: number;
  readonly master: RedisServer;
  readonly replica: RedisServer;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(
    port: number,
    [master, replica]: readonly [RedisServer, RedisServer],
    child: ChildProcess,
    folder: string,
  ) {
    this.port = port;
    this.master = master;
    this.replica = replica;
    this.#child = child;
    this.#folder = folder;
  }

  static async start(): Promise<RedisSentinel> {
    const master = await RedisServer.start();
    const replica = await RedisServer.start('--replicaof', '127.0.0.1', `${master.port}`);
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'triforge-sentinel-'));
    const settings = join(folder, 'sentinel.conf');
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor main 127.0.0.1 ${master.port} 1`,
      'sentinel down-after-milliseconds main 300',
      'sentinel failover-timeout main 3000',
    ];
    writeFileSync(settings, `${lines.join('\n')}\n`);
    const child = spawn(engine ?? 'redis-server', [settings, '--sentinel'], { stdio: 'ignore' });
    const sentinel = new RedisSentinel(port, [master, replica], child, folder);
    await until('the Sentinel knows the replica', async () =>
      (await sentinel.#sendCommand('REPLICAS', 'main')).includes(`${replica.port}`),
    );
    return sentinel;
  }

  /** Kills the master and waits until the replica is promoted. */
  async failOver(): Promise<void> {
    await this.master.kill();
    await until('the replica is the master', async () =>
      (await this.#sendCommand('GET-MASTER-ADDR-BY-NAME', 'main')).includes(`${this.replica.port}`),
    );
  }

  async #sendCommand(...args: string[]): Promise<string> {
    const client = createClient({
      url: `redis://127.0.0.1:${this.port}`,
      socket: { reconnectStrategy: false },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return JSON.stringify(await client.sendCommand(['SENTINEL', ...args]));
    } catch {
      return '';
    } finally {
      if (client.isOpen) client.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    await this.master[Symbol.asyncDispose]();
    await this.replica[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
