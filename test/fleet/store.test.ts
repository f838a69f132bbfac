import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NodeRedisClient, RedisClient } from '../../src/redis/index.js';
import { redisStore } from '../../src/redis/index.js';
import type { CacheEntry } from '../../src/transport/stores/cache-entry.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';
import { serve } from '../support/server.js';

const key = 'a key that all processes of the fleet know';
const session = { accessToken: 'token-ü', lifetime: 60_000 };

const getEntry = (body: Buffer): CacheEntry => ({
  url: 'https://code.test/x',
  statusText: 'OK',
  headers: { etag: '"a"', link: ['a', 'b'] },
  body,
  digest: 'd',
});

/** Creates a Redis client that sends commands through a test's function. */
const sending = (sendCommand: NodeRedisClient['sendCommand']): NodeRedisClient => ({ sendCommand });

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const redis = useRedis();

  const withKey = () => redisStore(redis.client, { key, timeout: 20_000 });
  /** Returns the only key whose name matches. */
  async function keyLike(pattern: string): Promise<string> {
    const found = await redis.client.keys(pattern);
    expect(found, pattern).toHaveLength(1);
    return found[0] ?? '';
  }

  describe('locks', () => {
    it('lets only the owner release a lock', async () => {
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

    it('expires a lock after its lifetime', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 20.5);
      await until('the lock has expired', async () => (await store.lockOwner('a')) === undefined);
      expect(await store.acquireLock('a', 'two', 60_000)).toBe('two');
    });

    it('renews a lock for its owner', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      expect(await store.acquireLock('a', 'one', 60_000)).toBe('one');
      expect(await redis.client.pTTL(await keyLike('triforge:k:*'))).toBeGreaterThan(10_000);
    });

    it('never extends a lock for another process', async () => {
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
    ])('grants a lock to another owner if %s', async (_name, change) => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await change(await keyLike('triforge:k:*'));
      expect(await store.acquireLock('a', 'two', 10_000)).toBe('two');
      expect(await store.acquireLock('a', 'three', 10_000)).toBe('two');
    });

    it('acquireLock() reads only part of a large value from another program', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await redis.client.set(await keyLike('triforge:k:*'), Buffer.alloc(3_000_000), {
        PX: 10_000,
      });
      expect((await store.acquireLock('a', 'two', 10_000)).length).toBeLessThan(1000);
    });
  });

  describe('sessions', () => {
    it('decrypts a session only with its key', async () => {
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

    it('uses a new nonce for each encryption', async () => {
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
      'decrypts a session with an equal key of another type (saved with the key as %s)',
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
      'a session with a lifetime of %d ms expires after %d to %d ms',
      async (lifetime, least, most) => {
        await withKey().saveSession('ann', { accessToken: 'a', lifetime });
        const kept = await redis.client.pTTL(await keyLike('triforge:s:*'));
        expect(kept).toBeGreaterThanOrEqual(least);
        expect(kept).toBeLessThanOrEqual(most);
      },
    );

    it('keeps a session if a sign-in failure is saved', async () => {
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

    it('saveSession() accepts an expired session', async () => {
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: 0 });
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: -5 });
    });

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['was changed', (name) => redis.client.setRange(name, 30, 'xx')],
      ['was truncated', (name) => redis.client.set(name, 'short', { PX: 5000 })],
      ['has no expiry', (name) => redis.client.persist(name)],
      ['was deleted', (name) => redis.client.del(name)],
    ])('loadSession() ignores a value that %s', async (_what, change) => {
      const store = withKey();
      await store.saveSession('ann', session);
      await change(await keyLike('triforge:s:*'));
      expect(await store.loadSession('ann')).toBeUndefined();
    });

    it('loadSession() reads at most 1 MiB of a larger value', async () => {
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

  describe('cached responses', () => {
    it.each([
      ['an empty body', Buffer.alloc(0)],
      ['a short body', Buffer.from('{"a":"ü"}')],
      ['random bytes', randomBytes(5000)],
      ['a repetitive body', Buffer.alloc(50_000, 'abc')],
    ])('get() returns %s unchanged', async (_what, body) => {
      const store = redisStore(redis.client);
      await store.set('a', getEntry(body));
      expect(await store.get('a')).toEqual(getEntry(body));
      expect(await store.get('b')).toBeUndefined();
      await store.delete('a');
      expect(await store.get('a')).toBeUndefined();
    });

    const entries = (pattern = 'triforge:c:*:entries') => keyLike(pattern);
    /** Returns the fields of the cache's only part: the total size and the entries. */
    const getPart = async (name: string) => Object.entries(await redis.client.hGetAll(name));
    const entryIn = async (name: string) =>
      (await getPart(name)).find(([field]) => field !== 'bytes')?.[0] ?? '';

    it('set() compresses large entries', async () => {
      const store = redisStore(redis.client, { prefix: 'x:' });
      const sizes: number[] = [];
      for (const length of [600, 50_000]) {
        await store.set('a', getEntry(Buffer.alloc(length, 'a')));
        const part = await entries('x:c:*:entries');
        const size = await redis.client.sendCommand(['HSTRLEN', part, await entryIn(part)]);
        sizes.push(Number(size));
      }
      expect(sizes[0]).toBeGreaterThan(600);
      expect(sizes[1]).toBeLessThan(1000);
    });

    it('expires an entry `maxAge` after its last use', async () => {
      const store = redisStore(redis.client, { maxAge: 50_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      const part = await redis.client.keys('triforge:c:*');
      expect(part).toHaveLength(2);
      for (const name of part) {
        expect(await redis.client.pTTL(name), name).toBeGreaterThan(5000);
        expect(await redis.client.pTTL(name), name).toBeLessThanOrEqual(50_000);
        await redis.client.pExpire(name, 5000);
      }
      await store.get('a');
      for (const name of part) expect(await redis.client.pTTL(name), name).toBeGreaterThan(5000);
    });

    it('get() ignores an entry that was unused for longer than `maxAge`', async () => {
      const store = redisStore(redis.client, { maxAge: 50_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      await redis.client.zAdd(await keyLike('triforge:c:*:ages'), {
        score: Date.now() - 60_000,
        value: await entryIn(await entries()),
      });
      expect(await store.get('a')).toBeUndefined();
    });

    it.each(['entries', 'ages'])(
      'stays within `maxBytes` even if Redis loses the `%s` keys',
      async (lost) => {
        const maxBytes = 16 * 5000;
        const store = redisStore(redis.client, { maxBytes });
        let most = 0;
        for (let at = 0; at < 400; at++) {
          await store.set(`${at}`, getEntry(randomBytes(1000)));
          if (at % 20 === 0)
            await redis.client.del(await redis.client.keys(`triforge:c:*:${lost}`));
          let bytes = 0;
          for (const name of await redis.client.keys('triforge:c:*:entries')) {
            for (const [, value] of await getPart(name))
              bytes += Buffer.byteLength(value, 'latin1');
          }
          most = Math.max(most, bytes);
        }
        // Decoding can triple the size of invalid UTF-8.
        expect(most).toBeLessThan(3 * maxBytes);
        await store.set('last', getEntry(Buffer.from('last')));
        expect(await store.get('last')).toBeDefined();
        for (const name of await redis.client.keys('triforge:c:*')) {
          expect(await redis.client.pTTL(name), name).toBeGreaterThan(0);
        }
      },
    );

    it('get() ignores an entry that inflates to more than a sixteenth of `maxBytes`', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 1_000_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      const part = await entries();
      const bomb = Buffer.concat([Buffer.from([1]), deflateRawSync(Buffer.alloc(60_000_000))]);
      expect(bomb.length).toBeLessThan(100_000);
      await redis.client.hSet(part, await entryIn(part), bomb);
      expect(await store.get('a')).toBeUndefined();
      await redis.client.hSet(part, await entryIn(part), Buffer.alloc(1_000_001));
      expect(await store.get('a'), 'an uncompressed entry that is too large').toBeUndefined();
    });

    it('set() skips an entry that would inflate to more than a sixteenth of `maxBytes`', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 100_000 });
      await store.set('a', getEntry(Buffer.alloc(100)));
      await store.set('a', getEntry(Buffer.alloc(100_000)));
      expect(await store.get('a')).toBeUndefined();
    });

    it('set() and get() skip an entry with more than 128 KiB of headers', async () => {
      const store = redisStore(redis.client);
      const headers = { etag: '"a"', link: 'a'.repeat(128 * 1024) };
      await store.set('a', { ...getEntry(Buffer.alloc(1)), headers });
      expect(await store.get('a')).toBeUndefined();
      await store.set('a', getEntry(Buffer.alloc(1)));
      const part = await entries();
      const head = Buffer.from(JSON.stringify({ url: 'a'.repeat(200_000) }));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(head.length);
      const forged = Buffer.concat([Buffer.from([0]), length, head]);
      await redis.client.hSet(part, await entryIn(part), forged);
      expect(await store.get('a')).toBeUndefined();
    });

    it('set() skips an entry larger than a sixteenth of `maxBytes`', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 3000 });
      for (const [length, kept] of [
        [2000, true],
        [3000, false],
      ] as const) {
        await store.set('a', getEntry(randomBytes(length)));
        expect((await store.get('a')) !== undefined, `${length} bytes`).toBe(kept);
      }
    });

    it('set() evicts up to 256 entries per write to make room', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 100_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      const part = await entries();
      const old = Array.from({ length: 1000 }, (_, at) => `old-${at}`.padEnd(22, '.'));
      await redis.client.hSet(part, Object.fromEntries(old.map((name) => [name, 'x'.repeat(50)])));
      await redis.client.hIncrBy(part, 'bytes', 94 * old.length);
      const ages = old.map((value, at) => ({ value, score: Date.now() - 5000 + at }));
      await redis.client.zAdd(part.replace('entries', 'ages'), ages);
      const large = getEntry(randomBytes(90_000));
      await store.set('a', large);
      expect(await store.get('a')).toBeUndefined();
      // One field contains the total size.
      expect(await redis.client.hLen(part)).toBe(1 + 1000 - 256);
      expect(Number(await redis.client.hGet(part, 'bytes'))).toBe(94 * 744);
      for (let write = 0; write < 3; write++) await store.set('a', large);
      expect(await store.get('a')).toBeDefined();
      expect(Number(await redis.client.hGet(part, 'bytes'))).toBeLessThanOrEqual(100_000);
    });

    it('spreads entries over at most 16 parts', async () => {
      const store = redisStore(redis.client);
      for (let each = 0; each < 60; each++) await store.set(`${each}`, getEntry(Buffer.from('a')));
      const parts = (await redis.client.keys('triforge:c:*:ages')).length;
      expect(parts).toBeGreaterThan(8);
      expect(parts).toBeLessThanOrEqual(16);
    });

    it.each<[string, Buffer]>([
      ['damaged', Buffer.from([1, 2, 3, 4])],
      ['truncated', Buffer.from([0])],
      ['missing a valid head', Buffer.from([0, 0, 0, 0, 9, 1])],
    ])('get() ignores an entry that is %s', async (_how, bytes) => {
      const store = redisStore(redis.client);
      await store.set('a', getEntry(Buffer.from('a')));
      const part = await entries();
      await redis.client.hSet(part, await entryIn(part), bytes);
      expect(await store.get('a')).toBeUndefined();
    });
  });

  describe('limits', () => {
    const nothing = { slots: undefined, budgets: [], starts: [] };
    const report = { holder: 'h', lease: 60_000, pause: 0, ...nothing };

    it('returns no pause, slots or quotas before the first report', async () => {
      expect(await redisStore(redis.client).exchange('s', report)).toEqual({
        pause: 0,
        pauses: 0,
        ...nothing,
      });
    });

    it('ignores a pause in another scope', async () => {
      const store = redisStore(redis.client);
      const paused = await store.exchange('s', { ...report, pause: 50_000 });
      expect(paused.pause).toBeGreaterThan(0);
      expect((await store.exchange('s', { ...report, holder: 'i' })).pause).toBeGreaterThan(0);
      expect((await store.exchange('t', report)).pause).toBe(0);
    });

    it('reserves slots for processes that have less than their share', async () => {
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

    it('separates quotas, and hides the key of each quota in key names', async () => {
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

  describe('compatibility', () => {
    const release = () => redisStore(redis.client, { key, timeout: 20_000 });

    it('uses the key names of earlier releases', async () => {
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

    it('decrypts sessions of earlier releases', async () => {
      const sealed = Buffer.from('+nniSuwY5+Qs1XFQMRvL/4k6oTAWI8/hgap8KbjNu/fq4IT2', 'base64');
      await redis.client.set('triforge:s:{CCj-lAr1OC3iRqM2SL-pv3}', sealed, { PX: 60_000 });
      expect(await release().loadSession('ann')).toMatchObject({ accessToken: 'token-ü' });
    });
  });

  describe('scripts', () => {
    it('sends a script again if Redis has lost it', async () => {
      const store = redisStore(redis.client);
      for (let time = 0; time < 2; time++) {
        await store.set('a', getEntry(Buffer.from('a')));
        expect(await store.get('a')).toBeDefined();
        await redis.client.scriptFlush();
      }
    });

    it('sends a script in full once, and later its hash', async () => {
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

    it('sends a script in full only after a NOSCRIPT error', async () => {
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

  describe('cluster and ioredis clients', () => {
    const all = async (other: RedisClient) => {
      const store = redisStore(other, { key, timeout: 20_000 });
      await store.set('a', getEntry(randomBytes(10)));
      expect(await store.get('a')).toBeDefined();
      await store.saveSession('ann', session);
      expect(await store.loadSession('ann')).toMatchObject({ accessToken: session.accessToken });
      expect(await store.acquireLock('a', 'owner', 5000)).toBe('owner');
      await store.releaseLock('a', 'owner');
    };

    it('passes the key of each command to a cluster, and keeps its keys on one node', async () => {
      const seen: string[] = [];
      await all({
        masters: [],
        sendCommand: (first, isReadonly, args, options) => {
          seen.push(`${args[0]} ${isReadonly}`);
          const at = args[0] === 'EVAL' || args[0] === 'EVALSHA' ? 3 : 1;
          const keys = at === 3 ? args.slice(3, 3 + Number(args[2])) : [args[1]];
          expect(args[at]).toBe(first);
          const tags = new Set(keys.map((each) => /\{.*?\}/.exec(String(each))?.[0]));
          expect(tags.size, String(keys)).toBe(1);
          expect([...tags][0]).toBeDefined();
          return redis.client.sendCommand(args, options);
        },
      });
      expect(seen).toContain('GETRANGE false');
    });

    it.each<[string, () => Promise<[RedisClient, () => Promise<unknown>]>]>([
      [
        'node-redis',
        async () => {
          const client = await connectRedis(redis.server.url);
          return [client, () => client.sendCommand(['MULTI'])];
        },
      ],
      [
        'ioredis',
        async () => {
          const client = new Redis(redis.server.url);
          onTestFinished(() => client.disconnect());
          return [client, () => client.multi({ pipeline: false })];
        },
      ],
    ])('rejects calls during an open transaction of the %s client', async (_name, connect) => {
      const [client, begin] = await connect();
      const store = redisStore(client, { key, timeout: 20_000 });
      await begin();
      for (const attempt of [
        () => store.acquireLock('a', 'one', 10_000),
        () => store.claimDelivery('a', 'one', 10_000),
        () => store.loadSession('ann'),
        () => store.get('a'),
      ]) {
        await expect(attempt()).rejects.toThrow('MULTI');
      }
    });

    it('calls the Buffer variants of ioredis methods', async () => {
      const seen: string[] = [];
      const method =
        (name: string, command: string) =>
        (...args: (string | Buffer)[]) => {
          seen.push(name);
          return redis.client.sendCommand([command, ...args], { typeMapping: { 36: Buffer } });
        };
      const ioredis = {
        evalBuffer: method('evalBuffer', 'EVAL'),
        evalshaBuffer: method('evalshaBuffer', 'EVALSHA'),
        getrangeBuffer: method('getrangeBuffer', 'GETRANGE'),
        pttl: method('pttl', 'PTTL'),
        setBuffer: method('setBuffer', 'SET'),
      };
      await redis.client.scriptFlush();
      await all(ioredis);
      expect(seen).toEqual(expect.arrayContaining(Object.keys(ioredis)));
    });
  });
});

const none = { sendCommand: async () => null };

it.each<[string, unknown, unknown, string]>([
  ['a missing client', undefined, {}, 'client'],
  ['null as the client', null, {}, 'client'],
  ['a URL instead of a client', 'redis://localhost', {}, 'client'],
  ['an empty object', {}, {}, 'client'],
  ['an ioredis client without functions', { getrangeBuffer: 1 }, {}, 'client'],
  ['a node-redis client without functions', { sendCommand: 1 }, {}, 'client'],
  ['a cluster without sendCommand', { masters: [] }, {}, 'client'],
  ['an unknown option', none, { ttl: 1 }, 'ttl'],
  ['a prefix with an opening brace', none, { prefix: 'a{b' }, 'prefix'],
  ['a prefix with a closing brace', none, { prefix: 'a}b' }, 'prefix'],
  ["a prefix that isn't a string", none, { prefix: 5 }, 'prefix'],
  ['a string key that is too short', none, { key: 'k'.repeat(31) }, 'key'],
  ['a byte key that is too short', none, { key: new Uint8Array(31) }, 'key'],
  ['a numeric key', none, { key: 32 }, 'key'],
  ['a timeout of zero', none, { timeout: 0 }, 'timeout'],
  ['a fractional timeout', none, { timeout: 1.5 }, 'timeout'],
  ['a maxBytes of zero', none, { maxBytes: 0 }, 'maxBytes'],
  ['a negative maxAge', none, { maxAge: -1 }, 'maxAge'],
])('redisStore rejects %s', (_what, client, options, option) => {
  const make = () => Reflect.apply(redisStore, undefined, [client, options]);
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

it('redisStore sends no commands for a closed client if Redis is unavailable', async () => {
  let sent = 0;
  const late = sending(async () => {
    sent++;
    await sleep(60);
    throw new Error('the connection is closed');
  });
  const server = await serve((_request, response) => void response.end('{}'));
  const client = createClient(server, { rateLimit: { shared: redisStore(late, { timeout: 20 }) } });
  await client.request({ path: '/x' });
  await client.close();
  const before = sent;
  await sleep(900);
  expect(sent).toBe(before);
});

it('redisStore defaults to a timeout of 50 ms and no session storage', () => {
  expect(redisStore(none)).toMatchObject({ timeout: 50 });
  expect(redisStore(none, { timeout: 7 })).toMatchObject({ timeout: 7 });
  expect('saveSession' in redisStore(none)).toBe(false);
  expect('saveSession' in redisStore(none, { key: 'k'.repeat(32) })).toBe(true);
});
