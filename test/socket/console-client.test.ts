import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { listening } from '../support/server.js';
import { certificate, privateKey } from './console-certificate.js';
import { basic, consoleServer, consoleWorld, md5 } from './console-server.js';

const licenseMd5 = md5('a license');
const running = { status: 'running', progress: [{ key: 'Updating', status: 'CONFIGURING' }] };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-console-client-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('ConsoleClient options', () => {
  it('ConsoleClient accepts the license as a path, bytes, a Blob or a stream', async () => {
    const license = join(folder, 'license.ghl');
    await writeFile(license, 'a license');
    await using server = await consoleServer(() => ({ status: 200, body: running }));
    for (const passed of [license, Buffer.from('a license'), new Blob(['a license'])]) {
      await using client = new ConsoleClient({ baseUrl: server.url, auth: { license: passed } });
      await Promise.all([client.configCheck(), client.configCheck()]);
    }
    const stream = Readable.from(['a ', 'license']);
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { license: stream } });
    await Promise.all([client.configCheck(), client.configCheck()]);
    await client.configCheck();
    const sent = new Set(server.seen.map(({ headers }) => headers.authorization));
    expect(sent).toEqual(new Set([basic(licenseMd5)]));
  });

  it('ConsoleClient reads the license again for the next call after a failed read', async () => {
    const license = join(folder, 'late.ghl');
    const { server, client } = await consoleWorld(() => ({ status: 200, body: running }), {
      auth: { license },
    });
    await expect(client.configCheck()).rejects.toThrow('cannot be read');
    await writeFile(license, 'a license');
    expect(await client.configCheck()).toEqual(running);
    expect(server.seen.length).toBe(1);
  });

  it('ConsoleClient prefers the credentials of a call or withAuth() to its own', async () => {
    const { server, client } = await consoleWorld(() => ({ status: 200, body: running }), {
      auth: { licenseMd5 },
    });
    const other = md5('another');
    await client.configCheck({ auth: { licenseMd5: other } });
    await client.withAuth({ licenseMd5: other, in: 'query' }).configCheck();
    await client.configCheck();
    expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/setup/api/configcheck', basic(other)],
      [`/setup/api/configcheck?license_md5=${other}`, undefined],
      ['/setup/api/configcheck', basic(licenseMd5)],
    ]);
  });

  it('ConsoleClient switches to a newly installed license while it reads the old license', async () => {
    await using server = await consoleServer(({ url }) =>
      url.endsWith('/upgrade') ? { status: 202, body: '' } : { status: 200, body: running },
    );
    const old = new Readable({ read() {} });
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { license: old } });
    const waiting = client.configCheck();
    const newer = Buffer.from('a newer license');
    await client.upgrade({ license: newer }, { auth: { licenseMd5 } });
    old.push('a license');
    old.push(null);
    await waiting;
    await client.configCheck();
    const hash = basic(md5('a newer license'));
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      basic(licenseMd5),
      hash,
      hash,
    ]);
  });

  it('the client masks credentials that an appliance echoes as a hash or a Basic header', async () => {
    const { client } = await consoleWorld(
      ({ headers }) => ({
        status: 500,
        body: {
          message: `${headers.authorization} ${licenseMd5}`,
          errors: [{ message: `${headers.authorization}`.slice('Basic '.length) }],
        },
      }),
      { auth: { licenseMd5 }, retry: false },
    );
    const error: unknown = await client.settings.get().catch((cause: unknown) => cause);
    const shown = String(error) + JSON.stringify(error);
    expect(error).toMatchObject({ code: 'server' });
    expect(shown).not.toContain(licenseMd5);
    expect(shown).not.toContain(basic(licenseMd5).slice('Basic '.length));
  });

  it('the client describes a rejected license hash without revealing the hash', async () => {
    await using server = await consoleServer(({ url }) => ({ status: 401, body: url }));
    const auth = { licenseMd5, in: 'query' } as const;
    await using client = new ConsoleClient({ baseUrl: server.url, auth });
    const error: unknown = await client.settings.get().catch((cause: unknown) => cause);
    expect(String(error)).toContain("the server rejected the license file's hash");
    expect(String(error) + JSON.stringify(error)).not.toContain(licenseMd5);
  });

  it.each([
    ['auth', { licenseMd5: 'no hash' }],
    ['auth', { licenseMd5: 'a'.repeat(64) }],
    ['auth', { licenseMd5, in: 'header' }],
    ['auth', { licenseMd5: [licenseMd5] }],
    ['auth', {}],
    ['auth', { license: undefined }],
    ['auth.licence', { licenseMd5, licence: 'a' }],
    ['auth', 'text'],
    ['auth', null],
  ])('ConsoleClient names `%s` in the error if auth is %o', (option, auth) => {
    const options = { baseUrl: 'http://127.0.0.1:1', auth } as ConsoleClientOptions; // `as`: JavaScript callers may pass anything.
    expect(() => new ConsoleClient(options)).toThrow(expect.objectContaining({ option }));
  });

  it('ConsoleClient rejects undefined options', () => {
    const none = undefined as never; // `as`: JavaScript callers may pass anything.
    expect(() => new ConsoleClient(none)).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    );
  });

  it.each([
    ['vendor', 'a vendor with a space', { vendor: 'A B' }],
    ['vendor', 'a vendor that starts with a digit', { vendor: '1x' }],
    ['vendor', 'a vendor with an underscore', { vendor: 'x_1' }],
    ['vendor', 'an array as the vendor', { vendor: ['x'] }],
    [
      'tls',
      'tls with a dispatcher',
      { tls: { rejectUnauthorized: true }, dispatcher: new Agent() },
    ],
    ['baseUrl', 'a base URL without a scheme', { baseUrl: 'code.example.com' }],
  ])('ConsoleClient names the invalid option `%s` in the error for %s', (option, _what, wrong) => {
    const options = { baseUrl: 'http://127.0.0.1:1', ...wrong } as ConsoleClientOptions; // `as`: JavaScript callers may pass anything.
    expect(() => new ConsoleClient(options)).toThrow(expect.objectContaining({ option }));
  });
});

