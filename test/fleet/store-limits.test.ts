import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('limits', () => {
    const nothing = { slots: undefined, budgets: [], starts: [] };
    const report = { holder: 'h', lease: 60_000, pause: 0, ...nothing };

    it('redisStore.exchange() returns no pause, slots or quotas for the first report', async () => {
      expect(await redisStore(redis.client).exchange('s', report)).toEqual({
        pause: 0,
        pauses: 0,
        ...nothing,
      });
    });

    it('redisStore.exchange() ignores a pause in another scope', async () => {
      const store = redisStore(redis.client);
      const paused = await store.exchange('s', { ...report, pause: 50_000 });
      expect(paused.pause).toBeGreaterThan(0);
      expect((await store.exchange('s', { ...report, holder: 'i' })).pause).toBeGreaterThan(0);
      expect((await store.exchange('t', report)).pause).toBe(0);
    });

    it('redisStore.exchange() reserves slots for processes that have less than their share', async () => {
      const store = redisStore(redis.client);
      const sendRequest = async (holder: string, held: number, want: number) =>
        (
          await store.exchange('s', {
            ...report,
            holder,
            slots: { capacity: 4, held, want },
          })
        ).slots;
      expect(await sendRequest('a', 0, 3)).toMatchObject({ granted: 3 });
      expect(await sendRequest('b', 0, 3)).toMatchObject({ granted: 1 });
      expect(await sendRequest('b', 1, 2)).toMatchObject({ granted: 0, waiting: 0 });
      // If a process already has its share, its earlier request doesn't block other processes.
      expect(await sendRequest('a', 3, 1)).toMatchObject({ granted: 0, waiting: 1 });
      expect(await sendRequest('a', 2, 2)).toMatchObject({ granted: 0, waiting: 1 });
      expect(await sendRequest('b', 1, 2)).toMatchObject({ granted: 1, ahead: 0, waiting: 0 });
      expect(await sendRequest('b', 2, 0)).toMatchObject({ waiting: 0 });
      expect(
        await sendRequest('a', 1, 3),
        'without waiters, a process may use all slots',
      ).toMatchObject({
        granted: 1,
      });
    });

    it('redisStore.exchange() counts each quota separately and hides quota keys in Redis key names', async () => {
      const store = redisStore(redis.client);
      const ends = { limit: 10, remaining: 6, reset: 1000, ends: 50_000 };
      const budget = (name: string, reported: typeof ends | undefined) => ({
        key: name,
        reported,
        since: undefined,
        held: 0,
        need: 1,
        want: 1,
        waiters: 0,
      });
      const slots = { capacity: 4, held: 0, want: 1 };
      const budgets = [budget('secret-one', ends), budget('secret-two', undefined)];
      const reply = await store.exchange('s', { ...report, slots, budgets });
      expect(reply.slots?.granted).toBeGreaterThan(0);
      expect(reply.budgets).toMatchObject([
        { granted: 1, left: 5, known: { limit: 10, remaining: 6, reset: 1000 } },
        { granted: 1 },
      ]);
      const again = await store.exchange('s', {
        ...report,
        holder: 'i',
        budgets: [budget('secret-one', undefined)],
      });
      expect(again.budgets).toMatchObject([{ granted: 1, left: 4 }]);
      const names = await redis.client.keys('*');
      expect(names.length).toBeGreaterThan(3);
      expect(names.join()).not.toContain('secret');
      for (const name of names)
        expect(await redis.client.pTTL(name), name).toBeLessThanOrEqual(7_200_000);
    });
  });
});
