import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisClient } from '../../src/redis/index.js';
import { redisStore } from '../../src/redis/index.js';
import { createClient } from '../support/client.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';
import { getEntry, key, sending, session } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('cluster and ioredis clients', () => {
    const all = async (other: RedisClient) => {
      const store = redisStore(other, { key, timeout: 20_000 });
      await store.set('a', getEntry(randomBytes(10)));
      expect(await store.get('a')).toBeDefined();
      await store.saveSession('ann', session);
      expect(await store.loadSession('ann')).toMatchObject({ accessToken: session.accessToken });
      expect(await store.acquireLock('a', 'owner', 5000)).toBe('owner');
      await store.releaseLock('a', 'owner');
    };

    it("redisStore passes the key of each command to a cluster, and keeps a command's keys on one node", async () => {
      const seen: string[] = [];
      await all({
        masters: [],
        sendCommand: (first, isReadonly, args, options) => {
          seen.push(`${args[0]} ${isReadonly}`);
          const at = args[0] === 'EVAL' || args[0] === 'EVALSHA' ? 3 : 1;
          const keys = at === 3 ? args.slice(3, 3 + Number(args[2])) : [args[1]];
          expect(args[at]).toBe(first);
          const tags = new Set(keys.map((each) => /\{.*?\}/.exec(String(each))?.[0]));
          expect(tags.size, String(keys)).toBe(1);
          expect([...tags][0]).toBeDefined();
          return redis.client.sendCommand(args, options);
        },
      });
      expect(seen).toContain('GETRANGE false');
    });

    it.each<[string, () => Promise<[RedisClient, () => Promise<unknown>]>]>([
      [
        'node-redis',
        async () => {
          const client = await connectRedis(redis.server.url);
          return [client, () => client.sendCommand(['MULTI'])];
        },
      ],
      [
        'ioredis',
        async () => {
          const client = new Redis(redis.server.url);
          onTestFinished(() => client.disconnect());
          return [client, () => client.multi({ pipeline: false })];
        },
      ],
    ])(
      'redisStore rejects calls during an open transaction of its %s client',
      async (_name, connect) => {
        const [client, begin] = await connect();
        const store = redisStore(client, { key, timeout: 20_000 });
        await begin();
        for (const attempt of [
          () => store.acquireLock('a', 'one', 10_000),
          () => store.claimDelivery('a', 'one', 10_000),
          () => store.loadSession('ann'),
          () => store.get('a'),
        ]) {
          await expect(attempt()).rejects.toThrow('MULTI');
        }
      },
    );

    it('redisStore calls the Buffer variants of ioredis methods', async () => {
      const seen: string[] = [];
      const method =
        (name: string, command: string) =>
        (...args: (string | Buffer)[]) => {
          seen.push(name);
          return redis.client.sendCommand([command, ...args], { typeMapping: { 36: Buffer } });
        };
      const ioredis = {
        evalBuffer: method('evalBuffer', 'EVAL'),
        evalshaBuffer: method('evalshaBuffer', 'EVALSHA'),
        getrangeBuffer: method('getrangeBuffer', 'GETRANGE'),
        pttl: method('pttl', 'PTTL'),
        setBuffer: method('setBuffer', 'SET'),
      };
      await redis.client.scriptFlush();
      await all(ioredis);
      expect(seen).toEqual(expect.arrayContaining(Object.keys(ioredis)));
    });
  });
});

it('redisStore sends no commands after the API client is closed, even if Redis is unavailable', async () => {
  let sent = 0;
  const late = sending(async () => {
    sent++;
    await sleep(60);
    throw new Error('the connection is closed');
  });
  const server = await serve((_request, response) => void response.end('{}'));
  const client = createClient(server, { rateLimit: { shared: redisStore(late, { timeout: 20 }) } });
  await client.request('GET /x');
  await client.close();
  const before = sent;
  await sleep(900);
  expect(sent).toBe(before);
});
