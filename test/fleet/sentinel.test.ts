import { createRequire } from 'node:module';
import * as ioredis6 from 'ioredis';
import * as redis6 from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RedisClient, redisStore } from '../../src/redis/index.js';

import { createClient, until } from '../support/client.js';
import { RedisSentinel } from '../support/redis-sentinel.js';
import { engine, noEngine } from '../support/redis-server.js';
import { serve } from '../support/server.js';

const require = createRequire(import.meta.url);
const redis5: typeof redis6 = require('redis-5');
const ioredis5: typeof ioredis6 = require('ioredis-5');

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore with Redis Sentinel', () => {
  async function nodeRedis(
    { createSentinel }: typeof redis6,
    sentinel: RedisSentinel,
  ): Promise<RedisClient> {
    const client = createSentinel({
      name: sentinel.name,
      sentinelRootNodes: [{ host: '127.0.0.1', port: sentinel.port }],
      scanInterval: 100,
    });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.destroy());
    return client;
  }

  function ioredis({ Redis }: typeof ioredis6, sentinel: RedisSentinel): RedisClient {
    const sentinels = [{ host: '127.0.0.1', port: sentinel.port }];
    const client = new Redis({ sentinels, name: sentinel.name });
    client.on('error', () => undefined);
    onTestFinished(() => client.disconnect());
    return client;
  }

  it.each<[string, (sentinel: RedisSentinel) => RedisClient | Promise<RedisClient>]>([
    ['redis 6', (sentinel) => nodeRedis(redis6, sentinel)],
    ['redis 5', (sentinel) => nodeRedis(redis5, sentinel)],
    ['ioredis 6', (sentinel) => ioredis(ioredis6, sentinel)],
    ['ioredis 5', (sentinel) => ioredis(ioredis5, sentinel)],
  ])(
    'redisStore stores limits and cached responses through a Sentinel client of %s, even after a failover',
    async (_library, connect) => {
      const sentinel = await RedisSentinel.start();
      onTestFinished(() => sentinel[Symbol.asyncDispose]());
      const lines: string[] = [];
      const log = { debug() {}, info() {}, error() {}, warn: (line: string) => lines.push(line) };
      const server = await serve((request, response) => {
        const etag = '"a"';
        const isSame = request.headers['if-none-match'] === etag;
        response.writeHead(isSame ? 304 : 200, { etag }).end(isSame ? '' : '{"id":1}');
      });
      const store = redisStore(await connect(sentinel), { timeout: 5000 });
      const client = createClient(server, { rateLimit: { shared: store }, cache: { store }, log });
      const call = async () => (await client.request('GET /x').withResponse()).response;
      await call();
      expect((await call()).fromCache).toBe(true);
      expect(lines).toEqual([]);
      await sentinel.failOver();
      await until('the new master is used', async () => (await call()).fromCache);
      await until('all stores respond again', async () => {
        await call();
        const count = (what: string) => lines.filter((line) => line.includes(what)).length;
        return count('calls continue without') === count('responds again');
      });
    },
  );
});
