import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import { consoleRouter } from '../../src/testing/console/routes.js';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic } from './send-request.js';

/** Console part of the seed. Creating the other APIs' records in each test would take too long. */
const appliance = createEmulator(noon).export().console;

/** Creates an emulator whose only seeded API is the console. */
const createConsole = () => createEmulator({ ...noon, seed: { console: appliance } });

interface Sent {
  readonly auth?: string | null;
  readonly type?: string;
  readonly body?: string | FormData | URLSearchParams;
}

const signed = basic('license', consoleSeed.licenseMd5);

let emulator: Emulator;

beforeEach(() => {
  emulator = createConsole();
});

/** Sends a request to the appliance. @param what Method and path below `/setup/api`. */
async function sendRequest(what: string, { auth = signed, type, body }: Sent = {}) {
  const [method = '', path = ''] = what.split(' ');
  const headers = {
    ...(auth === null ? {} : { authorization: auth }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const url = `http://code.test/setup/api${path}`;
  const response = await emulator.respond(new Request(url, init));
  const text = await response.text();
  const isJson = text.startsWith('{') || text.startsWith('[');
  const data = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, data };
}

/**
 * Requests the run's status `count` times. Returns the statuses, each with the first letters of
 * its steps' statuses.
 */
async function pollStatus(count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let requests = 0; requests < count; requests++) {
    const { status, data } = await sendRequest('GET /configcheck');
    const steps = (data.progress ?? []) as readonly { status: string }[]; // `as`: only `status` is read.
    seen.push(`${data.status ?? status} ${steps.map((step) => step.status[0]).join('')}`.trim());
  }
  return seen;
}

/** Returns the appliance's `enterprise` settings. */
const enterprise = () => emulator.console.settings.enterprise as Record<string, unknown>; // `as`: `enterprise` is an object.

