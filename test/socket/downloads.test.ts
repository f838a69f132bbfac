import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  asset,
  content,
  etag,
  folder,
  getRequests,
  hash,
  serveIn,
  whole,
} from './download-world.js';

describe('downloadAsset()', () => {
  it('downloadAsset() returns a stream, a web stream or bytes, or writes a file', async () => {
    const server = await serveIn([]);
    const { releases } = createClient(server);
    const to = join((await folder()).path, 'a.zip');
    expect(hash(await buffer(await releases.downloadAsset(asset)))).toBe(hash(content));
    const stream = await releases.downloadAsset(asset, { as: 'stream' });
    expect(hash(await buffer(stream))).toBe(hash(content));
    const web = await releases.downloadAsset(asset, { as: 'web' });
    expect(hash(new Uint8Array(await new Response(web).arrayBuffer()))).toBe(hash(content));
    expect(hash(await releases.downloadAsset(asset, { as: 'bytes' }))).toBe(hash(content));
    const { data, response } = await releases.downloadAsset(asset, { to }).withResponse();
    expect(data).toEqual({ path: to, size: content.length });
    expect(response).toMatchObject({ status: 200, etag });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(server.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
  });

  it('getRaw(), getArchive() and getRawReadme() also accept `to` or `as`', async () => {
    const server = await serveIn([]);
    const { contents } = createClient(server);
    const place = { owner: 'o', repo: 'r' };
    const to = pathToFileURL(join((await folder()).path, 'a'));
    await contents.getRaw({ ...place, path: 'a' }, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    await contents.getArchive({ ...place, archive_format: 'zipball', ref: 'main' }, { to });
    expect(hash(await contents.getRawReadme(place, { as: 'bytes' }))).toBe(hash(content));
  });

  it('the client retries a bytes download after a broken connection', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const bytes = await createClient(server).releases.downloadAsset(asset, { as: 'bytes' });
    expect(hash(bytes)).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, whole]);
  });

  it('an unread web stream of a download applies backpressure to the server', async () => {
    let sent = 0;
    const total = 64 * 1024 * 1024;
    const chunk = Buffer.alloc(256 * 1024);
    const server = await serve((_request, response) => {
      const go = () => {
        while (sent < total) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', go);
        }
        return response.end();
      };
      go();
    });
    const web = await createClient(server).releases.downloadAsset(asset, { as: 'web' });
    let before = -1;
    await until('the server can send no more', async () => {
      const same = sent === before;
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return same;
    });
    expect(sent).toBeLessThan(total / 2);
    await web.cancel();
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('a web stream of a download ends with an error if the connection breaks', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const web = await createClient(server).releases.downloadAsset(asset, { as: 'web' });
    expect(await rejectionOf(new Response(web).arrayBuffer())).toMatchObject({
      code: 'response_body',
      reason: 'truncated',
    });
  });
});
