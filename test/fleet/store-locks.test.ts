import { describe, expect, it } from 'vitest';
import { until } from '../support/client.js';
import { engine, noEngine } from '../support/redis-server.js';
import { useStore } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const { redis, withKey, keyLike } = useStore();

  describe('locks', () => {
    it('redisStore lets only the owner release a lock', async () => {
      const store = withKey();
      expect(await store.lockOwner('a')).toBeUndefined();
      expect(await store.acquireLock('a', 'one', 60_000)).toBe('one');
      expect(await store.acquireLock('a', 'two', 60_000)).toBe('one');
      expect(await store.acquireLock('b', 'two', 60_000), 'another lock is free').toBe('two');
      await store.releaseLock('a', 'two');
      expect(await store.lockOwner('a')).toBe('one');
      await store.releaseLock('a', 'one');
      expect(await store.lockOwner('a')).toBeUndefined();
      expect(await store.acquireLock('a', 'two', 60_000)).toBe('two');
    });

    it('redisStore expires a lock after its lifetime', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 20.5);
      await until('the lock has expired', async () => (await store.lockOwner('a')) === undefined);
      expect(await store.acquireLock('a', 'two', 60_000)).toBe('two');
    });

    it('redisStore renews a lock for its owner', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      expect(await store.acquireLock('a', 'one', 60_000)).toBe('one');
      expect(await redis.client.pTTL(await keyLike('triforge:k:*'))).toBeGreaterThan(10_000);
    });

    it('redisStore never extends a lock for another process', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await store.acquireLock('a', 'two', 60_000);
      expect(await redis.client.pTTL(await keyLike('triforge:k:*'))).toBeLessThanOrEqual(10_000);
    });

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['another program has removed the expiry', (name) => redis.client.persist(name)],
      [
        'the lock expires too late because the clock was set back',
        (name) => redis.client.pExpire(name, 3_600_000),
      ],
    ])('redisStore grants a lock to another owner if %s', async (_name, change) => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await change(await keyLike('triforge:k:*'));
      expect(await store.acquireLock('a', 'two', 10_000)).toBe('two');
      expect(await store.acquireLock('a', 'three', 10_000)).toBe('two');
    });

    it('redisStore.acquireLock() reads only part of a large value from another program', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await redis.client.set(await keyLike('triforge:k:*'), Buffer.alloc(3_000_000), {
        PX: 10_000,
      });
      expect((await store.acquireLock('a', 'two', 10_000)).length).toBeLessThan(1000);
    });
  });
});
