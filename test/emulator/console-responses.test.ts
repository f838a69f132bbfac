import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic } from './send-request.js';

let emulator: Emulator;

/** Console part of the seed. Creating the other APIs' records in each test would take too long. */
const appliance = createEmulator(noon).export().console;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: { console: appliance } });
});

interface Sent {
  readonly auth?: string | null;
  readonly type?: string;
  readonly body?: string | FormData | URLSearchParams;
}

const signed = basic('license', consoleSeed.licenseMd5);

/** Sends a request to the appliance in process. @param what Method and path below `/setup/api`. */
async function sendRequest(what: string, { auth = signed, type, body }: Sent = {}) {
  const [method = '', path = ''] = what.split(' ');
  const headers = {
    ...(auth === null ? {} : { authorization: auth }),
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await emulator.respond(new Request(`http://code.test/setup/api${path}`, init));
  const text = await response.text();
  const isJson = text.startsWith('{') || text.startsWith('[');
  const data = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, data };
}

function createForm(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const createFields = (fields: Record<string, string>) => new URLSearchParams(fields);
const pack = (name = 'a.pkg') => new File(['bytes'], name);
const enterprise = (of = emulator) => of.console.settings.enterprise as Record<string, unknown>; // `as`: `enterprise` is an object.
/** Requests the run's status `count` times. Returns each status with the first letter of each step's status. */
async function pollStatus(count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let requests = 0; requests < count; requests++) {
    const { status, data } = await sendRequest('GET /configcheck');
    const steps = (data.progress ?? []) as readonly { status: string }[]; // `as`: only `status` is read.
    seen.push(`${data.status ?? status} ${steps.map((step) => step.status[0]).join('')}`.trim());
  }
  return seen;
}

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
  ])('responds with $1 to a request with %s', async (_name, status, search, auth) => {
    const response = await sendRequest(`GET /maintenance${search}`, { auth });
    expect(response.status).toBe(status);
    if (status === 401) expect(response.data).toEqual({ message: 'Authentication required' });
  });

  test('requires authentication on every route except POST /start', async () => {
    for (const what of emulator.console.routes) {
      const [method = '', path = ''] = what.split(' ');
      expect(path).toMatch(/^\/setup\/api\/[a-z/-]+$/);
      const open = path.endsWith('/start');
      const { status } = await sendRequest(`${method} ${path.replace('/setup/api', '')}`, {
        auth: null,
      });
      expect([what, status]).toEqual([what, open ? 400 : 401]);
    }
    expect(emulator.console.routes).toHaveLength(11);
    expect(emulator.status().families).toHaveProperty('console');
  });
});

test('the seeded console has the settings of a configured appliance', () => {
  const { settings } = createEmulator({ ...noon, seed: { console: {} } }).console;
  const address = expect.stringMatching(/^[^@]+@[^@]+$/);
  expect(settings.enterprise).toMatchObject({
    customer: {
      email: address,
      uuid: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      secret_key_data: expect.stringContaining('PRIVATE KEY'),
      public_key_data: expect.stringContaining('PUBLIC KEY'),
    },
    smtp: {
      password: expect.stringMatching(/./),
      support_address: address,
      noreply_address: address,
    },
  });
});

test('POST /configure starts a run even if `complete` is longer than 1 MiB', async () => {
  const complete = new File(['1'.repeat(1_048_577)], 'complete');
  expect((await sendRequest('POST /configure', { body: createForm({ complete }) })).status).toBe(
    202,
  );
});

test('the console omits Content-Type from an empty response', async () => {
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
  expect([unknown.status, unknown.data]).toMatchObject([
    404,
    { nearest: expect.arrayContaining(['GET /setup/api/settings']) },
  ]);
  emulator.console.contentType = 'text/html';
  emulator.reset();
  expect((await sendRequest('GET /settings')).headers.get('content-type')).toBe('application/json');
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
  ])('reads settings from %s', async (_name, search, sent) => {
    expect((await sendRequest(`PUT /settings${search}`, sent)).status).toBe(204);
    expect(enterprise()).toMatchObject({ pages: { enabled: false }, dns: {} });
  });

  test('limits text to 8 MiB and a license to 1 MiB', async () => {
    const body = (rest: number) => createFields({ settings: '{}', rest: 'x'.repeat(rest) });
    const large = await sendRequest('PUT /settings', { body: body(8 * 2 ** 20) });
    expect([large.status, large.data]).toEqual([413, { message: expect.stringMatching(/./) }]);
    expect((await sendRequest('PUT /settings', { body: body(7 * 2 ** 20) })).status).toBe(204);
    const license = (size: number) =>
      sendRequest('POST /upgrade', { body: createForm({ license: 'x'.repeat(size) }) });
    expect((await license(2 ** 20 + 1)).status).toBe(400);
    expect((await license(2 ** 20)).status).toBe(202);
    const { uploads, licenseMd5 } = emulator.console;
    expect(uploads).toMatchObject([{ name: 'license', size: 2 ** 20, md5: licenseMd5 }]);
  });

  test('reads an empty multipart body as a form without fields', async () => {
    const type = 'multipart/form-data; boundary=b';
    expect((await sendRequest('POST /upgrade', { type })).status).toBe(202);
    expect((await sendRequest('POST /settings/authorized-keys', { type })).status).toBe(400);
  });
});

