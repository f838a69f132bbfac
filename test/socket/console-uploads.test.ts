import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { listening, nobody } from '../support/server.js';
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

/** Writes a settings file. @returns The corresponding input of `start`. */
async function settingsFile(text: string) {
  const settings = join(files.folder, 'odd-settings.json');
  await writeFile(settings, text);
  return { settings };
}

/** Creates a client for tests that must not send a request. */
const nowhere = () => new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth, retry: false });

describe('console file inputs', () => {
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
      ['authorized_key', () => client.authorizedKeys.add({ authorized_key: broken() })],
    ] as const) {
      const error = await rejectionOf(call());
      expect(error, field).toMatchObject({ code: 'invalid_request', field });
      expect(error, field).toHaveProperty('cause', reason);
    }
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
    ['5 s if the call sets it', undefined, { timeout: { headers: 5000 } }, 5000],
    ['7 s if the client sets it', { headers: 7000 }, undefined, 7000],
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
        settings: { enterprise: { private_mode: true } },
      },
      { onProgress: ({ total }) => reported.push(total) },
    );
    const [start] = server.seen;
    expect(start?.headers['transfer-encoding']).toBe('chunked');
    expect(start?.parts?.map(({ data }) => String(data))).toEqual([
      license,
      '{"enterprise":{"private_mode":true}}',
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
    ['package', 'a missing package file', () => ({ package: join(files.folder, 'no') })],
    ['package_size', 'a string as the package size', () => ({ package_size: '7' })],
    ['settings', 'settings with invalid JSON', () => settingsFile('{"password":"hunter2"')],
    ['settings', 'settings with a JSON array', () => settingsFile('[]')],
    ['settings', 'settings with a JSON number', () => settingsFile('7')],
    ['settings.0', 'bytes as the settings', () => ({ settings: Buffer.from('{}') })],
    ['settings', 'an array as the settings', () => ({ settings: [] })],
    ['extra', 'an unknown input', () => ({ extra: 1 })],
  ])('names `%s` in the error for %s', async (field, _name, wrong) => {
    const { server, client } = await consoleWorld(() => accepted);
    const input: object = { license: files.license, package: files.package, ...(await wrong()) };
    const error: unknown = await client
      .start(input as never) // `as`: JavaScript callers may pass anything.
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(String(error)).not.toContain('hunter2');
    expect(server.seen).toEqual([]);
    await expect.poll(files.open).toEqual([]);
  });

  it.each([['package', 'a number after bytes', [Buffer.from('abc'), 7]]])(
    'rejects a %s stream that contains %s',
    async (field, _what, chunks) => {
      const { server, client } = await consoleWorld(() => accepted, { retry: false });
      const data = Readable.from(chunks);
      const input = { license: files.license, package: files.package, [field]: data };
      await expect(client.start(input)).rejects.toMatchObject({ code: 'invalid_request', field });
      expect(server.seen).toEqual([]);
      await expect.poll(() => data.destroyed).toBe(true);
      await expect.poll(files.open).toEqual([]);
    },
  );
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
    await expect(client.upgrade({})).rejects.toMatchObject({ field: 'package' });
  });
});

const licenseMd5 = '0'.repeat(32);

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** All calls that change an appliance. */
const writes: Readonly<Record<string, (client: ConsoleClient) => PromiseLike<unknown>>> = {
  'start()': (client) => client.start({ license: files.license, package: files.package }),
  'upgrade()': (client) => client.upgrade({ package: files.package }),
  'configure()': (client) => client.configure(),
  'settings.update()': (client) => client.settings.update({ enterprise: { private_mode: true } }),
  'maintenance.set()': (client) => client.maintenance.set({ enabled: false }),
  'authorizedKeys.add()': (client) =>
    client.authorizedKeys.add({ authorized_key: Buffer.from(publicKey) }),
  'authorizedKeys.delete()': (client) =>
    client.authorizedKeys.delete({ authorized_key: Buffer.from(publicKey) }),
  'a raw POST': (client) => client.request('POST /x', { a: 1 }),
  'a raw PUT': (client) => client.request('PUT /x', { a: 1 }),
  'a raw DELETE': (client) => client.request('DELETE /x'),
};

const responses: Readonly<Record<string, Reply>> = {
  'a 429': { status: 429, headers: { 'retry-after': '0' }, body: {} },
  'a 403 for an exhausted quota': {
    status: 403,
    headers: {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1000000000',
    },
    body: { message: 'API rate limit exceeded' },
  },
  'a 503 with Retry-After': { status: 503, headers: { 'retry-after': '0' }, body: {} },
  'a 500': { status: 500 },
  'a lost connection': 'reset',
};

