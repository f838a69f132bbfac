import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { HostingClient } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { type Handler, type Seen, sendJson, serve, type TestServer } from '../../support/server.js';
import { encode, inQuery, queryToken } from './planted.js';

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
      auth: { type: 'token', token: queryToken },
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
    const client = createClient(home, { auth: { type: 'token', token: queryToken } });
    await rejectionOf(client.request('GET /from'));
    expect(stranger.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    expect(home.requests.map(({ headers }) => headers.authorization)).toEqual([
      `token ${queryToken}`,
      `token ${queryToken}`,
    ]);
    expect(await client.request('GET /other')).toEqual({ at: 'other' });
  });

  it('the client sends a GET without credentials after a 303 to an untrusted origin and back', async () => {
    const stranger: TestServer = await serve(
      routes({ s: to(() => `${home.origin}/api/v3/other`, 307) }),
    );
    const home: TestServer = await serve(routes({ from: to(() => `${stranger.origin}/s`, 303) }));
    const client = createClient(home, { auth: { type: 'token', token: queryToken } });
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

const secret = 'pl4nted-5ecret';
const hash = 'deadbeef5ec2e7deadbeef5ec2e71234';

/** Returns the parts of a request that could contain a credential, raw and decoded. */
function whole({ url, headers, body }: Seen): string {
  const basic = /Basic (\S+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  return [url, decodeURIComponent(url), inspect(headers), body, Buffer.from(basic, 'base64')].join(
    '\n',
  );
}

function expectNothing(stranger: TestServer): void {
  for (const seen of stranger.requests) {
    expect(whole(seen)).not.toContain(secret);
    expect(whole(seen)).not.toContain(hash);
    expect(seen.headers).not.toHaveProperty('authorization');
  }
}

/** Calls to each API with each kind of credentials, in headers, queries and bodies. */
const families: Readonly<Record<string, (origin: string) => readonly [object, Promise<unknown>]>> =
  {
    'a hosting token': (baseUrl) => {
      const client = new HostingClient({ baseUrl, auth: { type: 'token', token: secret } });
      return [client, client.rateLimit.get()];
    },
    'a hosting token in the query': (baseUrl) => {
      const auth = { type: 'token', token: secret, in: 'query' } as const;
      const client = new HostingClient({ baseUrl, auth });
      return [client, client.rateLimit.get()];
    },
    'a hosting password': (baseUrl) => {
      const auth = { type: 'basic', username: 'jo', password: secret, otp: secret } as const;
      const client = new HostingClient({ baseUrl, auth });
      return [client, client.starring.star({ owner: 'o', repo: 'r' })];
    },
    'a support read': (baseUrl) => {
      const client = new SupportClient({ baseUrl, auth: { accessToken: secret } });
      return [client, client.me()];
    },
    'a support write': (baseUrl) => {
      const client = new SupportClient({ baseUrl, auth: { accessToken: secret } });
      return [client, client.contacts.update({ contact_id: 1, name: 'x' })];
    },
    'a support session': (baseUrl) => {
      const auth = { userName: 'jo', apiKey: secret, password: secret };
      const client = new SupportClient({ baseUrl, auth });
      return [client, client.me()];
    },
    'a console hash': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash } });
      return [client, client.maintenance.get()];
    },
    'a console hash in the query': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash, in: 'query' } });
      return [client, client.configCheck()];
    },
    'a console write': (baseUrl) => {
      const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: hash } });
      return [client, client.settings.update({ enterprise: { private_mode: true } })];
    },
  };

describe('untrusted redirect targets', () => {
  for (const [family, call] of Object.entries(families)) {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`the client sends no credentials to an untrusted redirect target after a ${status} (${family})`, async () => {
        const stranger = await serve((_seen, response) =>
          sendJson(response, { message: 'x' }, 401, { 'x-service-otp': 'required; app' }),
        );
        const server: TestServer = await serve((seen, response) => {
          // The redirect repeats the query, which can contain credentials.
          const query = seen.url.split('?')[1] ?? '';
          response.writeHead(status, { location: `${stranger.origin}/taken?${query}` }).end();
        });
        const [client, calling] = call(server.origin);
        onTestFinished(() => Reflect.apply(Reflect.get(client, 'close'), client, []));
        await rejectionOf(calling);
        expectNothing(stranger);
        expect(stranger.requests.length, 'requested at most once').toBeLessThan(2);
      });
    }
  }
});

