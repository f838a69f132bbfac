import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { clientOf } from '../support/client.js';
import { engine, noEngine, RedisServer } from '../support/redis-server.js';
import { limitedServer, sum } from './limited-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('clients that share limits', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  async function store() {
    const client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.destroy());
    return redisStore(client, { timeout: 20_000 });
  }

  it.each([
    [8, 20],
    [24, 12],
  ])(
    'use up a budget without one refusal: %i of them, with %i calls in flight in all',
    async (clients, maxConcurrency) => {
      const server = await limitedServer(100);
      const token = 'a-token';
      const one = async () => {
        const client = clientOf(server, {
          auth: { type: 'token', token },
          rateLimit: { shared: await store() },
          maxConcurrency,
        });
        const lane = async () => {
          try {
            for (;;) await client.request({ path: '/x' });
          } catch (error) {
            expect(error).toMatchObject({ code: 'rate_limit', kind: 'primary' });
          }
        };
        await Promise.all(Array.from({ length: 8 }, lane));
      };
      await Promise.all(Array.from({ length: clients }, one));
      expect([sum(server.served), sum(server.refused)]).toEqual([100, 0]);
      expect(server.most()).toBeLessThanOrEqual(maxConcurrency);
    },
  );

  it('have 64 calls in flight each, where nobody said how many', async () => {
    const server = await limitedServer(10_000);
    const rateLimit = { shared: await store() };
    const clients = Array.from({ length: 2 }, () => clientOf(server, { rateLimit }));
    const waves = async (client: (typeof clients)[number]) => {
      for (let wave = 0; wave < 3; wave++) {
        await Promise.all(Array.from({ length: 100 }, () => client.request({ path: '/x' })));
      }
    };
    await Promise.all(clients.map(waves));
    expect(server.most()).toBeGreaterThan(64);
    expect(server.most()).toBeLessThanOrEqual(128);
  });
});
