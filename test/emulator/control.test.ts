import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { control } from '../../src/testing/control.js';
import { consoleSeed, createEmulator, type Emulator, readWorld } from '../../src/testing/index.js';
import { escapeHtml } from '../../src/testing/page-style.js';
import { openStateFile } from '../../src/testing/state-file.js';
import { keepState } from '../../src/testing/state-keeper.js';
import { noon } from '../support/noon.js';
import { sendRequest as askApi } from './send-request.js';

// Sends in-process requests to the control API. `program.test.ts` tests the API over HTTP.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

/**
 * Sends a request to the control API.
 * @param what Method and path below `/_emulator`.
 * @param body Sent as JSON, or unchanged if the body is a string.
 */
async function send(what: string, body?: unknown) {
  const [method = '', path = ''] = what.split(' ');
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const init = { method, ...(text === undefined ? {} : { body: text }) };
  const response = await control(emulator, new Request(`http://code.test/_emulator${path}`, init));
  if (!response) throw new Error(`${what} is not for the control API`);
  const output = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const data = type.includes('json') && output !== '' ? JSON.parse(output) : output;
  return { status: response.status, headers: response.headers, type, data };
}

describe('POST /_emulator/faults', () => {
  const response = { kind: 'response', status: 200 };
  test.each<[string, object, object]>([
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
    [
      'a `truncate` fault',
      { fault: { kind: 'truncate', bytes: 1 }, match: {} },
      { kind: 'truncate' },
    ],
    ['a `slow` fault', { fault: { kind: 'slow', ms: 1, bytes: 1 } }, { kind: 'slow' }],
    ['a `malformed` fault', { fault: { kind: 'malformed', raw: 'x' } }, { kind: 'malformed' }],
    ['a `delay` fault', { fault: { kind: 'delay', ms: 1 } }, { kind: 'delay' }],
    ['a `hang` fault', { fault: { kind: 'hang' } }, { kind: 'hang' }],
    ['a `refuse` fault', { fault: { kind: 'refuse', ms: 1 } }, { kind: 'refuse' }],
  ])('adds %s', async (_name, body, shown) => {
    const created = await send('POST /faults', body);
    expect([created.status, created.data]).toEqual([204, '']);
    expect(emulator.status().faults).toMatchObject([shown]);
    expect((await send('DELETE /faults')).status).toBe(204);
    expect(emulator.status().faults).toEqual([]);
  });

  test('adds a fault that skips the first matching requests if `after` is set', async () => {
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

  test.each<[object, string]>([
    [{}, 'fault'],
    [{ fault: { kind: 'rest' } }, 'fault.kind'],
    [{ fault: { kind: 'response', status: 199 } }, 'fault.status'],
    [{ fault: { kind: 'response', status: 600 } }, 'fault.status'],
    [{ fault: { kind: 'truncate', bytes: -1 } }, 'fault.bytes'],
    [{ fault: { kind: 'slow' } }, 'fault.ms'],
    [{ fault: { kind: 'hang' }, times: 0 }, 'times'],
    [{ fault: { kind: 'hang' }, after: -1 }, 'after'],
    [{ fault: { kind: 'hang' }, match: { paths: '/' } }, 'match'],
    [{ fault: { kind: 'hang', ms: 1 } }, 'fault'],
  ])('rejects the body %j because of the field %s', async (body, field) => {
    const { status, data } = await send('POST /faults', body);
    expect([status, data]).toMatchObject([
      400,
      { message: expect.any(String), errors: [{ field, message: expect.any(String) }] },
    ]);
    expect(emulator.status().faults).toEqual([]);
  });

  test('rejects an invalid header name in a fault', async () => {
    const fault = { kind: 'response', status: 200, headers: { 'a b': '' } };
    const { status, data } = await send('POST /faults', { fault });
    expect([status, data]).toEqual([400, { message: expect.stringContaining('headers') }]);
  });
});

test('POST /clock advances or sets the clock', async () => {
  expect((await send('POST /clock', { advance: 1.5 })).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2014-06-01T12:00:01.500Z');
  expect((await send('POST /clock', { set: '2020-01-01T00:00:00+01:00' })).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2019-12-31T23:00:00.000Z');
  for (const body of [
    { advance: -1 },
    { set: 'now' },
    { advance: 1, set: '2020-01-01T00:00:00Z' },
    { advance: 1e15 },
  ]) {
    expect((await send('POST /clock', body)).status).toBe(400);
  }
  expect(emulator.clock.now.toISOString()).toBe('2019-12-31T23:00:00.000Z');
  expect((await send('POST /reset')).status).toBe(204);
  expect(emulator.clock.now.toISOString()).toBe('2014-06-01T12:00:00.000Z');
});

describe('control API state', () => {
  test('serves the state as JSON and as a page', async () => {
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
      const [, held = ''] =
        /<script type="application\/json" id="status">(.*?)<\/script>/.exec(page.data) ?? [];
      expect(JSON.parse(held)).toEqual(data);
      expect(page.data).toContain('<time id="now">2014-06-01T12:00:00.000Z</time>');
      expect(page.data).not.toMatch(/(?:src|href)="(?!data:|\/_emulator\/)/);
      expect(page.data).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    }
  });

  test('lists the last 50 requests, newest first', async () => {
    for (let count = 0; count < 51; count++) await askApi(emulator, 'GET /emojis');
    const { data } = await send('GET /state.json');
    expect(data.requests.map(({ id }: { id: number }) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => 51 - index),
    );
  });

  test('reports null as the remaining count of an endless fault', async () => {
    emulator.fail({ method: 'PUT' }, { kind: 'hang' }, { times: Number.POSITIVE_INFINITY });
    const { data } = await send('GET /state.json');
    expect(data.faults).toEqual([{ kind: 'hang', match: 'PUT any path', left: null }]);
  });

  test('sends an event after each change until the reader cancels', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = await control(emulator, new Request('http://code.test/_emulator/events'));
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    const times: string[] = [];
    for (const seconds of [0, 1, 1]) {
      emulator.clock.advance(seconds * 1000);
      vi.advanceTimersByTime(1000);
      const { value = '' } = (await reader?.read()) ?? {};
      times.push(JSON.parse(value.replace(/^data: /, '')).now);
    }
    expect(times.map((time) => time.slice(17, 19))).toEqual(['00', '01', '02']);
    await reader?.cancel();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  test('stops polling after the reader aborts the event stream', async () => {
    const stop = new AbortController();
    const url = 'http://code.test/_emulator/events';
    await control(emulator, new Request(url, { signal: stop.signal }));
    const clear = vi.spyOn(globalThis, 'clearInterval');
    onTestFinished(() => clear.mockRestore());
    stop.abort();
    expect(clear).toHaveBeenCalledTimes(1);
  });

  test('streams the state immediately and after a clock change', async () => {
    const stop = new AbortController();
    const url = 'http://code.test/_emulator/events';
    const response = await control(emulator, new Request(url, { signal: stop.signal }));
    expect(response?.headers.get('content-type')).toBe('text/event-stream');
    expect(response?.headers.get('cache-control')).toBe('no-store');
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => {
      const { value = '' } = (await reader?.read()) ?? {};
      expect(value).toMatch(/^data: .*\n\n$/);
      return JSON.parse(value.slice(6));
    };
    expect(await next()).toEqual(emulator.status());
    emulator.clock.advance(1000);
    expect(await next()).toMatchObject({ now: '2014-06-01T12:00:01.000Z' });
    stop.abort();
    await reader?.cancel();
  });
});

test('GET /requests/:id returns the request and a curl command without secrets', async () => {
  const curl = async (what: string, how: Parameters<typeof askApi>[2] = {}) => {
    await askApi(emulator, what, how);
    const id = emulator.requests.at(-1)?.id;
    const { status, data } = await send(`GET /requests/${id}`);
    expect([status, data]).toMatchObject([200, { id, method: what.split(' ')[0] }]);
    return data.curl.replace(` -H 'user-agent: asking'`, '');
  };
  const at = `'http://code.test/api/v3`;
  expect(await curl('GET /user', { auth: null })).toBe(`curl ${at}/user'`);
  expect(await curl(`PUT /user/it's`, { auth: null, headers: { connection: 'close' } })).toBe(
    `curl -X PUT ${at}/user/it'\\''s'`,
  );
  expect(await curl('GET /user?token=1&code=2')).toBe(
    `curl ${at}/user?token='"$SECRET"'&code='"$SECRET"'' -H 'authorization: token '"$SECRET"''`,
  );
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await curl('POST /hub', { auth: null, body: 'a=b+c&password=x', headers: form })).toBe(
    `curl -X POST ${at}/hub' -H 'content-type: ${form['content-type']}' --data-raw 'a=b+c&password='"$SECRET"''`,
  );
  const json = `-H 'content-type: application/json'`;
  expect(await curl('POST /hub', { auth: null, body: { a: [1], secret: 'x' } })).toBe(
    `curl -X POST ${at}/hub' ${json} --data-raw '{"a":[1],"secret":"'"$SECRET"'"}'`,
  );
  expect(await curl('POST /hub', { auth: null, body: '{' })).toBe(
    `curl -X POST ${at}/hub' ${json} --data-raw '{'`,
  );
  for (let count = 0; count < 10; count++) await askApi(emulator, 'GET /emojis');
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

test('GET /license returns the seeded license', async () => {
  const { status, headers, data } = await send('GET /license');
  expect([status, data]).toEqual([200, consoleSeed.license.toString()]);
  expect(headers.get('content-disposition')).toBe('attachment; filename="license.ghl"');
  expect(headers.get('content-type')).toBe('application/octet-stream');
  emulator = createEmulator({ seed: false });
  const none = await send('GET /license');
  expect([none.status, none.data]).toEqual([404, { message: expect.stringContaining('license') }]);
});

test('escapeHtml escapes quotes, ampersands and angle brackets', () => {
  expect(escapeHtml(`<a href="b&c">&lt;</a>`)).toBe(
    '&lt;a href=&quot;b&amp;c&quot;&gt;&amp;lt;&lt;/a&gt;',
  );
});

test('POST /applications creates an application that accepts any local port', async () => {
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
  for (const [body, fields] of [
    [{ title: 'x' }, ['name', '']],
    [{ ...input, name: '' }, ['name']],
    [{ ...input, clientId: 'c', clientSecret: 's' }, ['clientId', 'clientSecret']],
    [{ ...input, url: 'x', callbackUrl: 'y' }, ['url', 'callbackUrl']],
  ] as const) {
    const refused = await send('POST /applications', body);
    expect(refused.status).toBe(400);
    expect(refused.data.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  }
});

test('GET and PUT /world.json export and replace the world', async () => {
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

test('the control API responds with 404 to an unknown route', async () => {
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

test('keepState saves later with soon() and immediately with now()', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'state.json');
  emulator = createEmulator({ seed: false });
  const failures: unknown[] = [];
  const file = await openStateFile(path);
  onTestFinished(() => file.close());
  const keeper = keepState(file, emulator, (error) => failures.push(error));
  for (const login of ['ada', 'grace']) {
    emulator.hosting.addUser(login);
    keeper.soon();
  }
  const lock = 'state.json.lock';
  expect(await readdir(folder), 'nothing is saved yet').toEqual([lock]);
  const kept = () => readWorld(path).catch(() => undefined);
  await expect.poll(kept).toEqual(emulator.export());
  emulator.hosting.addUser('ken');
  const writing = [keeper.now(), keeper.now()];
  emulator.hosting.addUser('hedy');
  await Promise.all(writing);
  expect(await kept(), 'includes changes made after the call to now()').toEqual(emulator.export());
  await rm(path);
  keeper.soon();
  await keeper.now();
  expect((await readdir(folder)).sort()).toEqual(['state.json', lock]);
  await rm(folder, { recursive: true });
  await expect(keeper.now()).rejects.toThrow('ENOENT');
  expect(failures).toEqual([]);
  keeper.soon();
  await expect.poll(() => failures).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
});
