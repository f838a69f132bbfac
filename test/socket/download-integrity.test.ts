import { readdirSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createClient, until, watchRejections } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';
import { asset, content, etag, folder, hash, respond } from './download-world.js';

const other = Buffer.alloc(content.length, 'x');
const [from, size] = [100_000, content.length];
const rest = `bytes ${from}-${size - 1}/${size}`;

/** Headers of 206 responses that don't contain the requested bytes or can't be verified. */
const wrongRests: Readonly<Record<string, readonly string[]>> = {
  'two Content-Range headers': [`content-range: ${rest}`, `content-range: bytes 0-9/${size}`],
  'two ETag headers': [`content-range: ${rest}`, 'etag: "two"'],
  'an ETag without quotes': [`content-range: ${rest}`, 'etag: one'],
  'an unknown total': [`content-range: bytes ${from}-${size - 1}/*`],
  'numbers above MAX_SAFE_INTEGER': [
    `content-range: bytes ${from}-9007199254740992/9007199254740993`,
  ],
  'a different unit': [`content-range: items ${from}-${size - 1}/${size}`],
  'a later first byte': [`content-range: bytes ${from + 1}-${size - 1}/${size}`],
  'a different total': [`content-range: bytes ${from}-${size}/${size + 1}`],
  'several parts': ['content-type: multipart/byteranges; boundary=b'],
  'a content coding': [`content-range: ${rest}`, 'content-encoding: gzip'],
  'an unknown coding': [`content-range: ${rest}`, 'content-encoding: rot13'],
};

describe('resumed downloads', () => {
  it.each(Object.entries(wrongRests))(
    'a resumed download never mixes two versions of a file if a 206 has %s',
    async (_what, lines) => {
      const tagged = lines.some((line) => line.startsWith('etag: one')) ? [] : [`etag: ${etag}`];
      const part = other.subarray(from);
      const body = lines.includes('content-encoding: gzip') ? gzipSync(part) : part;
      const server = await serveRaw((socket, index, head) => {
        const start = (status: string, ...more: string[]) =>
          socket.write(`HTTP/1.1 ${status}\r\n${more.join('\r\n')}\r\n\r\n`);
        if (index === 0) {
          start('200 OK', `content-length: ${size}`, `etag: ${etag}`);
          return socket.end(content.subarray(0, from));
        }
        if (/^range:/im.test(head)) {
          start('206 Partial Content', `content-length: ${body.length}`, ...tagged, ...lines);
          return socket.write(body);
        }
        start('200 OK', `content-length: ${size}`, 'etag: "two"');
        return socket.write(other);
      });
      const { path, names } = await folder();
      const to = join(path, 'a');
      const hosting = createClient(server);
      const error = await hosting.releases.downloadAsset(asset, { to }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) expect(hash(await readFile(to))).toBe(hash(other));
      else expect(await names()).toEqual([]);
    },
  );

  it('random disconnects and aborts leave a complete file or the previous file', async () => {
    const rejections = watchRejections();
    const server = await serve((request, response) =>
      respond(request, response, Math.random() < 0.7 ? { cutAfter: Math.random() * 200_000 } : {}),
    );
    const hosting = createClient(server, { retry: { limit: 4, baseDelay: 0 } });
    const { path, names } = await folder();
    const files = Array.from({ length: 30 }, (_, index) => join(path, `${index}`));
    const ends = await Promise.all(
      files.map(async (to) => {
        await writeFile(to, 'former');
        await chmod(to, 0o640);
        const controller = new AbortController();
        const { signal } = controller;
        const call = hosting.releases.downloadAsset(asset, { to, signal });
        if (Math.random() < 0.5) void sleep(Math.random() * 60).then(() => controller.abort());
        const isWhole = await call.then(
          () => true,
          () => false,
        );
        const expected = isWhole ? content : Buffer.from('former');
        expect(hash(await readFile(to))).toBe(hash(expected));
        expect((await stat(to)).mode & 0o7777).toBe(0o640);
        return isWhole;
      }),
    );
    expect(await names()).toHaveLength(files.length);
    expect(ends).toHaveLength(30);
    expect(await rejections()).toEqual([]);
  });
});

describe('interrupted calls', () => {
  it('interrupted uploads leave no open files or sockets and are never repeated', async () => {
    const rejections = watchRejections();
    const server = await serve((_request, response, index) => {
      if (index % 5 === 0) response.destroy();
      else if (index % 5 === 1) sendJson(response, {}, 503, { 'retry-after': '0' });
      else if (index % 5 < 4) setTimeout(() => sendJson(response, {}), Math.random() * 20);
    });
    const { path } = await folder();
    const data = join(path, 'data');
    await writeFile(data, Buffer.alloc(3_000_000));
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    let ended = 0;
    for (let round = 0; round < 4; round++) {
      const hosting = new HostingClient({
        baseUrl: server.origin,
        validation: 'off',
        retry: { baseDelay: 1 },
      });
      const calls = Array.from({ length: 25 }, (_, index) => {
        const controller = new AbortController();
        const { signal } = controller;
        const upload = {
          upload_url: server.origin,
          name: `${round}-${index}`,
          content_type: 'a/b',
        };
        const call = hosting.releases.uploadAsset({ ...upload, data }, { signal });
        if (index % 2) void sleep(Math.random() * 40).then(() => controller.abort('mine'));
        return call.then(
          () => undefined,
          (reason: unknown) => {
            ended++;
            if (reason !== 'mine') expect(reason).toHaveProperty('code');
          },
        );
      });
      await sleep(Math.random() * 40);
      await hosting.close({ gracePeriod: 20 });
      await Promise.all(calls);
      // Data that the operating system had already accepted may still arrive.
      await until('no socket is open', async () => (await server.open()) === 0);
      const sent = server.log.length;
      await sleep(20);
      expect(server.log.length - sent).toBe(0);
    }
    expect(ended).toBeGreaterThan(0);
    expect(new Set(server.log).size).toBe(server.log.length);
    await until('no socket is open', async () => (await server.open()) === 0);
    await until('no file is open', () => open() <= before);
    expect(await rejections()).toEqual([]);
  });
});
