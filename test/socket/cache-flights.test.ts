import { describe, expect, test } from 'vitest';
import type { CacheEntry } from '../../src/index.js';
import type { LockStore, SharedLock } from '../../src/transport/policy/stores.js';
import { clientOf, rejectionOf, until } from '../support/client.js';
import { serve } from '../support/server.js';
import { eventsOf } from '../unit/transport/heard-events.js';
import { get, OpenStore, world } from './cache-world.js';

/** A store with locks, as processes share it. */
class LockingStore extends OpenStore {
  readonly held = new Map<string, Promise<void>>();
  /** Milliseconds after which the locks that were asked for end by themselves. */
  readonly leases: number[] = [];
  /** How often someone found a lock taken. */
  waits = 0;
  async lock(name: string, lease: number): Promise<SharedLock> {
    this.leases.push(lease);
    const taken = this.held.get(name);
    if (taken) {
      this.waits++;
      return { taken, release: async () => undefined };
    }
    let end: () => void = () => undefined;
    this.held.set(
      name,
      new Promise((resolve) => {
        end = resolve;
      }),
    );
    const release = async () => {
      this.held.delete(name);
      end();
    };
    return { taken: undefined, release };
  }
}

describe('clients that share a store with locks', () => {
  test('ask for the same one after the other, and the later one spends nothing', async () => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const clients = Array.from({ length: 4 }, () => open({ cache: { store } }));
    const answers = await Promise.all(clients.map((client) => get(client)));
    expect(answers.map(({ data }) => data)).toEqual(Array.from({ length: 4 }, () => ({ id: 7 })));
    expect(store.waits, 'the others found the lock taken').toBe(3);
    expect(seen).toMatchObject({ asked: 4, spent: 1, unchanged: 3 });
    expect(answers.map(({ response }) => response.fromCache)).toEqual([false, true, true, true]);
    expect(store.leases).toEqual([10_000, 10_000, 10_000, 10_000]);
    await until('the lock is let go', () => store.held.size === 0);
  });

  test('ask for different things at once', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const client = open({ cache: { store } });
    await Promise.all([get(client, '/a'), get(client, '/b')]);
    expect(store.waits).toBe(0);
  });

  test.each([
    ['fails', { status: 404, body: '{"id":7}' }],
    ['is not to be kept', { headers: { 'cache-control': 'no-store' }, body: '{"id":7}' }],
    ['is found wrong', { body: '{"id":"seven"}' }],
  ])('are held up by none that %s', async (_how, answer) => {
    const { open } = await world(() => answer);
    const store = new LockingStore();
    await get(open({ cache: { store }, retry: false })).then(undefined, () => undefined);
    await until('the lock is let go', () => store.held.size === 0);
    expect(store.entries.size).toBe(0);
  });

  test('are held up by none whose connection is lost', async () => {
    const { open, server } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const client = open({ cache: { store }, retry: false });
    await server.close();
    expect(await rejectionOf(get(client))).toMatchObject({ code: 'connection' });
    await until('the lock is let go', () => store.held.size === 0);
  });

  test('are held up by none that is aborted', async () => {
    const server = await serve(() => undefined);
    const store = new LockingStore();
    const client = clientOf(server, { cache: { store } });
    const controller = new AbortController();
    const call = get(client, '/thing', { signal: controller.signal });
    await until('it was sent', () => server.requests.length === 1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejectionOf(call)).toBe(reason);
    await until('the lock is let go', () => store.held.size === 0);
  });

  test('are held up by none that is aborted while the store is asked', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    let asked = false;
    store.get = () => {
      asked = true;
      return new Promise(() => undefined);
    };
    const controller = new AbortController();
    const call = get(open({ cache: { store } }), '/thing', { signal: controller.signal });
    await until('the store is asked', () => asked);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejectionOf(call)).toBe(reason);
    await until('the lock is let go', () => store.held.size === 0);
  });

  test('keep a lock until what was answered is written', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    let heldWhileWriting = 0;
    store.set = async (key, entry) => {
      heldWhileWriting = store.held.size;
      store.entries.set(key, entry);
    };
    await get(open({ cache: { store } }));
    await until('the lock is let go', () => store.held.size === 0);
    expect(heldWhileWriting).toBe(1);
  });

  test.each<[string, LockStore['lock']]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['never answers', () => new Promise(() => undefined)],
    ['gives nothing', () => Promise.resolve(undefined as never)],
    [
      'can not be let go',
      async () => ({ taken: undefined, release: () => Promise.reject(new Error('down')) }),
    ],
  ])('go on without a lock that %s', async (_how, lock) => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = Object.assign(new OpenStore(), { timeout: 20, lock });
    const client = open({ cache: { store } });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect((await get(client)).response.fromCache).toBe(true);
  });
});

describe('the end of a client', () => {
  test('waits for what is being written', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new OpenStore();
    const written: string[] = [];
    store.set = async (key: string, _entry: CacheEntry) => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      written.push(key);
    };
    const client = open({ cache: { store } });
    await Promise.all([get(client, '/a'), get(client, '/b')]);
    expect(written, 'calls do not wait for it').toEqual([]);
    await client.close();
    expect(written).toHaveLength(2);
  });

  test('waits for no store that never writes', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const set = () => new Promise<void>(() => undefined);
    const client = open({ cache: { store: Object.assign(new OpenStore(), { timeout: 20, set }) } });
    await get(client);
    await client.close();
  });
});

test('a store that is lost is told of once, and so is one that is back', async () => {
  const told = eventsOf('triforge:store');
  const { open } = await world(() => ({ body: '{"id":7}' }));
  const store = new LockingStore();
  let isDown = true;
  const lock = (name: string, lease: number) =>
    isDown
      ? Promise.reject(new Error('down'))
      : LockingStore.prototype.lock.call(store, name, lease);
  const client = open({ cache: { store: Object.assign(store, { lock }) } });
  for (const down of [true, true, false, false, true]) {
    isDown = down;
    await get(client);
  }
  const lost = { store: 'cache', state: 'lost', reason: 'down' };
  expect(told).toEqual([lost, { store: 'cache', state: 'back' }, lost]);
});
