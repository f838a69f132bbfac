import { createHash } from 'node:crypto';
import type { ConsoleClient } from '../../../src/console/index.js';

/** One row of the contract's table "Management Console API": a call and its expected request. */
export interface ConsoleCase {
  /** Method and path, as in the contract. */
  readonly row: string;
  readonly title: string;
  readonly call: (client: ConsoleClient) => Promise<unknown>;
  /** Exact body. Undefined if there is none. */
  readonly body?: string;
  /** Field, file name and content of each part of a multipart form. */
  readonly parts?: readonly (readonly [name: string, filename: string, data: string])[];
  readonly type?: string;
  /** Default: 200 for a response with a body, otherwise 202. */
  readonly status?: number;
  /** JSON response and expected result. Default: an empty body. */
  readonly reply?: unknown;
}

export const licenseMd5 = createHash('md5').update('license').digest('hex');
const form = 'application/x-www-form-urlencoded';
/** A valid public key. */
export const key = `ssh-rsa ${Buffer.from('\0\0\0\x07ssh-rsa\0\0\0\x03\x01\0\x01\0\0\0\x01\x05').toString('base64')} me@host`;
const keys = [{ key, 'pretty-print': 'aa:bb' }];
const status = { status: 'running', progress: [{ status: 'CONFIGURING', key: 'Updating' }] };
const services = [{ name: 'git operations', number: 3 }];
const settings = { enterprise: { private_mode: true }, run_list: ['recipe[x]'] };
const license = new Blob(['license']);
const pack = new Blob(['package']);

const rows: readonly ConsoleCase[] = [
  {
    row: 'POST /setup/api/start',
    title: 'license, package and settings',
    call: (client) =>
      client.start({ license, package: pack, settings: { enterprise: { private_mode: false } } }),
    parts: [
      ['license', 'license', 'license'],
      ['settings', 'settings.json', '{"enterprise":{"private_mode":false}}'],
      ['package', 'package', 'package'],
    ],
  },
  {
    row: 'POST /setup/api/upgrade',
    title: 'license and package',
    call: (client) => client.upgrade({ license, package: pack }),
    parts: [
      ['license', 'license', 'license'],
      ['package', 'package', 'package'],
    ],
  },
  {
    row: 'POST /setup/api/upgrade',
    title: 'only a package',
    call: (client) => client.upgrade({ package: pack }),
    parts: [['package', 'package', 'package']],
  },
  {
    row: 'GET /setup/api/configcheck',
    title: 'status',
    call: (client) => client.configCheck(),
    reply: status,
  },
  {
    row: 'POST /setup/api/configure',
    title: 'no options',
    call: (client) => client.configure(),
    type: form,
    body: '',
  },
  {
    row: 'POST /setup/api/configure',
    title: 'complete',
    call: (client) => client.configure({ complete: true }),
    type: form,
    body: 'complete=1',
  },
  {
    row: 'GET /setup/api/settings',
    title: 'settings',
    call: (client) => client.settings.get(),
    reply: settings,
  },
  {
    row: 'PUT /setup/api/settings',
    title: 'only the passed settings',
    call: (client) =>
      client.settings.update({ enterprise: { smtp: { address: 'a&b=c', domain: undefined } } }),
    type: form,
    body: `settings=${encodeURIComponent('{"enterprise":{"smtp":{"address":"a&b=c"}}}')}`,
    status: 204,
  },
  {
    row: 'GET /setup/api/maintenance',
    title: 'status',
    call: (client) => client.maintenance.get(),
    reply: { status: 'off', connection_services: services },
  },
  {
    row: 'POST /setup/api/maintenance',
    title: 'now',
    call: (client) => client.maintenance.set({ enabled: true, when: 'now' }),
    type: form,
    body: `maintenance=${encodeURIComponent('{"enabled":true,"when":"now"}')}`,
    reply: { status: 'on', connection_services: services },
  },
  {
    row: 'POST /setup/api/maintenance',
    title: 'a Date',
    call: (client) =>
      client.maintenance.set({ enabled: true, when: new Date(Date.UTC(2030, 0, 2, 3, 4, 5)) }),
    type: form,
    body: `maintenance=${encodeURIComponent('{"enabled":true,"when":"2030-01-02T03:04:05.000Z"}')}`,
    reply: {
      status: 'scheduled',
      scheduled_time: 'Wednesday, January  2 at 03:04 +0000',
      connection_services: services,
    },
  },
  {
    row: 'POST /setup/api/maintenance',
    title: 'off',
    call: (client) => client.maintenance.set({ enabled: false }),
    type: form,
    body: `maintenance=${encodeURIComponent('{"enabled":false}')}`,
    reply: { status: 'off', connection_services: services },
  },
  {
    row: 'GET /setup/api/settings/authorized-keys',
    title: 'keys',
    call: (client) => client.authorizedKeys.list(),
    reply: keys,
  },
  {
    row: 'POST /setup/api/settings/authorized-keys',
    title: 'a key as text',
    call: (client) => client.authorizedKeys.add({ authorized_key: key }),
    parts: [['authorized_key', 'authorized_key.pub', key]],
    status: 201,
    reply: keys,
  },
  {
    row: 'DELETE /setup/api/settings/authorized-keys',
    title: 'a key from bytes',
    call: (client) => client.authorizedKeys.delete({ authorized_key: Buffer.from(key) }),
    parts: [['authorized_key', 'authorized_key.pub', key]],
    reply: [],
  },
];

export const consoleRows = rows.map((each) => ({
  status: each.reply === undefined ? 202 : 200,
  ...each,
}));
