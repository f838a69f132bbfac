import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { NodeRedisClient, RedisClient } from '../../src/redis/index.js';
import { redisStore } from '../../src/redis/index.js';
import type { CacheEntry } from '../../src/transport/policy/cache-entry.js';
import { rejectionOf, until } from '../support/client.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';

const key = 'a key that all processes of the fleet know';
const session = { accessToken: 'token-ü', lifetime: 60_000 };

const entryOf = (body: Buffer): CacheEntry => ({
  url: 'https://code.test/x',
  statusText: 'OK',
  headers: { etag: '"a"', link: ['a', 'b'] },
  body,
  digest: 'd',
});

/** A client that sends by a function of a test's own. */
const sending = (sendCommand: NodeRedisClient['sendCommand']): NodeRedisClient => ({ sendCommand });

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('a store in Redis', () => {
  const redis = useRedis();

  const withKey = () => redisStore(redis.client, { key, timeout: 20_000 });
  /** The one key whose name fits. */
  async function keyLike(pattern: string): Promise<string> {
    const found = await redis.client.keys(pattern);
    expect(found, pattern).toHaveLength(1);
    return found[0] ?? '';
  }

  describe('its locks', () => {
    it('have one owner, who alone can release them', async () => {
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

    it('end by themselves', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 20.5);
      await until('it has ended', async () => (await store.lockOwner('a')) === undefined);
      expect(await store.acquireLock('a', 'two', 60_000)).toBe('two');
    });

    it('are renewed by their owner', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      expect(await store.acquireLock('a', 'one', 60_000)).toBe('one');
      expect(await redis.client.pTTL(await keyLike('triforge:k:*'))).toBeGreaterThan(10_000);
    });

    it('are not prolonged by another process that requests them', async () => {
      const store = withKey();
      await store.acquireLock('a', 'one', 10_000);
      await store.acquireLock('a', 'two', 60_000);
      expect(await redis.client.pTTL(await keyLike('triforge:k:*'))).toBeLessThanOrEqual(10_000);
    });
  });

  describe('its sessions', () => {
    it('are read as they were kept, by who has the key', async () => {
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

    it('are sealed anew each time', async () => {
      const store = withKey();
      const sealed = new Set<string>();
      for (let time = 0; time < 2; time++) {
        await store.saveSession('ann', session);
        sealed.add(String(await redis.client.get(await keyLike('triforge:s:*'))));
      }
      expect(sealed.size).toBe(2);
    });

    it.each([
      ['text', key, Buffer.from(key)],
      ['bytes', Buffer.from(key), key],
    ])('are the same whether the key is text or bytes: kept by %s', async (_how, one, other) => {
      await redisStore(redis.client, { key: one }).saveSession('ann', session);
      const found = await redisStore(redis.client, { key: other }).loadSession('ann');
      expect(found).toMatchObject({ accessToken: session.accessToken });
    });

    it.each([
      [Number.POSITIVE_INFINITY, 86_300_000, 86_400_000],
      [172_800_000, 86_300_000, 86_400_000],
      [5000.9, 1, 5000],
    ])('that last %d ms are kept from %d to %d', async (lifetime, least, most) => {
      await withKey().saveSession('ann', { accessToken: 'a', lifetime });
      const kept = await redis.client.pTTL(await keyLike('triforge:s:*'));
      expect(kept).toBeGreaterThanOrEqual(least);
      expect(kept).toBeLessThanOrEqual(most);
    });

    it('are kept beside the failure of a sign-in', async () => {
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

    it('that are over already are taken all the same', async () => {
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: 0 });
      await withKey().saveSession('ann', { accessToken: 'a', lifetime: -5 });
    });

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['was changed', (name) => redis.client.setRange(name, 30, 'xx')],
      ['was cut short', (name) => redis.client.set(name, 'short', { PX: 5000 })],
      ['ends at no time', (name) => redis.client.persist(name)],
      ['is not there', (name) => redis.client.del(name)],
    ])('that %s is none', async (_what, change) => {
      const store = withKey();
      await store.saveSession('ann', session);
      await change(await keyLike('triforge:s:*'));
      expect(await store.loadSession('ann')).toBeUndefined();
    });
  });

  describe('its cached answers', () => {
    it.each([
      ['empty', Buffer.alloc(0)],
      ['short', Buffer.from('{"a":"ü"}')],
      ['of any bytes', randomBytes(5000)],
      ['that repeat themselves', Buffer.alloc(50_000, 'abc')],
    ])('come back as they were kept: %s', async (_what, body) => {
      const store = redisStore(redis.client);
      await store.set('a', entryOf(body));
      expect(await store.get('a')).toEqual(entryOf(body));
      expect(await store.get('b')).toBeUndefined();
      await store.delete('a');
      expect(await store.get('a')).toBeUndefined();
    });

    const entries = (pattern = 'triforge:c:*:entries') => keyLike(pattern);
    /** The fields of the one part: the bytes of all its entries, and each entry. */
    const partOf = async (name: string) => Object.entries(await redis.client.hGetAll(name));
    const entryIn = async (name: string) =>
      (await partOf(name)).find(([field]) => field !== 'bytes')?.[0] ?? '';

    it('are compressed where that is worth it', async () => {
      const store = redisStore(redis.client, { prefix: 'x:' });
      const sizes: number[] = [];
      for (const length of [600, 50_000]) {
        await store.set('a', entryOf(Buffer.alloc(length, 'a')));
        const part = await entries('x:c:*:entries');
        const size = await redis.client.sendCommand(['HSTRLEN', part, await entryIn(part)]);
        sizes.push(Number(size));
      }
      expect(sizes[0]).toBeGreaterThan(600);
      expect(sizes[1]).toBeLessThan(1000);
    });

    it('are kept for a while after their last use', async () => {
      const store = redisStore(redis.client, { maxAge: 50_000 });
      await store.set('a', entryOf(Buffer.from('a')));
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

    it('are not returned after `maxAge` without use', async () => {
      const store = redisStore(redis.client, { maxAge: 50_000 });
      await store.set('a', entryOf(Buffer.from('a')));
      await redis.client.zAdd(await keyLike('triforge:c:*:ages'), {
        score: Date.now() - 60_000,
        value: await entryIn(await entries()),
      });
      expect(await store.get('a')).toBeUndefined();
    });

    it.each(['entries', 'ages'])('keep to their bytes although Redis loses %s', async (lost) => {
      const maxBytes = 16 * 5000;
      const store = redisStore(redis.client, { maxBytes });
      let most = 0;
      for (let at = 0; at < 400; at++) {
        await store.set(`${at}`, entryOf(randomBytes(1000)));
        if (at % 20 === 0) await redis.client.del(await redis.client.keys(`triforge:c:*:${lost}`));
        let bytes = 0;
        for (const name of await redis.client.keys('triforge:c:*:entries')) {
          for (const [, value] of await partOf(name)) bytes += Buffer.byteLength(value, 'latin1');
        }
        most = Math.max(most, bytes);
      }
      // Text that is no UTF-8 comes back longer than it is, up to three times.
      expect(most).toBeLessThan(3 * maxBytes);
      await store.set('last', entryOf(Buffer.from('last')));
      expect(await store.get('last')).toBeDefined();
      for (const name of await redis.client.keys('triforge:c:*')) {
        expect(await redis.client.pTTL(name), name).toBeGreaterThan(0);
      }
    });

    it('that inflate to more than a sixteenth of `maxBytes` are not returned', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 1_000_000 });
      await store.set('a', entryOf(Buffer.from('a')));
      const part = await entries();
      const bomb = Buffer.concat([Buffer.from([1]), deflateRawSync(Buffer.alloc(60_000_000))]);
      expect(bomb.length).toBeLessThan(100_000);
      await redis.client.hSet(part, await entryIn(part), bomb);
      expect(await store.get('a')).toBeUndefined();
      await redis.client.hSet(part, await entryIn(part), Buffer.alloc(1_000_001));
      expect(await store.get('a'), 'nor are they sent').toBeUndefined();
    });

    it('that would inflate to more are not kept', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 100_000 });
      await store.set('a', entryOf(Buffer.alloc(100)));
      await store.set('a', entryOf(Buffer.alloc(100_000)));
      expect(await store.get('a')).toBeUndefined();
    });

    it('with more than 128 KiB of headers are not kept, and none', async () => {
      const store = redisStore(redis.client);
      const headers = { etag: '"a"', link: 'a'.repeat(128 * 1024) };
      await store.set('a', { ...entryOf(Buffer.alloc(1)), headers });
      expect(await store.get('a')).toBeUndefined();
      await store.set('a', entryOf(Buffer.alloc(1)));
      const part = await entries();
      const head = Buffer.from(JSON.stringify({ url: 'a'.repeat(200_000) }));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(head.length);
      const forged = Buffer.concat([Buffer.from([0]), length, head]);
      await redis.client.hSet(part, await entryIn(part), forged);
      expect(await store.get('a')).toBeUndefined();
    });

    it('that are larger than a part of the room are not kept', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 3000 });
      for (const [length, kept] of [
        [2000, true],
        [3000, false],
      ] as const) {
        await store.set('a', entryOf(randomBytes(length)));
        expect((await store.get('a')) !== undefined, `${length} bytes`).toBe(kept);
      }
    });

    it('lie in many parts', async () => {
      const store = redisStore(redis.client);
      for (let each = 0; each < 60; each++) await store.set(`${each}`, entryOf(Buffer.from('a')));
      const parts = (await redis.client.keys('triforge:c:*:ages')).length;
      expect(parts).toBeGreaterThan(8);
      expect(parts).toBeLessThanOrEqual(16);
    });

    it.each<[string, Buffer]>([
      ['damaged', Buffer.from([1, 2, 3, 4])],
      ['cut short', Buffer.from([0])],
      ['without a head', Buffer.from([0, 0, 0, 0, 9, 1])],
    ])('that are %s are none', async (_how, bytes) => {
      const store = redisStore(redis.client);
      await store.set('a', entryOf(Buffer.from('a')));
      const part = await entries();
      await redis.client.hSet(part, await entryIn(part), bytes);
      expect(await store.get('a')).toBeUndefined();
    });
  });

  describe('its limits', () => {
    const report = { holder: 'h', lease: 60_000, pause: 0, slots: undefined, budgets: [] };

    it('of which nobody told anything are none', async () => {
      expect(await redisStore(redis.client).exchange('s', report)).toEqual({
        pause: 0,
        slots: undefined,
        budgets: [],
      });
    });

    it('are those of a scope', async () => {
      const store = redisStore(redis.client);
      const paused = await store.exchange('s', { ...report, pause: 50_000 });
      expect(paused.pause).toBeGreaterThan(0);
      expect((await store.exchange('s', { ...report, holder: 'i' })).pause).toBeGreaterThan(0);
      expect((await store.exchange('t', report)).pause).toBe(0);
    });

    it('keep slots for those who have less than their part', async () => {
      const store = redisStore(redis.client);
      const ask = async (holder: string, held: number, want: number) =>
        (
          await store.exchange('s', {
            ...report,
            holder,
            slots: { capacity: 4, held, want },
          })
        ).slots;
      expect(await ask('a', 0, 3)).toMatchObject({ granted: 3 });
      expect(await ask('b', 0, 3)).toMatchObject({ granted: 1 });
      expect(await ask('b', 1, 2)).toMatchObject({ granted: 0, waiting: 0 });
      // Who has its part and asks before others does not stand in their way.
      expect(await ask('a', 3, 1)).toMatchObject({ granted: 0, waiting: 1 });
      expect(await ask('a', 2, 2)).toMatchObject({ granted: 0, waiting: 1 });
      expect(await ask('b', 1, 2)).toMatchObject({ granted: 1, ahead: 0, waiting: 0 });
      expect(await ask('b', 2, 0)).toMatchObject({ waiting: 0 });
      expect(await ask('a', 1, 3), 'when nobody waits, all may be had').toMatchObject({
        granted: 1,
      });
    });

    it('are those of a budget and of a credential, whose key is not kept', async () => {
      const store = redisStore(redis.client);
      const ends = { limit: 10, remaining: 6, reset: 1000, ends: 50_000 };
      const budget = (name: string, told: typeof ends | undefined) => ({
        key: name,
        told,
        since: undefined,
        held: 0,
        need: 1,
        want: 1,
        waiters: 0,
        spread: false,
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

  describe('of another release', () => {
    const release = () => redisStore(redis.client, { key, timeout: 20_000 });

    it('keeps the same things under the same names', async () => {
      const store = release();
      await store.acquireLock('a', 'owner', 60_000);
      await store.saveSession('ann', session);
      await store.saveFailure('ann', { failure: '{}', lifetime: 60_000 });
      await store.set('a', entryOf(Buffer.from('a')));
      const asked = { told: undefined, since: undefined, held: 0, need: 1, want: 1, waiters: 0 };
      const report = {
        lease: 60_000,
        pause: 1000,
        slots: { capacity: 1, held: 0, want: 1 },
        budgets: [{ key: 'b', spread: false, ...asked }],
      };
      // The second waits for the one place.
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
          `${limits}:slots`,
          `${limits}:slots:leases`,
          `${limits}:slots:queue`,
          'triforge:s:{CCj-lAr1OC3iRqM2SL-pv3}',
        ]),
      );
    });

    it('has sessions that can be opened', async () => {
      const sealed = Buffer.from('+nniSuwY5+Qs1XFQMRvL/4k6oTAWI8/hgap8KbjNu/fq4IT2', 'base64');
      await redis.client.set('triforge:s:{CCj-lAr1OC3iRqM2SL-pv3}', sealed, { PX: 60_000 });
      expect(await release().loadSession('ann')).toMatchObject({ accessToken: 'token-ü' });
    });
  });

  describe('its scripts', () => {
    it('are sent again where Redis has lost them', async () => {
      const store = redisStore(redis.client);
      for (let time = 0; time < 2; time++) {
        await store.set('a', entryOf(Buffer.from('a')));
        expect(await store.get('a')).toBeDefined();
        await redis.client.scriptFlush();
      }
    });

    it('are sent by their hash, and only once as they are', async () => {
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

    it('that fail otherwise are not sent again', async () => {
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

  describe('over another kind of client', () => {
    const all = async (other: RedisClient) => {
      const store = redisStore(other, { key, timeout: 20_000 });
      await store.set('a', entryOf(randomBytes(10)));
      expect(await store.get('a')).toBeDefined();
      await store.saveSession('ann', session);
      expect(await store.loadSession('ann')).toMatchObject({ accessToken: session.accessToken });
      expect(await store.acquireLock('a', 'owner', 5000)).toBe('owner');
      await store.releaseLock('a', 'owner');
    };

    it('a cluster of node-redis is told a key of each command, all of which are on its node', async () => {
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
      expect(seen).toContain('GET false');
    });

    it('ioredis is asked for bytes', async () => {
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
        getBuffer: method('getBuffer', 'GET'),
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
  ['no client', undefined, {}, 'client'],
  ['null', null, {}, 'client'],
  ['a text', 'redis://localhost', {}, 'client'],
  ['an object', {}, {}, 'client'],
  ['what is no function of ioredis', { getBuffer: 1 }, {}, 'client'],
  ['what is no function of node-redis', { sendCommand: 1 }, {}, 'client'],
  ['a cluster without one', { masters: [] }, {}, 'client'],
  ['an option that is not known', none, { ttl: 1 }, 'ttl'],
  ['a prefix with a brace', none, { prefix: 'a{b' }, 'prefix'],
  ['a prefix with an end of one', none, { prefix: 'a}b' }, 'prefix'],
  ['a prefix that is no text', none, { prefix: 5 }, 'prefix'],
  ['a key that is too short', none, { key: 'k'.repeat(31) }, 'key'],
  ['bytes that are too few', none, { key: new Uint8Array(31) }, 'key'],
  ['a key that is neither', none, { key: 32 }, 'key'],
  ['no time', none, { timeout: 0 }, 'timeout'],
  ['a part of a millisecond', none, { timeout: 1.5 }, 'timeout'],
  ['no room', none, { maxBytes: 0 }, 'maxBytes'],
  ['an age below 0', none, { maxAge: -1 }, 'maxAge'],
])('%s is refused', (_what, client, options, option) => {
  const make = () => Reflect.apply(redisStore, undefined, [client, options]);
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

it('waits 50 ms where nothing else is said, and keeps sessions only with a key', () => {
  expect(redisStore(none)).toMatchObject({ timeout: 50 });
  expect(redisStore(none, { timeout: 7 })).toMatchObject({ timeout: 7 });
  expect('saveSession' in redisStore(none)).toBe(false);
  expect('saveSession' in redisStore(none, { key: 'k'.repeat(32) })).toBe(true);
});
