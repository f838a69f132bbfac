import { describe, expect, test } from 'vitest';
import { type CacheStore, HostingClient } from '../../src/index.js';
import { until } from '../support/client.js';
import { serve } from '../support/server.js';
import { get, OpenStore, world } from './cache-world.js';

test("clients with different tokens that share a store never see each other's data", async () => {
  // This server is hostile. Its `Vary` names no relevant header, and every user gets the same
  // ETags.
  const { open } = await world(({ headers }) => ({
    body: JSON.stringify({ id: String(headers.authorization).endsWith('a') ? 1 : 2 }),
    headers: { etag: `"same ${headers['if-none-match'] ? 'again' : ''}"`, vary: 'x-nothing' },
  }));
  const store = new OpenStore();
  const a = open({ cache: { store }, auth: { type: 'token', token: 'token-a' } });
  const b = open({ cache: { store }, auth: { type: 'token', token: 'token-b' } });
  for (let round = 0; round < 3; round++) {
    expect((await get(a)).data).toEqual({ id: 1 });
    expect((await get(b)).data).toEqual({ id: 2 });
    expect((await get(a.withAuth({ type: 'token', token: 'token-b' }))).data).toEqual({ id: 2 });
    const auth = { type: 'token', token: 'token-a' } as const;
    expect((await get(b, '/thing', { auth })).data).toEqual({ id: 1 });
  }
  const everything = JSON.stringify([...store.entries]);
  expect(everything, 'no credential in the store').not.toMatch(/token-[ab]/);
});

test('a cached response never reaches another user, even if the server sends a 304 for every validator', async () => {
  const server = await serve(({ headers }, response) => {
    if (headers['if-none-match']) {
      response.writeHead(304);
      return response.end();
    }
    response.writeHead(200, { etag: '"all"' });
    return response.end(JSON.stringify({ id: headers.authorization === 'token a' ? 1 : 2 }));
  });
  const store = new OpenStore();
  const of = (token: string) =>
    new HostingClient({
      baseUrl: server.origin,
      cache: { store },
      auth: { type: 'token', token },
    });
  await using a = of('a');
  await using b = of('b');
  await get(a);
  expect((await get(b)).data).toEqual({ id: 2 });
  expect((await get(a)).data).toEqual({ id: 1 });
  expect((await get(b)).data).toEqual({ id: 2 });
});

