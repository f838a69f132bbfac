import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import {
  callConsole,
  createConsole,
  createFields,
  createForm,
  pack,
  type Sent,
} from './console-emulator.js';
import { basic } from './send-request.js';

let emulator: Emulator;

const { enterprise, sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

describe('console inputs', () => {
  const settings = { enterprise: { pages: { enabled: false } } };
  const text = JSON.stringify(settings);
  test.each<[string, string, Sent]>([
    ['a form', '', { body: createFields({ settings: text }) }],
    ['a multipart form', '', { body: createForm({ settings: text }) }],
    ['the query', `?settings=${encodeURIComponent(text)}`, {}],
    [
      'JSON whose `settings` are a string',
      '',
      { type: 'application/json', body: JSON.stringify({ settings: text }) },
    ],
    [
      'JSON whose `settings` are an object',
      '',
      { type: 'text/JSON', body: JSON.stringify({ settings }) },
    ],
    [
      'the query, if a JSON request has no body',
      `?settings=${encodeURIComponent(text)}`,
      { type: 'application/json' },
    ],
    [
      'a form, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { body: createFields({ settings: text }) },
    ],
    [
      'JSON, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { type: 'application/json', body: JSON.stringify({ settings }) },
    ],
    [
      'a multipart form, which takes precedence over the query',
      '?settings=%7B%22enterprise%22:7%7D',
      { body: createForm({ settings: text }) },
    ],
  ])('the console API reads settings from %s', async (_name, search, sent) => {
    expect((await sendRequest(`PUT /settings${search}`, sent)).status).toBe(204);
    expect(enterprise()).toMatchObject({ pages: { enabled: false }, dns: {} });
  });

  test('the console API rejects a URL-encoded form over 8 MiB with a 413', async () => {
    const body = (rest: number) => createFields({ settings: '{}', rest: 'x'.repeat(rest) });
    const large = await sendRequest('PUT /settings', { body: body(8 * 2 ** 20) });
    expect([large.status, large.data]).toEqual([413, { message: expect.stringMatching(/./) }]);
    expect((await sendRequest('PUT /settings', { body: body(7 * 2 ** 20) })).status).toBe(204);
  });

  test('the console API reads an empty multipart body as a form without fields', async () => {
    const type = 'multipart/form-data; boundary=b';
    expect((await sendRequest('POST /upgrade', { type })).status).toBe(202);
    expect((await sendRequest('POST /settings/authorized-keys', { type })).status).toBe(400);
  });
});

test('the console API hashes a license sent as a text field', async () => {
  const digest = (algorithm: string) => createHash(algorithm).update('mine').digest('hex');
  await sendRequest('POST /upgrade', { body: createFields({ license: 'mine' }) });
  const { uploads, licenseMd5 } = emulator.console;
  const hashes = { sha256: digest('sha256'), md5: digest('md5') };
  expect(uploads).toEqual([{ name: 'license', filename: undefined, size: 4, ...hashes }]);
  expect(licenseMd5).toBe(hashes.md5);
});

describe('POST /start', () => {
  test.each<[string, Readonly<Record<string, string | File>>]>([
    ['no license', { package: pack() }],
    ['an empty license', { license: '', package: pack() }],
    ['no package', { license: 'x' }],
    ['an empty package', { license: 'x', package: new File([], 'a.pkg') }],
    ['settings that are not an object', { license: 'x', package: pack(), settings: '7' }],
    [
      'a setting of the wrong type',
      { license: 'x', package: pack(), settings: '{"enterprise":{"smtp":{"port":true}}}' },
    ],
  ])('POST /start responds with 400 to a request with %s', async (_name, fields) => {
    const before = emulator.export();
    const response = await sendRequest('POST /start', { auth: null, body: createForm(fields) });
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect(emulator.export()).toEqual(before);
    expect(emulator.console.uploads).toEqual([]);
  });

  test.each([
    ['release-12.10.34.pkg', '12.10.34'],
    ['release-2.10.pkg', '1.0.0'],
  ])('POST /start accepts the package %s as version %s', async (name, version) => {
    const settings = '{"enterprise":{"private_mode":true}}';
    const body = createForm({ license: 'mine', package: pack(name), settings });
    const response = await sendRequest('POST /start', { auth: null, body });
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      'http://code.test/setup/api/configcheck',
    ]);
    expect(enterprise()).toMatchObject({ package_version: version, private_mode: true });
    const { uploads, licenseMd5 } = emulator.console;
    expect(uploads.map((each) => each.name)).toEqual(['license', 'package']);
    expect(licenseMd5).toBe(uploads[0]?.md5);
    expect(uploads[0], 'contents are not kept').not.toHaveProperty('content');
    const auth = basic('license', uploads[0]?.md5 ?? '');
    expect((await sendRequest('GET /configcheck', { auth })).data).toMatchObject({
      status: 'success',
      progress: [{ key: 'Updating configuration', status: 'DONE' }],
    });
  });
});

