import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NodeRedisClient, redisStore } from '../../src/redis/index.js';
import { createFetchHandler, type Delivery } from '../../src/webhooks/index.js';
import { signed } from '../socket/webhook-receivers.js';
import { gate, until, watchRejections } from '../support/client.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('Redis delivery store', () => {
  const redis = useRedis();

  it('the Redis store grants an uncompleted delivery to one claimant at a time', async () => {
    const store = redisStore(redis.client, { timeout: 20_000 });
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

  it('the Redis store grants a delivery if another program replaced the claim with a value without an expiry', async () => {
    const store = redisStore(redis.client, { timeout: 20_000 });
    await store.claimDelivery('a', 'one', 60_000);
    const [name = ''] = await redis.client.keys('*');
    await redis.client.set(name, 'something else');
    expect(await store.claimDelivery('a', 'two', 60_000)).toBe('granted');
    expect(await store.claimDelivery('a', 'three', 60_000)).toBe('running');
  });

  it('the Redis store grants a delivery if a clock change makes the claim expire too late', async () => {
    const store = redisStore(redis.client, { timeout: 20_000 });
    await store.claimDelivery('a', 'one', 30_000);
    const [name = ''] = await redis.client.keys('*');
    await redis.client.pExpire(name, 3_600_000);
    expect(await store.claimDelivery('a', 'two', 30_000)).toBe('granted');
    expect(await store.claimDelivery('a', 'three', 30_000)).toBe('running');
  });

  it('the Redis store sets an expiry on each key of a delivery', async () => {
    const store = redisStore(redis.client, { timeout: 20_000 });
    await store.claimDelivery('a', 'one', 5000);
    await store.completeDelivery('b', 9000);
    const keys = await redis.client.keys('*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await redis.client.pTTL(key)).toBeGreaterThan(0);
  });

  it('the Redis store lets only one of four receivers handle each delivery', async () => {
    const handled: Delivery[] = [];
    const receivers = Array.from({ length: 4 }, () =>
      createFetchHandler({
        secret: 'shared secret',
        deliveries: redisStore(redis.client, { timeout: 20_000 }),
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

  /** Creates a receiver with its own Redis client, to act as a separate process. */
  async function receiver(onDelivery: (delivery: Delivery) => unknown, over?: NodeRedisClient) {
    const own = await connectRedis(redis.server.url);
    const receive = createFetchHandler({
      secret: 'shared secret',
      deliveries: redisStore(over ?? own),
      onDelivery,
      onError: () => undefined,
    });
    return (id: string) => receive(new Request('http://receiver.test/', signed(id)));
  }

  it('only one receiver handles each delivery even if handlers block the event loop', async () => {
    await redis.client.scriptFlush();
    const handled: unknown[] = [];
    const block = ({ id }: Delivery) => {
      handled.push(id);
      const ends = performance.now() + 70;
      while (performance.now() < ends);
    };
    const receivers = [await receiver(block), await receiver(block)];
    const ids = Array.from({ length: 12 }, (_, index) => `blocking-${index}`);
    await Promise.all(ids.flatMap((id) => receivers.map((receive) => receive(id))));
    expect(handled).toHaveLength(ids.length);
    expect(new Set(handled)).toEqual(new Set(ids));
  });

  it('a receiver keeps fewer than five commands pending while Redis hangs', async () => {
    let open = 0;
    const counting: NodeRedisClient = {
      sendCommand: async (args, options) => {
        open++;
        try {
          return await redis.client.sendCommand(args, options);
        } finally {
          open--;
        }
      },
    };
    let handled = 0;
    const receive = await receiver(() => void handled++, counting);
    await receive('before');
    redis.server.signal('SIGSTOP');
    onTestFinished(() => redis.server.signal('SIGCONT'));
    await receive('finds Redis lost');
    for (let at = 0; at < 8; at++) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => receive(`flood-${at}-${index}`)));
      await sleep(150);
    }
    expect(handled).toBe(402);
    expect(open).toBeLessThan(5);
  });

  it('the Redis store keeps the outcomes of deliveries that end while Redis hangs', async () => {
    const rejections = watchRejections();
    const gates = ['a', 'b', 'fails'].map(() => gate());
    const handled: unknown[] = [];
    const one = await receiver(async ({ id }) => {
      await gates[handled.push(id) - 1]?.opened;
      if (id === 'fails') throw new Error('no');
    });
    const running = [one('a'), one('b'), one('fails')];
    await until('all are claimed', () => handled.length === 3);
    redis.server.signal('SIGSTOP');
    const [first, ...others] = gates;
    first?.open();
    await running[0];
    for (const { open } of others) open();
    const responses = await Promise.all(running);
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 500]);
    redis.server.signal('SIGCONT');
    const again: unknown[] = [];
    const two = await receiver(({ id }) => void again.push(id));
    await Promise.all([two('a'), two('b'), two('fails')]);
    expect(again).toEqual(['fails']);
    expect(await rejections()).toEqual([]);
  });
});