/** Options with which the client retries a read after each of the responses. */
const retrying = {
  auth: { licenseMd5 },
  retry: { baseDelay: 0 },
  rateLimit: { onLimit: 'wait' },
} as const;

describe.each(Object.entries(responses))('after %s, ConsoleClient', (_name, response) => {
  it.each(Object.entries(writes))('does not retry %s', async (_call, write) => {
    const { server, client } = await consoleWorld(() => response, retrying);
    await rejectionOf(write(client));
    expect(server.seen).toHaveLength(1);
    await expect.poll(files.open).toEqual([]);
  });

  it.each<[string, (client: ConsoleClient) => PromiseLike<unknown>]>([
    ['configCheck()', (client) => client.configCheck()],
    ['a raw GET', (client) => client.request('GET /x')],
  ])('retries %s', async (_call, read) => {
    const status = { status: 'success', progress: [] };
    const { server, client } = await consoleWorld(
      (_seen, count) => (count === 1 ? response : { status: 200, body: status }),
      retrying,
    );
    expect(await read(client)).toEqual(status);
    expect(server.seen).toHaveLength(2);
  });
});

async function createBigFile(): Promise<string> {
  const path = join(files.folder, 'big');
  await writeFile(path, '');
  await truncate(path, 64 * 1024 * 1024);
  return path;
}

describe('a failed console upload', () => {
  it('starts again with files passed as paths if no connection was established', async () => {
    const { origin, port } = await nobody();
    await using client = new ConsoleClient({
      baseUrl: origin,
      retry: { limit: 50, baseDelay: 20, maxDelay: 20 },
    });
    // The server must not listen until the client reports that the first attempt has failed.
    const retried = new Promise<void>((resolve) => {
      const note = () => resolve();
      subscribe('triforge:retry', note);
      onTestFinished(() => void unsubscribe('triforge:retry', note));
    });
    const call = client.start({ license: files.license, package: files.package });
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(202).end());
    });
    await retried;
    await listening(server, { port });
    const { response } = await call.withResponse();
    expect(response.attempts).toBeGreaterThan(1);
    await expect.poll(files.open).toEqual([]);
  });

  it('start() rejects a stream that was already read', async () => {
    const { client } = await consoleWorld(() => ({ status: 500 }));
    const input = { license: files.license, package: Readable.from(['x']) };
    await expect(client.start(input)).rejects.toMatchObject({ code: 'server' });
    await expect(client.start(input)).rejects.toThrow('must be a stream that has not been read');
  });

  it('closes its files and rejects with the abort reason if it is aborted', async () => {
    const big = await createBigFile();
    const server = createServer(() => undefined); // This server never reads the upload.
    const { origin } = await listening(server);
    await using client = new ConsoleClient({ baseUrl: origin });
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = client.start(
      { license: files.license, package: big },
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(call).rejects.toBe(reason);
    await expect.poll(files.open).toEqual([]);
  });

  it('closes its files if the server responds before reading the whole body', async () => {
    const big = await createBigFile();
    const server = createServer((request, response) => {
      request.once('data', () => {
        request.pause();
        response.writeHead(413).end('too large');
      });
    });
    const { origin } = await listening(server);
    await using client = new ConsoleClient({ baseUrl: origin });
    await expect(client.start({ license: files.license, package: big })).rejects.toMatchObject({
      status: 413,
    });
    await expect.poll(files.open).toEqual([]);
  });
});

describe('an error that echoes settings', () => {
  const smtp = { password: 'hush-mail', address: 'mail.example' };
  const nested = {
    credentials: { user: 'hush-user', old: null, pin: 1, all: ['hush-list'] },
    servers: [{ password: 'hush-item' }],
    proxy: 'http://me:hush-proxy@proxy.example',
    auth_mode: 'ldap+x',
  };

  it.each<[string, object, (client: ConsoleClient, settings: object) => PromiseLike<unknown>]>([
    ['settings.update()', { smtp }, (client, settings) => client.settings.update(settings)],
    [
      'start()',
      { smtp, ...nested },
      async (client, settings) => {
        const file = await settingsFile(JSON.stringify(settings));
        return await client.start({ license: files.license, package: files.package, ...file });
      },
    ],
  ])('masks only the secret settings of %s, at any depth', async (_name, enterprise, call) => {
    const settings = { enterprise };
    const { client } = await consoleWorld(
      () => ({ status: 400, body: { message: JSON.stringify(settings) } }),
      { auth: { licenseMd5 } },
    );
    const error = await rejectionOf(call(client, settings));
    expect(error).toMatchObject({ code: 'bad_request' });
    const text = String(error) + JSON.stringify(error);
    expect(text).not.toContain('hush-');
    expect(text).toContain('mail.example');
    if ('auth_mode' in enterprise) expect(text).toContain('ldap+x');
  });
});
