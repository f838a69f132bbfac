import { beforeEach, describe, expect, expectTypeOf, it, test } from 'vitest';
import { control } from '../../src/testing/control.js';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  type RouteReply,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { Router } from '../../src/testing/router.js';
import { noon } from '../support/noon.js';
import { api, origin, sendRequest } from './send-request.js';
import { raw } from './support-emulator.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('Router.match()', () => {
  const router = new Router<string>();
  router.add('GET /repos/:owner/:repo/releases/latest', 'latest');
  router.add('GET /repos/:owner/:repo/releases/:id', 'release');
  router.add('GET /repos/:owner/:repo/contents/*path', 'contents');
  router.add('GET /', 'root');

  it.each([
    ['GET', '/repos/a/b/releases/latest', 'latest', { owner: 'a', repo: 'b' }],
    ['GET', '/repos/a/b/releases/7/', 'release', { owner: 'a', repo: 'b', id: '7' }],
    ['GET', '/repos/a/b/contents', 'contents', { owner: 'a', repo: 'b', path: '' }],
    ['GET', '/repos/a/b/contents/c/d', 'contents', { owner: 'a', repo: 'b', path: 'c/d' }],
    ['GET', '/repos/a/b/contents/%F0%9F%9A%80', 'contents', { owner: 'a', repo: 'b', path: '🚀' }],
    ['GET', '/', 'root', {}],
  ])('finds the route for %s %j', (method, path, handler, params) => {
    expect(router.match(method, path)).toEqual({ handler, params });
  });

  it.each([
    ['POST', '/repos/a/b/releases/7'],
    ['GET', '/repos//b/releases/7'],
    ['GET', '/repos/a/b/contents//x'],
    ['GET', '/repos/a/b/releases/%'],
  ])('finds no route for %s %j', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});

describe('Router', () => {
  it('lets POST update a record of the hosting API, as PATCH does', async () => {
    const body = { title: 'By POST' };
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/pulls/1', {
      body,
    });
    expect([status, data.title]).toEqual([200, 'By POST']);
  });
});

describe('emulator.respond()', () => {
  const request = (method: string, path: string) =>
    new Request(api + path, {
      method,
      headers: { authorization: `token ${seeded.token}`, 'user-agent': 'test' },
    });

  it('sends no body in response to HEAD', async () => {
    const head = await emulator.respond(request('HEAD', '/user'));
    expect([head.status, head.statusText, head.body]).toEqual([200, '', null]);
    expect(head.headers.get('content-length')).toMatch(/^[1-9]\d+$/);
  });

  it.each([204, 304])('sends no body with the status %i', async (status) => {
    emulator.hosting.route('GET /bodyless', () => ({ status, body: 'x' }));
    const response = await emulator.respond(request('GET', '/bodyless'));
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
      status,
      null,
      null,
    ]);
  });
});

it.each([
  'GET /api/v3/repos/acme/rocket/branches',
  'PUT /api/v3/user',
  'GET /repos/acme/rocket',
  'GET /setup/api/setting',
])('the 404 for an unknown route names the request %s', async (what) => {
  const [method = '', path = ''] = what.split(' ');
  const query = `?license_md5=${consoleSeed.licenseMd5}`;
  const headers = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
  const response = await emulator.respond(new Request(origin + path + query, { method, headers }));
  const { message } = JSON.parse(await response.text());
  expect([response.status, message]).toEqual([404, `emulator: unknown route: ${what}`]);
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
  });

  test.each(['GET', 'get /x', 'GET x', 'FETCH /x', 'GET /{a}'])(
    'hosting.route() rejects the route %j',
    (route) => {
      expect(() => emulator.hosting.route(route, () => ({}))).toThrow(`got '${route}'`);
    },
  );
});

