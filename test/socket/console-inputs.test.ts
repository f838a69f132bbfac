import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import {
  basic,
  consoleFiles,
  consoleServer,
  consoleWorld,
  license,
  md5,
  type Reply,
} from './console-server.js';

const auth = { licenseMd5: '0'.repeat(32) };
const accepted: Reply = { status: 202, headers: { location: '/setup/api/configcheck' } };
const pack = Buffer.from('the package');
const files = consoleFiles();

/** Creates a client for tests that must not send a request. */
const nowhere = () => new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth, retry: false });

describe('console file inputs', () => {
  it('the client uploads a console file under its base name, even if the name contains brackets or dashes', async () => {
    const names = ['license [1].ghl', 'license{2}.ghl', 'my ssh-keys of -----.ghl'];
    const { server, client } = await consoleWorld(() => accepted, { auth });
    for (const name of names) {
      await writeFile(join(files.folder, name), license);
      await client.upgrade({ license: join(files.folder, name) });
    }
    expect(server.seen.map(({ parts }) => parts?.[0]?.filename)).toEqual(names);
  });

  it('the client names an upload of bytes after its form part', async () => {
    const { server, client } = await consoleWorld(() => accepted);
    await client.start({ license: Buffer.from(license), package: pack, settings: undefined });
    expect(server.seen[0]?.parts?.map(({ name, filename }) => [name, filename])).toEqual([
      ['license', 'license'],
      ['package', 'package'],
    ]);
  });

  it('upgrade() accepts a license of 16 MiB and rejects a larger license', async () => {
    const largest = new Uint8Array(16 * 1024 * 1024);
    const { server, client } = await consoleWorld(() => accepted, { auth });
    await client.upgrade({ license: largest });
    expect(server.seen[0]?.parts?.[0]?.data.length).toBe(largest.length);
    const larger = new Blob([largest, 'x']);
    await expect(client.upgrade({ license: larger })).rejects.toMatchObject({ field: 'license' });
    expect(server.seen.length).toBe(1);
  });

  it('a console call rejects an unreadable file with the read error as the cause', async () => {
    const reason = new Error('the disk is gone');
    const broken = () =>
      new Readable({
        read() {
          this.destroy(reason);
        },
      });
    await using client = nowhere();
    for (const [field, call] of [
      ['license', () => client.upgrade({ license: broken() })],
      ['settings', () => client.start({ license: pack, package: pack, settings: broken() })],
      ['authorized_key', () => client.authorizedKeys.add({ authorized_key: broken() })],
    ] as const) {
      const error = await rejectionOf(call());
      expect(error, field).toMatchObject({ code: 'invalid_request', field });
      expect(error, field).toHaveProperty('cause', reason);
    }
  });

  it.each<[string, unknown]>([
    ['an empty string', ''],
    ['null', null],
    ['a number', 7],
    ['JSON text', '  [{"hush-content": 1}]'],
    ['a path of over 5000 characters', `hush-content${'x'.repeat(5000)}`],
  ])('the client rejects %s as a file input without quoting the content', async (_what, wrong) => {
    await using client = nowhere();
    const passed = wrong as never; // `as`: JavaScript callers may pass anything.
    for (const [field, call] of [
      ['license', () => client.start({ license: passed, package: pack })],
      ['settings', () => client.start({ license: pack, package: pack, settings: passed })],
      ['authorized_key', () => client.authorizedKeys.delete({ authorized_key: passed })],
    ] as const) {
      const error = await rejectionOf(call());
      expect(error, field).toMatchObject({ code: 'invalid_request', field });
      expect(String(error), field).not.toContain('hush-content');
    }
    const uploaded = await rejectionOf(client.start({ license: pack, package: passed }));
    expect(uploaded).toMatchObject({ code: 'invalid_request', field: 'package' });
  });
});

describe('installation settings', () => {
  const sent = async (settings: unknown) => {
    const { server, client } = await consoleWorld(() => accepted, { vendor: 'acme' });
    const passed = settings as never; // `as`: JavaScript callers may pass anything.
    await client.start({ license: pack, package: pack, settings: passed });
    const part = server.seen[0]?.parts?.find(({ name }) => name === 'settings');
    return [part?.filename, JSON.parse(String(part?.data))];
  };
  const settings = { enterprise: { private_mode: true } };

  it('start() accepts settings as a file path, a file URL, or an object', async () => {
    const path = join(files.folder, 'first.json');
    await writeFile(path, JSON.stringify(settings));
    expect(await sent(path)).toEqual(['settings.json', settings]);
    expect(await sent(pathToFileURL(path))).toEqual(['settings.json', settings]);
    expect(await sent(settings)).toEqual(['settings.json', settings]);
  });
});