describe('self-signed certificates', () => {
  it('ConsoleClient rejects a self-signed certificate unless `ca` or `rejectUnauthorized` allows it', async () => {
    const server = createTlsServer({ cert: certificate, key: privateKey }, (_request, response) => {
      response.end(JSON.stringify(running));
    });
    const { port } = await listening(server);
    const baseUrl = `https://localhost:${port}`;
    const check = async (tls: ConsoleClientOptions['tls']) => {
      await using client = new ConsoleClient({ baseUrl, auth: { licenseMd5 }, tls });
      return await client.configCheck();
    };
    await expect(check(undefined)).rejects.toMatchObject({
      code: 'connection',
      mayHaveActed: false,
    });
    await using client = new ConsoleClient({ baseUrl, auth: { licenseMd5 } });
    const waiting = client.waitForConfiguration({ interval: 1 }).done();
    await expect(waiting, 'the wait ends immediately').rejects.toMatchObject({
      code: 'connection',
    });
    expect(await check({ ca: certificate })).toEqual(running);
    expect(await check({ rejectUnauthorized: false })).toEqual(running);
  });
});

describe('ConsoleClient inputs', () => {
  it.each([
    [{ enabled: true }, 'when'],
    [{ enabled: true, when: new Date(Number.NaN) }, 'when'],
    [{ enabled: true, when: ' ' }, 'when'],
    [{ enabled: 'true' }, 'enabled'],
    [{ enabled: true, when: 7 }, 'when'],
    [{}, 'enabled'],
  ])('maintenance.set() rejects %o with an error that names `%s`', async (input, field) => {
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth: { licenseMd5 } });
    const wrong = input as never; // `as`: JavaScript callers may pass anything.
    await expect(client.maintenance.set(wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      field,
    });
  });

  it.each([[{}], [{ enterprise: undefined }], [[]], [null], ['{"enterprise":{}}']])(
    'settings.update() rejects the settings $0',
    async (settings) => {
      await using client = new ConsoleClient({
        baseUrl: 'http://127.0.0.1:1',
        auth: { licenseMd5 },
      });
      const wrong = settings as never; // `as`: JavaScript callers may pass anything.
      await expect(client.settings.update(wrong)).rejects.toMatchObject({ field: 'settings' });
    },
  );

  it("settings.update() replaces `service_` with the vendor's prefix", async () => {
    await using server = await consoleServer(() => ({ status: 204 }));
    const auth = { licenseMd5 };
    const settings = {
      enterprise: { service_hostname: 'a.example', service_ssl: { enabled: true }, smtp: null },
      run_list: ['recipe[x]'],
    };
    for (const vendor of [undefined, 'github']) {
      await using client = new ConsoleClient({ baseUrl: server.url, auth, vendor });
      await client.settings.update(settings);
    }
    const sent = server.seen.map(({ body }) => new URLSearchParams(String(body)).get('settings'));
    expect(sent.map((text) => JSON.parse(text ?? ''))).toEqual([
      settings,
      {
        enterprise: { github_hostname: 'a.example', github_ssl: { enabled: true }, smtp: null },
        run_list: ['recipe[x]'],
      },
    ]);
    await using client = new ConsoleClient({ baseUrl: server.url, auth, vendor: 'github' });
    const twice = { service_hostname: 'a.example', github_hostname: 'b.example' };
    await expect(client.settings.update({ enterprise: twice })).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'settings.enterprise.github_hostname',
    });
  });

  it('errors never quote file content passed as a path', async () => {
    const auth = { license: '-----BEGIN LICENSE-----c2VjcmV0' };
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth });
    const settings = '{"enterprise":{"admin_password":"c2VjcmV0"}}';
    const license = Buffer.from('x');
    const key = '-----BEGIN RSA PRIVATE KEY-----c2VjcmV0';
    const errors = await Promise.all(
      [
        client.configCheck(),
        client.start({ license: 'c2VjcmV0\n', package: license }),
        client.start({ license, package: license, settings }),
        client.authorizedKeys.add({ authorized_key: key }),
        client.authorizedKeys.delete({ authorized_key: key }),
      ].map((call) => Promise.resolve<unknown>(call).catch((cause: unknown) => cause)),
    );
    const fields = ['auth.license', 'license', 'settings', 'authorized_key', 'authorized_key'];
    for (const [index, error] of errors.entries()) {
      expect(error).toMatchObject({ code: 'invalid_request', field: fields[index] });
      expect(String(error) + JSON.stringify(error)).not.toContain('c2VjcmV0');
    }
  });

  it('authorizedKeys.add() accepts the path of a public key, but not of a private key', async () => {
    const key = `ssh-rsa ${Buffer.from('\0\0\0\x07ssh-rsa\0\0\0\x03\x01\0\x01\0\0\0\x01\x05').toString('base64')}`;
    const path = join(folder, 'id_rsa.pub');
    await writeFile(path, `${key}\n`);
    const secret = join(folder, 'id_rsa');
    await writeFile(
      secret,
      '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n',
    );
    const putty = Buffer.from('PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nc2VjcmV0\n');
    const { server, client } = await consoleWorld(() => ({ status: 201, body: [] }), {
      auth: { licenseMd5 },
    });
    await client.authorizedKeys.add({ authorized_key: path });
    expect(String(server.seen[0]?.parts?.[0]?.data).trim()).toBe(key);
    for (const wrong of [secret, putty, join(folder, 'missing'), Buffer.from(' \n')]) {
      const error: unknown = await client.authorizedKeys
        .add({ authorized_key: wrong })
        .catch((cause: unknown) => cause);
      expect(error).toMatchObject({ code: 'invalid_request', field: 'authorized_key' });
      expect(String(error)).not.toContain('c2VjcmV0');
    }
    expect(server.seen.length).toBe(1);
  });
});

