import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../src/hosting/auth/schemes.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';

const echo = () =>
  serve((request, response) => sendJson(response, request.headers.authorization ?? null));
const token = (value: string): HostingAuth => ({ type: 'token', token: value });

describe('credentials', () => {
  it('the client prefers the credentials of a call or withAuth() to its own', async () => {
    const server = await echo();
    const client = createClient(server, { auth: token('one') });
    const other = client.withAuth(token('two'));
    expect(await client.request('GET /x')).toBe('token one');
    expect(await other.request('GET /x')).toBe('token two');
    expect(await client.request('GET /x', {}, { auth: token('three') })).toBe('token three');
    expect(await client.request('GET /x', {}, { auth: { type: 'none' } })).toBeNull();
    expect(await client.request('GET /x')).toBe('token one');
  });

  it('the client invokes the auth function again for each page of a list', async () => {
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
    expect(await client.paginate('GET /x').toArray()).toEqual(['token t1', 'token t2']);
  });

  it('the client releases the permit of a call whose auth function throws', async () => {
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
    const calls = [0, 1, 2].map(() => client.request('GET /x'));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('the client rejects a call on abort or timeout even if its auth function never settles', async () => {
    const server = await echo();
    const client = createClient(server, { auth: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = rejectionOf(client.request('GET /x', {}, { signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await rejectionOf(client.request('GET /x', {}, { timeout: 5 }))).toMatchObject({
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

  it('the client sends application credentials only to endpoints that accept them', async () => {
    const server = await serve((_request, response) => response.writeHead(204).end());
    const client = createClient(server, { auth: application });
    await client.request('GET /x');
    await client.applications.revokeAllTokens({ client_id: application.clientId });
    await client.request('GET /x');
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

  it('the client closes its idle sockets when close() is called', async () => {
    // A raw server keeps idle connections open. The header prevents undici from closing them.
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const client = createClient(server);
    await client.request('GET /x');
    await client.close();
    await until('the client closes its socket', async () => (await server.open()) === 0);
  });
});

describe('the auth option', () => {
  it.each([null, 'a token', { type: 'token' }])(
    'the client rejects a call if the auth function returns %j',
    async (passed) => {
      const server = await echo();
      // `as`: JavaScript callers may return anything.
      const client = createClient(server, { auth: () => passed as never });
      expect(await rejectionOf(client.request('GET /x'))).toMatchObject({
        code: 'configuration',
        option: 'auth',
      });
      expect(server.requests).toEqual([]);
    },
  );
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

  it('the client calls `otp` once per challenge', async () => {
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
    expect(await client.request('POST /x', { a: 1 })).toEqual({
      ok: true,
    });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(requests).toBe(1);
  });

  it.each([
    ['`otp` returns a wrong code', async () => '000000', 2],
    ['`otp` is a wrong code', '000000', 1],
    ['`otp` is missing', undefined, 1],
  ])('a 401 error explains the problem if %s', async (_name, otp, requests) => {
    const server = await challenged();
    const client = createClient(server, { auth: { ...basic, otp } });
    expect(await rejectionOf(client.request('GET /x'))).toMatchObject({
      code: 'authentication',
      reason: 'otp_required',
      message: expect.stringContaining(': a one-time password is required, or the one in `otp` is'),
    });
    expect(server.requests).toHaveLength(requests);
  });
});
