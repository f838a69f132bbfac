import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { consoleFiles, license } from './console-files.js';
import { basic, md5 } from './console-license.js';
import { consoleServer, type Reply } from './console-server.js';

const oldMd5 = md5('the old license');
const status = { status: 'running', progress: [] };
const accepted: Reply = { status: 202, headers: { location: '/setup/api/configcheck' } };
const files = consoleFiles();

async function* slowly(...texts: string[]) {
  for (const text of texts) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    yield text;
  }
}

describe('start()', () => {
  it('start() sends no credentials, but later calls authenticate with the license hash', async () => {
    await using server = await consoleServer(({ method }) =>
      method === 'POST' ? accepted : { status: 200, body: status },
    );
    await using client = new ConsoleClient({ baseUrl: server.url });
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

  it('start() returns the location without the license hash, or undefined if the location is invalid', async () => {
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

  it('start() accepts Blobs and streams, and sends a stream of unknown size in chunks', async () => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url });
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
    ['license', 'a number as the license', () => ({ license: 7 })],
    ['package', 'a missing package file', () => ({ package: join(files.folder, 'no') })],
    ['package', 'an undefined package', () => ({ package: undefined })],
    ['package_size', 'a string as the package size', () => ({ package_size: '7' })],
    [
      'settings',
      'settings with invalid JSON',
      () => ({ settings: Buffer.from('{"password":"hunter2"') }),
    ],
    ['settings', 'settings with a JSON array', () => ({ settings: Buffer.from('[]') })],
    ['settings', 'an array as the settings', () => ({ settings: [] })],
    ['extra', 'an unknown input', () => ({ extra: 1 })],
  ])('start() names `%s` in the error for %s', async (field, _name, wrong) => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url });
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
  ])('start() rejects a %s stream that contains %s', async (field, _what, chunks) => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, retry: false });
    const data = Readable.from(chunks);
    const input = { license: files.license, package: files.package, [field]: data };
    await expect(client.start(input)).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.seen).toEqual([]);
    await expect.poll(() => data.destroyed).toBe(true);
    await expect.poll(files.open).toEqual([]);
  });

  it('start() rejects a license larger than 16 MiB', async () => {
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
  it('upgrade() uses the old license hash until the server accepts the new license', async () => {
    await using server = await consoleServer(({ method }, count) =>
      method === 'POST'
        ? count === 1
          ? { status: 500 }
          : accepted
        : { status: 200, body: status },
    );
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { licenseMd5: oldMd5 } });
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

  it("upgrade() keeps the client's license hash if the input contains no license", async () => {
    await using server = await consoleServer(() => accepted);
    await using client = new ConsoleClient({ baseUrl: server.url, auth: { licenseMd5: oldMd5 } });
    await client.upgrade({ package: files.package });
    await client.upgrade({ package: files.package });
    expect(server.seen[1]?.headers.authorization).toBe(basic(oldMd5));
    expect(server.seen[1]?.parts?.map(({ name }) => name)).toEqual(['package']);
  });

  it('upgrade() rejects an input with neither a license nor a package', async () => {
    await using client = new ConsoleClient({
      baseUrl: 'http://127.0.0.1:1',
      auth: { licenseMd5: oldMd5 },
    });
    // @ts-expect-error JavaScript callers may omit both files
    await expect(client.upgrade({})).rejects.toMatchObject({ field: 'package' });
  });
});
