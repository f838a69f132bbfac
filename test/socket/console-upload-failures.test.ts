import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { listening, nobody } from '../support/server.js';
import { consoleFiles, license } from './console-files.js';
import { md5 } from './console-license.js';
import { consoleServer, type Reply } from './console-server.js';

const oldMd5 = md5('the old license');
const quick = { baseDelay: 1, maxDelay: 5 };
const files = consoleFiles();

describe('failed console uploads', () => {
  it('the client retries a console upload of files passed as paths if no connection was established', async () => {
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

  it.each([
    ['the connection is reset', 'reset' as const],
    ['the response is a 500', { status: 500 }],
    ['the response is a 503 with Retry-After: 0', { status: 503, headers: { 'retry-after': '0' } }],
    ['the response is a 429 with Retry-After: 0', { status: 429, headers: { 'retry-after': '0' } }],
  ])('ConsoleClient does not retry a write if %s', async (_name, reply: Reply) => {
    await using server = await consoleServer(() => reply);
    const auth = { licenseMd5: oldMd5 };
    await using client = new ConsoleClient({ baseUrl: server.url, auth, retry: quick });
    const calls = [
      client.upgrade({ package: files.package }),
      client.configure(),
      client.settings.update({ enterprise: { private_mode: true } }),
      client.maintenance.set({ enabled: false }),
    ];
    const results = await Promise.allSettled(calls);
    expect(results.map(({ status: how }) => how)).toEqual(calls.map(() => 'rejected'));
    const sent = server.seen.map(({ url }) => url);
    expect(new Set(sent).size, 'each sent once').toBe(sent.length);
    await expect.poll(files.open).toEqual([]);
  });

  it('start() rejects a stream that was already read', async () => {
    await using server = await consoleServer(() => ({ status: 500 }));
    await using client = new ConsoleClient({ baseUrl: server.url });
    const input = { license: files.license, package: Readable.from(['x']) };
    await expect(client.start(input)).rejects.toMatchObject({ code: 'server' });
    await expect(client.start(input)).rejects.toThrow('must be a stream that has not been read');
  });

  it('an aborted upload closes its files and rejects with the abort reason', async () => {
    const big = join(files.folder, 'big');
    await writeFile(big, '');
    await truncate(big, 64 * 1024 * 1024);
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

  it('an upload closes its files if the server responds before reading the whole body', async () => {
    const big = join(files.folder, 'big-early');
    await writeFile(big, '');
    await truncate(big, 64 * 1024 * 1024);
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
    await using server = await consoleServer(() => ({
      status: 400,
      body: { message: `license ${hash} and ${oldMd5} and hunter2hunter2` },
    }));
    await using client = new ConsoleClient({
      baseUrl: server.url,
      auth: { licenseMd5: oldMd5, in: 'query' },
    });
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
