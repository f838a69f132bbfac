import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { getEntry, key, session } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  describe('compatibility', () => {
    const release = () => redisStore(redis.client, { key, timeout: 20_000 });

    it('redisStore uses the key names of earlier releases', async () => {
      const store = release();
      await store.acquireLock('a', 'owner', 60_000);
      await store.saveSession('ann', session);
      await store.saveFailure('ann', { failure: '{}', lifetime: 60_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      const requests = {
        reported: undefined,
        since: undefined,
        held: 0,
        need: 1,
        want: 1,
        waiters: 0,
      };
      const report = {
        lease: 60_000,
        pause: 1000,
        slots: { capacity: 1, held: 0, want: 1 },
        budgets: [{ key: 'b', ...requests }],
        starts: [],
      };
      const starts = [{ key: 'a', interval: 60_000, since: undefined, want: 2, late: undefined }];
      await store.exchange('s', { ...report, pause: 0, holder: 'h', starts });
      // The second process waits for the only slot.
      for (const holder of ['h', 'i']) await store.exchange('s', { ...report, holder });
      const limits = 'triforge:l:{5UJecAGbKw94pIgd6nzRqJ}';
      expect(new Set(await redis.client.keys('*'))).toEqual(
        new Set([
          'triforge:c:{0}:ages',
          'triforge:c:{0}:entries',
          'triforge:f:{CCj-lAr1OC3iRqM2SL-pv3}',
          'triforge:k:{8LVdAjueB5fXGx_SHKsc--}',
          `${limits}:b:SVkgb3BIrUSYfNWVDBRZtn`,
          `${limits}:b:SVkgb3BIrUSYfNWVDBRZtn:leases`,
          `${limits}:pause`,
          `${limits}:s:8LVdAjueB5fXGx_SHKsc--`,
          `${limits}:s:8LVdAjueB5fXGx_SHKsc--:turns`,
          `${limits}:slots`,
          `${limits}:slots:leases`,
          `${limits}:slots:queue`,
          'triforge:s:{CCj-lAr1OC3iRqM2SL-pv3}',
        ]),
      );
    });

    it('redisStore decrypts sessions of earlier releases', async () => {
      const sealed = Buffer.from('+nniSuwY5+Qs1XFQMRvL/4k6oTAWI8/hgap8KbjNu/fq4IT2', 'base64');
      await redis.client.set('triforge:s:{CCj-lAr1OC3iRqM2SL-pv3}', sealed, { PX: 60_000 });
      expect(await release().loadSession('ann')).toMatchObject({ accessToken: 'token-ü' });
    });
  });
});
