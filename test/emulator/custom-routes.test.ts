import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  type RouteReply,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';
import { raw } from './support-emulator.js';

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('custom hosting routes', () => {
  const issues = Array.from({ length: 5 }, (_, index) => ({ number: index + 1, title: 'x' }));

  test('a custom hosting route returns a list page with Link, rate-limit and ETag headers', async () => {
    emulator.hosting.route('GET /repos/:owner/:repo/issues', ({ params, state, page }) => {
      expectTypeOf(params).toEqualTypeOf<{ readonly owner: string; readonly repo: string }>();
      return state.repo(params.owner, params.repo) ? page(issues) : undefined;
    });
    const list = await sendRequest(
      emulator,
      'GET /api/v3/repos/acme/rocket/issues?per_page=2&page=2',
    );
    expect(list.data).toEqual([issues[2], issues[3]]);
    expect(list.headers.link).toContain('page=3');
    expect(list.headers).toMatchObject({ 'x-ratelimit-limit': '5000', etag: expect.any(String) });
    const missing = await sendRequest(emulator, 'GET /api/v3/repos/acme/nothing/issues');
    expect([missing.status, missing.data]).toMatchObject([404, { message: 'Not Found' }]);
  });

  test('a custom hosting route receives the JSON body, the caller and the clock', async () => {
    emulator.hosting.route('POST /repos/:owner/:repo/issues', async ({ json, user, clock }) => {
      if (!user) return { status: 401, body: { message: 'Requires authentication' } };
      const { title } = await json();
      const body = { title, login: user.login, created_at: clock.iso() };
      return { status: 201, headers: { location: '/1' }, body };
    });
    const path = '/api/v3/repos/acme/rocket/issues';
    const created = await sendRequest(emulator, `POST ${path}`, { body: { title: 'It leaks' } });
    expect([created.status, created.data]).toEqual([
      201,
      { title: 'It leaks', login: seeded.login, created_at: '2014-06-01T12:00:00Z' },
    ]);
    expect(created.headers.location).toBe('/1');
    expect((await sendRequest(emulator, `POST ${path}`, { auth: null, body: {} })).status).toBe(
      401,
    );
    expect((await sendRequest(emulator, `POST ${path}`, { body: '[1]' })).status).toBe(400);
    expect(emulator.requests.map(({ status }) => status)).toEqual([201, 401, 400]);
  });

  test('a custom hosting route replaces a built-in route, even after a reset', async () => {
    emulator.hosting.route('GET /user', () => ({ body: 'mine' }));
    emulator.hosting.route('GET /labels/*path', ({ params }) => ({ body: { path: params.path } }));
    emulator.hosting.route('DELETE /labels/:name', () => ({}));
    emulator.reset();
    expect((await sendRequest(emulator, 'GET /api/v3/user')).text).toBe('mine');
    expect((await sendRequest(emulator, 'GET /api/v3/labels/a/b')).data).toEqual({ path: 'a/b' });
    expect((await sendRequest(emulator, 'DELETE /api/v3/labels/a')).status).toBe(204);
    const missing = await sendRequest(emulator, 'PUT /api/v3/labels/a');
    expect(missing.data).toMatchObject({
      nearest: expect.arrayContaining(['DELETE /api/v3/labels/:name']),
    });
  });

  test.each(['GET', 'get /x', 'xGET /x', 'GET x', 'FETCH /x', 'GET /a b', 'GET /{a}'])(
    'hosting.route() rejects the route %j',
    (route) => {
      expect(() => emulator.hosting.route(route, () => ({}))).toThrow(`got '${route}'`);
    },
  );
});

test('a custom support route requires a session', async () => {
  emulator.support.route('POST /report/:name', ({ params, query, user, state }) => ({
    body: { name: params.name, by: user, of: query.get('of'), contacts: state.contacts.size },
  }));
  expect((await raw(emulator, 'POST /report/weekly')).status).toBe(401);
  const session = await raw(emulator, 'POST /authenticate', { ...supportSeed });
  const access_token = String(session.data.access_token);
  const report = await raw(emulator, 'POST /report/weekly', { access_token, of: 'cases' });
  expect(report.data).toEqual({ name: 'weekly', by: 'mona', of: 'cases', contacts: 250 });
});

test('a custom console route responds with 401 to a request without the license hash', async () => {
  emulator.console.route('GET /health', ({ state }) => ({ body: { keys: state.keys.length } }));
  const sendRequest = async (query: string) => {
    const response = await emulator.respond(
      new Request(`http://code.test/setup/api/health${query}`),
    );
    return { status: response.status, data: await response.json() };
  };
  expect((await sendRequest('')).status).toBe(401);
  const shown = await sendRequest(`?license_md5=${consoleSeed.licenseMd5}`);
  expect(shown.data).toEqual({ keys: 0 });
});

test.each<[string, RouteReply, [status: number, type: string | undefined, text: string]]>([
  ['an empty reply', {}, [204, undefined, '']],
  ['only a status', { status: 202 }, [202, undefined, '']],
  ['a string', { body: 'ä' }, [200, 'text/plain; charset=utf-8', 'ä']],
  ['bytes', { body: Buffer.from('ab').subarray(1) }, [200, 'application/octet-stream', 'b']],
  ['an object', { body: { a: 1 } }, [200, 'application/json; charset=utf-8', '{"a":1}']],
  ['null', { status: 201, body: null }, [201, 'application/json; charset=utf-8', 'null']],
  [
    'a custom content type',
    { body: '<a>', headers: { 'Content-Type': 'text/html' } },
    [200, 'text/html', '<a>'],
  ],
])('a custom console route can respond with %s', async (_name, reply, [status, type, text]) => {
  emulator.console.route('GET /own', () => ({
    ...reply,
    headers: { ...reply.headers, 'X-Own': 'y' },
  }));
  const url = `http://code.test/setup/api/own?license_md5=${consoleSeed.licenseMd5}`;
  const response = await emulator.respond(new Request(url));
  const { headers } = response;
  expect([
    response.status,
    headers.get('content-type') ?? undefined,
    await response.text(),
  ]).toEqual([status, type, text]);
  expect(headers.get('x-own')).toBe('y');
  expect(headers.get('content-length')).toBe(
    status === 204 ? null : String(Buffer.byteLength(text)),
  );
});

test.each<[string, unknown, string]>([
  ['an array', [1, 2], 'an array'],
  ['a string', 'text', 'a string'],
  ['an object without `body`', { number: 1 }, "the property 'number'"],
  ['a `Response`', new Response('text'), 'an object'],
])('the emulator rejects a request whose custom route returns %s', async (_name, reply, got) => {
  // `as`: JavaScript callers can return any value.
  emulator.hosting.route('GET /own', () => reply as RouteReply);
  await expect(sendRequest(emulator, 'GET /api/v3/own')).rejects.toThrow(
    `route handler: must return a plain object { status, headers, body } (got ${got}). To send a value as JSON, return { body: value }.`,
  );
});
