import { describe, expect, test } from 'vitest';
import type { CacheEntry } from '../../src/index.js';
import type { LockStore } from '../../src/transport/stores/stores.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { serve } from '../support/server.js';
import { recordChannel } from '../unit/transport/recorded-events.js';
import { get, OpenStore, world } from './cache-world.js';

/** A cache store that supports locks, so several processes can share it. */
class LockingStore extends OpenStore implements LockStore {
  /** Lock owners by lock name. */
  readonly held = new Map<string, string>();
  /** Requested lease durations in ms. */
  readonly leases: number[] = [];
  /** Number of failed attempts to acquire a lock. */
  waits = 0;
  async acquireLock(name: string, owner: string, lease: number): Promise<string> {
    this.leases.push(lease);
    const holder = this.held.get(name);
    if (holder !== undefined) this.waits++;
    else this.held.set(name, owner);
    return holder ?? owner;
  }
  async lockOwner(name: string): Promise<string | undefined> {
    return this.held.get(name);
  }
  async releaseLock(name: string, owner: string): Promise<void> {
    if (this.held.get(name) === owner) this.held.delete(name);
  }
}

describe('cache locks', () => {
  test('the cache lock serializes requests for a resource, so only the first uses quota', async () => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const clients = Array.from({ length: 4 }, () => open({ cache: { store } }));
    const responses = await Promise.all(clients.map((client) => get(client)));
    expect(responses.map(({ data }) => data)).toEqual(Array.from({ length: 4 }, () => ({ id: 7 })));
    expect(store.waits, 'failed attempts to acquire the lock').toBe(3);
    expect(seen).toMatchObject({ requested: 4, spent: 1, unchanged: 3 });
    expect(responses.map(({ response }) => response.fromCache)).toEqual([false, true, true, true]);
    expect(store.leases).toEqual([10_000, 10_000, 10_000, 10_000]);
    await until('the lock is released', () => store.held.size === 0);
  });

  test('the cache lock allows concurrent requests for different resources', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const client = open({ cache: { store } });
    await Promise.all([get(client, '/a'), get(client, '/b')]);
    expect(store.waits).toBe(0);
  });

  test.each([
    ['the call fails', { status: 404, body: '{"id":7}' }],
    [
      'the response must not be stored',
      { headers: { 'cache-control': 'no-store' }, body: '{"id":7}' },
    ],
    ['the response is invalid', { body: '{"id":"seven"}' }],
  ])('the client releases the cache lock if %s', async (_how, response) => {
    const { open } = await world(() => response);
    const store = new LockingStore();
    await get(open({ cache: { store }, retry: false })).then(undefined, () => undefined);
    await until('the lock is released', () => store.held.size === 0);
    expect(store.entries.size).toBe(0);
  });

  test('the client releases the cache lock if the server is unreachable', async () => {
    const { open, server } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    const client = open({ cache: { store }, retry: false });
    await server.close();
    expect(await rejectionOf(get(client))).toMatchObject({ code: 'connection' });
    await until('the lock is released', () => store.held.size === 0);
  });

  test('the client releases the cache lock if the call is aborted', async () => {
    const server = await serve(() => undefined);
    const store = new LockingStore();
    const client = createClient(server, { cache: { store } });
    const controller = new AbortController();
    const call = get(client, '/thing', { signal: controller.signal });
    await until('it was sent', () => server.requests.length === 1);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejectionOf(call)).toBe(reason);
    await until('the lock is released', () => store.held.size === 0);
  });

  test('the client releases the cache lock if an abort interrupts a store read', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    let requests = false;
    let respond = () => {};
    store.get = () => {
      requests = true;
      return new Promise((resolve) => {
        respond = () => resolve(undefined);
      });
    };
    const controller = new AbortController();
    const call = get(open({ cache: { store } }), '/thing', { signal: controller.signal });
    await until('the store was called', () => requests);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await rejectionOf(call)).toBe(reason);
    await until('the lock is released', () => store.held.size === 0);
    respond();
  });

  test('the client holds the cache lock until the store has saved the response', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    let heldWhileWriting = 0;
    store.set = async (key, entry) => {
      heldWhileWriting = store.held.size;
      store.entries.set(key, entry);
    };
    await get(open({ cache: { store } }));
    await until('the lock is released', () => store.held.size === 0);
    expect(heldWhileWriting).toBe(1);
  });

  test.each<[string, Partial<LockStore>]>([
    ['acquireLock returns undefined', { acquireLock: () => Promise.resolve(undefined as never) }],
    ['releaseLock rejects', { releaseLock: () => Promise.reject(new Error('down')) }],
  ])('the client uses the cache even if %s', async (_how, own) => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = Object.assign(new LockingStore(), { timeout: 200 }, own);
    expect((await get(open({ cache: { store } }))).data).toEqual({ id: 7 });
    store.held.clear();
    expect((await get(open({ cache: { store } }))).response.fromCache).toBe(true);
  });

  test.each<[string, LockStore['acquireLock']]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['never settles', () => new Promise(() => undefined)],
  ])('the client completes calls even if acquireLock %s', async (_how, acquireLock) => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const store = Object.assign(new LockingStore(), { timeout: 20, acquireLock });
    const client = open({ cache: { store } });
    for (let call = 0; call < 3; call++) expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.requested).toBe(3);
  });

  test('the client releases a cache lock acquired after the timeout, even if acquireLock then rejects', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = Object.assign(new LockingStore(), { timeout: 20 });
    const late: (() => void)[] = [];
    store.acquireLock = async (name, owner, lease) => {
      await new Promise<void>((resolve) => late.push(resolve));
      await LockingStore.prototype.acquireLock.call(store, name, owner, lease);
      if (late.length > 1) throw new Error('the connection was lost');
      return owner;
    };
    await get(open({ cache: { store } }));
    await get(open({ cache: { store } }), '/other');
    expect(store.held.size).toBe(0);
    for (const arrive of late) arrive();
    await until('both were granted', () => store.leases.length === 2);
    await until('both are released', () => store.held.size === 0);
  });

  test('the client retries a failed release of a cache lock', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new LockingStore();
    let failures = 0;
    store.releaseLock = async (name, owner) => {
      if (++failures < 3) throw new Error('the connection was lost');
      await LockingStore.prototype.releaseLock.call(store, name, owner);
    };
    await get(open({ cache: { store } }));
    await until('the lock is released', () => store.held.size === 0);
    expect(failures).toBe(3);
  });

  test('the client stops waiting for a cache lock if lockOwner never settles', async () => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const store = Object.assign(new LockingStore(), { timeout: 20 });
    store.acquireLock = async () => 'another owner';
    store.lockOwner = () => new Promise(() => undefined);
    await get(open({ cache: { store } }));
    expect(seen.requested).toBe(1);
  });
});

