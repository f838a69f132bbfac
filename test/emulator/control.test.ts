import { beforeEach, describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest as askApi } from './send-request.js';

let emulator: Emulator;

/**
 * Sends a request to the control API.
 * @param what Method and path below `/_emulator`.
 * @param body Sent as JSON, or unchanged if the body is a string.
 */
async function send(what: string, body?: unknown) {
  const [method = '', path = ''] = what.split(' ');
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const init = { method, ...(text === undefined ? {} : { body: text }) };
  const request = new Request(`http://code.test/_emulator${path}`, init);
  const response = await control(emulator, request);
  if (!response) throw new Error(`${what} is not for the control API`);
  const output = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const data = type.includes('json') && output !== '' ? JSON.parse(output) : output;
  return { status: response.status, headers: response.headers, type, data };
}

beforeEach(() => {
  emulator = createEmulator(noon);
});

it('POST /_emulator/clock advances or sets the clock', async () => {
  expect((await send('POST /clock', { advance: 1.5 })).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2014-06-01T12:00:01.500Z');
  expect((await send('POST /clock', { set: '2020-01-01T00:00:00+01:00' })).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2019-12-31T23:00:00.000Z');
  expect((await send('POST /reset')).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2014-06-01T12:00:00.000Z');
});

it.each([
  [{ advance: '1' }, 'advance', 'must be a number of seconds, at least 0'],
  [{ advance: -1 }, 'advance', 'must be a number of seconds, at least 0'],
  [{ set: 5 }, 'set', "must be a time such as '2014-06-01T12:00:00Z'"],
  [{ set: 'tomorrow' }, 'set', "must be a time such as '2014-06-01T12:00:00Z'"],
  [{ advance: 1, set: '2020-01-01T00:00:00Z' }, '', 'must contain either advance or set'],
])(
  'POST /_emulator/clock rejects the body %j and names the field and its rule',
  async (body, field, message) => {
    const { status, data } = await send('POST /clock', body);
    expect([status, data.errors]).toEqual([400, [{ field, message }]]);
  },
);

it('POST /_emulator/limits sets the quota and adds a secondary limit', async () => {
  const remaining = async () =>
    (await askApi(emulator, 'GET /user')).headers['x-ratelimit-remaining'];
  expect((await send('POST /limits', { quota: 3 })).status).toBe(204);
  expect(await remaining()).toBe('2');
  const secondaryLimit = { requests: 1, per: 60_000, pause: 2000 };
  expect((await send('POST /limits', { secondaryLimit })).status).toBe(204);
  expect(await remaining(), 'the quota remains').toBe('1');
  const refused = await askApi(emulator, 'GET /user');
  expect([refused.status, refused.headers['retry-after']]).toEqual([403, '2']);
  await send('DELETE /faults');
  expect((await send('POST /limits', { quota: null })).status).toBe(204);
  expect(await remaining()).toBe('4999');
  for (const body of [{ quota: -1 }, { quota: '5' }, { secondaryLimit: {} }, { limit: 5 }]) {
    expect((await send('POST /limits', body)).status).toBe(400);
  }
});

it('GET /_emulator/requests/:id returns the request without secrets', async () => {
  const json = { 'content-type': 'application/json' };
  await askApi(emulator, 'POST /hub?token=1', { body: { a: [1], secret: 'x' }, headers: json });
  expect((await send('GET /requests/1')).data).toMatchObject({
    id: 1,
    method: 'POST',
    path: '/api/v3/hub?token=***',
    headers: { authorization: 'token ***' },
    body: { a: [1], secret: '***' },
  });
  for (let count = 0; count < 11; count++) await askApi(emulator, 'GET /emojis');
  expect((await send('GET /requests/12')).data.id).toBe(12);
  for (const path of [
    '/requests/99',
    '/requests/1x',
    '/requests/x1',
    '/requests/',
    '/x/requests/1',
  ]) {
    const { status, data } = await send(`GET ${path}`);
    expect([status, data]).toEqual([404, { message: expect.stringContaining('request') }]);
  }
  expect((await send('POST /requests/1')).status).toBe(404);
});

it('POST /_emulator/applications creates an application that accepts any local port by default', async () => {
  const { status, data } = await send('POST /applications', { name: 'Star Map' });
  expect([status, data]).toMatchObject([
    201,
    { name: 'Star Map', anyPort: true, callbackUrl: 'http://127.0.0.1/callback' },
  ]);
  expect([data.clientId.length, data.clientSecret.length]).toEqual([20, 40]);
  const input = {
    name: 'Own',
    url: 'http://a.test/',
    callbackUrl: 'http://a.test/cb',
    anyPort: false,
    clientId: 'c'.repeat(20),
    clientSecret: 's'.repeat(40),
  };
  expect((await send('POST /applications', input)).data).toMatchObject(input);
  for (const [body, fields] of [[{ title: 'x' }, ['name', '']]] as const) {
    const refused = await send('POST /applications', body);
    expect(refused.status).toBe(400);
    expect(refused.data.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  }
});

it('GET and PUT /_emulator/world.json export and replace the world', async () => {
  const json = await send('GET /world.json');
  expect([json.type, json.data]).toEqual(['application/json; charset=utf-8', emulator.export()]);
  const yaml = await send('GET /world.yaml');
  expect([yaml.type, yaml.data]).toMatchObject([
    'application/yaml; charset=utf-8',
    expect.stringMatching(/^now: /),
  ]);
  emulator.hosting.addUser('grace');
  expect((await send('PUT /world.json', json.data)).status).toBe(204);
  expect(emulator.export()).toEqual(json.data);
  for (const [body, message] of [
    ['{', 'the body must be JSON'],
    ['{"hosting":{"accounts":[{}]}}', 'world: hosting.accounts[0].login: '],
    ['{"hosting":{"tokens":[{"login":"x"}]}}', "must be a login in hosting.accounts (got 'x')"],
  ] as const) {
    const refused = await send('PUT /world.json', body);
    expect([refused.status, refused.data]).toEqual([
      400,
      { message: expect.stringContaining(message) },
    ]);
  }
});

it('the control API responds with 404 to an unknown route', async () => {
  for (const what of [
    'GET /nothing',
    'POST /',
    'PUT /faults',
    'DELETE /world.json',
    'POST /events',
  ]) {
    const { status, data } = await send(what);
    expect([status, data.message]).toEqual([
      404,
      expect.stringContaining(`${what.replace(' ', ' /_emulator')}: `),
    ]);
  }
  for (const path of ['/_emulators', '/x/_emulator', '/api/v3/user']) {
    expect(await control(emulator, new Request(`http://code.test${path}`))).toBeUndefined();
  }
});

describe('POST /_emulator/faults', () => {
  const response = { kind: 'response', status: 200 };
  it.each<[string, object, object]>([
    ['a `response` fault', { fault: response }, { kind: 'response', left: 1 }],
    [
      'a `response` fault with every option',
      {
        fault: { ...response, status: 599, headers: { a: 'b' }, body: [1] },
        times: 2,
        after: 0,
        match: { method: 'GET', path: '/x', query: { a: 'b' } },
      },
      { left: 2, match: 'GET /x {"a":"b"}' },
    ],
    [
      'a `reset` fault',
      { fault: { kind: 'reset', executed: true } },
      { match: 'any method any path' },
    ],
  ])('adds %s', async (_name, body, shown) => {
    const created = await send('POST /faults', body);
    expect([created.status, created.data]).toEqual([204, '']);
    expect(emulator.status().faults).toMatchObject([shown]);
    expect((await send('DELETE /faults')).status).toBe(204);
    expect(emulator.status().faults).toEqual([]);
  });

  it('a fault from POST /_emulator/faults skips the first matching requests if `after` is set', async () => {
    await send('POST /faults', {
      fault: { kind: 'response', status: 503 },
      match: { path: '/user' },
      after: 1,
    });
    const statuses = [];
    for (const path of ['/user', '/emojis', '/user', '/user']) {
      statuses.push((await askApi(emulator, `GET ${path}`)).status);
    }
    expect(statuses).toEqual([200, 404, 503, 200]);
  });

  it.each<[object, string]>([
    [{}, 'the body is invalid'],
    [{ fault: { kind: 'rest' } }, "fail: unknown kind 'rest'"],
    [{ fault: { kind: 'hang' }, match: { paths: '/' } }, "fail: matcher: unknown option 'paths'"],
    [{ fault: { kind: 'response', status: 200, headers: { 'a b': '' } } }, 'header name'],
  ])('rejects the body %j because of %s', async (body, message) => {
    const { status, data } = await send('POST /faults', body);
    expect([status, data]).toMatchObject([400, { message: expect.stringContaining(message) }]);
    expect(emulator.status().faults).toEqual([]);
  });
});

describe('control API state', () => {
  it("the control API serves the emulator's state as JSON and as a page", async () => {
    await askApi(emulator, 'GET /user?a=%3C&token=hidden');
    emulator.fail({ path: '</script>' }, { kind: 'hang' });
    const { status, data, type } = await send('GET /state.json');
    expect([status, data, type]).toEqual([
      200,
      emulator.status(),
      'application/json; charset=utf-8',
    ]);
    expect(data).toMatchObject({
      now: '2014-06-01T12:00:00.000Z',
      families: {
        hosting: { 'pull requests': 250 },
        support: { contacts: 250 },
        console: { uploads: 0 },
      },
      requests: [{ id: 1, method: 'GET', status: 200, path: '/api/v3/user?a=%3C&token=***' }],
      received: 1,
      faults: [{ kind: 'hang', match: 'any method </script>', left: 1 }],
    });
    for (const path of ['', '/']) {
      const page = await send(`GET ${path}`);
      expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
      const files = [...page.data.matchAll(/(?:src|href)="(.*?)"/g)].map(([, path]) => path);
      expect(files).toContain('/_emulator/status.js');
      for (const file of files) expect(file).toMatch(/^(?:data:|\/_emulator\/)/);
      expect(page.data).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    }
  });
});

describe('control pages', () => {
  it('the status page loads only scripts, styles and data from the emulator', async () => {
    for (const path of ['', '/']) {
      const { headers, data } = await send(`GET ${path}`);
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        'img-src data:',
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
      ]);
      expect(data).not.toMatch(/<style|<script[^>]*>[^<]| on\w+=/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each(['/state.json', '/world.json', '/world.yaml', '/license', '/nothing'])(
    'prevent other sites from embedding /_emulator%s',
    async (path) => {
      const request = new Request(`http://code.test/_emulator${path}`);
      const response = await control(emulator, request);
      expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    },
  );
});
