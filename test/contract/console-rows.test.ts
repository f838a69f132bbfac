import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { consoleServer } from '../socket/console-server.js';

/** One row of the contract's table "Management Console API": a call and its expected request. */
interface Row {
  /** Method and path, as in the contract. */
  readonly row: string;
  readonly title: string;
  readonly call: (client: ConsoleClient) => Promise<unknown>;
  /** Exact body. Undefined for none. */
  readonly body?: string;
  /** Field, file name and content of each part of a multipart form. */
  readonly parts?: readonly (readonly [name: string, filename: string, data: string])[];
  readonly type?: string;
  readonly reply: { readonly status: number; readonly body?: unknown };
  readonly result: unknown;
}

const licenseMd5 = createHash('md5').update('license').digest('hex');
const form = 'application/x-www-form-urlencoded';
const key = `ssh-rsa ${Buffer.from('\0\0\0\x07ssh-rsa\0\0\0\x03\x01\0\x01\0\0\0\x01\x05').toString('base64')} me@host`;
const keys = [{ key, 'pretty-print': 'aa:bb' }];
const status = { status: 'running', progress: [{ status: 'CONFIGURING', key: 'Updating' }] };
const services = [{ name: 'git operations', number: 3 }];
const settings = { enterprise: { private_mode: true }, run_list: ['recipe[x]'] };
const license = new Blob(['license']);
const pack = new Blob(['package']);

