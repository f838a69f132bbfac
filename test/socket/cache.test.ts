import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import {
  type CacheEntry,
  type CacheStore,
  type ClientOptions,
  ConfigurationError,
  HostingClient,
  type HostingClientOptions,
} from '../../src/index.js';
import { type Seen, serve } from '../support/server.js';

type Answer = { body: string; headers?: Record<string, string>; status?: number };

/** A server that answers 304 to the right validator, and counts the other answers against a quota. */
async function world(answer: (request: Seen) => Answer) {
  const seen = { asked: 0, spent: 0, unchanged: 0, requests: [] as Seen[] };
  const server = await serve((request, response) => {
    seen.asked++;
    seen.requests.push(request);
    const { body, headers = {}, status = 200 } = answer(request);
    const etag = headers.etag ?? `"${createHash('sha256').update(body).digest('hex')}"`;
    const same = request.headers['if-none-match'] === etag;
    if (same) seen.unchanged++;
    else seen.spent++;
    const budget = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(5000 - seen.spent),
      'x-ratelimit-reset': '4102444800',
    };
    if (same) {
      response.writeHead(304, { ...budget, etag });
      return response.end();
    }
    response.writeHead(status, { 'content-type': 'application/json', ...budget, etag, ...headers });
    return response.end(body);
  });
  const open = (options: Partial<HostingClientOptions> = {}) => {
    const client = new HostingClient({ baseUrl: server.origin, cache: true, ...options });
    onTestFinished(() => client.close());
    return client;
  };
  return { server, seen, open };
}

const Thing = z.object({ id: z.number() });
const get = (client: HostingClient, path = '/thing', options?: object) =>
  client.request({ method: 'GET', path, schema: Thing }, options).withResponse();

/** A store that a test looks into. */
class OpenStore implements CacheStore {
  readonly entries = new Map<string, CacheEntry>();
  async get(key: string) {
    return this.entries.get(key);
  }
  async set(key: string, entry: CacheEntry) {
    this.entries.set(key, entry);
  }
  async delete(key: string) {
    this.entries.delete(key);
  }
}

test('a crawl of 200 pages costs nothing the second time; one page that changed is fetched anew', async () => {
  let changed = false;
  const { seen, open, server } = await world(({ url }) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    const items = Array.from({ length: 5 }, (_, index) => ({ id: page * 10 + index }));
    if (changed && page === 77) items[0] = { id: 1 };
    const next = `<${server.origin}/things?page=${page + 1}>; rel="next"`;
    return { body: JSON.stringify(items), headers: page < 200 ? { link: next } : {} };
  });
  const client = open();
  const crawl = () => client.paginate({ path: '/things', schema: Thing }).toArray();
  const first = await crawl();
  expect([first.length, seen.spent]).toEqual([1000, 200]);
  const second = await crawl();
  expect(second).toEqual(first);
  expect([seen.asked, seen.spent, seen.unchanged], 'asked, but not spent').toEqual([400, 200, 200]);
  expect(client.rateLimit.current, 'the budget is that of the 304s').toMatchObject({
    remaining: 4800,
  });
  changed = true;
  const third = await crawl();
  expect(third.filter(({ id }, index) => id !== first[index]?.id)).toEqual([{ id: 1 }]);
  expect([seen.spent, seen.unchanged]).toEqual([201, 399]);
});