describe('the cache', () => {
  const failing = (what: unknown): CacheStore => ({
    get: async () => what as never,
    set: async () => {
      throw new Error('full');
    },
  });

  test.each<[string, CacheStore]>([
    ['rejects', { ...failing(undefined), get: () => Promise.reject(new Error('down')) }],
    [
      'throws',
      {
        get: () => {
          throw new Error('down');
        },
        set: () => {
          throw new Error('down');
        },
      },
    ],
    ['never responds', { ...failing(undefined), get: () => new Promise(() => {}) }],
    ['returns a string', failing('entry')],
    ['returns an object', failing({})],
    ['returns null', failing(null)],
  ])('the client completes calls even if the cache store %s', async (_title, store) => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.unchanged, 'no response came from the cache').toBe(0);
  });

  const damaged: [string, (entry: string) => string][] = [
    ['a truncated body', (entry) => entry.slice(0, -1)],
    ['no body', (entry) => entry.split('\n')[0] ?? ''],
    ['a changed URL', (entry) => entry.replace('/thing', '/other')],
    ['the key of another request', (entry) => entry.replace('cache:', 'cache:x')],
    ['headers that are not text', (entry) => entry.replace(/"etag":".*?[^\\]"/, '"etag":7')],
    ['no headers', (entry) => entry.replace('"headers":', '"other":')],
    ['an unreadable first line', (entry) => entry.slice(1)],
    [
      'a validator with line breaks',
      (entry) => entry.replace('"etag":"', '"etag":"\\r\\nx-evil: 1'),
    ],
  ];
  test.each(damaged)(
    'the client sends an unconditional request if the cache entry has %s',
    async (_title, damage) => {
      const store = new OpenStore();
      const { open, seen } = await world(() => ({ body: '{"id":7}' }));
      const client = open({ cache: { store } });
      await get(client);
      const [[key, entry] = []] = store.entries;
      if (key === undefined || entry === undefined) throw new Error('nothing was kept');
      store.entries.set(key, damage(entry));
      const again = await get(client);
      expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, false]);
      expect(seen.requests.at(-1)?.headers, 'requested unconditionally').not.toHaveProperty(
        'if-none-match',
      );
      expect((await get(client)).response.fromCache, 'the new response was stored').toBe(true);
    },
  );

  test("the cache never returns another user's response even if its store mixes up keys", async () => {
    class Mixed extends OpenStore {
      override async get() {
        return [...this.entries.values()][0];
      }
    }
    const server = await serve(({ headers }, response) => {
      response.writeHead(headers['if-none-match'] ? 304 : 200, { etag: '"all"' });
      return response.end(
        headers['if-none-match'] ? '' : `{"id":${headers.authorization?.slice(-1)}}`,
      );
    });
    const store = new Mixed();
    await using client = new HostingClient({
      baseUrl: server.origin,
      cache: { store },
      auth: { type: 'token', token: 'token-1' },
    });
    expect((await get(client)).data).toEqual({ id: 1 });
    const auth = { type: 'token', token: 'token-2' } as const;
    expect((await get(client, '/thing', { auth })).data).toEqual({ id: 2 });
  });

  test('the client skips a hanging cache store until it responds again', async () => {
    const store = new OpenStore();
    const waiting: (() => void)[] = [];
    let requests = 0;
    const hanging: CacheStore = {
      set: (key, value) => store.set(key, value),
      get: (key) => {
        requests++;
        if (requests > 3) return store.get(key);
        return new Promise((resolve) => waiting.push(() => resolve(undefined)));
      },
    };
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store: hanging } });
    await Promise.all([get(client), get(client), get(client)]);
    expect((await get(client)).response.fromCache).toBe(false);
    expect(requests, 'no further request while three are pending').toBe(3);
    for (const respond of waiting) respond();
    // Responses received in the meantime weren't stored, so the store's first reply is a miss.
    await until('it is used again', async () => (await get(client)).response.fromCache);
  });

  test('the client rejects an aborted call immediately even if the cache store hangs', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const store: CacheStore = {
      ...failing(undefined),
      get: () => {
        queueMicrotask(() => controller.abort(reason));
        return new Promise(() => {});
      },
    };
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const call = get(open({ cache: { store } }), '/thing', { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
    expect(seen.requested, 'nothing was sent').toBe(0);
  });

  test('the client stops writing to a cache store that has 64 unfinished writes', async () => {
    let writes = 0;
    const store: CacheStore = {
      get: async () => undefined,
      set: () => {
        writes++;
        return new Promise(() => {});
      },
    };
    const { open } = await world(({ url }) => ({ body: `{"id":${url.slice(2)}}` }));
    const client = open({ cache: { store } });
    for (let id = 0; id < 80; id++) await get(client, `/t${id}`);
    expect(writes).toBe(64);
  });

  test('a Map serves as a cache store', async () => {
    const store = new Map<string, string>();
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    await get(client);
    expect((await get(client)).response.fromCache).toBe(true);
    const [[key = '', value = ''] = []] = store;
    expect(key).toMatch(/^cache:[\w-]{43}$/);
    const [head = '', body] = value.split('\n');
    expect(JSON.parse(head)).toMatchObject({ key, statusText: 'OK', length: 8 });
    expect(body).toBe('{"id":7}');
  });

  test('a body that another program damaged is requested again after the failed call', async () => {
    const store = new OpenStore();
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    await get(client);
    for (const [key, value] of store.entries) store.entries.set(key, value.replace('{"id', '<"id'));
    await expect(get(client)).rejects.toMatchObject({ code: 'response_body' });
    expect((await get(client)).data).toEqual({ id: 7 });
  });

  test('a body that is not UTF-8 is not stored', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { etag: '"a"', 'content-type': 'application/json' });
      response.end(Buffer.from('{"id":7,"name":"\xfc"}', 'latin1'));
    });
    const store = new OpenStore();
    await using client = new HostingClient({ baseUrl: server.origin, cache: { store } });
    await client.request('GET /thing').catch(() => undefined);
    expect(store.entries.size).toBe(0);
  });
});
