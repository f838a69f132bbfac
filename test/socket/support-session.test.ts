import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SupportClient } from '../../src/index.js';
import { rejectionOf, until } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { auth, world } from './support-world.js';

describe('a support session', () => {
  it.each([302, 303, 307])(
    'the client never opens a support session through a %i redirect',
    async (status) => {
      const stranger = await serve((_request, response) =>
        sendJson(response, {
          success: true,
          access_token: 'forged',
          expires: '2099-01-01T00:00:00+0000',
        }),
      );
      for (const origin of [stranger.origin, '']) {
        const home = await serve((_request, response) =>
          response.writeHead(status, { location: `${origin}/session` }).end(),
        );
        const client = new SupportClient({ baseUrl: home.origin, auth });
        onTestFinished(() => client.close());
        expect(await rejectionOf(client.me())).toMatchObject({
          code: 'redirect',
          reason: 'not_allowed',
        });
        expect(home.log).toEqual(['POST /authenticate']);
      }
      expect(stranger.log).toEqual([]);
    },
  );

  it('a 404 for the sign-in causes an error about baseUrl, not about a missing record', async () => {
    const server = await serve((_request, response) => sendJson(response, {}, 404));
    const client = new SupportClient({ baseUrl: `${server.origin}/api/`, auth });
    onTestFinished(() => client.close());
    const error = await rejectionOf(client.contacts.get({ contact_id: 1 }));
    expect(error).toMatchObject({
      code: 'configuration',
      option: 'baseUrl',
      message: expect.stringContaining('/api/v2/ (the sign-in there got a 404)'),
      cause: { code: 'not_found' },
    });
  });

  it('opens one session for all calls, at the first call', async () => {
    const { client, sessions, server } = await world();
    expect(server.log).toEqual([]);
    await Promise.all(Array.from({ length: 16 }, () => client.me()));
    await client.me();
    expect(sessions()).toBe(1);
  });

  it('renews its session after a 401 and repeats the call, even a write', async () => {
    const { client, sessions, server, expire } = await world();
    await client.me();
    expire();
    await client.contacts.update({ contact_id: 1, name: 'x' });
    expect(sessions()).toBe(2);
    expect(server.log).toEqual([
      'POST /api/v2/authenticate',
      'GET /api/v2/me?access_token=token-number-1',
      'POST /api/v2/contact/1',
      'POST /api/v2/authenticate',
      'POST /api/v2/contact/1',
    ]);
  });

  it('the cache keeps its responses after a session renewal', async () => {
    const seen: (string | undefined)[] = [];
    const { client, expire } = await world({
      options: { cache: true },
      respond(request, response) {
        seen.push(request.headers['if-none-match']);
        if (request.headers['if-none-match'] === '"a"') response.writeHead(304).end();
        else response.writeHead(200, { etag: '"a"' }).end('{"success":true,"logged_in":true}');
      },
    });
    await client.me();
    expire();
    await client.me();
    await client.me();
    expect(seen).toEqual([undefined, '"a"', '"a"']);
  });

  it('renews a session only once if the server rejects the new token', async () => {
    const { client, server } = await world({
      authenticate: (response) => response.end('{"success":true,"access_token":"never valid"}'),
    });
    await expect(client.me()).rejects.toMatchObject({ code: 'authentication', status: 401 });
    expect(server.log.filter((line) => line.startsWith('GET'))).toHaveLength(2);
  });

  it("doesn't renew its session again for a 401 that arrives after the renewal", async () => {
    const held: ServerResponse[] = [];
    const { client, sessions } = await world({
      respond: (_request, response) => {
        if (held.length < 2) held.push(response);
        else response.end('{"logged_in":true}');
      },
    });
    const calls = [client.me(), client.me()];
    await until('both requests arrived', () => held.length === 2);
    held[0]?.writeHead(401).end();
    await Promise.race(calls);
    expect(sessions()).toBe(2);
    held[1]?.writeHead(401).end();
    expect(await Promise.all(calls)).toEqual([{ logged_in: true }, { logged_in: true }]);
    expect(sessions()).toBe(2);
  });

  it.each([
    [
      'a 401',
      (response: ServerResponse) => response.writeHead(401, 'No such user').end(),
      'No such user',
    ],
    [
      'success: false and a token',
      (response: ServerResponse) =>
        response.end('{"success":false,"statusMessage":"No such user","access_token":"a"}'),
      'No such user',
    ],
    [
      'success: false and the credentials',
      (response: ServerResponse) =>
        response.end(`{"success":false,"statusMessage":"No ${auth.apiKey} ${auth.password}"}`),
      'No *** ***',
    ],
    [
      'an empty token',
      (response: ServerResponse) => response.end('{"success":true,"access_token":""}'),
      'the response contains no access_token',
    ],
  ])(
    'signs in again for a later call if concurrent calls fail to sign in with %s',
    async (_name, authenticate, output) => {
      const { client, sessions } = await world({ authenticate });
      const results = await Promise.allSettled([
        client.me(),
        client.me(),
        client.contacts.get({ contact_id: 1 }),
      ]);
      const reasons = new Set(
        results.map((each) => (each.status === 'rejected' ? each.reason : undefined)),
      );
      expect(reasons.size).toBe(1);
      const [reason] = reasons;
      expect(reason).toMatchObject({ code: 'authentication' });
      expect(String(reason)).toContain(output);
      expect(String(reason)).toContain('the server rejected userName, apiKey or password');
      await expect(client.me()).rejects.toMatchObject({ code: 'authentication' });
      expect(sessions()).toBe(2);
    },
  );

  it('continues a sign-in for the remaining calls if one call is aborted', async () => {
    const held: ServerResponse[] = [];
    const { client } = await world({ authenticate: (response) => held.push(response) });
    const controller = new AbortController();
    const reason = new Error('one leaves');
    const one = client.me({ signal: controller.signal });
    const other = client.me();
    controller.abort(reason);
    await expect(one).rejects.toBe(reason);
    await until('a session is requested', () => held.length === 1);
    held[0]?.end('{"success":false,"statusMessage":"reported at last"}');
    await expect(other).rejects.toThrow('reported at last');
  });

  it('errors and other origins never receive a replaced session token', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    let opened = 0;
    const home = await serve(({ url }, response) => {
      if (url === '/authenticate') {
        const expires = '2099-01-01T00:00:00+0000';
        return sendJson(response, { success: true, access_token: `session-${++opened}`, expires });
      }
      if (opened === 1) return sendJson(response, {}, 401);
      const nested = encodeURIComponent('/me?access_token=session-1');
      return url.startsWith('/me')
        ? sendJson(response, { statusMessage: 'not session-1' }, 400)
        : response.writeHead(302, { location: `${stranger.origin}/?rd=${nested}` }).end();
    });
    const client = new SupportClient({ baseUrl: home.origin, auth });
    onTestFinished(() => client.close());
    for (let call = 0; call < 2; call++) {
      expect(inspect(await rejectionOf(client.me()), { depth: 9 })).not.toContain('session-1');
    }
    const call = client.request('GET /x');
    expect(await rejectionOf(call)).toMatchObject({ reason: 'contains_secret' });
    expect(opened).toBe(2);
    expect(stranger.requests).toEqual([]);
  });
});

it('the client never renews an access token from the caller', async () => {
  const { client, server } = await world();
  const other = client.withAuth({ accessToken: 'from-elsewhere' });
  const error: unknown = await other.me().catch((reason: unknown) => reason);
  expect(String(error)).toContain('The token is invalid or expired, please renew it');
  expect(String(error)).toContain('the access token is missing, invalid or expired');
  expect(server.log).toHaveLength(1);
  const refused = { code: 'configuration', option: 'auth' };
  await expect(other.authenticate()).rejects.toMatchObject(refused);
});

it('the client keeps a support session with a past or invalid expiry date until it receives a 401', async () => {
  for (const expires of ['2014-01-01T00:00:00+0000', 'one day']) {
    const { client, sessions, expire } = await world({ expires });
    await client.me();
    await client.me();
    expect(sessions()).toBe(1);
    expire();
    await client.me();
    expect(sessions()).toBe(2);
  }
});
