import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { engine, noEngine } from '../support/redis-server.js';
import { key, session, useStore } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const { redis, withKey, keyLike } = useStore();

  describe('sessions', () => {
    it('redisStore decrypts a session only with the key that it was saved with', async () => {
      const store = withKey();
      expect(await store.loadSession('ann')).toBeUndefined();
      await store.saveSession('ann', session);
      const { accessToken, lifetime = 0 } = (await store.loadSession('ann')) ?? {};
      expect(accessToken).toBe(session.accessToken);
      expect(lifetime).toBeGreaterThan(0);
      expect(lifetime).toBeLessThanOrEqual(60_000);
      expect(await store.loadSession('bob')).toBeUndefined();
      const stranger = redisStore(redis.client, { key: 'k'.repeat(32) });
      expect(await stranger.loadSession('ann')).toBeUndefined();
    });

    it('redisStore encrypts the same session differently each time', async () => {
      const store = withKey();
      const sealed = new Set<string>();
      for (let time = 0; time < 2; time++) {
        await store.saveSession('ann', session);
        sealed.add(String(await redis.client.get(await keyLike('triforge:s:*'))));
      }
      expect(sealed.size).toBe(2);
    });

    it.each([
      ['a string', key, Buffer.from(key)],
      ['bytes', Buffer.from(key), key],
    ])(
      'redisStore decrypts a session with an equal key of another type (saved with the key as %s)',
      async (_how, one, other) => {
        await redisStore(redis.client, { key: one }).saveSession('ann', session);
        const found = await redisStore(redis.client, { key: other }).loadSession('ann');
        expect(found).toMatchObject({ accessToken: session.accessToken });
      },
    );

    it.each([
      [Number.POSITIVE_INFINITY, 86_300_000, 86_400_000],
      [172_800_000, 86_300_000, 86_400_000],
      [5000.9, 1, 5000],
    ])(
      'redisStore lets a session with a lifetime of %d ms expire after %d to %d ms',
      async (lifetime, least, most) => {
        await withKey().saveSession('ann', { accessToken: 'a', lifetime });
        const kept = await redis.client.pTTL(await keyLike('triforge:s:*'));
        expect(kept).toBeGreaterThanOrEqual(least);
        expect(kept).toBeLessThanOrEqual(most);
      },
    );

    it('redisStore keeps a session if a sign-in failure is saved', async () => {
      const store = withKey();
      expect(await store.loadFailure('ann')).toBeUndefined();
      await store.saveSession('ann', session);
      await store.saveFailure('ann', { failure: '{"message":"ü"}', lifetime: 5000 });
      const { failure, lifetime = 0 } = (await store.loadFailure('ann')) ?? {};
      expect(failure).toBe('{"message":"ü"}');
      expect(lifetime).toBeGreaterThan(0);
      expect(lifetime).toBeLessThanOrEqual(5000);
      expect(await store.loadSession('ann')).toMatchObject({ accessToken: session.accessToken });
      expect(await store.loadFailure('bob')).toBeUndefined();
    });

    it('redisStore.saveSession() accepts an expired session', async () => {
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: 0 });
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: -5 });
    });

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['was changed', (name) => redis.client.setRange(name, 30, 'xx')],
      ['was truncated', (name) => redis.client.set(name, 'short', { PX: 5000 })],
      ['has no expiry', (name) => redis.client.persist(name)],
      ['was deleted', (name) => redis.client.del(name)],
    ])('redisStore.loadSession() ignores a session value that %s', async (_what, change) => {
      const store = withKey();
      await store.saveSession('ann', session);
      await change(await keyLike('triforge:s:*'));
      expect(await store.loadSession('ann')).toBeUndefined();
    });

    it('redisStore.loadSession() reads at most 1 MiB of a larger value', async () => {
      await withKey().saveSession('ann', session);
      const name = await keyLike('triforge:s:*');
      await redis.client.set(name, Buffer.alloc(3_000_000), { PX: 60_000 });
      const sizes: number[] = [];
      const store = redisStore(
        {
          sendCommand: async (args: (string | Buffer)[], options?: object) => {
            const reply = await redis.client.sendCommand(args, options);
            if (Buffer.isBuffer(reply)) sizes.push(reply.length);
            return reply;
          },
        },
        { key, timeout: 20_000 },
      );
      expect(await store.loadSession('ann')).toBeUndefined();
      expect(sizes).toEqual([1_048_576]);
    });
  });
});