test('a custom support route requires a session', async () => {
  emulator.support.route('POST /report/:name', async ({ json, params, query, user, state }) => {
    const fields = { name: params.name, by: user, of: query.get('of') };
    const body = { ...(await json()), ...fields, contacts: state.contacts.size };
    return params.name === 'none' ? undefined : { body };
  });
  expect((await raw(emulator, 'POST /report/weekly')).status).toBe(401);
  const session = await raw(emulator, 'POST /authenticate', { ...supportSeed });
  const access_token = String(session.data.access_token);
  const report = await raw(emulator, 'POST /report/weekly', { access_token, of: 'cases' });
  expect(report.data).toEqual({ name: 'weekly', by: 'mona', of: 'cases', contacts: 250 });
  expect((await raw(emulator, 'POST /report/none', { access_token })).status).toBe(404);
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

test.each<[string, unknown]>([
  ['an object without `body`', { number: 1 }],
  ['a `Response`', new Response('text')],
])('the emulator rejects a request whose custom route returns %s', async (_name, reply) => {
  // `as`: JavaScript callers can return any value.
  emulator.hosting.route('GET /own', () => reply as RouteReply);
  await expect(sendRequest(emulator, 'GET /api/v3/own')).rejects.toThrow(
    'route handler: must return a plain object { status, headers, body }. To send a value as JSON, return { body: value }.',
  );
});

describe('JSON request bodies', () => {
  const status = async (body: string) =>
    (await sendRequest(emulator, 'POST /repos/acme/rocket/releases', { body })).status;
  const nested = (depth: number, inner = '') =>
    `{"tag_name":"v9","body":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

  it('the emulator rejects JSON nested deeper than 100 levels', async () => {
    const echoed = async (body: string) => {
      emulator.hosting.route('POST /echo', async ({ json }) => ({ body: await json() }));
      const { status: code, data } = await sendRequest(emulator, 'POST /echo', { body });
      return code === 200 ? data : code;
    };
    expect(await echoed(nested(99))).toMatchObject({ tag_name: 'v9' });
    expect(await echoed(nested(100))).toBe(400);
    const marks = `{"a":"${'[{'.repeat(200)}","b":"\\"${'['.repeat(200)}","c":"\\\\","d":[{}]}`;
    expect(await echoed(marks)).toEqual(JSON.parse(marks));
    const wide = `{"a":[${'[],{},'.repeat(200)}1]}`;
    expect(await echoed(wide)).toEqual(JSON.parse(wide));
    expect(await echoed('{"a":["\\ud800b",null,1,{"c":"\\udc00"}]}')).toEqual({
      a: ['\ufffdb', null, 1, { c: '\ufffd' }],
    });
    expect(await echoed('')).toEqual({});
    const malformed = ['[]', '1', 'null', '{', '"x"', '['.repeat(1_000_000)];
    for (const none of malformed) expect(await echoed(none)).toBe(400);
  });

  it('the emulator accepts JSON bodies of up to 8 MiB', async () => {
    const most = 8 * 2 ** 20;
    expect(await status(`{}${' '.repeat(most - 1)}`)).toBe(413);
    expect(await status(`{}${' '.repeat(most - 2)}`)).toBe(422);
  });
});

it('POST /api/v2/authenticate accepts URL-encoded and multipart forms', async () => {
  const { userName, apiKey, password } = supportSeed;
  const fields = { userName, apiKey, password };
  const text = new URLSearchParams(fields).toString();
  const multipart = new globalThis.FormData();
  for (const [name, value] of Object.entries(fields)) multipart.append(name, new Blob([value]));
  const send = async (body: RequestInit['body'], type?: string) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const init = { method: 'POST', headers, ...(body !== undefined && { body }) };
    const response = await emulator.respond(new Request(`${origin}/api/v2/authenticate`, init));
    return [response.status, JSON.parse(await response.text()).success];
  };
  const form = 'application/x-www-form-urlencoded';
  expect(await send(text, form)).toEqual([200, true]);
  expect(await send(text, ` ${form.toUpperCase()} ; charset=utf-8`)).toEqual([200, true]);
  expect(await send(multipart)).toEqual([200, true]);
  expect(await send('', 'text/plain')).toEqual([200, false]);
  expect(await send(undefined)).toEqual([200, false]);
  expect(await send(text, 'text/plain')).toEqual([400, false]);
  expect(await send('--b', 'multipart/form-data; boundary=b')).toEqual([400, false]);
});

