import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HostingAuth } from '../../src/hosting/auth/schemes.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

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
    [
      '`otp` returns a wrong code',
      async () => '000000',
      2,
      /: the one-time password in `otp` is wrong or/,
    ],
    [
      '`otp` is a wrong code',
      '000000',
      1,
      /: the one-time password in `otp` is wrong or expired. Pass a/,
    ],
    ['`otp` is missing', undefined, 1, /: a one-time password is required. Set `otp` with Basic/],
  ])('a 401 error explains the problem if %s', async (_name, otp, requests, message) => {
    const server = await challenged();
    const client = createClient(server, { auth: { ...basic, otp } });
    expect(await rejectionOf(client.request('GET /x'))).toMatchObject({
      code: 'authentication',
      reason: 'otp_required',
      message: expect.stringMatching(message),
    });
    expect(server.requests).toHaveLength(requests);
  });

  it('the client calls `otp` for each page, whether the client or the call sets the credentials', async () => {
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
      const pages = client.paginate('GET /x', {}, own ? { auth } : {});
      expect(await pages.toArray()).toEqual([1, 2, 3, 4, 5]);
      expect([requests, server.requests.length]).toEqual([5, 10]);
    }
  });

  it("the client calls the challenged user's `otp` if the auth function alternates between users", async () => {
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
    await Promise.all([1, 2, 3, 4].map(() => client.request('GET /x')));
    expect(new Set(seen)).toEqual(new Set(['ann code-of-ann', 'bob code-of-bob']));
  });

  it('the client reports a wrong password as bad_credentials', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Bad credentials' }, 401),
    );
    const auth: HostingAuth = { ...basic, otp: () => Promise.reject(new Error('not asked')) };
    expect(await rejectionOf(createClient(server, { auth }).request('GET /x'))).toMatchObject({
      reason: 'bad_credentials',
    });
  });
});
