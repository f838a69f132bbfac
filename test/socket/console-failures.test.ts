import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { listening, nobody } from '../support/server.js';
import { consoleFiles, consoleWorld, license, md5, type Reply } from './console-server.js';

const licenseMd5 = '0'.repeat(32);
const files = consoleFiles();

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const body = { data: '{}', contentType: 'application/json' };

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
  'a raw POST': (client) => client.request('POST /x', {}, { body }),
  'a raw PUT': (client) => client.request('PUT /x', {}, { body }),
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

it.each(Object.entries(writes))(
  'ConsoleClient does not retry %s after a 500',
  async (_call, write) => {
    const { server, client } = await consoleWorld(() => ({ status: 500 }), retrying);
    await rejectionOf(write(client));
    expect(server.seen).toHaveLength(1);
    await expect.poll(files.open).toEqual([]);
  },
);

const oldMd5 = md5('the old license');

async function createBigFile(): Promise<string> {
  const path = join(files.folder, 'big');
  await writeFile(path, '');
  await truncate(path, 64 * 1024 * 1024);
  return path;
}

describe('a failed console upload', () => {
  it('is retried with files passed as paths if no connection was established', async () => {
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

  it('console errors mask license hashes and passwords that the server echoes', async () => {
    const hash = md5(license);
    const { server, client } = await consoleWorld(
      () => ({
        status: 400,
        body: { message: `license ${hash} and ${oldMd5} and hunter2hunter2` },
      }),
      { auth: { licenseMd5: oldMd5, in: 'query' } },
    );
    const upgrade: unknown = await client
      .upgrade({ license: files.license })
      .catch((e: unknown) => e);
    const settings = { enterprise: { ldap: { password: 'hunter2hunter2' } } };
    const start: unknown = await client
      .start({ license: files.license, package: files.package, settings })
      .catch((e: unknown) => e);
    const update: unknown = await client.settings.update(settings).catch((e: unknown) => e);
    expect(server.seen[0]?.url).toBe(`/setup/api/upgrade?license_md5=${oldMd5}`);
    const shown = [upgrade, update].map((error) => JSON.stringify(error) + String(error)).join();
    expect(shown).toContain('bad_request');
    expect(shown).not.toContain(oldMd5);
    expect(JSON.stringify(upgrade) + String(upgrade)).not.toContain(hash);
    expect(String(start) + String(update)).not.toContain('hunter2');
    expect(String(start)).not.toContain(hash);
  });
});

const auth = { licenseMd5: '0'.repeat(32) };

/** Returns the printed error for settings that an appliance rejects and echoes. */
async function getShown(settings: object, call: 'update' | 'start'): Promise<string> {
  const { client } = await consoleWorld(
    () => ({
      status: 400,
      body: { message: JSON.stringify(settings) },
    }),
    { auth },
  );
  const file = Buffer.from('a');
  const error = await rejectionOf(
    call === 'update'
      ? client.settings.update(settings)
      : client.start({
          license: file,
          package: file,
          settings: Buffer.from(JSON.stringify(settings)),
        }),
  );
  expect(error).toMatchObject({ code: 'bad_request' });
  return String(error) + JSON.stringify(error);
}

const unknownSettings = new Set([
  'masks all strings under a secret name, at any depth',
  'masks a secret in a list',
  'masks the password in a URL',
]);

describe('an error that echoes settings', () => {
  it.each<[string, object, string[], string[]]>([
    [
      'masks a password',
      { enterprise: { smtp: { password: 'hush-mail', address: 'mail.example', port: '25252' } } },
      ['hush-mail'],
      ['mail.example', '25252'],
    ],
    [
      'masks all strings under a secret name, at any depth',
      {
        enterprise: {
          credentials: { user: 'hush-user', old: null, pin: 1, all: ['hush-list'] },
          auth_mode: 'ldap+x',
        },
      },
      ['hush-user', 'hush-list'],
      ['ldap+x'],
    ],
    [
      'masks a secret in a list',
      {
        enterprise: {
          servers: [{ password: 'hush-item' }],
          ntp: { primary_server: 'ntp.one' },
        },
      },
      ['hush-item'],
      ['ntp.one'],
    ],
    [
      'masks the password in a URL',
      {
        enterprise: {
          proxy: 'http://me:hush-proxy@proxy.example',
          cas: { url: 'https://cas.one' },
        },
      },
      ['hush-proxy'],
      ['https://cas.one'],
    ],
    [
      'leaves settings without a secret unmasked',
      {
        enterprise: {
          ldap: { base: ['dc=one', 'dc=two'] },
          private_mode: true,
          configuration_id: 77777,
        },
      },
      [],
      ['dc=one', 'dc=two', 'true', '77777'],
    ],
  ])('%s', async (what, settings, hidden, shown) => {
    // `settings.update` rejects unknown settings. `start` accepts a file with any settings.
    const calls = unknownSettings.has(what) ? (['start'] as const) : (['update', 'start'] as const);
    for (const call of calls) {
      const text = await getShown(settings, call);
      for (const secret of hidden) expect(text, call).not.toContain(secret);
      for (const harmless of shown) expect(text, call).toContain(harmless);
    }
  });
});
