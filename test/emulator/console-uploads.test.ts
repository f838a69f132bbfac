import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import {
  callConsole,
  createConsole,
  createFields,
  createForm,
  pack,
  type Sent,
  signed,
} from './console-emulator.js';
import { basic } from './send-request.js';

let emulator: Emulator;

const { enterprise, pollStatus, sendRequest } = callConsole(() => emulator);

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

  test.each([['release-2.10.pkg', '1.0.0']])(
    'POST /start accepts the package %s as version %s',
    async (name, version) => {
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
    },
  );
});

const form = 'multipart/form-data; boundary=b';
const part = (name: string, rest = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`;

async function listen() {
  const { url } = await emulator.listen();
  onTestFinished(() => emulator.close());
  return url;
}

test('the console API records the size and hashes of a package uploaded over a socket', async () => {
  const url = await listen();
  const bytes = Buffer.alloc(3_000_001, 'package');
  const headers = { authorization: signed, 'content-type': form };
  for (const rest of ['; filename="release-2.1.0.pkg"', '']) {
    const pieces = [Buffer.from(part('package', rest)), bytes, Buffer.from('\r\n--b--\r\n')];
    const body = Buffer.concat(pieces);
    const response = await fetch(`${url}/setup/api/upgrade`, { method: 'POST', headers, body });
    expect(response.status).toBe(202);
  }
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex');
  const hashes = { sha256: digest('sha256'), md5: digest('md5') };
  const facts = { name: 'package', size: bytes.length, ...hashes };
  expect(emulator.console.uploads).toEqual([
    { ...facts, filename: 'release-2.1.0.pkg' },
    { ...facts, filename: undefined },
  ]);
});

test.each(['over a socket', 'in process'])(
  "the console API doesn't record an upload that is aborted %s",
  async (how) => {
    const client = new ConsoleClient({
      baseUrl: await listen(),
      auth: { license: consoleSeed.license },
      ...(how === 'in process' && { dispatcher: emulator.dispatcher() }),
    });
    onTestFinished(() => client.close());
    const stop = new AbortController();
    const reason = new Error('given up');
    const endless = async function* () {
      for (;;) {
        yield Buffer.alloc(64 * 1024);
        await wait(1);
      }
    };
    const upload = client.upgrade(
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
    expect((await client.configCheck()).status).toBe('success');
    expect(emulator.console.uploads).toEqual([]);
  },
);

const keys = 'POST /settings/authorized-keys';
const key = part('authorized_key', '; filename="k.pub"');

test.each<[string, string, Sent]>([
  ['a form that ends early', 'POST /upgrade', { type: form, body: `${part('package')}half` }],
  ['a form without a boundary', 'POST /upgrade', { type: 'multipart/form-data', body: 'nothing' }],
  ['an empty key', keys, { type: form, body: `${key}\r\n--b--` }],
  ['an invalid key', keys, { type: form, body: `${key}word\r\n--b--` }],
  ['missing settings', 'PUT /settings', {}],
  ['settings that are not JSON', 'PUT /settings', { body: createFields({ settings: '{' }) }],
  ['a body that is not an object', 'PUT /settings', { type: 'application/json', body: '[1]' }],
])('the console API responds with 400 to %s', async (_name, what, sent) => {
  const before = emulator.export();
  expect((await sendRequest(what, sent)).status).toBe(400);
  expect(emulator.export()).toEqual(before);
  expect(emulator.console.uploads).toEqual([]);
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

describe('configuration runs', () => {
  test.each<[string, Sent, string[]]>([
    [
      'a configuration run executes all steps if `complete` is 1',
      { body: createFields({ complete: '1' }) },
      ['running CPPP', 'running DCPP'],
    ],
    [
      'a configuration run skips the storage step by default',
      {},
      ['running CPP', 'running DCP', 'running DDC', 'success DDD'],
    ],
    [
      'a configuration run skips the storage step if `complete` is not 1',
      { body: createFields({ complete: 'x' }) },
      ['running CPP'],
    ],
  ])('%s', async (_name, sent, wanted) => {
    await sendRequest('POST /configure', sent);
    expect(await pollStatus(wanted.length)).toEqual(wanted);
  });

  test('GET /configcheck keeps returning the final status of a configuration run', async () => {
    await sendRequest('POST /configure');
    expect((await pollStatus(6)).slice(3)).toEqual(['success DDD', 'success DDD', 'success DDD']);
    expect(enterprise().configuration_run_count).toBe(2);
    const { progress } = (await sendRequest('GET /configcheck')).data;
    expect(progress).toEqual(
      ['Updating configuration', 'Reloading system services', 'Reloading application services'].map(
        (key) => ({ key, status: 'DONE' }),
      ),
    );
  });

  test('a configuration run applies each prepared delay and failure only once', async () => {
    const { console: appliance } = emulator;
    appliance.slowStep('Reloading system services', 3);
    appliance.staleStatus(2);
    await sendRequest('POST /configure');
    const whole = ['success D', 'success D', 'running CPP'];
    const slow = ['running DCP', 'running DCP', 'running DCP', 'running DDC', 'success DDD'];
    expect(await pollStatus(8)).toEqual([...whole, ...slow]);
    appliance.failStep('Reloading system services');
    await sendRequest('POST /configure');
    expect(await pollStatus(4)).toEqual(['running CPP', 'failed DFP', 'failed DFP', 'failed DFP']);
    await sendRequest('POST /configure');
    expect(await pollStatus(4)).toEqual([
      'running CPP',
      'running DCP',
      'running DDC',
      'success DDD',
    ]);
    expect(enterprise().configuration_run_count).toBe(4);
  });

  test('GET /configcheck responds with 404 before the first configuration run', async () => {
    emulator = createEmulator({ ...noon, seed: false });
    const body = createForm({ license: consoleSeed.license.toString(), package: pack() });
    await sendRequest('POST /start', { auth: null, body });
    expect(await pollStatus(1)).toEqual(['404']);
    expect((await sendRequest('GET /configcheck')).data).toEqual({ message: 'Not Found' });
    emulator.console.staleStatus(1);
    await sendRequest('POST /configure');
    expect(await pollStatus(2)).toEqual(['running CPP', 'running DCP']);
  });

  test('the console API sets package_version to the uploaded version only if the upgrade succeeds', async () => {
    const upgrade = (name: string) =>
      sendRequest('POST /upgrade', { body: createForm({ package: pack(name) }) });
    emulator.console.failStep('Updating configuration');
    expect((await upgrade('release-3.1.4.pkg')).status).toBe(202);
    expect(await pollStatus(2)).toEqual(['running CPPP', 'failed DFPP']);
    await sendRequest('POST /configure');
    await pollStatus(4);
    expect(enterprise().package_version, 'the failed upgrade is discarded').toBe('1.0.0');
    await upgrade('release-3.1.4.pkg');
    await pollStatus(4);
    expect(enterprise().package_version).toBe('1.0.0');
    await pollStatus(1);
    expect(enterprise().package_version).toBe('3.1.4');
    await upgrade('any.pkg');
    await pollStatus(5);
    expect(enterprise().package_version, 'a name without a version raises the minor version').toBe(
      '3.2.0',
    );
    await sendRequest('POST /upgrade');
    expect((await pollStatus(5)).at(-1), 'a run starts even without an upload').toBe(
      'success DDDD',
    );
    expect(enterprise().package_version).toBe('3.2.0');
  });
});

it("the `vendor` option sets the prefix of the console's setting names", () => {
  const { settings } = createEmulator({ ...noon, vendor: 'github' }).console;
  expect(settings).toMatchObject({
    enterprise: { github_hostname: 'code.example.com', github_ssl: { enabled: false } },
  });
});

it("emulator.reset() restores the appliance's status and record counts", async () => {
  emulator.console.failStep('Updating configuration');
  await sendRequest('POST /upgrade', { body: createForm({ package: pack() }) });
  emulator.reset();
  expect(emulator.console.uploads).toEqual([]);
  expect(await pollStatus(1)).toEqual(['success D']);
  expect(emulator.console.counts()).toEqual({
    uploads: 0,
    'configuration runs': 1,
    'authorized keys': 0,
  });
});