const rows: readonly Row[] = [
  {
    row: 'POST /setup/api/start',
    title: 'license and package',
    call: (client) => client.start({ license, package: pack }),
    parts: [
      ['license', 'license', 'license'],
      ['package', 'package', 'package'],
    ],
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'POST /setup/api/start',
    title: 'with settings',
    call: (client) =>
      client.start({ license, package: pack, settings: { enterprise: { private_mode: false } } }),
    parts: [
      ['license', 'license', 'license'],
      ['settings', 'settings.json', '{"enterprise":{"private_mode":false}}'],
      ['package', 'package', 'package'],
    ],
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'POST /setup/api/upgrade',
    title: 'license and package',
    call: (client) => client.upgrade({ license, package: pack }),
    parts: [
      ['license', 'license', 'license'],
      ['package', 'package', 'package'],
    ],
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'POST /setup/api/upgrade',
    title: 'package alone',
    call: (client) => client.upgrade({ package: pack }),
    parts: [['package', 'package', 'package']],
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'GET /setup/api/configcheck',
    title: 'status',
    call: (client) => client.configCheck(),
    reply: { status: 200, body: status },
    result: status,
  },
  {
    row: 'POST /setup/api/configure',
    title: 'settings alone',
    call: (client) => client.configure(),
    type: form,
    body: '',
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'POST /setup/api/configure',
    title: 'complete',
    call: (client) => client.configure({ complete: true }),
    type: form,
    body: 'complete=1',
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'POST /setup/api/configure',
    title: 'not complete, which sends no field',
    call: (client) => client.configure({ complete: false }),
    type: form,
    body: '',
    reply: { status: 202 },
    result: { location: 'LOCATION' },
  },
  {
    row: 'GET /setup/api/settings',
    title: 'settings',
    call: (client) => client.settings.get(),
    reply: { status: 200, body: settings },
    result: settings,
  },
  {
    row: 'PUT /setup/api/settings',
    title: 'only the passed settings',
    call: (client) =>
      client.settings.update({ enterprise: { smtp: { address: 'a&b=c', domain: undefined } } }),
    type: form,
    body: `settings=${encodeURIComponent('{"enterprise":{"smtp":{"address":"a&b=c"}}}')}`,
    reply: { status: 204 },
    result: undefined,
  },
  {
    row: 'GET /setup/api/maintenance',
    title: 'status',
    call: (client) => client.maintenance.get(),
    reply: { status: 200, body: { status: 'off', connection_services: services } },
    result: { status: 'off', connection_services: services },
  },
  {
    row: 'POST /setup/api/maintenance',
    title: 'now',
    call: (client) => client.maintenance.set({ enabled: true, when: 'now' }),
    type: form,
    body: `maintenance=${encodeURIComponent('{"enabled":true,"when":"now"}')}`,
    reply: { status: 200, body: { status: 'on', connection_services: services } },
    result: { status: 'on', connection_services: services },
  },
  {
    row: 'POST /setup/api/maintenance',
    title: 'at a Date',
    call: (client) =>
      client.maintenance.set({ enabled: true, when: new Date(Date.UTC(2030, 0, 2, 3, 4, 5)) }),
    type: form,
    body: `maintenance=${encodeURIComponent('{"enabled":true,"when":"2030-01-02T03:04:05.000Z"}')}`,
    reply: {
      status: 200,
      body: {
        status: 'scheduled',
        scheduled_time: 'Wednesday, January  2 at 03:04 +0000',
        connection_services: services,
      },
    },
    result: {
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
    reply: { status: 200, body: { status: 'off', connection_services: services } },
    result: { status: 'off', connection_services: services },
  },
  {
    row: 'GET /setup/api/settings/authorized-keys',
    title: 'keys',
    call: (client) => client.authorizedKeys.list(),
    reply: { status: 200, body: keys },
    result: keys,
  },
  {
    row: 'POST /setup/api/settings/authorized-keys',
    title: 'a key as text',
    call: (client) => client.authorizedKeys.add({ authorized_key: key }),
    parts: [['authorized_key', 'authorized_key.pub', key]],
    reply: { status: 201, body: keys },
    result: keys,
  },
  {
    row: 'DELETE /setup/api/settings/authorized-keys',
    title: 'a key from bytes',
    call: (client) => client.authorizedKeys.delete({ authorized_key: Buffer.from(key) }),
    parts: [['authorized_key', 'authorized_key.pub', key]],
    reply: { status: 200, body: [] },
    result: [],
  },
];

describe('ConsoleClient', () => {
  it.each(rows)(
    'is sent exactly as specified: $row with $title',
    async ({ row, call, body, parts, type, reply, result }) => {
      const [method, path = ''] = row.split(' ');
      const starts = path.endsWith('/start');
      await using server = await consoleServer(() => ({
        ...reply,
        ...(reply.status === 202 && { headers: { location: '/setup/api/configcheck' } }),
      }));
      for (const place of ['basic', 'query'] as const) {
        const auth = { licenseMd5, in: place };
        await using client = new ConsoleClient({ baseUrl: server.url, auth });
        const expected = JSON.parse(
          JSON.stringify({ result }).replace('LOCATION', `${server.url}/setup/api/configcheck`),
        );
        expect({ result: await call(client) }).toEqual(expected);
        const seen = server.seen.at(-1);
        const query = place === 'query' && !starts ? `?license_md5=${licenseMd5}` : '';
        expect(`${seen?.method} ${seen?.url}`).toBe(`${method} ${path}${query}`);
        const basic = `Basic ${Buffer.from(`license:${licenseMd5}`).toString('base64')}`;
        expect(seen?.headers.authorization).toBe(place === 'basic' && !starts ? basic : undefined);
        if (parts) {
          expect(seen?.parts?.map((part) => [part.name, part.filename, String(part.data)])).toEqual(
            parts,
          );
        } else {
          expect(String(seen?.body)).toBe(body ?? '');
          expect(seen?.headers['content-type']).toBe(type);
        }
      }
      expect(server.seen.length, 'one request a call').toBe(2);
    },
  );

  const contract = fileURLToPath(new URL('../../../shared/spec/service.md', import.meta.url));
  it.skipIf(!existsSync(contract))('has a case for each row of ../shared/spec/service.md', () => {
    const text = readFileSync(contract, 'utf8');
    const start = text.indexOf('### Management Console API (`{console_url}`)');
    const table = text.slice(start, text.indexOf('\n### ', start + 1));
    const wanted = [...table.matchAll(/^\| ([A-Z]+) \| (\/\S+) \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(wanted.length).toBe(11);
    expect(new Set(rows.map(({ row }) => row))).toEqual(new Set(wanted));
  });
});
