import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { callConsole, createConsole, createFields } from './console-emulator.js';

let emulator: Emulator;
const { enterprise, sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

it('the seeded console has the settings of a configured appliance', () => {
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

it("the console API sends unconfigured settings groups as null if consoleGroups is 'null'", async () => {
  const { enterprise: groups } = (await sendRequest('GET /settings')).data;
  expect(groups.ldap).toMatchObject({ host: '', base: [], user_groups: [] });
  expect(groups.service_oauth).toMatchObject({ client_id: '' });
  const names = Object.keys(groups).filter((name) => groups[name] === null);
  expect(names).toEqual(['admin_password']);
  emulator = createEmulator({ consoleGroups: 'null' });
  const { enterprise: bare } = (await sendRequest('GET /settings')).data;
  expect([bare.ldap, bare.service_oauth]).toEqual([null, null]);
});
