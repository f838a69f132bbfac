import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingAuth } from '../../src/hosting/auth/schemes.js';
import { HostingClient } from '../../src/hosting/client.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

const echo = () =>
  serve((request, response) => sendJson(response, request.headers.authorization ?? null));
const token = (value: string): HostingAuth => ({ type: 'token', token: value });

describe('credentials', () => {
  it("prefers a call's credentials to withAuth's, and withAuth's to the client's", async () => {
    const server = await echo();
    const client = createClient(server, { auth: token('one') });
    const other = client.withAuth(token('two'));
    expect(await client.request({ path: '/x' })).toBe('token one');
    expect(await other.request({ path: '/x' })).toBe('token two');
    expect(await client.request({ path: '/x' }, { auth: token('three') })).toBe('token three');
    expect(await client.request({ path: '/x' }, { auth: { type: 'none' } })).toBeNull();
    expect(await client.request({ path: '/x' })).toBe('token one');
  });

  it('preserves special characters in a query token', async () => {
    const server = await serve((request, response) => sendJson(response, request.url));
    const auth = { type: 'token', token: 'a&b=c+d%20#', in: 'query' } as const;
    const url = await createClient(server, { auth }).request({ path: '/x', query: { page: 1 } });
    const { searchParams } = new URL(String(url), server.origin);
    expect([...searchParams].toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
      ['access_token', auth.token],
      ['page', '1'],
    ]);
  });

  it('invokes the auth function again for each page of a list', async () => {
    const server = await serve((request, response) =>
      sendJson(
        response,
        [request.headers.authorization],
        200,
        request.url.includes('2') ? {} : { link: '<?page=2>; rel=next' },
      ),
    );
    let count = 0;
    const client = createClient(server, {
      auth: () => ({ type: 'token', token: `t${++count}` }),
    });
    expect(await client.paginate({ path: '/x' }).toArray()).toEqual(['token t1', 'token t2']);
  });

  it('releases the permit of a call whose auth function throws', async () => {
    const server = await echo();
    let count = 0;
    const client = createClient(server, {
      maxConcurrency: 1,
      auth: async () => {
        count++;
        if (count === 2) throw new Error('no token today');
        return { type: 'token', token: 'x' };
      },
    });
    const calls = [0, 1, 2].map(() => client.request({ path: '/x' }));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects an aborted or timed-out call if the auth function never settles', async () => {
    const server = await echo();
    const client = createClient(server, { auth: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = rejectionOf(client.request({ path: '/x' }, { signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await rejectionOf(client.request({ path: '/x' }, { timeout: 5 }))).toMatchObject({
      code: 'timeout',
      reason: 'total',
      mayHaveActed: false,
    });
    expect(server.requests).toEqual([]);
  });
});

describe('HostingClient', () => {
  const application = {
    type: 'application',
    clientId: 'i'.repeat(20),
    clientSecret: 's'.repeat(40),
  } as const;

  it('sends application credentials only to endpoints that accept them', async () => {
    const server = await serve((_request, response) => response.writeHead(204).end());
    const client = createClient(server, { auth: application });
    await client.request({ path: '/x' });
    await client.applications.revokeAllTokens({ client_id: application.clientId });
    await client.request({ path: '/x' });
    expect(await rejectionOf(client.authorizations.get({ id: 1 }))).toMatchObject({
      code: 'configuration',
      option: 'auth',
    });
    const pair = `${application.clientId}:${application.clientSecret}`;
    const basic = `Basic ${Buffer.from(pair).toString('base64')}`;
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      basic,
      undefined,
    ]);
  });

  it('masks credentials that the server echoes encoded or decoded', async () => {
    const server = await serve(({ headers }, response) => {
      const encoded = (headers.authorization ?? '').split(' ')[1] ?? '';
      return sendJson(
        response,
        { message: `${encoded} is ${Buffer.from(encoded, 'base64')}` },
        400,
      );
    });
    const auth = { type: 'basic', username: 'mona', password: 'hush-hush' } as const;
    const error = await rejectionOf(createClient(server, { auth }).request({ path: '/x' }));
    expect(error).toMatchObject({ code: 'bad_request' });
    const encoded = Buffer.from('mona:hush-hush').toString('base64');
    for (const secret of [encoded, 'hush-hush']) expect(String(error)).not.toContain(secret);
  });

  it.each<[string, (client: HostingClient) => PromiseLike<void>]>([
    ['close()', (client) => client.close()],
    ['[Symbol.asyncDispose]()', (client) => client[Symbol.asyncDispose]()],
  ])('closes its sockets when %s is called', async (_name, end) => {
    const server = await serve((_request, response) => {
      // Without this header, undici would soon close the connection itself.
      response.setHeader('keep-alive', 'timeout=600');
      return sendJson(response, {});
    });
    const client = createClient(server);
    await client.request({ path: '/x' });
    const [socket] = server.sockets;
    const ended = socket && once(socket, 'close');
    await end(client);
    await ended;
    expect(await server.open()).toBe(0);
  });

  it('uses the options passed to fromEnv', async () => {
    const server = await echo();
    const client = HostingClient.fromEnv({ baseUrl: server.origin, auth: token('mine') });
    onTestFinished(() => client.close());
    expect(await client.request({ path: '/x' })).toBe('token mine');
  });
});

describe('one-time passwords', () => {
  const challenge = (response: ServerResponse) =>
    sendJson(response, { message: 'Must specify OTP code' }, 401, {
      'x-service-otp': 'required; app',
    });
  const challenged = () =>
    serve((request, response) => {
      if (request.headers['x-service-otp'] === '123456') return sendJson(response, { ok: true });
      return challenge(response);
    });
  const basic = { type: 'basic', username: 'jo', password: 'pw' } as const;

  it('calls the otp function once per challenge', async () => {
    const server = await challenged();
    let requests = 0;
    const client = createClient(server, {
      auth: {
        ...basic,
        otp: () => {
          requests++;
          return '123456';
        },
      },
    });
    expect(await client.request({ path: '/x', method: 'POST', json: { a: 1 } })).toEqual({
      ok: true,
    });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(requests).toBe(1);
  });

  it.each([
    [
      'the otp function returns a wrong code',
      async () => '000000',
      2,
      /: the one-time password in `otp` is wrong or/,
    ],
    [
      'otp is a wrong code',
      '000000',
      1,
      /: the one-time password in `otp` is wrong or expired. Pass a/,
    ],
    ['otp is missing', undefined, 1, /: a one-time password is required. Set `otp` with Basic/],
  ])('names the problem in the error if %s', async (_name, otp, requests, message) => {
    const server = await challenged();
    const client = createClient(server, { auth: { ...basic, otp } });
    expect(await rejectionOf(client.request({ path: '/x' }))).toMatchObject({
      code: 'authentication',
      reason: 'otp_required',
      message: expect.stringMatching(message),
    });
    expect(server.requests).toHaveLength(requests);
  });

  it("prompts once per list, with the client's or the call's credentials", async () => {
    for (const own of [false, true]) {
      const server: TestServer = await serve((request, response) => {
        if (request.headers['x-service-otp'] !== '123456') return challenge(response);
        const page = Number(new URLSearchParams(request.url.split('?')[1]).get('page') ?? 1);
        const next = `<${server.origin}/api/v3/x?page=${page + 1}>; rel="next"`;
        return sendJson(response, [page], 200, page < 5 ? { link: next } : {});
      });
      let requests = 0;
      const otp = () => {
        requests++;
        return '123456';
      };
      const auth: HostingAuth = { ...basic, otp };
      const client = createClient(server, own ? {} : { auth });
      const pages = client.paginate({ path: '/x' }, own ? { auth } : {});
      expect(await pages.toArray()).toEqual([1, 2, 3, 4, 5]);
      expect([requests, server.requests.length]).toEqual([1, 6]);
    }
  });

  it('prompts once for concurrent calls, and again after the code expires', async () => {
    let valid = '1';
    const server = await serve((request, response) =>
      request.headers['x-service-otp'] === valid
        ? sendJson(response, { ok: true })
        : challenge(response),
    );
    let requests = 0;
    const otp = async () => {
      requests++;
      return valid;
    };
    const client = createClient(server, { auth: { ...basic, otp }, maxConcurrency: 2 });
    const five = () => Promise.all([1, 2, 3, 4, 5].map(() => client.request({ path: '/x' })));
    await five();
    expect(requests).toBe(1);
    valid = '2';
    await five();
    expect(requests).toBe(2);
  });

  it('prompts again for a call in flight during a failed prompt', async () => {
    let valid = '1';
    const held: (() => void)[] = [];
    const server = await serve((request, response) => {
      const code = request.headers['x-service-otp'];
      if (code === valid) return sendJson(response, { ok: true });
      if (code !== undefined && request.url.endsWith('/held')) {
        held.push(() => challenge(response));
        return undefined;
      }
      return challenge(response);
    });
    let otp = () => valid;
    const client = createClient(server, { auth: { ...basic, otp: () => otp() } });
    await client.request({ path: '/x' });
    valid = '2';
    const late = client.request({ path: '/held' });
    await until('the code that has expired came', () => held.length === 1);
    otp = () => {
      throw new Error('nobody is there');
    };
    expect(await rejectionOf(client.request({ path: '/x' }))).toHaveProperty(
      'message',
      'nobody is there',
    );
    otp = () => valid;
    held[0]?.();
    expect(await late).toEqual({ ok: true });
  });

  it("prompts for the challenged user's code if the auth function alternates between users", async () => {
    const seen: string[] = [];
    const server = await serve((request, response) => {
      const [, text = ''] = (request.headers.authorization ?? '').split(' ');
      const user = Buffer.from(text, 'base64').toString().split(':')[0] ?? '';
      const code = request.headers['x-service-otp'];
      if (code === undefined) return challenge(response);
      seen.push(`${user} ${String(code)}`);
      return sendJson(response, { ok: true });
    });
    const users = ['ann', 'bob'];
    let turn = 0;
    const client = createClient(server, {
      auth: () => {
        const username = users[turn++ % 2] ?? '';
        return { ...basic, username, otp: () => `code-of-${username}` };
      },
    });
    await Promise.all([1, 2, 3, 4].map(() => client.request({ path: '/x' })));
    expect(new Set(seen)).toEqual(new Set(['ann code-of-ann', 'bob code-of-bob']));
  });

  it('reports a wrong password as bad_credentials', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Bad credentials' }, 401),
    );
    const auth: HostingAuth = { ...basic, otp: () => Promise.reject(new Error('not asked')) };
    expect(await rejectionOf(createClient(server, { auth }).request({ path: '/x' }))).toMatchObject(
      {
        reason: 'bad_credentials',
      },
    );
  });
});