function createForm(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const createFields = (fields: Record<string, string>) => new URLSearchParams(fields);
const pack = (name = 'a.pkg') => new File(['bytes'], name);

describe('the console', () => {
  const query = `license_md5=${consoleSeed.licenseMd5}`;
  test.each<[string, number, string, string | null]>([
    ['valid Basic credentials', 200, '', signed],
    [
      'Basic credentials with a lowercase scheme',
      200,
      '',
      signed.toLowerCase().slice(0, 6) + signed.slice(6),
    ],
    ['valid credentials in the query', 200, `?${query}`, null],
    ['no credentials', 401, '', null],
    ['Basic credentials with a wrong hash', 401, '', basic('license', 'x')],
    ['Basic credentials with a wrong user', 401, '', basic('licence', consoleSeed.licenseMd5)],
    ['a valid query and a wrong Basic user', 200, `?${query}`, basic('mona', 'x')],
    ['a valid query and a wrong Basic hash', 401, `?${query}`, basic('license', 'x')],
    ['the Bearer scheme', 401, '', signed.replace('Basic', 'Bearer')],
    ['an unknown scheme that ends in Basic', 401, '', `x${signed}`],
    ['a scheme without credentials', 401, '', 'Basic'],
  ])('a request with %s gets a %i from the console API', async (_name, status, search, auth) => {
    const response = await sendRequest(`GET /maintenance${search}`, { auth });
    expect(response.status).toBe(status);
    if (search !== '') expect(emulator.printRequests()).toContain('license_md5=***');
    if (status === 401) expect(response.data).toEqual({ message: 'Authentication required' });
  });

  test('the console API requires authentication on every route except POST /start', async () => {
    for (const what of consoleRouter.names) {
      const { status } = await sendRequest(what, { auth: null });
      expect([what, status]).toEqual([what, what.endsWith('/start') ? 400 : 401]);
    }
    expect(consoleRouter.names).toHaveLength(11);
    expect(emulator.status().families).toHaveProperty('console');
  });
});

test('the console API omits Content-Type from an empty 204', async () => {
  const settings = await sendRequest('GET /settings');
  expect([settings.status, settings.headers.get('content-type')]).toEqual([
    200,
    'application/json',
  ]);
  const head = await sendRequest('HEAD /settings');
  expect([head.status, head.data]).toEqual([200, '']);
  const changed = await sendRequest('PUT /settings', { body: createFields({ settings: '{}' }) });
  expect([changed.status, changed.data, changed.headers.get('content-type')]).toEqual([
    204,
    '',
    null,
  ]);
  const started = await sendRequest('POST /configure');
  expect([started.status, started.data, started.headers.get('location')]).toEqual([
    202,
    '',
    'http://code.test/setup/api/configcheck',
  ]);
  const unknown = await sendRequest('GET /setting');
  expect([unknown.status, unknown.data]).toEqual([
    404,
    { message: 'emulator: unknown route: GET /setup/api/setting' },
  ]);
  emulator.console.contentType = 'text/html';
  expect((await sendRequest('GET /settings')).headers.get('content-type')).toBe('text/html');
  emulator.reset();
  expect((await sendRequest('GET /settings')).headers.get('content-type')).toBe('application/json');
});

describe('console settings', () => {
  const put = (settings: unknown) =>
    sendRequest('PUT /settings', { body: createFields({ settings: JSON.stringify(settings) }) });

  it('PUT /settings merges objects and replaces other values', async () => {
    await put({ enterprise: { ldap: { base: ['a'], port: 1 }, cas: null }, run_list: [] });
    expect(emulator.console.settings).toMatchObject({
      enterprise: { ldap: { base: ['a'], port: 1, host: '' }, cas: null, dns: {} },
      run_list: [],
    });
    await put({ enterprise: { ldap: { base: ['b'] }, cas: { url: 'x' } } });
    expect(enterprise()).toMatchObject({ ldap: { base: ['b'], port: 1 }, cas: { url: 'x' } });
    expect((await sendRequest('GET /settings')).data).toEqual(emulator.console.settings);
    const { dns } = enterprise();
    Object.assign(emulator.console.settings, { enterprise: {} });
    expect(enterprise().dns, 'GET /settings returns a copy').toEqual(dns);
  });

  it('PUT /settings names a setting of the wrong type and leaves all settings unchanged', async () => {
    const before = emulator.console.settings;
    const { status, data } = await put({ enterprise: { dns: {}, smtp: { enabled: 'yes' } } });
    expect([status, data]).toEqual([
      400,
      { message: expect.stringMatching(/^settings\.enterprise\.smtp\.enabled: /) },
    ]);
    expect(emulator.console.settings).toEqual(before);
  });
});

it('the console API stores an authorized key only once', async () => {
  const keys = (method: string, authorized_key: string) =>
    sendRequest(`${method} /settings/authorized-keys`, {
      body: createFields({ authorized_key }),
    });
  const digest = createHash('md5').update(Buffer.from('AAAAB3', 'base64')).digest('hex');
  const rsa = {
    key: 'ssh-rsa AAAAB3 me',
    'pretty-print': `ssh-rsa ${digest.match(/../g)?.join(':')}`,
  };
  const added = await keys('POST', '  ssh-rsa AAAAB3 me\n');
  expect([added.status, added.data]).toEqual([201, [rsa]]);
  const other = await keys('POST', 'ssh-dss  AAAA');
  expect(other.data).toMatchObject([{ key: rsa.key }, { key: 'ssh-dss  AAAA' }]);
  expect((await keys('POST', rsa.key)).data).toHaveLength(2);
  expect(emulator.console.counts()).toMatchObject({ 'authorized keys': 2 });
  expect((await keys('POST', 'ssh-rsa')).status).toBe(400);
  expect((await keys('DELETE', 'ssh-rsa AAAA')).data).toHaveLength(2);
  const removed = await keys('DELETE', ' ssh-rsa AAAAB3 me ');
  expect([removed.status, removed.data]).toMatchObject([200, [{ key: 'ssh-dss  AAAA' }]]);
  expect((await sendRequest('GET /settings/authorized-keys')).data).toEqual(removed.data);
});

const set = (maintenance: unknown) =>
  sendRequest('POST /maintenance', {
    body: createFields({ maintenance: JSON.stringify(maintenance) }),
  });
const setMaintenance = async (when: unknown) => {
  const { status, data } = await set({ enabled: true, when });
  return { status, data };
};

describe('console maintenance', () => {
  const numbers = async () =>
    ((await sendRequest('GET /maintenance')).data.connection_services as { number: number }[]) // `as`: only `number` is read.
      .map(({ number }) => number);

  it('in maintenance mode, each status request closes one connection per service', async () => {
    emulator.console.setConnections('git operations', 2);
    emulator.console.setConnections('other', 1);
    const { data } = await sendRequest('GET /maintenance');
    expect(data.connection_services).toEqual([
      { name: 'git operations', number: 2 },
      { name: 'mysql queries', number: 0 },
      { name: 'resque jobs', number: 0 },
      { name: 'other', number: 1 },
    ]);
    expect(await numbers()).toEqual([2, 0, 0, 1]);
    await set({ enabled: true, when: '2014-06-02T12:00:00Z' });
    expect(await numbers(), 'maintenance is only scheduled').toEqual([2, 0, 0, 1]);
    const on = await set({ enabled: true, when: 'now' });
    expect([on.status, on.data.status]).toEqual([200, 'on']);
    expect(await numbers()).toEqual([1, 0, 0, 0]);
    expect(await numbers()).toEqual([0, 0, 0, 0]);
    await set({ enabled: false });
    expect(emulator.console.maintenance).toBe('off');
  });

  it.each([
    {},
    ...[1, 0, null, '', 'yes', 'TRUE', ['true']].map((enabled) => ({ enabled, when: 'now' })),
    { enabled: true },
    { enabled: true, when: '' },
  ])('POST /maintenance rejects the invalid input %j', async (maintenance) => {
    const before = await sendRequest('GET /maintenance');
    const response = await set(maintenance);
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect((await sendRequest('GET /maintenance')).data).toEqual(before.data);
  });
});

describe('POST /setup/api/maintenance', () => {
  it.each([
    ['2014-06-02T09:30:00+02:00', 'Monday, June  2 at 07:30 +0000'],
    ['Tue, 03 Jun 2014 10:00:00 GMT', 'Tuesday, June  3 at 10:00 +0000'],
    ['January 22, 2015 15:34 UTC', 'Thursday, January 22 at 15:34 +0000'],
  ])('reads the date %s as %s', async (when, time) => {
    expect(await setMaintenance(when)).toEqual({
      status: 200,
      data: expect.objectContaining({ status: 'scheduled', scheduled_time: time }),
    });
  });

  it.each([
    ['now', '12:00'],
    [' NOW\t', '12:00'],
    ['2014-06-01T09:00:00Z', '09:00'],
  ])('turns maintenance on immediately if `when` is %j', async (when, time) => {
    expect((await setMaintenance(when)).data).toMatchObject({
      status: 'on',
      scheduled_time: `Sunday, June  1 at ${time} +0000`,
    });
  });

  it.each(['soon', 'tomorrow at 5am', '2014-06-32', 'noon', '+010000-01-01T00:00:00Z'])(
    'responds with 400 if `when` is %j',
    async (when) => {
      expect(await setMaintenance(when)).toEqual({
        status: 400,
        data: { message: `maintenance.when: must be 'now' or a date (got ${when})` },
      });
      expect(emulator.console.maintenance).toBe('off');
    },
  );

  it('turns scheduled maintenance on at the scheduled time', async () => {
    await setMaintenance('2014-06-01T14:00:00Z');
    expect(emulator.console.maintenance).toBe('scheduled');
    emulator.clock.advance(2 * 3_600_000);
    expect(emulator.console.maintenance).toBe('on');
  });
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

  test('POST /start stores the uploads, the settings and a default version', async () => {
    const settings = '{"enterprise":{"private_mode":true}}';
    const body = createForm({ license: 'mine', package: pack('release-2.10.pkg'), settings });
    const response = await sendRequest('POST /start', { auth: null, body });
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      'http://code.test/setup/api/configcheck',
    ]);
    expect(enterprise()).toMatchObject({ package_version: '1.0.0', private_mode: true });
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
