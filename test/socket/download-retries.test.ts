import { getEventListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  asset,
  content,
  etag,
  folder,
  getRequests,
  hash,
  type ResponseOptions,
  respond,
  rest,
  serveIn,
  whole,
} from './download-world.js';

describe('downloads to a file', () => {
  it('a download resumes at the byte where the connection failed, and reports progress', async () => {
    const server = await serveIn([{ cutAfter: 150_000 }]);
    const { path, names } = await folder();
    const to = join(path, 'a.zip');
    const reported: number[] = [];
    const { signal } = new AbortController();
    const file = await createClient(server).releases.downloadAsset(asset, {
      to,
      signal,
      onProgress: ({ received, total }) => {
        expect(total).toBe(content.length);
        reported.push(received);
      },
    });
    expect(file).toEqual({ path: to, size: content.length });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(reported.at(-1)).toBe(content.length);
    expect(await names()).toEqual(['a.zip']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it("a download resumes at a redirect's target without sending credentials there", async () => {
    const store = await serveIn([{ cutAfter: 100_000 }]);
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${store.origin}/kept?signature=s` }).end(),
    );
    const to = join((await folder()).path, 'a');
    const client = createClient(server, { auth: { type: 'token', token: 'secret' } });
    await client.releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(store)).toEqual([whole, rest(etag)]);
    for (const { headers } of server.requests) expect(headers.authorization).toContain('secret');
    for (const { headers } of store.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  it('a download resumes after a body timeout', async () => {
    const server = await serve((request, response, index) => {
      if (index > 0) return respond(request, response);
      response.writeHead(200, { 'content-length': content.length, etag });
      return response.write(content.subarray(0, 5000));
    });
    const to = join((await folder()).path, 'a');
    await createClient(server, { timeout: { body: 1000 } }).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
  });

  const date = 'Sun, 01 Nov 2026 10:00:00 GMT';
  it.each<[string, ResponseOptions]>([
    ['has a weak ETag', { headers: { etag: 'W/"one"' } }],
    ['has a weak ETag and a date', { headers: { etag: 'W/"one"', 'last-modified': date } }],
    ['has no validator', { headers: { etag: undefined } }],
    ['has an invalid ETag', { headers: { etag: 'one' } }],
  ])('an interrupted download starts over if the file %s', async (_why, how) => {
    const server = await serveIn([{ ...how, cutAfter: 1000 }, how]);
    const to = join((await folder()).path, 'a');
    const reported: number[] = [];
    await createClient(server).releases.downloadAsset(asset, {
      to,
      onProgress: ({ received }) => reported.push(received),
    });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, whole]);
    expect(reported.at(-1)).toBe(content.length);
  });

  it('a download decodes a compressed body, and starts over if the connection breaks', async () => {
    const body = gzipSync(content);
    const coded = { body, headers: { 'content-encoding': 'gzip' } };
    const server = await serveIn([{ ...coded, cutAfter: 100_000 }, coded]);
    const to = join((await folder()).path, 'a');
    const totals = new Set<unknown>();
    const onProgress = ({ total }: { total: number | undefined }) => totals.add(total);
    const file = await createClient(server).releases.downloadAsset(asset, { to, onProgress });
    expect(file.size).toBe(content.length);
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, whole]);
    expect([...totals]).toEqual([undefined]);
  });

  it.each<[string, ResponseOptions]>([
    ['the complete file', { status: 200, headers: { 'content-range': undefined } }],
    ['a different file', { status: 200, body: content.subarray(9), headers: { etag: '"two"' } }],
  ])('a download accepts %s in response to a range request', async (_what, how) => {
    const body = how.body ?? content;
    const server = await serve((request, response, index) =>
      index === 0
        ? respond(request, response, { cutAfter: 1000 })
        : respond({ ...request, headers: {} }, response, how),
    );
    const to = join((await folder()).path, 'a');
    const file = await createClient(server).releases.downloadAsset(asset, { to });
    expect(file.size).toBe(body.length);
    expect(hash(await readFile(to))).toBe(hash(body));
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
  });

  it.each<[string, ResponseOptions]>([
    ['without Content-Range', { headers: { 'content-range': undefined } }],
    [
      'with several ranges',
      {
        headers: { 'content-range': undefined, 'content-type': 'multipart/byteranges; boundary=b' },
      },
    ],
    ['with a different start', { headers: { 'content-range': 'bytes 0-399999/400000' } }],
    ['with an early end', { headers: { 'content-range': 'bytes 1000-2000/400000' } }],
    [
      'for a file with a different size',
      { headers: { 'content-range': 'bytes 1000-399999/400001' } },
    ],
    ['for a file with an unknown size', { headers: { 'content-range': 'bytes 1000-399999/*' } }],
    ['for a file with another ETag', { headers: { etag: '"two"' } }],
    ['with a content coding', { headers: { 'content-encoding': 'gzip' } }],
    [
      'that is shorter than its Content-Range',
      {
        headers: { 'content-length': '5', 'content-range': 'bytes 1000-399999/400000' },
        body: content.subarray(0, 1005),
      },
    ],
    [
      'with status 416',
      { status: 416, body: Buffer.alloc(1000), headers: { 'content-range': 'bytes */400000' } },
    ],
    [
      'with too many bytes',
      { headers: { 'content-length': undefined }, body: Buffer.concat([content, content]) },
    ],
    ['with only the rest but status 200', { status: 200 }],
    ['with status 202', { status: 202 }],
  ])('a resumed download fails and leaves no file after a response %s', async (_why, how) => {
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject(
      how.status === 416 ? { status: 416 } : { code: 'response_body' },
    );
    expect(await names()).toEqual([]);
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
  });

  it('a download resumes after a redirect to the same path with a new signature', async () => {
    let redirects = 0;
    const server = await serve((request, response) => {
      if (request.url.startsWith('/files/')) {
        return respond(request, response, redirects === 1 ? { cutAfter: 100_000 } : {});
      }
      redirects++;
      return response.writeHead(302, { location: `/files/a?signature=${redirects}` }).end();
    });
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(server.requests.at(-1)?.headers.range).toBe('bytes=100000-');
  });

  it('a download starts over if the connection breaks before the first byte', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ cutAfter: 0 }]);
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(getRequests(server)).toEqual([whole, whole]);
  });

  it('a download fails if the connection breaks again after it resumed', async () => {
    const { path, names } = await folder();
    const server = await serveIn([{ cutAfter: 1000 }, { cutAfter: 1000 }]);
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ reason: 'truncated' });
    expect(server.log).toHaveLength(2);
    expect(await names()).toEqual([]);
  });

  it.each<[string, readonly ResponseOptions[], object]>([
    ['server errors', [{ status: 500 }, { cutAfter: 10 }, { status: 500 }], { code: 'server' }],
    [
      'a last attempt that breaks',
      [{ status: 500 }, { status: 500 }, { cutAfter: 10 }],
      { reason: 'truncated' },
    ],
  ])('a download counts its resumption toward the retry limit (%s)', async (_what, ways, error) => {
    const server = await serveIn(ways);
    const { path, names } = await folder();
    const client = createClient(server, { retry: { limit: 2, baseDelay: 0 } });
    const call = client.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject(error);
    expect(server.log).toHaveLength(3);
    expect(await names()).toEqual([]);
  });

  it('a download never joins parts of two URLs, even if their ETags are equal', async () => {
    let redirects = 0;
    const server = await serve((request, response) => {
      if (request.url.startsWith('/files/')) {
        return respond(request, response, redirects === 1 ? { cutAfter: 1000 } : {});
      }
      redirects++;
      return response.writeHead(302, { location: `/files/${redirects}` }).end();
    });
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ reason: 'truncated' });
    expect(await names()).toEqual([]);
  });
});

it.each([false, true])(
  'a download from the emulator resumes after a lost connection (separate asset origin: %s)',
  async (stored) => {
    const emulator = createEmulator();
    const at = await emulator.listen();
    onTestFinished(() => emulator.close());
    if (stored) emulator.hosting.assetOrigin = at.url.replace('127.0.0.1', 'localhost');
    const { owner, repo, token } = seeded;
    const client = createClient({ origin: at.url }, { auth: { type: 'token', token } });
    const { upload_url } = await client.releases.create({ owner, repo, tag_name: 'v77' });
    const { id } = await client.releases.uploadAsset({
      upload_url,
      name: 'a.zip',
      content_type: 'application/zip',
      data: content,
    });
    const path = stored ? /^\/assets/ : /\/assets\/\d+$/;
    emulator.fail({ path }, { kind: 'truncate' }, { times: 1 });
    const to = join((await folder()).path, 'a.zip');
    await client.releases.downloadAsset({ owner, repo, id }, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    const seen = emulator.requests.filter((each) => each.status === 206);
    expect(seen).toHaveLength(1);
  },
);
