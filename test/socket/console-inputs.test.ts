import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { rejectionOf } from '../support/client.js';
import { consoleFiles, license } from './console-files.js';
import { consoleServer, type Reply } from './console-server.js';

const auth = { licenseMd5: '0'.repeat(32) };
const accepted: Reply = { status: 202, headers: { location: '/setup/api/configcheck' } };
const pack = Buffer.from('the package');
const files = consoleFiles();

/** Creates a client for tests that must not send a request. */
const nowhere = () => new ConsoleClient({ baseUrl: 'http://127.0.0.1:1', auth, retry: false });

describe('console file inputs', () => {
  it('the client uploads a console file under its base name, even if the name contains brackets or dashes', async () => {
    const names = ['license [1].ghl', 'license{2}.ghl', 'my ssh-keys of -----.ghl'];
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, auth });
    for (const name of names) {
      await writeFile(join(files.folder, name), license);
      await client.upgrade({ license: join(files.folder, name) });
    }
    expect(server.seen.map(({ parts }) => parts?.[0]?.filename)).toEqual(names);
  });

  it('the client names an upload of bytes after its form part', async () => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url });
    await client.start({ license: Buffer.from(license), package: pack, settings: undefined });
    expect(server.seen[0]?.parts?.map(({ name, filename }) => [name, filename])).toEqual([
      ['license', 'license'],
      ['package', 'package'],
    ]);
  });

  it('upgrade() accepts a license of 16 MiB and rejects a larger license', async () => {
    const largest = new Uint8Array(16 * 1024 * 1024);
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, auth });
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
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, vendor: 'acme' });
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

  it.each(['null', '7', '"text"'])('start() rejects the JSON text %s as settings', async (text) => {
    await expect(sent(Buffer.from(text))).rejects.toMatchObject({ field: 'settings' });
  });
});

describe('authorizedKeys.add()', () => {
  const body = 'AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  it('authorizedKeys.add() distinguishes keys from paths by their format', async () => {
    const path = join(files.folder, 'the ssh-keys of all.pub');
    await writeFile(path, `ssh-ed25519 ${body}`);
    await using server = await consoleServer(() => ({ status: 201, body: [] }));
    await using client = new ConsoleClient({ baseUrl: server.url, auth });
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
