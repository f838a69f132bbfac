import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RedisClient, redisStore } from '../../src/redis/index.js';

import { createClient } from '../support/client.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';
import { key, sending } from './redis-store.js';

const ioredis5: { Redis: typeof Redis } = createRequire(import.meta.url)('ioredis-5');

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('cluster and ioredis clients', () => {
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

    it.each([ioredis5.Redis, Redis])(
      'redisStore stores values and limits through ioredis',
      async (Client) => {
        const client = new Client(redis.server.url);
        onTestFinished(() => client.disconnect());
        await redis.client.scriptFlush();
        await all(client);
      },
    );
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