async function appliance() {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { url } = await emulator.listen();
  const basic = Buffer.from(`license:${consoleSeed.licenseMd5}`).toString('base64');
  const send = (path: string, init: RequestInit & { readonly type?: string } = {}) => {
    const { type, ...rest } = init;
    const headers = {
      authorization: `Basic ${basic}`,
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    return fetch(`${url}/setup/api${path}`, { headers, ...rest });
  };
  return { emulator, console: emulator.console, url, send };
}

const digest = (algorithm: string, bytes: Buffer) =>
  createHash(algorithm).update(bytes).digest('hex');
const form = 'multipart/form-data; boundary=b';

const part = (name: string, rest = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`;

test('the console API records the size and hashes of an uploaded package', async () => {
  const bytes = Buffer.alloc(3_000_001, 'package');
  const { console: each, send } = await appliance();
  for (const rest of ['; filename="release-2.1.0.pkg"', '']) {
    const pieces = [Buffer.from(part('package', rest)), bytes, Buffer.from('\r\n--b--\r\n')];
    const body = Buffer.concat(pieces);
    expect((await send('/upgrade', { method: 'POST', type: form, body })).status).toBe(202);
  }
  const facts = {
    name: 'package',
    size: bytes.length,
    sha256: digest('sha256', bytes),
    md5: digest('md5', bytes),
  };
  expect(each.uploads).toEqual([
    { ...facts, filename: 'release-2.1.0.pkg' },
    { ...facts, filename: undefined },
  ]);
});

test("the console API doesn't record an aborted upload", async () => {
  const { console: each, emulator, url } = await appliance();
  const client = new ConsoleClient({ baseUrl: url, auth: { license: consoleSeed.license } });
  onTestFinished(() => client.close());
  for (const where of [client, inProcess()]) {
    const stop = new AbortController();
    const reason = new Error('given up');
    const endless = async function* () {
      for (;;) {
        yield Buffer.alloc(64 * 1024);
        await wait(1);
      }
    };
    const upload = where.upgrade(
      { package: Readable.from(endless()) },
      {
        signal: stop.signal,
        onProgress: ({ sent }) => {
          if (sent > 300_000) stop.abort(reason);
        },
      },
    );
    await expect(upload).rejects.toBe(reason);
    // The pause lets the console notice the abort, because an unhandled rejection would fail this
    // test.
    await wait(20);
    expect((await where.configCheck()).status).toBe('success');
  }
  expect(each.uploads).toEqual([]);

  function inProcess() {
    const dispatcher = emulator.dispatcher();
    return new ConsoleClient({ baseUrl: url, auth: { license: consoleSeed.license }, dispatcher });
  }
});

describe('the console', () => {
  const key = part('authorized_key', '; filename="k.pub"');
  const cases: readonly (readonly [string, string, string, RequestInit & { type?: string }])[] = [
    ['a form that ends early', 'POST', '/upgrade', { type: form, body: `${part('package')}half` }],
    [
      'a form without a boundary',
      'POST',
      '/upgrade',
      { type: 'multipart/form-data', body: 'nothing' },
    ],
    ['an empty key', 'POST', '/settings/authorized-keys', { type: form, body: `${key}\r\n--b--` }],
    [
      'an invalid key',
      'POST',
      '/settings/authorized-keys',
      { type: form, body: `${key}word\r\n--b--` },
    ],
    ['missing settings', 'PUT', '/settings', {}],
    ['settings that are not JSON', 'PUT', '/settings', { body: new URLSearchParams('settings={') }],
    ['a body that is not an object', 'PUT', '/settings', { type: 'application/json', body: '[1]' }],
  ];

  test.each(cases)('the console API responds with 400 to %s', async (_name, method, path, init) => {
    const { console: each, send } = await appliance();
    const before = each.settings;
    const { type, ...rest } = init;
    const authorization = `Basic ${Buffer.from(`license:${each.licenseMd5}`).toString('base64')}`;
    const headers = { authorization, ...(type === undefined ? {} : { 'content-type': type }) };
    const response = await send(path, { ...rest, method, headers });
    expect(response.status, await response.text()).toBe(400);
    expect(each.settings).toEqual(before);
    expect([each.keys, each.uploads, each.maintenance]).toEqual([[], [], 'off']);
  });
});

test('an empty appliance responds with 401 regardless of credentials', async () => {
  const emulator = createEmulator({ seed: false });
  const url = 'http://appliance.test/setup/api/configcheck';
  const basic = Buffer.from('license:undefined').toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  expect((await emulator.respond(new Request(url, { headers }))).status).toBe(401);
  expect((await emulator.respond(new Request(url))).status).toBe(401);
});

test('failStep and slowStep throw for an unknown step', () => {
  const { console: each } = createEmulator();
  const unknown = /unknown step 'Boil water'\. Known steps: Preparing storage device, /;
  expect(() => each.failStep('Boil water')).toThrow(unknown);
  expect(() => each.slowStep('Boil water', 2)).toThrow(unknown);
});
