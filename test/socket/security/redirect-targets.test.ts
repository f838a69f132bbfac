import { describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, type TestServer } from '../../support/server.js';
import { base64, encode, queryToken, shown } from './planted.js';

const token = 'tok-5ecret/9';
const password = 'pa55 w0rd+';
const clientSecret = 'ap9-secret'.repeat(4);
const inQuery = { type: 'token', token, in: 'query' } satisfies HostingAuth;
const basic = {
  type: 'basic',
  username: 'jo',
  password,
  otp: 'hunter-two',
} satisfies HostingAuth;
const application = {
  type: 'application',
  clientId: 'app-id-of-20-letters',
  clientSecret,
} satisfies HostingAuth;

/** Redirect targets of a gateway that requires a login. `url` is the requested URL. */
const gateways: Readonly<Record<string, (url: string) => string>> = {
  'in the query': (url) => `/login?rd=${encode(url)}`,
  'in the path': (url) => `/login/${encode(url)}/x`,
};

/** Starts a trusted server that redirects its callers to a target on an untrusted server. */
async function gateway(target: (seen: { url: string; headers: object; body: string }) => string) {
  const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
  const home: TestServer = await serve((request, response) =>
    response.writeHead(302, { location: `${stranger.origin}${target(request)}` }).end(),
  );
  return { stranger, home };
}

