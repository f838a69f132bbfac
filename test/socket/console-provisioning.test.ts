import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { consoleServer, listening, type Reply } from './console-server.js';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const basic = (hash: string) => `Basic ${Buffer.from(`license:${hash}`).toString('base64')}`;

const license = 'the license';
const oldMd5 = md5('the old license');
const status = { status: 'running', progress: [] };
const accepted: Reply = { status: 202, headers: { location: '/setup/api/configcheck' } };
const quick = { baseDelay: 1, maxDelay: 5 };

let folder: string;
let licensePath: string;
let packagePath: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-console-'));
  licensePath = join(folder, 'license.ghl');
  packagePath = join(folder, 'release.pkg');
  await writeFile(licensePath, license);
  await writeFile(packagePath, 'the package');
});
afterAll(() => rm(folder, { recursive: true }));

/** Files of this test's folder that this process holds open. */
async function openFiles(): Promise<string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const links = await Promise.all(
    names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link.startsWith(folder));
}

async function* slowly(...texts: string[]) {
  for (const text of texts) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    yield text;
  }
}

describe('start', () => {
  it('sends license, settings and package without credentials, and signs with the new hash from then on', async () => {
    await using server = await consoleServer(({ method }) =>
      method === 'POST' ? accepted : { status: 200, body: status },
    );
    await using client = new ConsoleClient({ baseUrl: server.url });
    await expect(client.configCheck()).rejects.toMatchObject({ code: 'configuration' });
    const settings = { enterprise: { private_mode: true } };
    const result = await client.start({ license: licensePath, package: packagePath, settings });
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

  it('has no location where the server sends none, and none that holds the hash', async () => {
    const locations = [undefined, 'configcheck?license_md5=abc', 'https://[bad'];
    await using server = await consoleServer((_seen, count) => {
      const location = locations[count - 1];
      return { status: 202, ...(location && { headers: { location } }) };
    });
    await using client = new ConsoleClient({ baseUrl: server.url });
    const input = { license: Buffer.from(license), package: Buffer.from('x') };
    expect(await client.start(input)).toEqual({ location: undefined });
    expect(await client.start(input)).toEqual({ location: `${server.url}/setup/api/configcheck` });
    expect(await client.start(input)).toEqual({ location: undefined });
  });

  it('takes Blobs and streams, and sends a stream of unknown size in chunks', async () => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url });
    const told: (number | undefined)[] = [];
    await client.start(
      {
        license: new Blob([license]),
        package: Readable.from(slowly('a', 'b')),
        settings: Readable.from(['{"enterprise":', '{}}']),
      },
      { onProgress: ({ total }) => told.push(total) },
    );
    const [start] = server.seen;
    expect(start?.headers['transfer-encoding']).toBe('chunked');
    expect(start?.parts?.map(({ data }) => String(data))).toEqual([
      license,
      '{"enterprise":{}}',
      'ab',
    ]);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set([undefined]));
    const input = {
      license: licensePath,
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
    ['license', 'a license that is missing', () => ({ license: join(folder, 'no') })],
    ['license', 'a license that is a folder', () => ({ license: folder })],
    ['license', 'a license that is empty', () => ({ license: new Uint8Array() })],
    ['license', 'no license', () => ({ license: undefined })],
    ['license', 'a number', () => ({ license: 7 })],
    ['package', 'a package that is missing', () => ({ package: join(folder, 'no') })],
    ['package', 'no package', () => ({ package: undefined })],
    ['package_size', 'a size that is no number', () => ({ package_size: '7' })],
    [
      'settings',
      'settings that are no JSON',
      () => ({ settings: Buffer.from('{"password":"hunter2"') }),
    ],
    ['settings', 'settings that are no object', () => ({ settings: Buffer.from('[]') })],
    ['settings', 'settings in an array', () => ({ settings: [] })],
    ['extra', 'an unknown input', () => ({ extra: 1 })],
  ])('refuses before anything is sent: %s: %s', async (field, _name, wrong) => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url });
    const input: object = { license: licensePath, package: packagePath, ...wrong() };
    const error: unknown = await client
      .start(input as never) // what a caller without types may give
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'invalid_request', field });
    expect(String(error)).not.toContain('hunter2');
    expect(server.seen).toEqual([]);
    await expect.poll(openFiles).toEqual([]);
  });

  it('takes a package given as the license for what it is: too large', async () => {
    const large = join(folder, 'large');
    await writeFile(large, '');
    await truncate(large, 17 * 1024 * 1024);
    await using client = new ConsoleClient({ baseUrl: 'http://127.0.0.1:1' });
    await expect(client.start({ license: large, package: packagePath })).rejects.toThrow(
      'license: larger than 16 MiB',
    );
  });
});

