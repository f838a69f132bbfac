import { truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';
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
  });

  it.each([
    ['license', 'a folder as the license', () => ({ license: files.folder })],
    ['license', 'an empty license', () => ({ license: new Uint8Array() })],
    ['package', 'a missing package file', () => ({ package: join(files.folder, 'no') })],
    ['package_size', 'a string as the package size', () => ({ package_size: '7' })],
    ['settings', 'settings with invalid JSON', () => settingsFile('{"password":"hunter2"')],
    ['settings', 'settings with a JSON array', () => settingsFile('[]')],
    ['settings.0', 'bytes as the settings', () => ({ settings: Buffer.from('{}') })],
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
  'a raw POST': (client) => client.request('POST /x', { a: 1 }),
};

const responses: Readonly<Record<string, Reply>> = {
  'a 429': { status: 429, headers: { 'retry-after': '0' }, body: {} },
  'a 503 with Retry-After': { status: 503, headers: { 'retry-after': '0' }, body: {} },
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

  it('retries configCheck()', async () => {
    const status = { status: 'success', progress: [] };
    const { server, client } = await consoleWorld(
      (_seen, count) => (count === 1 ? response : { status: 200, body: status }),
      retrying,
    );
    expect(await client.configCheck()).toEqual(status);
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
});

describe('an error that echoes settings', () => {
  const smtp = { password: 'hush-mail', address: 'mail.example' };
  const nested = {
    credentials: { user: 'hush-user', old: null, pin: 1, all: ['hush-list'] },
    servers: [{ password: 'hush-item' }],
    proxy: 'http://me:hush-proxy@proxy.example',
    auth_mode: 'ldap+x',
  };

  it('masks only the secret settings of start(), at any depth', async () => {
    const settings = { enterprise: { smtp, ...nested } };
    const { client } = await consoleWorld(() => ({
      status: 400,
      body: { message: JSON.stringify(settings) },
    }));
    const file = await settingsFile(JSON.stringify(settings));
    const input = { license: files.license, package: files.package, ...file };
    const error = await rejectionOf(client.start(input));
    expect(error).toMatchObject({ code: 'bad_request' });
    const text = String(error) + JSON.stringify(error);
    expect(text).not.toContain('hush-');
    expect(text).toContain('mail.example');
    expect(text).toContain('ldap+x');
  });
});
