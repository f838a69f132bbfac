import { createClient } from 'redis';
import { RedisServer } from '../test/support/redis-server.js';

/** Statistics since Redis started. */
export interface RedisUse {
  /** Number of times that Redis ran a store script. */
  readonly commands: number;
  /** Total processor time of Redis, including connections, in ms. */
  readonly cpu: number;
}

/** A Redis server for a measurement. */
export interface Redis extends AsyncDisposable {
  readonly url: string;
  used(): Promise<RedisUse>;
}

/** Returns the number that a pattern captures in the output of `INFO`. */
function figure(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

export async function startRedis(): Promise<Redis> {
  const server = await RedisServer.start();
  const client = createClient({ url: server.url });
  await client.connect();
  return {
    url: server.url,
    async used() {
      const text = `${await client.info('commandstats')}\n${await client.info('cpu')}`;
      return {
        commands: figure(text, /^cmdstat_evalsha:calls=(\d+)/m),
        cpu:
          1000 * figure(text, /^used_cpu_user:([\d.]+)/m) +
          1000 * figure(text, /^used_cpu_sys:([\d.]+)/m),
      };
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