describe('upgrade', () => {
  it('signs with the old hash, and with the new one once the new license is taken', async () => {
    await using server = await consoleServer(({ method }, count) =>
      method === 'POST'
        ? count === 1
          ? { status: 500 }
          : accepted
        : { status: 200, body: status },
    );
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { licenseMd5: oldMd5 } });
    const upgrade = () => client.upgrade({ license: licensePath });
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

  it('with a package alone keeps its hash', async () => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { licenseMd5: oldMd5 } });
    await client.upgrade({ package: packagePath });
    await client.upgrade({ package: packagePath });
    expect(server.seen[1]?.headers.authorization).toBe(basic(oldMd5));
    expect(server.seen[1]?.parts?.map(({ name }) => name)).toEqual(['package']);
  });

  it('with neither is refused', async () => {
    await using client = new ConsoleClient({
      baseUrl: 'http://127.0.0.1:1',
      auth: { licenseMd5: oldMd5 },
    });
    await expect(client.upgrade({})).rejects.toMatchObject({ field: 'package' });
  });
});

describe('an upload that fails', () => {
  it('is sent again from a path when the connection was never made', async () => {
    const probe = createServer();
    const url = await listening(probe);
    const port = Number(new URL(url).port);
    await new Promise((resolve) => probe.close(resolve));
    await using client = new ConsoleClient({
      baseUrl: url,
      retry: { limit: 50, baseDelay: 20, maxDelay: 20 },
    });
    const call = client.start({ license: licensePath, package: packagePath });
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(202).end());
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listening(server, port);
    const { response } = await call.withResponse();
    expect(response.attempts).toBeGreaterThan(1);
    server.closeAllConnections();
    server.close();
    await expect.poll(openFiles).toEqual([]);
  });

  it.each([
    ['the connection is reset', 'reset' as const],
    ['500', { status: 500 }],
    ['503 with Retry-After: 0', { status: 503, headers: { 'retry-after': '0' } }],
    ['429 with Retry-After: 0', { status: 429, headers: { 'retry-after': '0' } }],
  ])('is not sent twice when %s', async (_name, reply: Reply) => {
    await using server = await consoleServer(() => reply);
    const auth = { licenseMd5: oldMd5 };
    await using client = new ConsoleClient({ baseUrl: server.url, auth, retry: quick });
    const calls = [
      client.upgrade({ package: packagePath }),
      client.configure(),
      client.settings.update({ enterprise: { private_mode: true } }),
      client.maintenance.set({ enabled: false }),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status: how }) => how)).toEqual(calls.map(() => 'rejected'));
    const sent = server.seen.map(({ url }) => url);
    expect(new Set(sent).size, 'each sent once').toBe(sent.length);
    await expect.poll(openFiles).toEqual([]);
  });

  it('says of a stream that it can be sent only once', async () => {
    await using server = await consoleServer(() => ({ status: 500 }));
    await using client = new ConsoleClient({ baseUrl: server.url });
    const input = { license: licensePath, package: Readable.from(['x']) };
    await expect(client.start(input)).rejects.toMatchObject({ code: 'server' });
    await expect(client.start(input)).rejects.toThrow('a stream can be sent only once');
  });

  it('closes its files after an abort, and rejects with the reason', async () => {
    const big = join(folder, 'big');
    await writeFile(big, '');
    await truncate(big, 64 * 1024 * 1024);
    const server = createServer(() => undefined); // never reads
    const url = await listening(server);
    await using client = new ConsoleClient({ baseUrl: url });
    const controller = new AbortController();
    const reason = new Error('enough');
    const call = client.start(
      { license: licensePath, package: big },
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(call).rejects.toBe(reason);
    await expect.poll(openFiles).toEqual([]);
    server.closeAllConnections();
    server.close();
  });

  it('closes its files after an answer that comes early', async () => {
    const big = join(folder, 'big-early');
    await writeFile(big, '');
    await truncate(big, 64 * 1024 * 1024);
    const server = createServer((request, response) => {
      request.once('data', () => {
        request.pause();
        response.writeHead(413).end('too large');
      });
    });
    const url = await listening(server);
    await using client = new ConsoleClient({ baseUrl: url });
    await expect(client.start({ license: licensePath, package: big })).rejects.toMatchObject({
      status: 413,
    });
    await expect.poll(openFiles).toEqual([]);
    server.closeAllConnections();
    server.close();
  });

  it('shows no hash, also where the server echoes it', async () => {
    const hash = md5(license);
    await using server = await consoleServer(() => ({
      status: 400,
      body: { message: `license ${hash} and ${oldMd5} and hunter2hunter2` },
    }));
    await using client = new ConsoleClient({
      baseUrl: server.url,
      auth: { licenseMd5: oldMd5, in: 'query' },
    });
    const upgrade: unknown = await client
      .upgrade({ license: licensePath })
      .catch((e: unknown) => e);
    const settings = { enterprise: { ldap: { password: 'hunter2hunter2' } } };
    const start: unknown = await client
      .start({ license: licensePath, package: packagePath, settings })
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