describe('the auth option', () => {
  const wrong: readonly [string, unknown][] = [
    ['a scheme that does not exist', { type: 'bearer', token: 'x' }],
    ['an empty token', { type: 'token', token: '' }],
    ['a token with a line break', { type: 'token', token: 'a\r\nx-evil: 1' }],
    ['a token with a space', { type: 'token', token: 'a b' }],
    ['a username with a colon', { type: 'basic', username: 'a:b', password: 'x' }],
    ['a missing password', { type: 'basic', username: 'a' }],
    ['a misspelled property', { type: 'token', tokn: 'x' }],
    ['a scheme with the name of an inherited property', { type: 'constructor' }],
    ['a scheme in an array', { type: ['token'], token: 'x' }],
    ['a string', 'token'],
  ];
  for (const [name, auth] of wrong) {
    it(`rejects ${name}, and names the option`, () => {
      const make = () =>
        // `as`: JavaScript callers may pass anything.
        new HostingClient({ baseUrl: 'http://127.0.0.1:1', auth: auth as HostingAuth });
      return expect(make).toThrow(
        expect.objectContaining({
          code: 'configuration',
          option: expect.stringMatching(/^auth\b/),
          message: expect.stringMatching(/^auth\b/),
        }),
      );
    });
  }

  it('sends no credentials if auth is null', async () => {
    // `as`: JavaScript callers may pass null.
    const client = createClient(await echo(), { auth: null as never });
    expect(await client.request({ path: '/x' })).toBeNull();
  });

  it.each([null, 'token', { type: 'token' }])(
    'rejects a call if the auth function returns %j',
    async (passed) => {
      const server = await echo();
      // `as`: JavaScript callers may return anything.
      const client = createClient(server, { auth: () => passed as never });
      expect(await rejectionOf(client.request({ path: '/x' }))).toMatchObject({
        code: 'configuration',
        option: 'auth',
      });
      expect(server.requests).toEqual([]);
    },
  );
});