describe('ConsoleClient', () => {
  it('ConsoleClient exposes only the properties settings, maintenance and authorizedKeys', async () => {
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1' });
    expect(Object.keys(client)).toEqual(['settings', 'maintenance', 'authorizedKeys']);
  });

  it('ConsoleClient calls an undocumented endpoint with request()', async () => {
    const { server, client } = await consoleWorld(() => ({ status: 200, body: { a: 1 } }), {
      auth: { licenseMd5 },
    });
    const { data, response } = await client
      .request('POST /setup/api/other', { x: 'y' })
      .withResponse();
    expect([data, response.status]).toEqual([{ a: 1 }, 200]);
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: basic(licenseMd5),
      accept: 'application/json',
    });
    expect(String(server.seen[0]?.body)).toBe('x=y');
    await expect(client.request('GET ')).rejects.toMatchObject({ field: 'route' });
  });

  it('ConsoleClient rejects calls after close()', async () => {
    await using server = await consoleServer(() => ({ status: 200, body: running }));
    for (const end of ['close', Symbol.asyncDispose] as const) {
      const client = new ConsoleClient({ baseUrl: server.url, auth: { licenseMd5 } });
      await client.configCheck();
      await client[end]();
      await expect(client.configCheck()).rejects.toMatchObject({ code: 'connection' });
    }
  });
});
