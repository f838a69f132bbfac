import { beforeEach, describe, expect, it } from 'vitest';
import { readOptions, usage } from '../../src/testing/cli-options.js';
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
  for (const path of ['/requests/99', '/requests/1x', '/x/requests/1']) {
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
  const refused = await send('POST /applications', { title: 'x' });
  expect(refused.status).toBe(400);
  expect(refused.data.errors.map(({ field }: { field: string }) => field)).toEqual(['name', '']);
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
  ] as const) {
    const refused = await send('PUT /world.json', body);
    expect([refused.status, refused.data]).toEqual([
      400,
      { message: expect.stringContaining(message) },
    ]);
  }
});

it('the control API responds with 404 to an unknown route', async () => {
  for (const what of ['GET /nothing', 'POST /', 'DELETE /world.json']) {
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
  ])('adds %s', async (_name, body, shown) => {
    const created = await send('POST /faults', body);
    expect([created.status, created.data]).toEqual([204, '']);
    expect(emulator.status().faults).toMatchObject([shown]);
    expect((await send('DELETE /faults')).status).toBe(204);
    expect(emulator.status().faults).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, 'the body is invalid'],
    [{ fault: { kind: 'rest' } }, "fail: unknown kind 'rest'"],
    [{ fault: { kind: 'hang' }, match: { paths: '/' } }, "fail: matcher: unknown option 'paths'"],
  ])('rejects the body %j because of %s', async (body, message) => {
    const { status, data } = await send('POST /faults', body);
    expect([status, data]).toMatchObject([400, { message: expect.stringContaining(message) }]);
    expect(emulator.status().faults).toEqual([]);
  });
});

describe('control API state', () => {
  it("the control API serves the emulator's state as JSON", async () => {
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
  });
});

