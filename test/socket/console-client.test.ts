import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
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

  it.each([
    ['auth', { licenseMd5: 'no hash' }],
    ['auth', { licenseMd5, in: 'header' }],
    ['auth.licence', { licenseMd5, licence: 'a' }],
  ])('ConsoleClient names `%s` in the error if auth is %o', (option, auth) => {
    const options = { baseUrl: 'http://127.0.0.1:1', auth } as ConsoleClientOptions; // `as`: JavaScript callers may pass anything.
    expect(() => new ConsoleClient(options)).toThrow(expect.objectContaining({ option }));
  });
});

describe('ConsoleClient inputs', () => {
  it.each([
    [{ enabled: true }, 'when'],
    [{ enabled: true, when: new Date(Number.NaN) }, 'when'],
    [{}, 'enabled'],
  ])('maintenance.set() rejects %o with an error that names `%s`', async (input, field) => {
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth: { licenseMd5 } });
    const wrong = input as never; // `as`: JavaScript callers may pass anything.
    await expect(client.maintenance.set(wrong)).rejects.toMatchObject({
      code: 'invalid_request',
      field,
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
});

const success = { status: 'success', progress: [{ key: 'Updating', status: 'DONE' }] };

describe('waitForConfiguration()', () => {
  it('continues after a reset, a 503, a 404 and an empty response', async () => {
    const responses = [
      { status: 200, body: running },
      'reset',
      { status: 503, body: '<html>starting</html>' },
      { status: 404 },
      { status: 200, body: '' },
      { status: 200, headers: { 'content-type': 'text/html' }, body: JSON.stringify(success) },
    ] as const;
    const { server, client } = await consoleWorld(
      (_seen, count) => responses[count - 1] ?? 'reset',
      { auth: { licenseMd5 } },
    );
    const words: string[] = [];
    for await (const { status } of client.waitForConfiguration({ interval: 1 })) words.push(status);
    expect(words).toEqual(['running', 'success']);
    expect(server.seen.length, 'number of requests').toBe(responses.length);
  });

  it("repeats a status request that exceeds the client's timeout", async () => {
    await using server = await consoleServer((_seen, count) =>
      count === 1 ? 'hang' : { status: 200, body: success },
    );
    const timers = holdTimers();
    const auth = { licenseMd5 };
    await using client = new ConsoleClient({ baseUrl: server.url, auth, timeout: heldLimit });
    const run = client.waitForConfiguration({ interval: 1, gracePeriod: 0, timeout: false });
    const end = run.done();
    await until('a request arrived', () => server.seen.length === 1);
    timers.runOut();
    expect(await end).toEqual(success);
    expect(server.seen.length).toBe(2);
  });
});
