import { describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, type TestServer } from '../../support/server.js';
import { basic, password, token } from './redirect-credentials.js';

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

  it.each([301, 302, 303, 307, 308])(
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

  it("the client doesn't prompt for a one-time password after a redirect back from an untrusted origin", async () => {
    const stranger: TestServer = await serve((_request, response) =>
      response.writeHead(302, { location: `${home.origin}/api/v3/to` }).end(),
    );
    const home: TestServer = await serve((request, response) =>
      request.url.includes('/from')
        ? response.writeHead(302, { location: `${stranger.origin}/s` }).end()
        : sendJson(response, {}, 401, { 'x-service-otp': 'required; app' }),
    );
    let requests = 0;
    const otp = () => `code-${++requests}`;
    const client = createClient(home, { auth: { type: 'basic', username: 'jo', password, otp } });
    await rejectionOf(client.request('GET /from'));
    expect(requests).toBe(0);
    expect(home.requests).toHaveLength(2);
  });

  it("the client doesn't remember a permanent redirect after a redirect back from an untrusted origin", async () => {
    const stranger: TestServer = await serve((_request, response) =>
      response.writeHead(302, { location: `${home.origin}/api/v3/to` }).end(),
    );
    const home: TestServer = await serve((request, response) => {
      const known = request.headers.authorization !== undefined;
      if (request.url.endsWith('/from')) {
        response.writeHead(302, { location: `${stranger.origin}/s` }).end();
      } else if (request.url.endsWith('/to') && !known) {
        response.writeHead(301, { location: '/login' }).end();
      } else sendJson(response, { url: request.url });
    });
    const client = createClient(home, { auth });
    expect(await client.request('GET /from')).toEqual({ url: '/login' });
    expect(await client.request('GET /to')).toEqual({ url: '/api/v3/to' });
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

  it("the client doesn't cache a response after a redirect back from an untrusted origin", async () => {
    const { home } = await detour(302);
    const client = createClient(home, { auth, cache: true });
    for (let count = 0; count < 2; count++) await client.request('GET /from');
    for (const { headers } of home.requests) expect(headers['if-none-match']).toBeUndefined();
  });
});

describe('redirected writes', () => {
  const target = { owner: 'o', repo: 'mine', id: 1 };

  it.each([301, 302, 307, 308])(
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
