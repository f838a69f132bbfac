import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CacheStore, HostingClient } from '../../src/index.js';
import { until } from '../support/client.js';
import { serve } from '../support/server.js';
import { type CannedResponse, get, OpenStore, Thing, world } from './cache-world.js';

test('a repeated crawl of 200 pages uses quota only for changed pages', async () => {
  let changed = false;
  const { seen, open, server } = await world(({ url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    const items = Array.from({ length: 5 }, (_, index) => ({ id: page * 10 + index }));
    if (changed && page === 77) items[0] = { id: 1 };
    const next = `<${server.origin}/things?page=${page + 1}>; rel="next"`;
    return { body: JSON.stringify(items), headers: page < 200 ? { link: next } : {} };
  });
  const client = open();
  const crawl = () => client.paginate('GET /things', {}, { schema: Thing }).toArray();
  const first = await crawl();
  expect([first.length, seen.spent]).toEqual([1000, 200]);
  const second = await crawl();
  expect(second).toEqual(first);
  expect([seen.requested, seen.spent, seen.unchanged], 'requested without using quota').toEqual([
    400, 200, 200,
  ]);
  expect(client.rateLimit.current, 'the quota from the last 304').toMatchObject({
    remaining: 4800,
  });
  changed = true;
  const third = await crawl();
  expect(third.filter(({ id }, index) => id !== first[index]?.id)).toEqual([{ id: 1 }]);
  expect([seen.spent, seen.unchanged]).toEqual([201, 399]);
});

test.each(['x-api-key', 'x-gatewaykey'])(
  "clients with different %s headers don't share cached responses",
  async (name) => {
    const { seen, open } = await world(() => ({ body: '{"id":7}' }));
    const cache = { store: new OpenStore() };
    for (const value of ['the-key-of-ann', 'the-key-of-bob']) {
      const client = open({ headers: { [name]: value }, cache });
      for (let count = 0; count < 2; count++) await client.request('GET /x');
    }
    expect([seen.requested, seen.unchanged]).toEqual([4, 2]);
  },
);

test('a revalidated response combines headers from the cache and the 304', async () => {
  const { open } = await world(() => ({
    body: '{"id":7}',
    headers: { link: '<https://elsewhere.example/>; rel="alternate"', 'x-own': 'kept' },
  }));
  const hits: unknown[] = [];
  const onHit = (message: unknown) => hits.push(message);
  subscribe('triforge:cache:hit', onHit);
  onTestFinished(() => void unsubscribe('triforge:cache:hit', onHit));
  const client = open();
  const fresh = await get(client);
  const kept = await get(client);
  expect([fresh.response.fromCache, kept.response.fromCache]).toEqual([false, true]);
  expect(kept.data).toEqual({ id: 7 });
  expect(kept.response.status).toBe(200);
  expect(kept.response.links.alternate).toBe('https://elsewhere.example/');
  expect(kept.response.headers['x-own']).toBe('kept');
  expect(kept.response.rateLimit?.remaining).toBe(4999);
  expect(hits).toMatchObject([{ request: { method: 'GET', operation: expect.any(String) } }]);
});

test('the cache uses the Last-Modified date to revalidate a response without an ETag', async () => {
  const date = 'Sat, 01 Mar 2014 00:00:00 GMT';
  const conditions: unknown[] = [];
  const server = await serve((request, response) => {
    conditions.push(request.headers['if-modified-since']);
    if (request.headers['if-modified-since'] === date) {
      response.writeHead(304);
      return response.end();
    }
    response.writeHead(200, { 'last-modified': date });
    return response.end('{"id":7}');
  });
  await using client = new HostingClient({ baseUrl: server.origin, cache: {} });
  await get(client);
  expect((await get(client)).data).toEqual({ id: 7 });
  expect(conditions).toEqual([undefined, date]);
});

describe('the cache', () => {
  test.each<[string, CannedResponse]>([
    [
      'a response with no-store',
      { body: '{"id":7}', headers: { 'cache-control': 'private, No-Store' } },
    ],
    ['a response with Vary: *', { body: '{"id":7}', headers: { vary: 'accept, *' } }],
    ['a response with status 203', { body: '{"id":7}', status: 203 }],
  ])("the cache doesn't store %s", async (_title, response) => {
    const store = new OpenStore();
    const { open } = await world(() => response);
    await get(open({ cache: { store } }));
    expect(store.entries.size).toBe(0);
  });

  test("the cache doesn't store GET or POST responses without a validator", async () => {
    const store = new OpenStore();
    const server = await serve((_request, response) => response.end('{"id":7}'));
    await using client = new HostingClient({ baseUrl: server.origin, cache: { store } });
    await get(client);
    await client.request('POST /thing', {}, { schema: Thing });
    expect(store.entries.size).toBe(0);
  });

  test.each([
    ["a proxy's HTML page", '<html>Sign in</html>'],
    ["a response that doesn't match its schema", '{"id":"seven"}'],
  ])('the cache stays empty if the client rejects %s', async (_title, body) => {
    const store = new OpenStore();
    const { open } = await world(() => ({ body }));
    await expect(get(open({ cache: { store } }))).rejects.toThrow();
    expect(store.entries.size).toBe(0);
  });

  test("the cache doesn't store a truncated body", async () => {
    const store = new OpenStore();
    const server = await serve((_request, response) => {
      response.writeHead(200, { etag: '"a"', 'content-length': '100' });
      response.write('{"id":7}');
      setTimeout(() => response.destroy(), 5);
    });
    await using client = new HostingClient({
      baseUrl: server.origin,
      cache: { store },
      retry: false,
    });
    await expect(get(client)).rejects.toMatchObject({ code: 'response_body' });
    expect(store.entries.size).toBe(0);
  });
});

describe('cache revalidation', () => {
  /** Starts a server that responds to conditional requests with a 304 and the specified headers. */
  const unchanged = (fields: Record<string, string>) =>
    serve((request, response) => {
      if (request.headers['if-none-match']) {
        response.writeHead(304, fields);
        return response.end();
      }
      response.writeHead(200, { etag: '"a"', 'content-type': 'application/json' });
      return response.end('{"id":7}');
    });

  test('the cache ignores a 304 whose ETag differs from the stored ETag', async () => {
    const server = await unchanged({ etag: '"b"' });
    await using client = new HostingClient({ baseUrl: server.origin, cache: true });
    await get(client);
    const again = await get(client);
    expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, false]);
  });

  test('the cache accepts a 304 with a weak form of the stored ETag', async () => {
    const server = await unchanged({ etag: 'W/"a"', 'content-type': 'text/html' });
    await using client = new HostingClient({ baseUrl: server.origin, cache: true });
    await get(client);
    const again = await get(client);
    expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, true]);
    expect(again.response.headers['content-type']).toBe('application/json');
  });
});