describe('redirects to an untrusted origin', () => {
  it('a retry after a redirect starts at the trusted origin and leaks no credentials', async () => {
    const stranger = await serve((_seen, response, index) =>
      index === 0 ? response.destroy() : sendJson(response, { ok: true }),
    );
    const server = await serve((_seen, response) =>
      response.writeHead(302, { location: `${stranger.origin}/x` }).end(),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.request('GET /x')).toEqual({ ok: true });
    expect([server.requests.length, stranger.requests.length]).toEqual([2, 2]);
    for (const seen of server.requests) expect(seen.headers.authorization).toBe(`token ${secret}`);
    expectNothing(stranger);
  });

  it('a retried list page leaks no credentials to an untrusted redirect target', async () => {
    const stranger = await serve((_seen, response, index) =>
      index === 0 ? sendJson(response, {}, 500) : sendJson(response, [2]),
    );
    const server: TestServer = await serve((seen, response) =>
      seen.url.includes('page=2')
        ? response.writeHead(307, { location: `${stranger.origin}/x` }).end()
        : sendJson(response, [1], 200, { link: `<${server.origin}/api/v3/x?page=2>; rel="next"` }),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.paginate('GET /x').toArray()).toEqual([1, 2]);
    expectNothing(stranger);
  });
});

describe('the permanent-redirect cache', () => {
  const home: Handler = (seen, response) => sendJson(response, { home: seen.url });

  it('the permanent-redirect cache excludes redirects to another origin', async () => {
    const stranger = await serve((_seen, response) => sendJson(response, { stranger: true }));
    const server = await serve((seen, response, index) =>
      index === 0
        ? response.writeHead(301, { location: `${stranger.origin}/x` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server);
    expect(await client.request('GET /x')).toEqual({ stranger: true });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
  });

  it('the permanent-redirect cache excludes redirects from another origin', async () => {
    const stranger: TestServer = await serve((_seen, response) =>
      response.writeHead(301, { location: `${server.origin}/api/v3/evil` }).end(),
    );
    const server: TestServer = await serve((seen, response, index) =>
      seen.url === '/api/v3/out'
        ? response.writeHead(302, { location: `${stranger.origin}/x` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server);
    expect(await client.request('GET /out')).toEqual({ home: '/api/v3/evil' });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
    expect(await client.request('GET /out')).toEqual({ home: '/api/v3/evil' });
    expect(server.log.filter((line) => line.endsWith('/out'))).toHaveLength(2);
  });

  it("the permanent-redirect cache excludes redirects to another port with the server's host as userinfo", async () => {
    const other = await serve((_seen, response) => sendJson(response, { other: true }));
    const server: TestServer = await serve((seen, response, index) =>
      index === 0
        ? response
            .writeHead(301, {
              location: `http://127.0.0.1:${server.port}@127.0.0.1:${other.port}/x`,
            })
            .end()
        : home(seen, response, index),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret } });
    expect(await client.request('GET /x')).toEqual({ other: true });
    expect(await client.request('GET /x')).toEqual({ home: '/api/v3/x' });
    expectNothing(other);
  });

  it('the permanent-redirect cache separates entries by query and contains no credentials', async () => {
    const server = await serve((seen, response, index) =>
      seen.url.startsWith('/api/v3/x?page=1')
        ? response.writeHead(301, { location: `/moved?access_token=${secret}` }).end()
        : home(seen, response, index),
    );
    const client = createClient(server, { auth: { type: 'token', token: secret, in: 'query' } });
    await client.request('GET /x', { page: 1 });
    expect(inspect(client, { showHidden: true, depth: 20 })).not.toContain(secret);
    expect(await client.request('GET /x', { page: 2 })).toEqual({
      home: `/api/v3/x?page=2&access_token=${secret}`,
    });
    const other = client.withAuth({ type: 'token', token: 'another' });
    await other.request('GET /x', { page: 1 });
    expect(server.requests.at(-1)?.url).toBe('/moved');
  });
});
