import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { consoleRouter } from '../../src/testing/console/routes.js';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { callConsole, createConsole, createFields, signed } from './console-emulator.js';
import { basic } from './send-request.js';

let emulator: Emulator;

const { enterprise, sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

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

test('a custom console route reads JSON bodies', async () => {
  emulator.console.route('POST /echo/:what', async ({ json, params, user, clock }) => {
    const body = await json();
    return 'none' in body ? undefined : { body: { ...body, ...params, user, now: clock.iso() } };
  });
  const echo = (body: string) =>
    sendRequest('POST /echo/a%20b', { type: 'application/json', body });
  expect((await echo('{"a":1}')).data).toEqual({ a: 1, what: 'a b', now: '2014-06-01T12:00:00Z' });
  const none = await echo('{"none":1}');
  expect([none.status, none.data]).toEqual([404, { message: 'Not Found' }]);
  const broken = await echo('[1');
  expect([broken.status, broken.data]).toEqual([400, { message: expect.stringMatching(/./) }]);
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

  it('GET /settings returns default values on an unconfigured appliance', async () => {
    emulator = createEmulator({
      ...noon,
      seed: { console: { licenseMd5: consoleSeed.licenseMd5 } },
    });
    expect((await sendRequest('GET /settings')).data).toMatchObject({
      enterprise: {
        private_mode: false,
        auth_mode: 'default',
        storage_mode: 'rootfs',
        admin_password: null,
        configuration_run_count: 0,
        customer: {
          name: 'Acme',
          email: 'ops@acme.example.com',
        },
        license: { seats: 100, expire_at: '2015-06-01T00:00:00-07:00' },
      },
      run_list: ['role[configure]'],
    });
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

  it('accepts `enabled` as a string', async () => {
    expect((await set({ enabled: 'true', when: 'now' })).data.status).toBe('on');
    expect((await set({ enabled: 'false' })).data.status).toBe('off');
  });

  it('turns scheduled maintenance on at the scheduled time', async () => {
    await setMaintenance('2014-06-01T14:00:00Z');
    expect(emulator.console.maintenance).toBe('scheduled');
    emulator.clock.advance(2 * 3_600_000);
    expect(emulator.console.maintenance).toBe('on');
  });
});