test('an answer from the cache says so, with the headers of the 304 and the rest of the kept one', async () => {
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

test('what a caller does to an answer does not reach the cache', async () => {
  const { open } = await world(() => ({ body: '{"id":7}' }));
  const client = open();
  const first = await get(client);
  first.data.id = 8;
  expect((await get(client)).data).toEqual({ id: 7 });
});

test('Last-Modified serves where there is no ETag', async () => {
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

describe('what is not kept', () => {
  test.each<[string, Answer]>([
    ['no-store', { body: '{"id":7}', headers: { 'cache-control': 'private, No-Store' } }],
    ['an answer that varies by anything', { body: '{"id":7}', headers: { vary: 'accept, *' } }],
    ['an answer that is no 200', { body: '{"id":7}', status: 203 }],
  ])('%s', async (_title, answer) => {
    const store = new OpenStore();
    const { open } = await world(() => answer);
    await get(open({ cache: { store } }));
    expect(store.entries.size).toBe(0);
  });

  test('an answer without a validator, and a write', async () => {
    const store = new OpenStore();
    const server = await serve((_request, response) => response.end('{"id":7}'));
    await using client = new HostingClient({ baseUrl: server.origin, cache: { store } });
    await get(client);
    await client.request({ method: 'POST', path: '/thing', schema: Thing, json: {} });
    expect(store.entries.size).toBe(0);
  });

  test.each([
    ['a page of a proxy', '<html>Sign in</html>'],
    ['an answer that does not fit', '{"id":"seven"}'],
  ])('%s', async (_title, body) => {
    const store = new OpenStore();
    const { open } = await world(() => ({ body }));
    await expect(get(open({ cache: { store } }))).rejects.toThrow();
    expect(store.entries.size).toBe(0);
  });

  test('a body that was cut short', async () => {
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

describe('a 304', () => {
  /** The first answer is whole; the second is a 304 with these fields, if it was asked for one. */
  const unchanged = (fields: Record<string, string>) =>
    serve((request, response) => {
      if (request.headers['if-none-match']) {
        response.writeHead(304, fields);
        return response.end();
      }
      response.writeHead(200, { etag: '"a"', 'content-type': 'application/json' });
      return response.end('{"id":7}');
    });

  test('that names another ETag is not believed', async () => {
    const server = await unchanged({ etag: '"b"' });
    await using client = new HostingClient({ baseUrl: server.origin, cache: true });
    await get(client);
    const again = await get(client);
    expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, false]);
  });

  test('that names the same one weakly is, and does not change what the body is', async () => {
    const server = await unchanged({ etag: 'W/"a"', 'content-type': 'text/html' });
    await using client = new HostingClient({ baseUrl: server.origin, cache: true });
    await get(client);
    const again = await get(client);
    expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, true]);
    expect(again.response.headers['content-type']).toBe('application/json');
  });
});

test('conditions of the caller go out as they are, past the cache', async () => {
  const { open, seen } = await world(() => ({ body: '{"id":7}' }));
  const client = open();
  await get(client);
  await get(client, '/thing', { headers: { 'if-none-match': '"mine"' } });
  expect(seen.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    '"mine"',
  ]);
});

test("clients with different tokens that share a store never see each other's data", async () => {
  // A hostile server: it says that answers vary by nothing of importance, and uses one ETag for all.
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

test('one whose 304s are given to everybody gives nothing away', async () => {
  // It answers 304 to whoever asks with any validator at all.
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

describe('a redirect', () => {
  test('that leads elsewhere by now: the kept answer is not used, and what is there is fetched', async () => {
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

  test('to another origin: nothing of it is kept', async () => {
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

describe('a store that misbehaves costs the cache, and no call', () => {
  const failing = (what: unknown): CacheStore => ({
    get: async () => what as never,
    set: async () => {
      throw new Error('full');
    },
    delete: async () => {
      throw new Error('read only');
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
        delete: () => {
          throw new Error('down');
        },
      },
    ],
    ['never answers', { ...failing(undefined), get: () => new Promise(() => {}) }],
    ['gives text', failing('entry')],
    ['gives a part of an entry', failing({ url: 'http://x/', headers: {}, body: 'text' })],
    [
      'gives fields that are none',
      failing({ url: 'http://x/', statusText: '', headers: { etag: 7 }, body: new Uint8Array() }),
    ],
    [
      'gives a validator that would split the request',
      failing({
        url: 'http://x/',
        statusText: '',
        headers: { etag: '"a"\r\nx-evil: 1' },
        body: new Uint8Array(),
      }),
    ],
  ])('%s', async (_title, store) => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.unchanged, 'nothing came from it').toBe(0);
  });

  const damaged: [string, (entry: CacheEntry) => CacheEntry][] = [
    ['a body cut short', (entry) => ({ ...entry, body: entry.body.subarray(0, 3) })],
    ['another body', (entry) => ({ ...entry, body: Buffer.from('{"id":8}') })],
    ['another Link', (entry) => ({ ...entry, headers: { ...entry.headers, link: '</x>' } })],
    ['another URL', (entry) => ({ ...entry, url: `${entry.url}x` })],
    ['no digest', ({ digest: _, ...rest }) => rest as never],
    [
      'a field that throws',
      (entry) => ({
        ...entry,
        get headers(): never {
          throw new Error('gone');
        },
      }),
    ],
  ];
  test.each(damaged)('%s in a kept entry: it is asked for anew', async (_title, damage) => {
    const store = new OpenStore();
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    await get(client);
    const [[key, entry] = []] = store.entries;
    if (key === undefined || entry === undefined) throw new Error('nothing was kept');
    store.entries.set(key, damage(entry));
    const again = await get(client);
    expect([again.data, again.response.fromCache]).toEqual([{ id: 7 }, false]);
    expect(seen.requests[1]?.headers['if-none-match'], 'asked without a condition').toBe(undefined);
    expect((await get(client)).response.fromCache, 'mended').toBe(true);
  });

  test("one that mixes keys up gives nobody another's answer", async () => {
    class Mixed extends OpenStore {
      override async get() {
        return [...this.entries.values()][0];
      }
    }
    // It says 304 to any validator at all.
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

  test('a validator that would split the request is not sent, though its digest be right', async () => {
    const store = new OpenStore();
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    await get(client);
    const [[key, entry] = []] = store.entries;
    if (key === undefined || entry === undefined) throw new Error('nothing was kept');
    const headers = { etag: '"a"\r\nx-evil: 1' };
    const digest = createHash('sha256')
      .update(JSON.stringify([key, entry.url, entry.statusText, Object.entries(headers)]))
      .update(entry.body)
      .digest('base64url');
    store.entries.set(key, { ...entry, headers, digest });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.requests[1]?.headers['if-none-match']).toBe(undefined);
  });

  test('one that hangs is left alone after a while, until it answers again', async () => {
    const store = new OpenStore();
    const waiting: (() => void)[] = [];
    let asked = 0;
    const hanging: CacheStore = {
      set: (key, entry) => store.set(key, entry),
      delete: (key) => store.delete(key),
      get: (key) => {
        asked++;
        if (asked > 3) return store.get(key);
        return new Promise((resolve) => waiting.push(() => resolve(undefined)));
      },
    };
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store: hanging } });
    await Promise.all([get(client), get(client), get(client)]);
    expect((await get(client)).response.fromCache).toBe(false);
    expect(asked, 'three questions are open: no fourth').toBe(3);
    for (const answer of waiting) answer();
    await new Promise(setImmediate);
    expect((await get(client)).response.fromCache).toBe(true);
  });

  test('an abort does not wait for it', async () => {
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
    expect(seen.asked, 'nothing was sent').toBe(0);
  });

  test('one whose writes never end does not gather bodies without end', async () => {
    let writes = 0;
    const store: CacheStore = {
      get: async () => undefined,
      delete: async () => undefined,
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

  test('one that answers at once, as JavaScript allows, serves', async () => {
    const entries = new Map<string, CacheEntry>();
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store: entries as never } });
    await get(client);
    expect((await get(client)).response.fromCache).toBe(true);
  });

  test('and an entry that can not be read is taken out', async () => {
    const deleted: string[] = [];
    const store: CacheStore = {
      ...failing('broken'),
      delete: async (key) => void deleted.push(key),
    };
    const { open } = await world(() => ({ body: '{"id":7}' }));
    await get(open({ cache: { store } }));
    expect(deleted).toHaveLength(1);
  });
});

test('memory is bounded by bytes: what was not asked for longest goes first', async () => {
  const { open, seen } = await world(({ url }) => ({
    body: JSON.stringify({ id: 1, pad: url.padEnd(1000, 'x') }),
  }));
  const client = open({ cache: { maxBytes: 5000.5 } });
  for (const path of ['/1', '/2', '/3']) await get(client, path);
  await get(client, '/1');
  expect(seen.unchanged, 'all three fit').toBe(1);
  for (const path of ['/4', '/5', '/6', '/7']) await get(client, path);
  await get(client, '/2');
  expect(seen.unchanged, '/2 was pushed out').toBe(1);
});

test.each<[unknown, string]>([
  [null, 'cache'],
  ['yes', 'cache'],
  [{ store: null }, 'cache.store'],
  [{ store: 'redis' }, 'cache.store'],
  [{ store: {} }, 'cache.store'],
  [{ maxBytes: 0 }, 'cache.maxBytes'],
])('the option %j is refused', (cache, option) => {
  const options: ClientOptions = { baseUrl: 'http://127.0.0.1/', cache: cache as never };
  expect(() => new HostingClient(options)).toThrow(ConfigurationError);
  expect(() => new HostingClient(options)).toThrow(option);
});
