import { describe, expect, test } from 'vitest';
import { until } from '../support/client.js';
import { sharer, sharing } from './session-sharing.js';
import { auth, world } from './support-world.js';

describe('shared support sessions', () => {
  test('a shared session store pauses sign-ins for 30 s after the server rejects the credentials', async () => {
    const { server, sessions } = await world({
      authenticate: (response) => response.writeHead(401).end('{"statusMessage":"wrong"}'),
    });
    const { store, failures, held } = sharing();
    const rejected = { name: 'AuthenticationError', code: 'authentication', status: 401 };
    await expect(sharer(server, store).me()).rejects.toMatchObject(rejected);
    await until('the lock is released', () => held() === 0);
    const other = sharer(server, store);
    await expect(other.me()).rejects.toMatchObject({
      ...rejected,
      message: expect.stringMatching(
        /wrong.*\(reported by another process, next attempt in 30 s\)$/,
      ),
      request: { operation: 'authenticate', method: 'POST' },
      response: { status: 401, url: `${server.origin}/api/v2/authenticate` },
    });
    expect(sessions()).toBe(1);
    expect([...failures.values()]).toEqual([{ failure: expect.any(String), lifetime: 30_000 }]);
    for (const part of Object.values(auth))
      expect(JSON.stringify([...failures])).not.toContain(part);
    failures.clear();
    await expect(other.me()).rejects.toMatchObject(rejected);
    expect(sessions()).toBe(2);
  });

  test.each<[string, number, string, object, number]>([
    [
      'a 200 with success: false',
      200,
      '{"success":false,"statusMessage":"no"}',
      { code: 'authentication', status: 200 },
      30_000,
    ],
    ['a 403', 403, '{"message":"no"}', { code: 'permission', reason: 'forbidden' }, 30_000],
    [
      'a lockout',
      403,
      '{"message":"Maximum number of login attempts exceeded"}',
      { code: 'permission', reason: 'login_lockout' },
      30_000,
    ],
    ['a 429', 429, '{}', { code: 'rate_limit', reason: 'secondary' }, 5000],
    ['a 503', 503, '{}', { code: 'server', status: 503 }, 5000],
    ['a 404', 404, '{}', { status: 404 }, 5000],
    ['a 400', 400, '{}', { code: 'bad_request' }, 5000],
    ['a 409', 409, '{}', { code: 'conflict' }, 5000],
    ['a 422', 422, '{}', { code: 'unprocessable' }, 5000],
    ['a 302', 302, '{}', { code: 'redirect', reason: 'not_allowed' }, 5000],
    ['a 418', 418, '{}', { code: 'unexpected_status', status: 418 }, 5000],
    [
      'a 200 with an HTML page',
      200,
      '<html>Sign in</html>',
      { code: 'response_body', reason: 'unexpected_type', status: 200, response: { status: 200 } },
      5000,
    ],
    ['a 200 without a body', 200, '', { code: 'response_body', reason: 'empty' }, 5000],
    [
      'a 200 with a token of the wrong type',
      200,
      '{"access_token":7}',
      { code: 'response_shape', issues: [{ path: ['access_token'] }], response: { status: 200 } },
      5000,
    ],
    ['a 200 with an array', 200, '[]', { code: 'response_shape', issues: [{ path: [] }] }, 5000],
  ])(
    'the client shares the failure of a sign-in that gets %s with other processes',
    async (_what, status, body, error, lifetime) => {
      const { server, sessions } = await world({
        authenticate: (response) => response.writeHead(status).end(body),
      });
      const { store, failures } = sharing();
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      expect(sessions()).toBe(1);
      expect([...failures.values()]).toMatchObject([{ lifetime }]);
    },
  );

  test("the client doesn't share a sign-in's connection failure with other processes", async () => {
    const { server, sessions } = await world({
      authenticate: (response) => response.destroy(),
    });
    const { store, failures } = sharing();
    for (const count of [1, 2]) {
      await expect(sharer(server, store).me()).rejects.toMatchObject({ code: 'connection' });
      expect(sessions()).toBe(count);
    }
    expect(failures.size).toBe(0);
  });

  test('the client shares the issues of an invalid sign-in response, but not its data', async () => {
    const { server } = await world({
      authenticate: (response) => response.end('{"access_token":7,"new_token":"s3cret-t0ken"}'),
    });
    const { store, failures } = sharing();
    const shape = { code: 'response_shape', issues: [{ path: ['access_token'] }] };
    await expect(sharer(server, store).me()).rejects.toMatchObject(shape);
    await expect(sharer(server, store).me()).rejects.toMatchObject({ ...shape, data: undefined });
    expect(JSON.stringify([...failures])).not.toContain('s3cret');
  });

  test("the client doesn't share a truncated sign-in response with other processes", async () => {
    const { server, sessions } = await world({
      authenticate: (response) => {
        response.writeHead(200, { 'content-length': '99' }).write('{');
        setImmediate(() => response.destroy());
      },
    });
    const { store, failures } = sharing();
    for (const count of [1, 2]) {
      const error = { code: 'response_body', reason: 'truncated' };
      await expect(sharer(server, store).me()).rejects.toMatchObject(error);
      expect(sessions()).toBe(count);
    }
    expect(failures.size).toBe(0);
  });

  const request = { operation: 'a', method: 'POST', url: 'b' };
  const response = { status: 200, statusText: 'OK', headers: {}, url: 'b', attempts: 1 };
  const shape = { message: 'x', request, response, code: 'response_shape' };
  test.each([
    '',
    'null',
    '{}',
    '{"message":"x","request":{}}',
    JSON.stringify(shape),
    JSON.stringify({ ...shape, issues: [{ message: 1 }] }),
    JSON.stringify({ ...shape, issues: [{ message: 'x', path: 7 }] }),
    JSON.stringify({ ...shape, code: 'response_body' }),
  ])('the client opens a session despite the invalid stored failure %j', async (failure) => {
    const { server, sessions } = await world();
    const { store } = sharing({ loadFailure: async () => ({ failure, lifetime: 1000 }) });
    await sharer(server, store).me();
    expect(sessions()).toBe(1);
  });
});