// A check with quadratic backtracking would exceed this test's timeout.
describe('Base64 content with 200,000 spaces', () => {
  const spaces = `A${' '.repeat(200_000)}`;
  it.each([
    ['before an invalid character', 422, `${spaces}!`],
    ['before padding', 201, ` Q\n${spaces}==\n`],
  ])(
    'PUT /contents/:path responds to Base64 with 200,000 spaces %s with a %i',
    async (_name, status, content) => {
      const body = { message: 'm', content };
      const path = 'PUT /repos/acme/rocket/contents/a';
      expect((await sendRequest(emulator, path, { body })).status).toBe(status);
    },
    20_000,
  );
});

const mebibyte = 1_048_576;

const head = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;

/** Creates a body that counts the bytes that are read from it. */
function counted(pieces: Iterable<Uint8Array>) {
  const seen = { bytes: 0 };
  const body = ReadableStream.from(
    (function* () {
      for (const piece of pieces) {
        seen.bytes += piece.byteLength;
        yield piece;
      }
    })(),
  );
  return { body, seen };
}

/** Generates a multipart form with one part of 64 MiB. */
function* bigForm() {
  yield Buffer.from(head('userName'));
  for (let index = 0; index < 1024; index++) yield Buffer.alloc(mebibyte / 16, 'x');
  yield Buffer.from('\r\n--b--\r\n');
}

function post(path: string, body: string | ReadableStream, type: string): Request {
  const headers = { 'content-type': type, 'user-agent': 'test' };
  return new Request(origin + path, { method: 'POST', headers, body, duplex: 'half' });
}

const multipart = 'multipart/form-data; boundary=b';

describe('forms without a token', () => {
  it.each([
    ['/api/v2/authenticate', 400],
    ['/api/v2/contact', 400],
    ['/login/oauth/authorize', 413],
    ['/login/oauth/access_token', 413],
  ])('the emulator reads at most 8 MiB of a multipart form at %s', async (path, status) => {
    const { body, seen } = counted(bigForm());
    const response = await createEmulator().respond(post(path, body, multipart));
    expect(response.status).toBe(status);
    expect(seen.bytes).toBeLessThan(9 * mebibyte);
  });
});

describe('asset downloads', () => {
  it("the emulator doesn't copy a 16 MiB asset for each of 50 slow readers", async () => {
    const { hosting, respond } = createEmulator();
    const release = hosting.addRelease('acme/rocket', 'big');
    const content = Buffer.alloc(16 * mebibyte, 'zip');
    const { id } = hosting.addAsset(release, 'a.zip', { content });
    const get = async () => await respond(new Request(`${origin}/assets/acme/rocket/${id}`));
    const before = process.memoryUsage().arrayBuffers;
    const responses = await Promise.all(Array.from({ length: 50 }, get));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * mebibyte);
    expect(responses[0]?.headers.get('content-length')).toBe(String(16 * mebibyte));
    const received = (await responses[0]?.arrayBuffer()) ?? new ArrayBuffer();
    expect(content.equals(Buffer.from(received))).toBe(true);
  });
});

describe("the emulator's control API", () => {
  it('the control API reads at most 8 MiB of a body', async () => {
    const { body, seen } = counted(bigForm());
    const request = post('/_emulator/faults', body, 'application/json');
    expect((await control(createEmulator(), request))?.status).toBe(413);
    expect(seen.bytes).toBeLessThan(9 * mebibyte);
  });
});
