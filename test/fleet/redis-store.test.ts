import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type NodeRedisClient, redisStore } from '../../src/redis/index.js';
import { createFetchHandler, type Delivery } from '../../src/webhooks/index.js';
import { signed } from '../socket/webhook-receivers.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { key } from './key.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  it('redisStore.get() returns the value that set() stored, until it expires', async () => {
    const store = redisStore(redis.client);
    expect(await store.get('cache:a')).toBeUndefined();
    const value = `{"a":"ü"}\n${'x'.repeat(50_000)}`;
    await store.set('cache:a', value, 60_000);
    expect(await store.get('cache:a')).toBe(value);
    await store.set('cache:a', '', 0.5);
    await sleep(20);
    expect(await store.get('cache:a')).toBeUndefined();
  });

  it('redisStore.setIfAbsent() sets a value until delete() removes it', async () => {
    const store = redisStore(redis.client);
    expect(await store.setIfAbsent('delivery:a', 'one', 60_000)).toBe(true);
    expect(await store.setIfAbsent('delivery:a', 'two', 60_000)).toBe(false);
    expect(await store.get('delivery:a')).toBe('one');
    await store.delete('delivery:a');
    expect(await store.setIfAbsent('delivery:a', 'two', 60_000)).toBe(true);
  });

  it('redisStore sets an expiry on each key, and hashes key names with the key option', async () => {
    await redisStore(redis.client, { prefix: 'x:' }).set('cache:a', '1', 60_000);
    await redisStore(redis.client, { prefix: 'x:', key }).setIfAbsent('delivery:a', '1', 60_000);
    const keys = (await redis.client.keys('x:*')).toSorted();
    expect(keys).toEqual([
      expect.stringMatching(/^x:cache:\{[\w-]{22}\}$/),
      expect.stringMatching(/^x:delivery:\{[\w-]{22}\}$/),
    ]);
    const [one, two] = keys.map((name) => name.split('{')[1]);
    expect(one, 'the key changes the hash').not.toBe(two);
    for (const name of keys) expect(await redis.client.pTTL(name)).toBeGreaterThan(0);
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
    const responses = await Promise.all(
      ids.flatMap((id) =>
        receivers.map((receive) => receive(new Request('http://receiver.test/', signed(id)))),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    expect(handled).toHaveLength(ids.length);
    expect(new Set(handled.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('a receiver leaves fewer than five commands pending while Redis hangs', async () => {
    const own = await connectRedis(redis.server.url);
    let open = 0;
    const counting: NodeRedisClient = {
      sendCommand: async (args, options) => {
        open++;
        try {
          return await own.sendCommand(args, options);
        } finally {
          open--;
        }
      },
    };
    let handled = 0;
    const receive = createFetchHandler({
      secret: 'shared secret',
      deliveries: redisStore(counting),
      onDelivery: () => void handled++,
    });
    const post = (id: string) => receive(new Request('http://receiver.test/', signed(id)));
    await post('before');
    redis.server.signal('SIGSTOP');
    onTestFinished(() => redis.server.signal('SIGCONT'));
    await post('finds Redis lost');
    for (let at = 0; at < 4; at++) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => post(`flood-${at}-${index}`)));
      await sleep(150);
    }
    expect(handled).toBe(202);
    expect(open).toBeLessThan(5);
  });
});

const none = { sendCommand: async () => null };

it.each<[string, unknown, unknown, string]>([
  ['a missing client', undefined, {}, 'client'],
  ['a URL instead of a client', 'redis://localhost', {}, 'client'],
  ['an ioredis client without functions', { getBuffer: 1 }, {}, 'client'],
  ['a node-redis client without functions', { sendCommand: 1 }, {}, 'client'],
  ['a cluster without sendCommand', { masters: [] }, {}, 'client'],
  ['an unknown option', none, { ttl: 1 }, 'ttl'],
  ['a prefix with an opening brace', none, { prefix: 'a{b' }, 'prefix'],
  ["a prefix that isn't a string", none, { prefix: 5 }, 'prefix'],
  ['a string key that is too short', none, { key: 'k'.repeat(31) }, 'key'],
  ['a byte key that is too short', none, { key: new Uint8Array(31) }, 'key'],
  ['a timeout of zero', none, { timeout: 0 }, 'timeout'],
])('redisStore rejects %s', (_what, client, options, option) => {
  const make = () => Reflect.apply(redisStore, undefined, [client, options]);
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

it('redisStore defaults to a timeout of 50 ms', () => {
  expect(redisStore(none)).toMatchObject({ timeout: 50 });
  expect(redisStore(none, { timeout: 7 })).toMatchObject({ timeout: 7 });
});
