import { Readable } from 'node:stream';
import { type Dispatcher, FormData, request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin, sendRequest } from './send-request.js';

// Tests how the dispatcher handles its arguments and how requests are recorded.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const user = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };

/** Sends a request to a route that responds with the request's method, URL, headers and body. */
async function echo(options: Readonly<Record<string, unknown>>, path = '/echo') {
  for (const method of ['GET', 'POST', 'DELETE']) {
    emulator.hosting.route(`${method} /echo`, async ({ request: received }) => ({
      body: {
        method: received.method,
        target: received.url.slice(origin.length),
        headers: Object.fromEntries(received.headers),
        text: await received.text(),
      },
    }));
  }
  // `as`: undici accepts more types of headers and bodies than its declarations list.
  const passed = { method: 'POST', headers: user, ...options } as Omit<
    Dispatcher.RequestOptions,
    'path' | 'origin'
  >;
  const url = `${origin}/api/v3${path}`;
  const { statusCode, body } = await request(url, { ...passed, dispatcher: emulator.dispatcher() });
  expect(statusCode).toBe(200);
  // `as`: the route defined above responds with these fields.
  return (await body.json()) as {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

describe('emulator.dispatcher() with undici.request()', () => {
  const pairs = [...Object.entries(user), ['x-a', '1'], ['x-a', '2']] as const;
  test.each<[string, unknown]>([
    ['a flat array', pairs.flat()],
    ['a flat array of odd length', [...pairs.flat(), 'x-b']],
    ['an object', { ...user, 'x-a': ['1', '2'], 'x-b': undefined }],
    ['an iterable', new Map<string, unknown>([...Object.entries(user), ['x-a', ['1', '2']]])],
    [
      'a Headers object',
      new Headers(pairs.map(([name, value]): [string, string] => [name, value])),
    ],
  ])('accepts headers passed as %s', async (_name, headers) => {
    const { headers: received } = await echo({ headers });
    expect(received).toEqual({ ...user, 'x-a': '1, 2', 'content-length': '0' });
  });

  async function* pieces() {
    yield 'ä';
    yield Buffer.from('b');
  }
  const form = () => {
    const created = new FormData();
    created.append('a', '1');
    created.append('f', new File(['file'], 'name.txt'));
    created.append('b', new Blob(['blob']));
    return created;
  };
  test.each<[string, unknown, string | RegExp, string | undefined]>([
    ['a string', 'ä', 'ä', '2'],
    ['a Buffer', Buffer.from('ä'), 'ä', '2'],
    [
      'an empty Uint8Array',
      new Uint8Array(Buffer.from('xäx').buffer.slice(0)).subarray(0, 0),
      '',
      '0',
    ],
    ['undefined', undefined, '', '0'],
    ['null', null, '', '0'],
    ['a stream', Readable.from(['a', 'b']), 'ab', undefined],
    ['an async iterable', pieces(), 'äb', undefined],
    ['an iterable', [Buffer.from('a'), 'b'], 'ab', undefined],
    [
      'a form',
      form(),
      /name="a"\r\n\r\n1\r\n[\s\S]*name="f"; filename="name.txt"[\s\S]*file[\s\S]*name="b"; filename="blob"[\s\S]*blob/,
      undefined,
    ],
  ])('accepts a body passed as %s', async (_name, body, text, length) => {
    const received = await echo({ body });
    if (typeof text === 'string') expect(received.text).toBe(text);
    else expect(received.text).toMatch(text);
    expect(received.headers['content-length']).toBe(length);
  });

  test('sends a custom Content-Length', async () => {
    const headers = { ...user, 'content-length': '2' };
    expect((await echo({ headers, body: 'ab' })).headers['content-length']).toBe('2');
    const gone = await echo({ method: 'DELETE' });
    expect([gone.method, gone.headers['content-length']]).toEqual(['DELETE', undefined]);
    expect(await echo({ method: 'GET' })).toMatchObject({ method: 'GET', text: '' });
  });

  test("merges the query option with the URL's query", async () => {
    const target = async (query: object | undefined, path: string) =>
      (await echo({ query, method: 'GET' }, path)).target;
    expect(await target(undefined, '/echo?a=1')).toBe('/api/v3/echo?a=1');
    expect(await target({}, '/echo')).toBe('/api/v3/echo');
    expect(await target({ b: [1, 'x y'], c: true }, '/echo')).toBe('/api/v3/echo?b=1&b=x+y&c=true');
  });
});

describe('JSON request bodies', () => {
  const status = async (body: string) =>
    (await sendRequest(emulator, 'POST /repos/acme/rocket/releases', { body })).status;
  const nested = (depth: number, inner = '') =>
    `{"tag_name":"v9","body":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`;

  test('rejects JSON nested deeper than 100 levels', async () => {
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
    expect(await echoed('{"a\\ud800":["\\ud800b",null,1,{"c":"\\udc00"}]}')).toEqual({
      'a\ufffd': ['\ufffdb', null, 1, { c: '\ufffd' }],
    });
    expect(await echoed('')).toEqual({});
    for (const none of ['[]', '1', 'null', '{', '"x"']) expect(await echoed(none)).toBe(400);
  });

  test('accepts JSON bodies up to 8 MiB', async () => {
    const most = 8 * 2 ** 20;
    expect(await status(`{}${' '.repeat(most - 1)}`)).toBe(413);
    expect(await status(`{}${' '.repeat(most - 2)}`)).toBe(422);
  });
});

test('POST /api/v2/authenticate accepts URL-encoded and multipart forms', async () => {
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

describe('emulator.requests', () => {
  test.each<[string, string, Record<string, string>, object]>([
    [
      'secrets in a query',
      '/user?password=a&PASSWORD=b&x=c&token&=d',
      {},
      {
        path: '/api/v3/user?password=***&PASSWORD=***&x=c&token&=d',
        query: { password: '***', PASSWORD: '***', x: 'c', token: '***', '': 'd' },
      },
    ],
    [
      'a secret with an encoded name',
      '/user?p%61ssword=a&x%61=b',
      {},
      { path: '/api/v3/user?p%61ssword=***&x%61=b', query: { password: '***', xa: 'b' } },
    ],
    [
      'a secret in a query with a question mark',
      '/user?x=a?b&api_key=c',
      {},
      { path: '/api/v3/user?x=a?b&api_key=***', query: { x: 'a?b', api_key: '***' } },
    ],
    [
      'a token in a path',
      '/applications/a/tokens/b?c',
      {},
      { path: '/api/v3/applications/a/tokens/***?c' },
    ],
    ['nothing in an unknown path', '/tokens/b', {}, { path: '/api/v3/tokens/b' }],
    [
      'credentials',
      '/user',
      { authorization: 'Basic abc def', 'proxy-authorization': 'token a' },
      { headers: { authorization: 'Basic ***', 'proxy-authorization': 'token ***' } },
    ],
    [
      'credentials without a scheme',
      '/user',
      { authorization: 'abc' },
      { headers: { authorization: '***' } },
    ],
    [
      'credentials with a tab in place of a scheme',
      '/user',
      { authorization: 'abc\tdef ghi', 'x-authorization-token': 'abc def' },
      { headers: { authorization: '***', 'x-authorization-token': '***' } },
    ],
    [
      'headers with secret names',
      '/user',
      {
        cookie: 'a b',
        'x-service-otp': '1 2',
        'my-api-key': 'x',
        'x-tokens': 'y',
        'client-secret': 'z',
      },
      {
        headers: {
          cookie: '***',
          'x-service-otp': '***',
          'my-api-key': '***',
          'x-tokens': '***',
          'client-secret': '***',
        },
      },
    ],
    [
      'nothing in headers with non-secret names',
      '/user',
      { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' },
      { headers: { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' } },
    ],
  ])('masks %s', async (_name, path, headers, shown) => {
    await sendRequest(emulator, `GET ${path}`, { headers });
    expect(emulator.requests[0]).toMatchObject(shown);
  });

  test.each<[string, unknown, string, unknown]>([
    [
      'a JSON body with masked secrets',
      '{"a":[{"secret":"x"}],"my_password":1,"b":null}',
      'application/json',
      { a: [{ secret: '***' }], my_password: '***', b: null },
    ],
    [
      'a form as an object with masked secrets',
      'a=1&hub.secret=x&a=2',
      'application/x-www-form-urlencoded',
      { a: '2', 'hub.secret': '***' },
    ],
    ['malformed JSON as text', '{"secret"', 'application/json', '{"secret"'],
    ['no body for plain text', 'x', 'text/plain', undefined],
    ['no body for an empty request', '', 'application/json', undefined],
  ])('records %s', async (_name, body, type, shown) => {
    await sendRequest(emulator, 'POST /hub', { body, headers: { 'content-type': type } });
    const [{ body: got, sent } = {}] = emulator.requests;
    expect([got, sent?.body]).toEqual([shown, type === 'text/plain' ? undefined : body]);
  });

  test('keeps the last `keepRequests` requests', async () => {
    emulator = createEmulator({ keepRequests: 2 });
    const logged: unknown[] = [];
    const other = createEmulator({ onRequest: ({ id, status }) => logged.push([id, status]) });
    for (const path of ['/user', '/emojis', '/user']) {
      await sendRequest(emulator, `GET ${path}`);
      await sendRequest(other, `GET ${path}`);
    }
    expect(emulator.requests.map(({ id, path }) => [id, path])).toEqual([
      [2, '/api/v3/emojis'],
      [3, '/api/v3/user'],
    ]);
    expect(emulator.printRequests()).toBe('404 GET    /api/v3/emojis\n200 GET    /api/v3/user');
    expect(emulator.status().received).toBe(3);
    expect(logged).toEqual([
      [1, 200],
      [2, 404],
      [3, 200],
    ]);
    emulator.reset();
    await sendRequest(emulator, 'GET /user');
    expect(emulator.requests.map(({ id }) => id)).toEqual([1]);
  });
});

test.each<[string, string[]]>([
  ['GET /repos/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /api/v3/repo/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /api/v3/repos/a/b/pull/1', ['GET /api/v3/repos/:owner/:repo/pulls/:number']],
  ['PUT /api/v3/user', ['GET /api/v3/user']],
  ['GET /api/v2/contacts/1', ['GET /api/v2/contact/:id']],
  ['GET /setup/api/setting', ['GET /setup/api/settings', 'PUT /setup/api/settings']],
])('the 404 for the unknown route %s suggests %j', async (what, near) => {
  const [method = '', path = ''] = what.split(' ');
  const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
  const headers: Record<string, string> = path.includes('/v2/') ? {} : auth;
  const { data } = await sendRequest(emulator, 'POST /api/v2/authenticate', {
    body: new URLSearchParams({ ...supportSeed }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const url = `${origin}${path}${path.includes('/v2/') ? `?access_token=${data.access_token}` : ''}`;
  const response = await emulator.respond(new Request(url, { method, headers }));
  const output = JSON.parse(await response.text());
  expect(response.status).toBe(404);
  expect(output.nearest.length).toBeLessThanOrEqual(3);
  for (const each of near) expect(output.nearest).toContain(each);
});

test('the 404 for a path of 3000 segments suggests three routes', async () => {
  const response = await emulator.respond(new Request(`${origin}/${'xyz/'.repeat(3000)}`));
  expect(await response.json()).toMatchObject({
    nearest: [/./, /./, /./].map((each) => expect.stringMatching(each)),
  });
});

test.each([
  ['consoleNumbers', 'integer', 'string'],
  ['consoleGroups', 'object', 'null'],
  ['consoleScheduledTime', 'always', 'scheduled'],
  ['scopes', 'contract', 'recorded'],
  ['singlePageLinks', 'contract', 'none'],
])('the %s option accepts only %s and %s', (name, ...known) => {
  for (const value of known) createEmulator({ [name]: value });
  const options: EmulatorOptions = { [name]: 'other' };
  expect(() => createEmulator(options)).toThrow(RangeError);
  expect(() => createEmulator(options)).toThrow(
    `${name}: must be ${known.join(' or ')} (got other)`,
  );
});

test("the emulator's clock accepts only the years 0 to 9999", () => {
  for (const time of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.000Z']) {
    emulator.clock.set(new Date(time));
    expect(emulator.clock.now.toISOString()).toBe(time);
    const beyond = new Date(Date.parse(time) + (time.startsWith('0') ? -1 : 1));
    expect(() => emulator.clock.set(beyond)).toThrow(RangeError);
    expect(createEmulator({ clock: new Date(time) }).clock.iso()).toBe(time.replace('.000', ''));
    expect(() => createEmulator({ clock: beyond })).toThrow(/^clock: /);
  }
  emulator.clock.set(new Date(1234));
  expect([emulator.clock.iso(), emulator.clock.iso(1000)]).toEqual([
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:02Z',
  ]);
});
