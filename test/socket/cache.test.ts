import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { type CacheStore, HostingClient, type HostingClientOptions } from '../../src/index.js';
import { type Seen, serve } from '../support/server.js';

/** A response. Defaults: status 200 and a digest of the body as the ETag. */
type CannedResponse = { body: string; headers?: Record<string, string>; status?: number };

/**
 * Starts a server that responds with 304 to the current validator and counts all other responses
 * against a quota.
 */
async function world(respond: (request: Seen) => CannedResponse) {
  const seen = { requested: 0, spent: 0, unchanged: 0, requests: [] as Seen[] };
  const server = await serve((request, response) => {
    seen.requested++;
    seen.requests.push(request);
    const { body, headers = {}, status = 200 } = respond(request);
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

/** Schema of the response bodies. */
const Thing = z.object({ id: z.number() });
/** Requests a {@link Thing} and returns the thing and the response. */
const get = (client: HostingClient, path = '/thing', options?: object) =>
  client.request(`GET ${path}`, {}, { schema: Thing, ...options }).withResponse();

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
  ])("the cache doesn't store %s", async (_title, response) => {
    const store = new Map<string, string>();
    const { open } = await world(() => response);
    await get(open({ cache: { store } }));
    expect(store.size).toBe(0);
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
    const store = new Map<string, string>();
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
    expect(store.size).toBe(0);
  });
});

test("clients with different tokens that share a store never see each other's data", async () => {
  // This server is hostile. Its `Vary` names no relevant header, and every user gets the same
  // ETags.
  const { open } = await world(({ headers }) => ({
    body: JSON.stringify({ id: String(headers.authorization).endsWith('a') ? 1 : 2 }),
    headers: { etag: `"same ${headers['if-none-match'] ? 'again' : ''}"`, vary: 'x-nothing' },
  }));
  const store = new Map<string, string>();
  const a = open({ cache: { store }, auth: { type: 'token', token: 'token-a' } });
  const b = open({ cache: { store }, auth: { type: 'token', token: 'token-b' } });
  for (let round = 0; round < 3; round++) {
    expect((await get(a)).data).toEqual({ id: 1 });
    expect((await get(b)).data).toEqual({ id: 2 });
    expect((await get(a.withAuth({ type: 'token', token: 'token-b' }))).data).toEqual({ id: 2 });
    const auth = { type: 'token', token: 'token-a' } as const;
    expect((await get(b, '/thing', { auth })).data).toEqual({ id: 1 });
  }
  const everything = JSON.stringify([...store]);
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
    ['never responds', { ...failing(undefined), get: () => new Promise(() => {}) }],
    ['returns a string', failing('entry')],
  ])('the client completes calls even if the cache store %s', async (_title, store) => {
    const { open, seen } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect((await get(client)).data).toEqual({ id: 7 });
    expect(seen.unchanged, 'no response came from the cache').toBe(0);
  });

  test("the cache never returns another user's response even if its store mixes up keys", async () => {
    class Mixed extends Map<string, string> {
      override get() {
        return [...this.values()][0];
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

  test('a cached body that another program damaged fails one call, and the next call requests it again', async () => {
    const store = new Map<string, string>();
    const { open } = await world(() => ({ body: '{"id":7}' }));
    const client = open({ cache: { store } });
    await get(client);
    for (const [key, value] of [...store]) store.set(key, value.replace('{"id', '<"id'));
    await expect(get(client)).rejects.toMatchObject({ code: 'response_body' });
    expect((await get(client)).data).toEqual({ id: 7 });
  });
});
