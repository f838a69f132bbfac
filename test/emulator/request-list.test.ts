import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

// Tests how the emulator records requests.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('emulator.requests', () => {
  test.each<[string, string, Record<string, string>, object]>([
    [
      'emulator.requests masks secrets in a query',
      '/user?password=a&PASSWORD=b&x=c&token&=d',
      {},
      {
        path: '/api/v3/user?password=***&PASSWORD=***&x=c&token&=d',
        query: { password: '***', PASSWORD: '***', x: 'c', token: '***', '': 'd' },
      },
    ],
    [
      'emulator.requests masks a secret with an encoded name',
      '/user?p%61ssword=a&x%61=b',
      {},
      { path: '/api/v3/user?p%61ssword=***&x%61=b', query: { password: '***', xa: 'b' } },
    ],
    [
      'emulator.requests masks a secret in a query with a question mark',
      '/user?x=a?b&api_key=c',
      {},
      { path: '/api/v3/user?x=a?b&api_key=***', query: { x: 'a?b', api_key: '***' } },
    ],
    [
      'emulator.requests masks a token in a path',
      '/applications/a/tokens/b?c',
      {},
      { path: '/api/v3/applications/a/tokens/***?c' },
    ],
    [
      "emulator.requests doesn't mask an unknown path",
      '/tokens/b',
      {},
      { path: '/api/v3/tokens/b' },
    ],
    [
      'emulator.requests masks credentials',
      '/user',
      { authorization: 'Basic abc def', 'proxy-authorization': 'token a' },
      { headers: { authorization: 'Basic ***', 'proxy-authorization': 'token ***' } },
    ],
    [
      'emulator.requests masks credentials without a scheme',
      '/user',
      { authorization: 'abc' },
      { headers: { authorization: '***' } },
    ],
    [
      'emulator.requests masks credentials with a tab in place of a scheme',
      '/user',
      { authorization: 'abc\tdef ghi', 'x-authorization-token': 'abc def' },
      { headers: { authorization: '***', 'x-authorization-token': '***' } },
    ],
    [
      'emulator.requests masks headers with secret names',
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
      "emulator.requests doesn't mask headers with non-secret names",
      '/user',
      { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' },
      { headers: { 'x-otp-x': 'a', 'x-cookie': 'b', 'x-key-id': 'c' } },
    ],
  ])('%s', async (_name, path, headers, shown) => {
    await sendRequest(emulator, `GET ${path}`, { headers });
    expect(emulator.requests[0]).toMatchObject(shown);
  });

  test.each<[string, unknown, string, unknown]>([
    [
      'emulator.requests contains a JSON body with masked secrets',
      '{"a":[{"secret":"x"}],"my_password":1,"b":null}',
      'application/json',
      { a: [{ secret: '***' }], my_password: '***', b: null },
    ],
    [
      'emulator.requests contains a form as an object with masked secrets',
      'a=1&hub.secret=x&a=2',
      'application/x-www-form-urlencoded',
      { a: '2', 'hub.secret': '***' },
    ],
    [
      'emulator.requests contains malformed JSON as text',
      '{"secret"',
      'application/json',
      '{"secret"',
    ],
    ['emulator.requests contains no plain-text body', 'x', 'text/plain', undefined],
    ['emulator.requests contains no empty body', '', 'application/json', undefined],
  ])('%s', async (_name, body, type, shown) => {
    await sendRequest(emulator, 'POST /hub', { body, headers: { 'content-type': type } });
    const [{ body: got, sent } = {}] = emulator.requests;
    expect([got, sent?.body]).toEqual([shown, type === 'text/plain' ? undefined : body]);
  });

  test('emulator.requests keeps the last `keepRequests` requests', async () => {
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
