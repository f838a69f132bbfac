import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Handler, type Seen, sendJson, serve, type TestServer } from '../support/server.js';
import { fails, onHttp, testFaults } from './faults/fault-table.js';
import { encode, inQuery } from './security/planted.js';

/** Starts a server that redirects `/api/v3/a` and responds normally to other paths. */
function redirecting(status: number, location: string | undefined): Promise<TestServer> {
  return serve((request, response) => {
    if (request.url !== '/api/v3/a') return sendJson(response, { url: request.url });
    return response.writeHead(status, location === undefined ? {} : { location }).end('moved');
  });
}

const post = ['POST /a', { x: 1 }] as const;

describe('redirects', () => {
  const permanent = [301, 308];
  for (const status of [301, 302, 307, 308]) {
    it(`the client resends a POST after a ${status}, and ${permanent.includes(status) ? 'remembers' : "doesn't remember"} the target`, async () => {
      const server = await redirecting(status, '/b?q=1');
      const client = createClient(server);
      for (let count = 0; count < 2; count++) {
        expect(await client.request(...post)).toEqual({ url: '/b?q=1' });
      }
      expect(server.log).toEqual(
        permanent.includes(status)
          ? ['POST /api/v3/a', 'POST /b?q=1', 'POST /b?q=1']
          : ['POST /api/v3/a', 'POST /b?q=1', 'POST /api/v3/a', 'POST /b?q=1'],
      );
      for (const request of server.requests) {
        expect(request.body).toBe('{"x":1}');
        expect(request.headers['content-type']).toBe('application/json; charset=utf-8');
      }
    });
  }

  it('the client applies a remembered redirect of a GET only to GET and HEAD with the same token', async () => {
    const server = await redirecting(301, '/b');
    const client = createClient(server);
    await client.request('GET /a');
    await client.request('HEAD /a');
    await client.request('DELETE /a');
    await client.withAuth({ type: 'token', token: 'another' }).request('GET /a');
    expect(server.log).toEqual([
      ...['GET /api/v3/a', 'GET /b'],
      'HEAD /b',
      ...['DELETE /api/v3/a', 'DELETE /b'],
      ...['GET /api/v3/a', 'GET /b'],
    ]);
  });

  it('the client follows a 303 after a POST with a GET that has no body', async () => {
    const server = await redirecting(303, '/b');
    await createClient(server).request(...post);
    expect(server.log).toEqual(['POST /api/v3/a', 'GET /b']);
    expect(server.requests[1]).toMatchObject({ body: '' });
    expect(server.requests[1]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['cache-control', 'max-age=60, Private'],
    ['vary', 'Accept, Authorization'],
    ['vary', '*'],
  ])("the client doesn't remember a redirect with the header %s: %s", async (name, value) => {
    const server = await serve((request, response) => {
      if (request.url === '/b') return sendJson(response, {});
      return response.writeHead(301, { location: '/b', [name]: value }).end();
    });
    const client = createClient(server);
    for (let count = 0; count < 2; count++) await client.request('GET /a');
    expect(server.log).toEqual(['GET /api/v3/a', 'GET /b', 'GET /api/v3/a', 'GET /b']);
  });
});

describe('redirected uploads', () => {
  it('the client rejects a redirected upload whose stream was already read', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(307, { location: '/there' }).end(),
    );
    const call = createClient(server).releases.uploadAsset({
      upload_url: `${server.origin}/up`,
      name: 'a',
      content_type: 'text/plain',
      data: Readable.from([Buffer.from('once')]),
      size: 4,
    });
    expect(await rejectionOf(call)).toMatchObject({ reason: 'not_replayable' });
    expect(server.requests).toHaveLength(1);
  });
});

const refused = (reason: string) => ({ name: 'RedirectError', code: 'redirect', reason });

testFaults('redirects', 'a redirect', [
  {
    name: 'in a chain of eleven',
    place: onHttp((_seen, response, index) =>
      response.writeHead(302, { location: `/${index}` }).end(),
    ),
    ends: fails(refused('too_many'), { requests: 11 }),
  },
  {
    name: 'in a permanent loop of two URLs',
    place: onHttp((seen, response) =>
      response.writeHead(308, { location: seen.url === '/1' ? '/2' : '/1' }).end(),
    ),
    ends: { GET: { error: refused('loop'), requests: 3 } },
  },
]);

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
  it.each(Object.entries(families))(
    'the client sends no credentials to an untrusted redirect target (%s)',
    async (_family, call) => {
      const stranger = await serve((_seen, response) => sendJson(response, { message: 'x' }, 401));
      const server: TestServer = await serve((seen, response) => {
        // The redirect repeats the query, which can contain credentials.
        const query = seen.url.split('?')[1] ?? '';
        response.writeHead(303, { location: `${stranger.origin}/taken?${query}` }).end();
      });
      const [client, calling] = call(server.origin);
      onTestFinished(() => Reflect.apply(Reflect.get(client, 'close'), client, []));
      await rejectionOf(calling);
      expectNothing(stranger);
      expect(stranger.requests.length, 'requested at most once').toBeLessThan(2);
    },
  );
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
