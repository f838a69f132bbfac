import { describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../src/hosting/auth.js';
import { HostingClient } from '../../src/hosting/client.js';
import { clientOf, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const echo = () =>
  serve((request, response) => sendJson(response, request.headers.authorization ?? null));
const token = (value: string): HostingAuth => ({ type: 'token', token: value });

describe('whose credentials go along', () => {
  it("the client's, those of withAuth, those of the call", async () => {
    const server = await echo();
    const client = clientOf(server, { auth: token('one') });
    const other = client.withAuth(token('two'));
    expect(await client.request({ path: '/x' })).toBe('token one');
    expect(await other.request({ path: '/x' })).toBe('token two');
    expect(await client.request({ path: '/x' }, { auth: token('three') })).toBe('token three');
    expect(await client.request({ path: '/x' }, { auth: { type: 'none' } })).toBeNull();
    expect(await client.request({ path: '/x' })).toBe('token one');
  });

  it('a function is asked for every request, also for each page', async () => {
    const server = await serve((request, response) =>
      sendJson(
        response,
        [request.headers.authorization],
        200,
        request.url.includes('2') ? {} : { link: '<?page=2>; rel=next' },
      ),
    );
    let count = 0;
    const client = clientOf(server, {
      auth: () => ({ type: 'token', token: `t${++count}` }),
    });
    expect(await client.paginate({ path: '/x' }).toArray()).toEqual(['token t1', 'token t2']);
  });

  it('a function that fails rejects the call, and frees its place', async () => {
    const server = await echo();
    let count = 0;
    const client = clientOf(server, {
      maxConcurrency: 1,
      auth: async () => {
        count++;
        // The second and third ask again when their turn comes.
        if (count === 4) throw new Error('no token today');
        return { type: 'token', token: 'x' };
      },
    });
    const calls = [0, 1, 2].map(() => client.request({ path: '/x' }));
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('a function that never answers can be aborted, and is timed', async () => {
    const server = await echo();
    const client = clientOf(server, { auth: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = rejectionOf(client.request({ path: '/x' }, { signal: controller.signal }));
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(await rejectionOf(client.request({ path: '/x' }, { timeout: 5 }))).toMatchObject({
      code: 'timeout',
      kind: 'total',
      mayHaveActed: false,
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a challenge for a one-time password', () => {
  const challenged = () =>
    serve((request, response) => {
      if (request.headers['x-service-otp'] === '123456') return sendJson(response, { ok: true });
      return sendJson(response, { message: 'Must specify OTP code' }, 401, {
        'x-service-otp': 'required; app',
      });
    });
  const basic = { type: 'basic', username: 'jo', password: 'pw' } as const;

  it('is answered by a function, once', async () => {
    const server = await challenged();
    let asked = 0;
    const client = clientOf(server, {
      auth: {
        ...basic,
        otp: () => {
          asked++;
          return '123456';
        },
      },
    });
    expect(await client.request({ path: '/x', method: 'POST', json: { a: 1 } })).toEqual({
      ok: true,
    });
    expect(server.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(asked).toBe(1);
  });

  it.each([
    ['a wrong answer', async () => '000000', 2],
    ['no function', undefined, 1],
  ])('ends with %s in an error that says so', async (_name, otp, requests) => {
    const server = await challenged();
    const client = clientOf(server, { auth: { ...basic, otp } });
    expect(await rejectionOf(client.request({ path: '/x' }))).toMatchObject({
      code: 'authentication',
      reason: 'otp_required',
    });
    expect(server.requests).toHaveLength(requests);
  });

  it('is nothing to a wrong password', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Bad credentials' }, 401),
    );
    const auth: HostingAuth = { ...basic, otp: () => Promise.reject(new Error('not asked')) };
    expect(await rejectionOf(clientOf(server, { auth }).request({ path: '/x' }))).toMatchObject({
      reason: 'bad_credentials',
    });
  });
});

describe('an auth option that is wrong is named', () => {
  const wrong: readonly [string, unknown][] = [
    ['a scheme that does not exist', { type: 'bearer', token: 'x' }],
    ['an empty token', { type: 'token', token: '' }],
    ['a token with a line break', { type: 'token', token: 'a\r\nx-evil: 1' }],
    ['a token with a blank', { type: 'token', token: 'a b' }],
    ['a user with a colon', { type: 'basic', username: 'a:b', password: 'x' }],
    ['a missing password', { type: 'basic', username: 'a' }],
    ['null', null],
    ['a string', 'token'],
  ];
  for (const [name, auth] of wrong) {
    it(name, () => {
      const make = () =>
        // `as`: what JavaScript callers may pass.
        new HostingClient({ baseUrl: 'http://127.0.0.1:1', auth: auth as HostingAuth });
      if (auth === null) return expect(make).not.toThrow();
      return expect(make).toThrow(expect.objectContaining({ code: 'configuration' }));
    });
  }
});