test('the console hashes a license sent as a text field', async () => {
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
  ])('responds with 400 to a request with %s', async (_name, fields) => {
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
  ])('accepts the package %s as version %s', async (name, version) => {
    const body = createForm({ license: 'mine', package: pack(name) });
    const response = await sendRequest('POST /start', { auth: null, body });
    expect([response.status, response.headers.get('location')]).toEqual([
      202,
      'http://code.test/setup/api/configcheck',
    ]);
    expect(enterprise().package_version).toBe(version);
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

describe('configuration runs', () => {
  test.each<[string, Sent, string[]]>([
    [
      'executes all steps if `complete` is 1',
      { body: createFields({ complete: '1' }) },
      ['running CPPP', 'running DCPP'],
    ],
    [
      'skips the storage step by default',
      {},
      ['running CPP', 'running DCP', 'running DDC', 'success DDD'],
    ],
    [
      'skips the storage step if `complete` is not 1',
      { body: createFields({ complete: 'x' }) },
      ['running CPP'],
    ],
  ])('%s', async (_name, sent, wanted) => {
    await sendRequest('POST /configure', sent);
    expect(await pollStatus(wanted.length)).toEqual(wanted);
  });

  test('keeps the final status after a run', async () => {
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

  test('applies each prepared delay and failure only once', async () => {
    const { console: appliance } = emulator;
    appliance.slowStep('Reloading system services', 3);
    appliance.staleStatus(2);
    appliance.lateStatus(1);
    await sendRequest('POST /configure');
    const whole = ['404', 'success D', 'success D', 'running CPP'];
    const slow = ['running DCP', 'running DCP', 'running DCP', 'running DDC', 'success DDD'];
    expect(await pollStatus(9)).toEqual([...whole, ...slow]);
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

  test('reports success for the seeded run', async () => {
    emulator = createEmulator(noon);
    const { data } = await sendRequest('GET /configcheck');
    expect(data).toEqual({
      status: 'success',
      progress: [{ key: 'Updating configuration', status: 'DONE' }],
    });
    emulator.console.lateStatus(1);
    expect((await sendRequest('GET /configcheck')).data).toEqual({ message: 'Not Found' });
  });

  test('ignores a failure prepared for a skipped step', async () => {
    emulator.console.failStep('Preparing storage device');
    await sendRequest('POST /configure');
    expect((await pollStatus(4)).at(-1)).toBe('success DDD');
  });

  test('reports no status before the first run on an empty appliance', async () => {
    emulator = createEmulator({ ...noon, seed: false });
    const body = createForm({ license: consoleSeed.license.toString(), package: pack() });
    await sendRequest('POST /start', { auth: null, body });
    expect(await pollStatus(1)).toEqual(['404']);
    expect((await sendRequest('GET /configcheck')).data).toEqual({ message: 'Not Found' });
    emulator.console.staleStatus(1);
    await sendRequest('POST /configure');
    expect(await pollStatus(2)).toEqual(['running CPP', 'running DCP']);
  });

  test('sets package_version to the uploaded version only if the upgrade succeeds', async () => {
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
    for (const [version, next] of [
      ['7', '7.1.0'],
      ['', '.1.0'],
    ]) {
      emulator.restore({
        console: {
          ...emulator.export().console,
          settings: { enterprise: { package_version: version } },
        },
      });
      await upgrade('any.pkg');
      await pollStatus(5);
      expect(enterprise().package_version).toBe(next);
    }
  });

  test('refuses connections during a restart and then responds with 503', async () => {
    const { console: appliance } = emulator;
    const dispatcher = emulator.dispatcher();
    const refused = async () => {
      const { request } = await import('undici');
      const options = { dispatcher, headers: { authorization: signed } };
      return request('http://code.test/setup/api/configcheck', options).then(
        async ({ statusCode, body }) => [statusCode, await body.text()] as const,
        () => 'refused',
      );
    };
    appliance.restartAt('Reloading system services', { refuse: 0, unavailable: 2 });
    await sendRequest('POST /configure');
    expect(await pollStatus(1)).toEqual(['running CPP']);
    for (let times = 0; times < 2; times++) {
      const response = await sendRequest('GET /configcheck');
      expect([response.status, response.data]).toEqual([503, expect.stringContaining('starting')]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect(await pollStatus(3)).toEqual(['running DCP', 'running DDC', 'success DDD']);
    appliance.restartAt('Updating configuration');
    await sendRequest('POST /configure');
    expect(await refused()).toBe('refused');
    await expect.poll(refused).toEqual([503, expect.stringContaining('starting')]);
    expect(await pollStatus(1)).toEqual(['running CPP']);
  });
});

describe('console settings', () => {
  const put = (settings: unknown) =>
    sendRequest('PUT /settings', { body: createFields({ settings: JSON.stringify(settings) }) });

  test('merges objects and replaces other values', async () => {
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

  test('returns default values on an unconfigured appliance', async () => {
    emulator = createEmulator({
      ...noon,
      seed: { console: { licenseMd5: consoleSeed.licenseMd5 } },
    });
    const off = { enabled: false, server: '' };
    expect((await sendRequest('GET /settings')).data).toMatchObject({
      enterprise: {
        private_mode: false,
        auth_mode: 'default',
        storage_mode: 'rootfs',
        admin_password: null,
        configuration_run_count: 0,
        avatar: { enabled: true, uri: '' },
        customer: {
          name: 'Acme',
          email: 'ops@acme.example.com',
          public_key_data: expect.stringMatching(/PUBLIC/),
        },
        license: {
          seats: 100,
          evaluation: false,
          expire_at: '2015-06-01T00:00:00-07:00',
          perpetual: false,
          unlimited_seating: false,
          support_key: '',
          ssh_allowed: true,
        },
        service_ssl: { enabled: false, cert: null, key: null },
        cas: { url: '' },
        smtp: {
          enabled: true,
          address: 'smtp.example.com',
          authentication: 'plain',
          port: '1234',
          username: 'mailer',
          user_name: 'mailer',
          enable_starttls_auto: true,
        },
        dns: { primary_nameserver: '8.8.8.8', secondary_nameserver: '8.8.4.4' },
        ntp: { primary_server: '0.pool.ntp.org', secondary_server: '1.pool.ntp.org' },
        timezone: { identifier: 'UTC' },
        device: { path: '/dev/xyz' },
        snmp: { enabled: false, community: '' },
        rsyslog: { ...off, protocol_name: 'TCP' },
        assets: { storage: 'file', bucket: null, host_name: null, key_id: null, access_key: null },
        pages: { enabled: true },
        collectd: { ...off, port: '', encryption: '', username: 'foo', password: 'bar' },
      },
      run_list: ['role[configure]'],
    });
  });

  test('names the setting that has the wrong type, and changes nothing', async () => {
    const before = emulator.console.settings;
    const { status, data } = await put({ enterprise: { dns: {}, smtp: { enabled: 'yes' } } });
    expect([status, data]).toEqual([
      400,
      { message: expect.stringMatching(/^settings\.enterprise\.smtp\.enabled: /) },
    ]);
    expect(emulator.console.settings).toEqual(before);
  });
});

describe('console maintenance', () => {
  const set = (maintenance: unknown) =>
    sendRequest('POST /maintenance', {
      body: createFields({ maintenance: JSON.stringify(maintenance) }),
    });
  const numbers = async () =>
    ((await sendRequest('GET /maintenance')).data.connection_services as { number: number }[]) // `as`: only `number` is read.
      .map(({ number }) => number);

  test('closes one connection per service at each status request', async () => {
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

  test.each([
    {},
    { enabled: 'yes', when: 'now' },
    { enabled: true },
    { enabled: true, when: '' },
    { enabled: true, when: 7 },
  ])('rejects the invalid input %j', async (maintenance) => {
    const before = await sendRequest('GET /maintenance');
    const response = await set(maintenance);
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect((await sendRequest('GET /maintenance')).data).toEqual(before.data);
  });
});

test('the console stores an authorized key only once', async () => {
  const keys = (method: string, authorized_key: string) =>
    sendRequest(`${method} /settings/authorized-keys`, { body: createFields({ authorized_key }) });
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

test('a custom console route reads JSON bodies', async () => {
  emulator.console.route('POST /echo/:what', async ({ json, params, user, clock }) => {
    const body = await json();
    return 'none' in body ? undefined : { body: { ...body, ...params, user, now: clock.iso() } };
  });
  const echo = (body: string) =>
    sendRequest('POST /echo/a%20b', { type: 'application/json', body });
  expect(emulator.console.routes).toContain('POST /setup/api/echo/:what');
  expect((await echo('{"a":1}')).data).toEqual({ a: 1, what: 'a b', now: '2014-06-01T12:00:00Z' });
  const none = await echo('{"none":1}');
  expect([none.status, none.data]).toEqual([404, { message: 'Not Found' }]);
  const broken = await echo('[1');
  expect([broken.status, broken.data]).toEqual([400, { message: expect.stringMatching(/./) }]);
});
