import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, ConfigurationError, HostingClient } from '../../src/index.js';
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

test('changing a returned object does not change the cached response', async () => {
  const { open } = await world(() => ({ body: '{"id":7}' }));
  const client = open();
  const first = await get(client);
  first.data.id = 8;
  expect((await get(client)).data).toEqual({ id: 7 });
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
    await client.request(
      'POST /thing',
      {},
      { body: { data: JSON.stringify({}), contentType: 'application/json' }, schema: Thing },
    );
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

test.each<[unknown, string]>([
  [null, 'cache'],
  ['yes', 'cache'],
  [{ store: null }, 'cache.store'],
  [{ store: 'redis' }, 'cache.store'],
  [{ store: {} }, 'cache.store'],
  [{ maxBytes: 0 }, 'cache.maxBytes'],
])('HostingClient rejects the cache option %j with an error that names `%s`', (cache, option) => {
  const options: ClientOptions = { baseUrl: 'http://127.0.0.1/', cache: cache as never };
  expect(() => new HostingClient(options)).toThrow(ConfigurationError);
  expect(() => new HostingClient(options)).toThrow(option);
});