describe('authorizedKeys.add()', () => {
  const body = 'AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  it('distinguishes keys from paths by their format', async () => {
    const path = join(files.folder, 'the ssh-keys of all.pub');
    await writeFile(path, `ssh-ed25519 ${body}`);
    const { server, client } = await consoleWorld(() => ({ status: 201, body: [] }), { auth });
    await client.authorizedKeys.add({ authorized_key: ` \tssh-ed25519 ${body}` });
    await client.authorizedKeys.add({ authorized_key: path });
    const keys = server.seen.map(({ parts }) => String(parts?.[0]?.data));
    expect(keys).toEqual([`ssh-ed25519 ${body}`, `ssh-ed25519 ${body}`]);
    for (const missing of ['ssh-missing.pub', 'no-such-ssh-folder/a b.pub']) {
      const error = await rejectionOf(client.authorizedKeys.add({ authorized_key: missing }));
      expect(error, missing).toHaveProperty('cause.code', 'ENOENT');
    }
  });
});

describe('console call options', () => {
  /** A dispatcher that records each request's headers timeout in ms. */
  class Limits extends Agent {
    readonly seen: unknown[] = [];
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      this.seen.push(options.headersTimeout);
      return super.dispatch(options, handler);
    }
  }
  const limits = () => {
    const dispatcher = new Limits();
    onTestFinished(() => dispatcher.close());
    return dispatcher;
  };
  const input = { license: pack, package: pack };
  const minutes = 60_000;

  it.each<[string, ConsoleClientOptions['timeout'], object | undefined, number]>([
    ['ten minutes by default', undefined, undefined, 10 * minutes],
    ['ten minutes with empty options', undefined, {}, 10 * minutes],
    ['5 s if the call sets it', undefined, { timeout: { headers: 5000 } }, 5000],
    ['7 s if the client sets it', { headers: 7000 }, undefined, 7000],
    ['7 s if the client sets it and the call options are empty', { headers: 7000 }, {}, 7000],
    ["0 if the call turns the client's timeout off", { headers: 7000 }, { timeout: false }, 0],
  ])(
    'start() and upgrade() use a headers timeout of %s',
    async (_what, timeout, options, expected) => {
      await using server = await consoleServer(() => accepted);
      const dispatcher = limits();
      const client = new ConsoleClient({ baseUrl: server.url, auth, timeout, dispatcher });
      await client.start(input, options);
      await client.upgrade({ package: pack }, options);
      expect(dispatcher.seen).toEqual([expected, expected]);
    },
  );

  it('configure() uses a headers timeout of 30 s', async () => {
    await using server = await consoleServer(() => accepted);
    const dispatcher = limits();
    await new ConsoleClient({ baseUrl: server.url, auth, dispatcher }).configure();
    expect(dispatcher.seen).toEqual([30_000]);
  });

  it.each([null, 'soon', 7])('start() and upgrade() reject %j as options', async (options) => {
    await using client = nowhere();
    const passed = options as never; // `as`: JavaScript callers may pass anything.
    for (const call of [
      () => client.start(input, passed),
      () => client.upgrade({ package: pack }, passed),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'invalid_request', field: 'options' });
    }
  });
});

const oldMd5 = md5('the old license');
const status = { status: 'running', progress: [] };

async function* slowly(...texts: string[]) {
  for (const text of texts) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    yield text;
  }
}

