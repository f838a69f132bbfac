import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import * as ioredis6 from 'ioredis';
import * as redis6 from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RedisClient, redisStore } from '../../src/redis/index.js';

import { createClient, until } from '../support/client.js';
import { fullExtent } from '../support/extent.js';
import { RedisSentinel } from '../support/redis-sentinel.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';
import { key } from './key.js';

const require = createRequire(import.meta.url);
const redis5: typeof redis6 = require('redis-5');
const ioredis5: typeof ioredis6 = require('ioredis-5');

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore with cluster and ioredis clients', () => {
  const redis = useRedis();

  const all = async (other: RedisClient) => {
    const store = redisStore(other, { key, timeout: 20_000 });
    await store.set('cache:a', 'value', 60_000);
    expect(await store.get('cache:a')).toBe('value');
    expect(await store.setIfAbsent('cache:a', 'other', 60_000)).toBe(false);
    await store.delete('cache:a');
    expect(await store.setIfAbsent('cache:a', 'other', 60_000)).toBe(true);
    const facts = { quota: { limit: 5, remaining: 3, reset: 4e9, ends: 60_000 }, pause: 0 };
    expect(await store.exchangeLimits('ann', 'core', facts)).toEqual({
      ...facts,
      quota: { ...facts.quota, ends: expect.closeTo(60_000, -3) },
    });
  };

  it("redisStore passes the key of each command to a cluster, and keeps a command's keys on one node", async () => {
    const seen: string[] = [];
    await all({
      masters: [],
      sendCommand: (first, isReadonly, args, options) => {
        seen.push(`${args[0]} ${isReadonly}`);
        const at = args[0] === 'EVAL' ? 3 : 1;
        const keys = at === 3 ? args.slice(3, 3 + Number(args[2])) : [args[1]];
        expect(args[at]).toBe(first);
        const tags = new Set(keys.map((each) => /\{.*?\}/.exec(String(each))?.[0]));
        expect(tags.size, String(keys)).toBe(1);
        expect([...tags][0]).toBeDefined();
        return redis.client.sendCommand(args, options);
      },
    });
    expect(seen).toContain('GET false');
  });

  it.each([ioredis5.Redis, ioredis6.Redis])(
    'redisStore stores values and limits through ioredis',
    async (Client) => {
      const client = new Client(redis.server.url);
      onTestFinished(() => client.disconnect());
      await redis.client.scriptFlush();
      await all(client);
    },
  );
});

describe.skipIf(!engine || !fullExtent)('redisStore with Redis Sentinel', () => {
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

it('redisStore sends no commands after the API client is closed, even if Redis is unavailable', async () => {
  let sent = 0;
  const late = {
    sendCommand: async () => {
      sent++;
      await sleep(60);
      throw new Error('the connection is closed');
    },
  };
  const server = await serve((_request, response) => void response.end('{}'));
  const client = createClient(server, { rateLimit: { shared: redisStore(late, { timeout: 20 }) } });
  await client.request('GET /x');
  await client.close();
  const before = sent;
  await sleep(900);
  expect(sent).toBe(before);
});
