import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../../support/client.js';
import { type Handler, sendJson, serve, type TestServer } from '../../support/server.js';
import { encode } from './encodings.js';
import { inQuery, token } from './query-token.js';

describe('redirects', () => {
  /** Selects a handler by the last segment of the path. */
  const routes = (routes: Readonly<Record<string, Handler>>): Handler => {
    return (request, response, index) => {
      const name = request.url.split(/[/?]/).filter(Boolean).at(-1) ?? '';
      const route = routes[name];
      return route ? route(request, response, index) : sendJson(response, { at: name });
    };
  };
  const to =
    (location: () => string, status = 302): Handler =>
    (_request, response) =>
      response.writeHead(status, { location: location() }).end();

  it('the client sends no credentials after an untrusted origin in a chain of redirects', async () => {
    const partner: TestServer = await serve(
      routes({ a: to(() => `${stranger.origin}/b`), c: to(() => `${home.origin}/d`, 301) }),
    );
    const home: TestServer = await serve(
      routes({ from: to(() => `${partner.origin}/a`), d: to(() => '/e', 308) }),
    );
    const stranger: TestServer = await serve(routes({ b: to(() => `${partner.origin}/c`, 307) }));
    const client = createClient(home, {
      auth: { type: 'token', token },
      headers: { 'x-private': 'mine' },
      trustedOrigins: [partner.origin],
      cache: true,
    });
    for (let round = 0; round < 2; round++) {
      expect(await client.request('GET /from')).toEqual({ at: 'e' });
    }
    const has = ({ requests }: TestServer) =>
      requests.map(({ headers }) => Boolean(headers.authorization ?? headers['x-private']));
    expect(has(home)).toEqual([true, false, false, true, false, false]);
    expect(has(partner)).toEqual([true, false, true, false]);
    expect(has(stranger)).toEqual([false, false]);
  });

  it('a retry restarts the redirect chain after a failure at an untrusted origin, without pausing later calls', async () => {
    let failures = 0;
    const stranger = await serve((_request, response) =>
      failures++ === 0
        ? response.writeHead(503).end()
        : response
            .writeHead(429, {
              'retry-after': '3600',
              'x-ratelimit-remaining': '0',
              'x-ratelimit-limit': '9',
            })
            .end(),
    );
    const home: TestServer = await serve(routes({ from: to(() => `${stranger.origin}/s`) }));
    const client = createClient(home, { auth: { type: 'token', token } });
    await rejectionOf(client.request('GET /from'));
    expect(stranger.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    expect(home.requests.map(({ headers }) => headers.authorization)).toEqual([
      `token ${token}`,
      `token ${token}`,
    ]);
    expect(await client.request('GET /other')).toEqual({ at: 'other' });
  });

  it('the client sends a GET without credentials after a 303 to an untrusted origin and back', async () => {
    const stranger: TestServer = await serve(
      routes({ s: to(() => `${home.origin}/api/v3/other`, 307) }),
    );
    const home: TestServer = await serve(routes({ from: to(() => `${stranger.origin}/s`, 303) }));
    const client = createClient(home, { auth: { type: 'token', token } });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      await client.request(`${method} /from`, method === 'DELETE' ? {} : { a: 1 });
    }
    const back = home.requests.filter(({ url }) => url.endsWith('/other'));
    expect(back).toHaveLength(4);
    for (const { method, headers, body } of back) {
      expect([method, headers.authorization, headers['content-type'], body]).toEqual([
        'GET',
        undefined,
        undefined,
        '',
      ]);
    }
  });

  it('the client applies a permanent redirect only to the credential that received it', async () => {
    const home: TestServer = await serve((request, response) =>
      request.url.endsWith('/from') && request.headers.authorization?.includes('one')
        ? response.writeHead(301, { location: '/api/v3/of-one' }).end()
        : sendJson(response, { at: request.url }),
    );
    const client = createClient(home, { auth: { type: 'token', token: 'token-one' } });
    const others = [
      client.withAuth({ type: 'token', token: 'token-two' }),
      client.withAuth({ type: 'none' }),
      client.withAuth({ type: 'basic', username: 'jo', password: 'token-1' }),
    ];
    for (let round = 0; round < 2; round++) {
      expect(await client.request('GET /from')).toEqual({ at: '/api/v3/of-one' });
      for (const other of others) {
        expect(await other.request('GET /from')).toEqual({ at: '/api/v3/from' });
      }
    }
  });
});

it('a cache store never receives a redirect URL that contains credentials', async () => {
  const entries: string[] = [];
  const store = {
    get: async () => undefined,
    set: async (_key: string, entry: string) => void entries.push(entry),
  };
  const home: TestServer = await serve((request, response) =>
    request.url.includes('/from')
      ? response.writeHead(302, { location: `/api/v3/to?rd=${encode(request.url)}` }).end()
      : sendJson(response, { ok: true }, 200, { etag: '"a"' }),
  );
  const client = createClient(home, { auth: inQuery, cache: { store } });
  await client.request('GET /from');
  await client.request('GET /plain');
  await client.close();
  expect(entries).toEqual([expect.stringContaining(`"url":"${home.origin}/api/v3/plain"`)]);
});
