import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { mona, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('emulator.requests', () => {
  it.each<[string, string, Record<string, string>, object]>([
    [
      'masks secrets in a query',
      '/user?password=a&PASSWORD=b&x=c&token&=d',
      {},
      {
        path: '/api/v3/user?password=***&PASSWORD=***&x=c&token&=d',
        query: { password: '***', PASSWORD: '***', x: 'c', token: '', '': 'd' },
      },
    ],
    [
      'masks a token in a path',
      '/applications/a/tokens/b?c',
      {},
      { path: '/api/v3/applications/a/tokens/***?c' },
    ],
    ["doesn't mask an unknown path", '/tokens/b', {}, { path: '/api/v3/tokens/b' }],
    [
      'masks credentials',
      '/user',
      { authorization: 'Basic abc def', 'proxy-authorization': 'token a' },
      { headers: { authorization: 'Basic ***', 'proxy-authorization': 'token ***' } },
    ],
    [
      'masks headers with secret names',
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
      "doesn't mask headers with non-secret names",
      '/user',
      { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' },
      { headers: { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' } },
    ],
  ])('%s', async (_name, path, headers, shown) => {
    await sendRequest(emulator, `GET ${path}`, { headers });
    expect(emulator.requests[0]).toMatchObject(shown);
  });

  it.each<[string, unknown, string, unknown]>([
    [
      'contains a JSON body with masked secrets',
      '{"a":[{"secret":"x"}],"my_password":1,"b":null}',
      'application/json',
      { a: [{ secret: '***' }], my_password: '***', b: null },
    ],
    [
      'contains a form as an object with masked secrets',
      'a=1&hub.secret=x&a=2',
      'application/x-www-form-urlencoded',
      { a: '2', 'hub.secret': '***' },
    ],
    ['contains no empty body', '', 'application/json', undefined],
  ])('%s', async (_name, body, type, shown) => {
    await sendRequest(emulator, 'POST /hub', { body, headers: { 'content-type': type } });
    const [{ body: got, sent } = {}] = emulator.requests;
    expect([got, sent?.body]).toEqual([shown, type === 'text/plain' ? undefined : body]);
  });

  it('keeps the last `keepRequests` requests', async () => {
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

  it('contains the time and response size of each request', async () => {
    const { text } = await sendRequest(emulator, 'GET /user');
    emulator.clock.advance(1500);
    await sendRequest(emulator, 'HEAD /user');
    expect(emulator.requests).toMatchObject([
      { time: '2014-06-01T12:00:00.000Z', size: text.length },
      { time: '2014-06-01T12:00:01.500Z', size: 0 },
    ]);
  });

  it('masks secrets except in `sent`', async () => {
    const body = { note: 'n', client_secret: 'x'.repeat(40), scopes: ['repo'] };
    await sendRequest(emulator, 'POST /authorizations?page=2&access_token=hidden', {
      auth: mona,
      body,
    });
    const [first] = emulator.requests;
    expect(first).toMatchObject({
      method: 'POST',
      path: '/api/v3/authorizations?page=2&access_token=***',
      query: { page: '2', access_token: '***' },
      headers: { authorization: 'Basic ***' },
      body: { note: 'n', client_secret: '***', scopes: ['repo'] },
      status: 422,
    });
    expect(first?.sent.headers.get('authorization')).toBe(mona);
    expect(first?.sent.target).toContain('hidden');
    expect(JSON.parse(first?.sent.body ?? '')).toEqual(body);
    expect(JSON.stringify(first)).not.toContain('hidden');
  });
});

describe('request handling', () => {
  it('emulator.requests omits a JSON body of more than 1 MiB', async () => {
    const content = Buffer.alloc(1024 * 1024, 5).toString('base64');
    const body = { message: 'Large', content };
    const { status, data } = await sendRequest(emulator, 'PUT /repos/acme/rocket/contents/large', {
      body,
    });
    expect([status, data.content.size]).toEqual([201, 1024 * 1024]);
    expect(emulator.requests[0]?.body).toBeUndefined();
  });
});

describe('clock option', () => {
  it('two emulators with equal clocks send equal responses to equal requests', async () => {
    const runs = [];
    for (const each of [emulator, createEmulator(noon)]) {
      const responses = [];
      for (const what of ['GET /repos/acme/rocket/pulls', 'GET /orgs/acme/teams', 'GET /none']) {
        const { status, headers, text } = await sendRequest(each, what);
        responses.push({ status, headers, text });
      }
      runs.push(responses);
    }
    expect(runs[0]).toEqual(runs[1]);
  });
});

it("the emulator's request log stores deeply nested JSON as text", async () => {
  const body = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  emulator = createEmulator({ seed: false });
  const headers = { 'content-type': 'application/json', 'user-agent': 'test' };
  const target = 'http://code.test/api/v3/authorizations';
  const { status } = await emulator.respond(new Request(target, { method: 'POST', headers, body }));
  expect(status).toBe(401);
  expect(emulator.requests[0]?.body).toBe(body);
});