describe('client.close()', () => {
  test('client.close() waits for pending cache writes', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const store = new OpenStore();
    const written: string[] = [];
    store.set = async (key: string, _entry: CacheEntry) => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      written.push(key);
    };
    const client = open({ cache: { store } });
    await Promise.all([get(client, '/a'), get(client, '/b')]);
    expect(written, 'calls do not wait for the writes').toEqual([]);
    await client.close();
    expect(written).toHaveLength(2);
  });

  test('client.close() does not wait for a cache write that never finishes', async () => {
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const set = () => new Promise<void>(() => undefined);
    const client = open({ cache: { store: Object.assign(new OpenStore(), { timeout: 20, set }) } });
    await get(client);
    await client.close();
  });
});

test('a client reports each outage and each recovery of a cache store once', async () => {
  const reported = recordChannel('triforge:store');
  const { open } = await world(() => ({ body: '{"id":7}' }));
  const store = new LockingStore();
  let isDown = true;
  let requests = 0;
  store.acquireLock = async (...lock) => {
    requests++;
    if (isDown) throw new Error('down');
    return await LockingStore.prototype.acquireLock.call(store, ...lock);
  };
  const client = open({ cache: { store } });
  for (let call = 0; call < 3; call++) await get(client);
  expect(requests, 'an unavailable store is skipped for a while').toBe(1);
  isDown = false;
  await until('it is back', async () => {
    await get(client);
    return reported.length === 2;
  });
  isDown = true;
  await get(client);
  const lost = { store: 'cache', state: 'lost', reason: 'down' };
  expect(reported).toEqual([lost, { store: 'cache', state: 'back' }, lost]);
});