describe('start()', () => {
  it('sends no credentials, but later calls authenticate with the license hash', async () => {
    const { server, client } = await consoleWorld(({ method }) =>
      method === 'POST' ? accepted : { status: 200, body: status },
    );
    await expect(client.configCheck()).rejects.toMatchObject({
      code: 'configuration',
      option: 'auth',
    });
    const settings = { enterprise: { private_mode: true } };
    const result = await client.start({ license: files.license, package: files.package, settings });
    expect(result).toEqual({ location: `${server.url}/setup/api/configcheck` });
    const [start] = server.seen;
    expect(start).toMatchObject({ method: 'POST', url: '/setup/api/start' });
    expect(start?.headers.authorization).toBeUndefined();
    expect(start?.headers['content-length']).toBe(String(start?.body.length));
    expect(start?.parts?.map(({ name, filename, data }) => [name, filename, `${data}`])).toEqual([
      ['license', 'license.ghl', license],
      ['settings', 'settings.json', JSON.stringify(settings)],
      ['package', 'release.pkg', 'the package'],
    ]);
    await client.configCheck();
    expect(server.seen[1]?.headers.authorization).toBe(basic(md5(license)));
  });

  it('returns the location without the license hash, or undefined if the location is invalid', async () => {
    const locations = [undefined, 'configcheck?license_md5=abc', 'https://[bad'];
    const { server, client } = await consoleWorld((_seen, count) => {
      const location = locations[count - 1];
      return { status: 202, ...(location && { headers: { location } }) };
    });
    const input = { license: Buffer.from(license), package: Buffer.from('x') };
    expect(await client.start(input)).toEqual({ location: undefined });
    expect(await client.start(input)).toEqual({ location: `${server.url}/setup/api/configcheck` });
    expect(await client.start(input)).toEqual({ location: undefined });
  });

  it('accepts Blobs and streams, and sends a stream of unknown size in chunks', async () => {
    const { server, client } = await consoleWorld(() => accepted);
    const reported: (number | undefined)[] = [];
    await client.start(
      {
        license: new Blob([license]),
        package: Readable.from(slowly('a', 'b')),
        settings: Readable.from(['{"enterprise":', '{}}']),
      },
      { onProgress: ({ total }) => reported.push(total) },
    );
    const [start] = server.seen;
    expect(start?.headers['transfer-encoding']).toBe('chunked');
    expect(start?.parts?.map(({ data }) => String(data))).toEqual([
      license,
      '{"enterprise":{}}',
      'ab',
    ]);
    expect(reported.length).toBeGreaterThan(0);
    expect(new Set(reported)).toEqual(new Set([undefined]));
    const input = {
      license: files.license,
      package: Readable.from(['a', 'b']),
      package_size: 2,
    };
    const progress: unknown[] = [];
    await client.start(input, { onProgress: (each) => progress.push(each) });
    const size = Number(server.seen[1]?.headers['content-length']);
    expect(size).toBe(server.seen[1]?.body.length);
    expect(progress.at(-1)).toEqual({ sent: size, total: size });
  });

  it.each([
    ['license', 'a missing license file', () => ({ license: join(files.folder, 'no') })],
    ['license', 'a folder as the license', () => ({ license: files.folder })],
    ['license', 'an empty license', () => ({ license: new Uint8Array() })],
    ['license', 'an undefined license', () => ({ license: undefined })],
    ['package', 'a missing package file', () => ({ package: join(files.folder, 'no') })],
    ['package', 'an undefined package', () => ({ package: undefined })],
    ['package_size', 'a string as the package size', () => ({ package_size: '7' })],
    [
      'settings',
      'settings with invalid JSON',
      () => ({ settings: Buffer.from('{"password":"hunter2"') }),
    ],
    ['settings', 'settings with a JSON array', () => ({ settings: Buffer.from('[]') })],
    ['settings', 'settings with JSON null', () => ({ settings: Buffer.from('null') })],
    ['settings', 'settings with a JSON number', () => ({ settings: Buffer.from('7') })],
    ['settings', 'settings with a JSON string', () => ({ settings: Buffer.from('"text"') })],
    ['settings', 'an array as the settings', () => ({ settings: [] })],
    ['extra', 'an unknown input', () => ({ extra: 1 })],
  ])('names `%s` in the error for %s', async (field, _name, wrong) => {
    const { server, client } = await consoleWorld(() => accepted);
    const input: object = { license: files.license, package: files.package, ...wrong() };
    const error: unknown = await client
      .start(input as never) // `as`: JavaScript callers may pass anything.
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(String(error)).not.toContain('hunter2');
    expect(server.seen).toEqual([]);
    await expect.poll(files.open).toEqual([]);
  });

  it.each([
    ['package', 'an object', [{ a: 1 }]],
    ['package', 'a number after bytes', [Buffer.from('abc'), 7]],
    ['settings', 'an object', [{ enterprise: {} }]],
  ])('rejects a %s stream that contains %s', async (field, _what, chunks) => {
    const { server, client } = await consoleWorld(() => accepted, { retry: false });
    const data = Readable.from(chunks);
    const input = { license: files.license, package: files.package, [field]: data };
    await expect(client.start(input)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.seen).toEqual([]);
    await expect.poll(() => data.destroyed).toBe(true);
    await expect.poll(files.open).toEqual([]);
  });

  it('rejects a license larger than 16 MiB', async () => {
    const large = join(files.folder, 'large');
    await writeFile(large, '');
    await truncate(large, 17 * 1024 * 1024);
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1' });
    await expect(client.start({ license: large, package: files.package })).rejects.toThrow(
      'license: must be at most 16 MiB',
    );
  });
});

describe('upgrade()', () => {
  it('uses the old license hash until the server accepts the new license', async () => {
    const { server, client } = await consoleWorld(
      ({ method }, count) =>
        method === 'POST'
          ? count === 1
            ? { status: 500 }
            : accepted
          : { status: 200, body: status },
      { auth: { licenseMd5: oldMd5 } },
    );
    const upgrade = () => client.upgrade({ license: files.license });
    await expect(upgrade()).rejects.toMatchObject({ code: 'server' });
    await upgrade();
    await client.configCheck();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      basic(oldMd5),
      basic(oldMd5),
      basic(md5(license)),
    ]);
    expect(server.seen[0]?.parts?.map(({ name }) => name)).toEqual(['license']);
  });

  it("keeps the client's license hash if the input contains no license", async () => {
    const { server, client } = await consoleWorld(() => accepted, { auth: { licenseMd5: oldMd5 } });
    await client.upgrade({ package: files.package });
    await client.upgrade({ package: files.package });
    expect(server.seen[1]?.headers.authorization).toBe(basic(oldMd5));
    expect(server.seen[1]?.parts?.map(({ name }) => name)).toEqual(['package']);
  });

  it('rejects an input with neither a license nor a package', async () => {
    await using client = new ConsoleClient({
      baseUrl: 'http://127.0.0.1:1',
      auth: { licenseMd5: oldMd5 },
    });
    // @ts-expect-error JavaScript callers may omit both files
    await expect(client.upgrade({})).rejects.toMatchObject({ field: 'package' });
  });
});
