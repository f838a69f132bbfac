import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { rejectionOf } from '../support/client.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { getEntry, sending } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('scripts', () => {
    it('redisStore sends a script again if Redis has lost it', async () => {
      const store = redisStore(redis.client);
      for (let time = 0; time < 2; time++) {
        await store.set('a', getEntry(Buffer.from('a')));
        expect(await store.get('a')).toBeDefined();
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
      await store.get('a');
      await store.get('a');
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
      expect(await rejectionOf(store.get('a'))).toBe(wrong);
      expect(sent).toEqual(['EVALSHA']);
      const odd = redisStore(sending(() => Promise.reject('NOSCRIPT')));
      expect(await rejectionOf(odd.get('a'))).toBe('NOSCRIPT');
    });
  });
});
