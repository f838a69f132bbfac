import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { engine, noEngine } from '../support/redis-server.js';
import { getEntry, useStore } from './redis-store.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('redisStore', () => {
  const { redis, keyLike } = useStore();

  describe('cached responses', () => {
    it.each([
      ['an empty body', Buffer.alloc(0)],
      ['a short body', Buffer.from('{"a":"ü"}')],
      ['random bytes', randomBytes(5000)],
      ['a repetitive body', Buffer.alloc(50_000, 'abc')],
    ])('redisStore.get() returns an entry with %s unchanged', async (_what, body) => {
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

    it('redisStore.set() compresses large entries', async () => {
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

    it('redisStore expires an entry `maxAge` after its last use', async () => {
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

    it('redisStore.get() ignores an entry that was unused for longer than `maxAge`', async () => {
      const store = redisStore(redis.client, { maxAge: 50_000 });
      await store.set('a', getEntry(Buffer.from('a')));
      await redis.client.zAdd(await keyLike('triforge:c:*:ages'), {
        score: Date.now() - 60_000,
        value: await entryIn(await entries()),
      });
      expect(await store.get('a')).toBeUndefined();
    });

    it.each(['entries', 'ages'])(
      'redisStore stays within `maxBytes` even if Redis loses the `%s` keys',
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

    it('redisStore.get() ignores an entry that inflates to more than a sixteenth of `maxBytes`', async () => {
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

    it('redisStore.set() skips an entry that would inflate to more than a sixteenth of `maxBytes`', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 100_000 });
      await store.set('a', getEntry(Buffer.alloc(100)));
      await store.set('a', getEntry(Buffer.alloc(100_000)));
      expect(await store.get('a')).toBeUndefined();
    });

    it('redisStore.set() and get() skip an entry with more than 128 KiB of headers', async () => {
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

    it('redisStore.set() skips an entry larger than a sixteenth of `maxBytes`', async () => {
      const store = redisStore(redis.client, { maxBytes: 16 * 3000 });
      for (const [length, kept] of [
        [2000, true],
        [3000, false],
      ] as const) {
        await store.set('a', getEntry(randomBytes(length)));
        expect((await store.get('a')) !== undefined, `${length} bytes`).toBe(kept);
      }
    });

    it('redisStore.set() evicts up to 256 entries per write to make room', async () => {
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

    it('redisStore divides the cache into at most 16 parts', async () => {
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
    ])('redisStore.get() ignores an entry that is %s', async (_how, bytes) => {
      const store = redisStore(redis.client);
      await store.set('a', getEntry(Buffer.from('a')));
      const part = await entries();
      await redis.client.hSet(part, await entryIn(part), bytes);
      expect(await store.get('a')).toBeUndefined();
    });
  });
});