test('a call with custom conditional headers bypasses the cache', async () => {
  const { open, seen } = await world(() => ({ body: '{"id":7}' }));
  const client = open();
  await get(client);
  await get(client, '/thing', { headers: { 'if-none-match': '"mine"' } });
  expect(seen.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    '"mine"',
  ]);
});

describe('the cache and redirects', () => {
  test("the cache returns the new target's response after a redirect changes", async () => {
    let to = '/one';
    const server = await serve(({ url, headers }, response) => {
      if (url === '/thing') {
        response.writeHead(302, { location: to });
        return response.end();
      }
      if (headers['if-none-match'] === '"same"') {
        response.writeHead(304);
        return response.end();
      }
      response.writeHead(200, { etag: '"same"' });
      return response.end(JSON.stringify({ id: url === '/one' ? 1 : 2 }));
    });
    await using client = new HostingClient({ baseUrl: server.origin, cache: true });
    expect((await get(client)).data).toEqual({ id: 1 });
    expect((await get(client)).response.fromCache).toBe(true);
    to = '/two';
    expect((await get(client)).data).toEqual({ id: 2 });
  });

  test("the cache doesn't store a response from an untrusted origin", async () => {
    const store = new OpenStore();
    const stranger = await serve((_request, response) => {
      response.writeHead(200, { etag: '"x"' });
      return response.end('{"id":9}');
    });
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${stranger.origin}/thing` });
      return response.end();
    });
    await using client = new HostingClient({ baseUrl: server.origin, cache: { store } });
    expect((await get(client)).data).toEqual({ id: 9 });
    expect(store.entries.size).toBe(0);
  });
});

test('the cache evicts older responses when it exceeds maxBytes', async () => {
  const { open, seen } = await world(({ url }) => ({
    body: JSON.stringify({ id: 1, pad: url.padEnd(1000, 'x') }),
  }));
  const client = open({ cache: { maxBytes: 5000.5 } });
  for (const path of ['/1', '/2', '/3']) await get(client, path);
  await get(client, '/1');
  expect(seen.unchanged, 'all three fit').toBe(1);
  for (const path of ['/4', '/5', '/6', '/7']) await get(client, path);
  await get(client, '/2');
  expect(seen.unchanged, '/2 was evicted').toBe(1);
});

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

describe('cache stores', () => {
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
    ['returns null', failing(null)],
  ])('the client completes calls even if the cache store %s', async (_title, store) => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.unchanged, 'no response came from the cache').toBe(0);
  });

  const damaged: [string, (entry: string) => string][] = [
    ['no body', (entry) => entry.split('\n')[0] ?? ''],
    ['the key of another request', (entry) => entry.replace('cache:', 'cache:x')],
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
    await until('the store is used again', async () => (await get(client)).response.fromCache);
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
});
