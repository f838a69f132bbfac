import { describe, expect, it } from 'vitest';
import { type RedisStore, redisStore } from '../../src/redis/index.js';
import { rejectionOf } from '../support/client.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { sending } from './redis-store.js';

const exchange = (store: RedisStore) =>
  store.exchangeLimits('a', 'core', { quota: undefined, pause: 0 });

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('scripts', () => {
    it('redisStore sends a script again if Redis has lost it', async () => {
      const store = redisStore(redis.client);
      for (let time = 0; time < 2; time++) {
        expect(await exchange(store)).toMatchObject({ pause: expect.any(Number) });
        await redis.client.scriptFlush();
      }
    });

    it('redisStore sends a script in full once, and later only its hash', async () => {
      const sent: string[] = [];
      const store = redisStore(
        sending((args, options) => {
          sent.push(String(args[0]));
          return redis.client.sendCommand(args, options);
        }),
      );
      await redis.client.scriptFlush();
      await exchange(store);
      await exchange(store);
      expect(sent).toEqual(['EVALSHA', 'EVAL', 'EVALSHA']);
    });

    it('redisStore sends a script in full only after a NOSCRIPT error', async () => {
      const sent: string[] = [];
      const wrong = new Error('WRONGTYPE of a value');
      const store = redisStore(
        sending((args) => {
          sent.push(String(args[0]));
          return Promise.reject(wrong);
        }),
      );
      expect(await rejectionOf(exchange(store))).toBe(wrong);
      expect(sent).toEqual(['EVALSHA']);
      const odd = redisStore(sending(() => Promise.reject('NOSCRIPT')));
      expect(await rejectionOf(exchange(odd))).toBe('NOSCRIPT');
    });
  });
});