describe('control pages', () => {
  it('the status page loads only scripts, styles and data from the emulator', async () => {
    for (const path of ['', '/']) {
      const { status, headers, type, data } = await send(`GET ${path}`);
      expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
      const files = [...data.matchAll(/(?:src|href)="(.*?)"/g)].map(([, path]) => path);
      expect(files).toContain('/_emulator/status.js');
      for (const file of files) expect(file).toMatch(/^(?:data:|\/_emulator\/)/);
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

  it.each(['/state.json', '/world.yaml', '/nothing'])(
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

describe('options', () => {
  /** Returns options as an `object`, whose property names the compiler doesn't check. */
  const loosely = (options: object) => options;

  // `as`: JavaScript callers can pass anything.
  const fail = (emulator: Emulator, ...parts: readonly unknown[]) =>
    emulator.fail(...(parts as Parameters<Emulator['fail']>));

  it.each([
    [null, 'null'],
    ['code.example.com', 'a string'],
    [['seed'], 'an array'],
  ])('createEmulator() throws if its options are %j', (options, got) => {
    expect(() => Reflect.apply(createEmulator, undefined, [options])).toThrow(
      `createEmulator: expected an object (got ${got})`,
    );
  });

  it('createEmulator() throws for an unknown option and lists the known options', () => {
    expect(() => createEmulator(loosely({ sed: false }))).toThrow(
      "createEmulator: unknown option 'sed'. Known options: vendor, clock, seed,",
    );
    const support = loosely({ maxcount: 3 });
    expect(() => createEmulator({ support })).toThrow(
      /support: unknown option 'maxcount'.*maxCount/,
    );
    expect(() => createEmulator({ clock: new Date(Number.NaN) })).toThrow(
      /^clock: must be an ISO 8601 time/,
    );
  });

  it.each([
    [{ vendor: '' }, "vendor: must contain only letters, digits and hyphens, such as 'github'"],
    [{ keepRequests: -1 }, 'keepRequests: must be 0 or greater (got -1)'],
  ])('createEmulator() throws for %O', (options, message) => {
    expect(() => createEmulator(options)).toThrow(message);
  });

  it.each<[readonly unknown[], string]>([
    [
      [{ paht: '/pulls' }, { kind: 'reset' }],
      "matcher: unknown option 'paht'. Known options: method, path, query",
    ],
    [[{}, { kind: 'rest' }], "unknown kind 'rest'. Known kinds: response, reset,"],
    [[[]], 'matcher: expected an object (got an array)'],
    [[{ path: ['('] }, { kind: 'reset' }], 'path: must'],
    [[{ method: 5 }, { kind: 'reset' }], 'method: must'],
    [[{ query: 'page=2' }, { kind: 'reset' }], 'query: must'],
    [[{ query: { page: ['2'] } }, { kind: 'reset' }], 'query: must'],
    [[{}, { kind: 'delay', seconds: 1 }], "unknown option 'seconds'. Known options: kind, ms"],
    [[{}, { kind: 'delay', ms: -1 }], 'ms: must be a whole number of at least 0 (got -1)'],
    [
      [{}, { kind: 'response', status: 42 }],
      'status: must be a whole number from 200 to 599 (got 42)',
    ],
    [[{}, { kind: 'response', status: 200, headers: { 'a b': '' } }], 'is an invalid header name'],
    [[{}, { kind: 'secondaryLimit', requests: 1, per: 1, pause: -1 }], 'pause: must be'],
    [
      [{}, { kind: 'reset' }, { time: 2 }],
      "options: unknown option 'time'. Known options: times, after",
    ],
    [[{}, { kind: 'reset' }, { times: 0 }], 'times: must be a whole number of at least 1 (got 0)'],
    [
      [{}, { kind: 'reset' }, { after: -1 }],
      'after: must be a whole number of at least 0 (got -1)',
    ],
  ])('emulator.fail() throws for %j', (parts, words) => {
    const emulator = createEmulator({ seed: false });
    expect(() => fail(emulator, ...parts)).toThrow(words);
    expect(emulator.status().faults).toEqual([]);
  });

  describe('readOptions()', () => {
    it("readOptions() reads the emulator's options from flags", () => {
      const { emulator } = readOptions([
        ...['--vendor', 'octo'],
        ...[
          '--origin',
          'https://code.test/',
          '--allow-host',
          'a.test',
          '--allow-origin',
          'https://b',
        ],
      ]);
      expect(emulator).toEqual({
        vendor: 'octo',
        origin: 'https://code.test',
        tls: undefined,
        allowHosts: ['a.test'],
        allowOrigins: ['https://b'],
      });
      createEmulator(emulator);
    });

    it("readOptions() without flags returns the emulator's defaults", () => {
      expect(readOptions([]).emulator).toEqual({ vendor: 'service' });
    });

    it.each([
      [['--origin', 'code.test'], '--origin: must be an http or https origin'],
      [['--tls-cert', 'cert.pem'], '--tls-cert, --tls-key: must be set together'],
      [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem'],
      [['--port', 'x1'], '--port: must be a whole number from 0 to 65535 (got x1)'],
      [['--port', '1x'], '--port: '],
      [['--vendor', 'a b'], '--vendor: must contain only letters, digits and hyphens'],
      [['--seed', 'world.yaml', '--empty'], '--seed: '],
    ])('readOptions() names the invalid flag or file in the error for %j', (args, words) => {
      expect(() => readOptions(args)).toThrow(words);
    });
  });

  it('the --help output lists every option', () => {
    const { emulator, ...program } = readOptions([]);
    const { allowHosts, allowOrigins, ...rest } = emulator;
    const names = [...Object.keys({ ...rest, ...program }), 'allowHost', 'allowOrigin'].filter(
      (name) => !['command', 'tls', 'tlsCert'].includes(name),
    );
    expect([allowHosts, allowOrigins]).toEqual([undefined, undefined]);
    for (const name of names) {
      expect(usage).toContain(`--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`);
    }
  });
});
