import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClientOptions } from '../../src/hosting/index.js';
import { rejectionOf, until, watchRejections } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { closed, createClient, never } from './closing-client.js';
import { folder } from './download-world.js';

describe('uploadAsset() with a stream', () => {
  async function openFile() {
    const { path } = await folder();
    const file = join(path, 'file');
    await writeFile(file, 'content');
    onTestFinished(() => rm(file, { force: true }));
    const data = createReadStream(file);
    await once(data, 'open');
    return data;
  }

  it.each<[string, object, Partial<HostingClientOptions>]>([
    ['an input is invalid', { name: 5 }, {}],
    ['the size is missing', { size: undefined }, {}],
    ['the URL is on another origin', { upload_url: 'https://example.com/x' }, {}],
    ['the auth function rejects', {}, { auth: () => Promise.reject(new Error('none')) }],
  ])('uploadAsset() destroys the stream in `data` if %s', async (_why, change, options) => {
    const rejections = watchRejections();
    const server = await serve((_request, response) => sendJson(response, {}));
    const hosting = createClient(server, options);
    const data = await openFile();
    const input = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 7 };
    await rejectionOf(
      Reflect.apply(hosting.releases.uploadAsset, hosting.releases, [{ ...input, ...change }]),
    );
    await until('the file is closed', () => data.closed);
    expect(server.log).toEqual([]);
    await hosting.close();
    expect(await rejections()).toEqual([]);
  });

  it('uploadAsset() destroys the stream in `data` if the signal is aborted or the client is closed', async () => {
    const server = await serve((_request, response) => sendJson(response, {}));
    const hosting = createClient(server);
    const input = { upload_url: server.origin, name: 'a', content_type: 'a/b', size: 7 };
    const first = await openFile();
    const signal = AbortSignal.abort('now');
    const aborted = hosting.releases.uploadAsset({ ...input, data: first }, { signal });
    expect(await rejectionOf(aborted)).toBe('now');
    await until('the file is closed', () => first.closed);
    await hosting.close();
    const second = await openFile();
    const late = hosting.releases.uploadAsset({ ...input, data: second });
    expect(await rejectionOf(late)).toMatchObject(closed);
    await until('the file is closed', () => second.closed);
    expect(server.log).toEqual([]);
  });

  it('uploadAsset() causes exactly one unhandled rejection if the caller ignores its error', async () => {
    const rejections = watchRejections();
    const hosting = createClient(await serve(never), {
      auth: () => Promise.reject(new Error('none')),
    });
    const input = { upload_url: 'x', name: 'a', content_type: 'a/b', size: 7 };
    void hosting.releases.uploadAsset({ ...input, data: new Readable() });
    await until('it failed', async () => (await rejections()).length > 0);
    expect(await rejections()).toHaveLength(1);
    await hosting.close();
  });
});
