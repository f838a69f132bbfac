import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { createFetchHandler, type Delivery } from '../../src/webhooks/index.js';
import { signed } from '../socket/webhook-receivers.js';
import { engine, noEngine, RedisServer } from '../support/redis-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('a delivery store in Redis', () => {
  let redis: RedisServer;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    redis = await RedisServer.start();
    client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterAll(async () => {
    client.destroy();
    await redis[Symbol.asyncDispose]();
  });

  it('grants a delivery to one claimant until it is completed or released', async () => {
    const store = redisStore(client, { timeout: 20_000 });
    expect(await store.claimDelivery('a', 'one', 60_000)).toBe('granted');
    expect(await store.claimDelivery('a', 'two', 60_000)).toBe('running');
    expect(await store.claimDelivery('a', 'one', 60_000), 'a renewal').toBe('granted');
    await store.releaseDelivery('a', 'two');
    expect(await store.claimDelivery('a', 'two', 60_000)).toBe('running');
    await store.releaseDelivery('a', 'one');
    expect(await store.claimDelivery('a', 'two', 60_000)).toBe('granted');
    await store.completeDelivery('a', 60_000);
    expect(await store.claimDelivery('a', 'one', 60_000)).toBe('handled');
  });

  it('lets every key expire', async () => {
    await client.flushAll();
    const store = redisStore(client, { timeout: 20_000 });
    await store.claimDelivery('a', 'one', 5000);
    await store.completeDelivery('b', 9000);
    const keys = await client.keys('*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await client.pTTL(key)).toBeGreaterThan(0);
  });

  it('lets many receivers handle each of many deliveries once', async () => {
    const handled: Delivery[] = [];
    const receivers = Array.from({ length: 4 }, () =>
      createFetchHandler({
        secret: 'shared secret',
        deliveries: redisStore(client, { timeout: 20_000 }),
        onDelivery: (delivery) => void handled.push(delivery),
      }),
    );
    const ids = Array.from({ length: 25 }, (_, index) => `guid-${index}`);
    const statuses = await Promise.all(
      ids.flatMap((id) =>
        receivers.map(async (receive) => {
          const response = await receive(new Request('http://receiver.test/', signed(id)));
          return response.status;
        }),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(handled).toHaveLength(ids.length);
    expect(new Set(handled.map(({ id }) => id))).toEqual(new Set(ids));
  });
});