describe('redirects to another origin', () => {
  for (const [way, target] of Object.entries(gateways)) {
    it.each([
      ['a token in the query', inQuery],
      ['application credentials', application],
    ])(
      `the client rejects a redirect target that contains the requested URL ${way} (auth: %s)`,
      async (_name, auth) => {
        const { stranger, home } = await gateway(({ url }) => target(`${home.origin}${url}`));
        const call = createClient(home, { auth }).request('GET /x');
        const error = await rejectionOf(call);
        expect(error).toMatchObject({ code: 'redirect', reason: 'contains_secret' });
        expect(stranger.requests).toEqual([]);
        expect(String(error)).not.toMatch(/5ecret|ap9-secret/i);
      },
    );
  }

  const header = ({ headers }: { headers: object }) =>
    String(Reflect.get(headers, 'authorization'));
  it.each<[string, HostingAuth, (value: string) => string]>([
    [
      'the Authorization header of a token',
      { type: 'token', token },
      (value) => `/x?auth=${encode(value)}`,
    ],
    ['a Basic Authorization header', basic, (value) => `/x?auth=${encode(value)}`],
    [
      'the decoded value of a Basic Authorization header',
      basic,
      (value) => `/x?auth=${encode(Buffer.from(value.slice(6), 'base64').toString())}`,
    ],
    ['a one-time password', basic, () => '/login/hunter-two/x'],
  ])('the client rejects a redirect target that contains %s', async (_name, auth, target) => {
    const { stranger, home } = await gateway((seen) => target(header(seen)));
    const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  it('the client rejects a redirect target that contains a token as the first label of the host', async () => {
    const secret = 'abc123def456ghi789';
    const home = await serve((_request, response) =>
      response.writeHead(302, { location: `http://${secret}.localhost:1/x` }).end(),
    );
    const auth = { type: 'token', token: secret } as const;
    const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(String(error)).not.toMatch(/123def/);
    expect(Reflect.get(Object(error), 'location')).not.toMatch(/123def/);
  });

  it('the client rejects a redirect target with credentials from a call, a header or an input', async () => {
    const { stranger, home } = await gateway(
      ({ url, headers, body }) => `/x?all=${encode(`${url} ${JSON.stringify(headers)} ${body}`)}`,
    );
    const client = createClient(home);
    const calls = [
      client.withAuth({ type: 'token', token }).request('GET /x'),
      client.request('GET /x', {}, { auth: basic }),
      client.request('GET /x', {}, { headers: { 'x-gatewaykey': token } }),
      client.request('GET /x', { api_key: token }),
      client.request('GET /x', {}, { auth: async () => inQuery }),
      client.request('GET /x', { code: 123456789 }),
      client.request('GET /x', {}, { headers: [['x_gateway_key', token]] }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(error).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it('the client accepts a redirect target that contains a common word that is also the password', async () => {
    const targets = [
      '/rocket/archive/main.zip?sig=abc%2Fdef&expires=123456789',
      '/releases/rocket-1/hunter?x=rockets&page=2',
      `/${encode('https://cdn.test/rocket?x=1')}/${base64('nothing of interest in here')}`,
    ];
    for (const target of targets) {
      const { stranger, home } = await gateway(() => target);
      for (const secret of ['rocket', 'archive', 'hunter', 'http', 'x']) {
        const auth = { type: 'basic', username: 'rocket', password: secret } as const;
        expect(await createClient(home, { auth }).request('GET /x')).toEqual({ ok: true });
      }
      expect(new Set(stranger.log)).toEqual(new Set([`GET ${target}`]));
    }
  });
});

describe('server-provided URLs on another origin', () => {
  it('request() and paginate() reject a URL on an untrusted origin that contains credentials', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    const client = createClient({ origin: 'http://127.0.0.1:1' }, { auth: inQuery });
    const path =
      `${stranger.origin}/login?rd=${encode(`http://a.test/?access_token=${token}`)}` as const;
    for (const send of [
      () => client.request(`GET ${path}`),
      () => client.paginate(`GET ${path}`).toArray(),
    ]) {
      const error = await rejectionOf(send());
      expect(error).toMatchObject({ code: 'invalid_request', field: 'route' });
      expect(String(error)).not.toMatch(/5ecret/i);
    }
    expect(stranger.requests).toEqual([]);
  });

  it("request() keeps a URL's own signature, even in a parameter named token", async () => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const client = createClient(
      { origin: 'http://127.0.0.1:1' },
      { auth: { type: 'token', token } },
    );
    const path = `${stranger.origin}/a?token=signature-of-theirs`;
    expect(await client.request(`GET ${path}`)).toEqual({ ok: true });
    expect(stranger.log).toEqual(['GET /a?token=signature-of-theirs']);
  });
});

describe('redirects back from an untrusted origin', () => {
  const auth: HostingAuth = { type: 'token', token };

  /**
   * Starts a trusted server that redirects `/from` to an untrusted server, which redirects back to
   * `/to`.
   */
  async function detour(status: number) {
    const home: TestServer = await serve((request, response) =>
      request.url.includes('/from')
        ? response.writeHead(status, { location: `${stranger.origin}/s` }).end()
        : sendJson(response, { ok: true }, 200, { etag: '"a"' }),
    );
    const stranger = await serve((_request, response) =>
      response.writeHead(status, { location: `${home.origin}/api/v3/to` }).end(),
    );
    return { home, stranger };
  }

  it.each([301, 303])(
    'the client follows a %i back from an untrusted origin without credentials or custom headers',
    async (status) => {
      const { home } = await detour(status);
      for (const each of [auth, basic]) {
        home.requests.length = 0;
        const client = createClient(home, { auth: each, headers: { 'x-private': 'mine' } });
        expect(await client.request('GET /from')).toEqual({ ok: true });
        expect(home.requests[1]?.url).toBe('/api/v3/to');
        expect(home.requests[1]?.headers.authorization).toBeUndefined();
        expect(home.requests[1]?.headers['x-private']).toBeUndefined();
      }
    },
  );

  it('the client sends no credentials after a redirect from an untrusted origin that the caller requested', async () => {
    const { home, stranger } = await detour(302);
    await createClient(home, { auth }).request(`GET ${stranger.origin}/s`);
    expect(home.log).toEqual(['GET /api/v3/to']);
    expect(home.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("the client doesn't follow a next-page link from an untrusted origin to the trusted origin", async () => {
    const stranger: TestServer = await serve((_request, response) =>
      sendJson(response, [2], 200, { link: `<${home.origin}/api/v3/secret?page=3>; rel="next"` }),
    );
    const home: TestServer = await serve((request, response) =>
      request.url.includes('/from')
        ? response.writeHead(302, { location: `${stranger.origin}/s` }).end()
        : sendJson(response, [3]),
    );
    const list = createClient(home, { auth }).paginate('GET /from');
    expect(await rejectionOf(list.toArray())).toMatchObject({ code: 'response_shape' });
    expect(home.log).toEqual(['GET /api/v3/from']);
  });

  it('a list on an untrusted origin continues on that origin, without credentials', async () => {
    const stranger: TestServer = await serve((request, response) =>
      request.url.includes('page')
        ? sendJson(response, [2])
        : sendJson(response, [1], 200, { link: `<${stranger.origin}/p?page=2>; rel="next"` }),
    );
    const client = createClient({ origin: 'http://127.0.0.1:1' }, { auth });
    expect(await client.paginate(`GET ${stranger.origin}/p`).toArray()).toEqual([1, 2]);
    expect(stranger.log).toEqual(['GET /p', 'GET /p?page=2']);
    for (const { headers } of stranger.requests) expect(headers.authorization).toBeUndefined();
  });

  it("the client doesn't cache a response after a redirect back from an untrusted origin", async () => {
    const { home } = await detour(302);
    const client = createClient(home, { auth, cache: true });
    for (let count = 0; count < 2; count++) await client.request('GET /from');
    for (const { headers } of home.requests) expect(headers['if-none-match']).toBeUndefined();
  });
});

describe('redirected writes', () => {
  const target = { owner: 'o', repo: 'mine', id: 1 };

  it.each([301, 307])(
    'the client rejects a %i of a write to an untrusted origin, with or without a body',
    async (status) => {
      const home: TestServer = await serve((request, response) =>
        request.url.endsWith('/other')
          ? response.writeHead(204).end()
          : response.writeHead(status, { location: `${stranger.origin}/s` }).end(),
      );
      const stranger = await serve((_request, response) =>
        response.writeHead(status, { location: `${home.origin}/api/v3/repos/o/other` }).end(),
      );
      const client = createClient(home, { auth: { type: 'token', token } });
      expect(await rejectionOf(client.releases.delete(target))).toMatchObject({
        code: 'redirect',
        reason: 'cross_origin_write',
        mayHaveActed: false,
      });
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const bare = client.request(`${method} /x`);
        expect(await rejectionOf(bare)).toMatchObject({ reason: 'cross_origin_write' });
        const full = client.request(`${method} /x`, { a: 1 });
        expect(await rejectionOf(full)).toMatchObject({ reason: 'cross_origin_body' });
      }
      expect(stranger.requests).toEqual([]);
    },
  );

  it('the client rejects a redirect of a write from an untrusted origin to the trusted origin', async () => {
    const home = await serve((_request, response) => response.writeHead(204).end());
    const stranger = await serve((request, response) =>
      request.url === '/s'
        ? response.writeHead(307, { location: `${home.origin}/api/v3/repos/o/other` }).end()
        : request.url === '/t'
          ? response.writeHead(307, { location: '/u' }).end()
          : sendJson(response, { ok: true }),
    );
    const client = createClient(home, { auth: { type: 'token', token } });
    const away = client.request(`DELETE ${stranger.origin}/s`);
    expect(await rejectionOf(away)).toMatchObject({ reason: 'cross_origin_write' });
    expect(home.requests).toEqual([]);
    const within = client.request(`DELETE ${stranger.origin}/t`);
    expect(await within).toEqual({ ok: true });
  });
});

describe('credential detection', () => {
  it('the client finds credentials in a redirect target after a retry and a same-origin redirect', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    let count = 0;
    const home: TestServer = await serve((request, response) => {
      if (++count === 1) {
        response.writeHead(503).end();
        return;
      }
      const isHop = !request.url.includes('hop');
      const nested = encode(encode(`${request.url} ${request.headers.authorization}`));
      response.writeHead(request.method === 'POST' ? 303 : 302, {
        location: isHop ? `/api/v3/hop?a=${nested}` : `${stranger.origin}/?rd=${nested}`,
      });
      response.end();
    });
    const client = createClient(home, { auth: { type: 'token', token: queryToken } });
    for (const call of [
      () => client.request('GET /x'),
      () => client.request('HEAD /x'),
      () => client.request('POST /x', { a: 1 }),
      () => client.releases.downloadAsset({ owner: 'o', repo: 'r', id: 1 }),
      () => client.withAuth(inQuery).request('GET /x'),
    ]) {
      expect(await rejectionOf(call())).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it('the client finds old credentials in a redirect target after the auth function has returned new ones', async () => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const home: TestServer = await serve((_request, response, index) => {
      const [first] = home.requests;
      const nested = encode(`${first?.url} ${first?.headers.authorization}`);
      if (index > 0)
        response.writeHead(302, { location: `${stranger.origin}/?rd=${nested}` }).end();
      else sendJson(response, [1], 200, { link: `<${home.origin}/x?page=2>; rel="next"` });
    });
    for (const place of ['query', 'header'] as const) {
      let calls = 0;
      const auth = () => ({ type: 'token', token: `${queryToken}-${++calls}`, in: place }) as const;
      home.requests.length = 0;
      const list = createClient(home, { auth }).paginate('GET /x');
      const error = await rejectionOf(list.toArray());
      expect(error).toMatchObject({ reason: 'contains_secret' });
      for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    }
    expect(stranger.requests).toEqual([]);
  });
});
