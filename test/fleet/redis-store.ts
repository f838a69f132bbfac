import { expect } from 'vitest';
import { type NodeRedisClient, redisStore } from '../../src/redis/index.js';
import type { CacheEntry } from '../../src/transport/stores/cache-entry.js';
import { useRedis } from '../support/redis-server.js';

export const key = 'a key that all processes of the fleet know';
export const session = { accessToken: 'token-ü', lifetime: 60_000 };

export const getEntry = (body: Buffer): CacheEntry => ({
  url: 'https://code.test/x',
  statusText: 'OK',
  headers: { etag: '"a"', link: ['a', 'b'] },
  body,
  digest: 'd',
});

/** Creates a Redis client that sends commands through a test's function. */
export const sending = (sendCommand: NodeRedisClient['sendCommand']): NodeRedisClient => ({
  sendCommand,
});

/** Starts a Redis server for all tests of the calling suite. */
export function useStore() {
  const redis = useRedis();
  return {
    redis,
    withKey: () => redisStore(redis.client, { key, timeout: 20_000 }),
    /** Returns the only key whose name matches. */
    keyLike: async (pattern: string): Promise<string> => {
      const found = await redis.client.keys(pattern);
      expect(found, pattern).toHaveLength(1);
      return found[0] ?? '';
    },
  };
}
