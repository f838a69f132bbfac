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
    const server = await serveIn([{ cutAfter: 150_000 }, { cutAfter: 1 }, { cutAfter: 90_000 }]);
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
    expect(getRequests(server)).toEqual([whole, rest(etag), rest(etag), rest(etag)]);
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
    // On a slow machine, the download may time out once more.
    expect(getRequests(server).slice(0, 2)).toEqual([whole, rest(etag)]);
  });

  const date = 'Sun, 01 Nov 2026 10:00:00 GMT';
  it.each<[string, ResponseOptions]>([
    ['has a weak ETag', { headers: { etag: 'W/"one"' } }],
    ['has a weak ETag and a date', { headers: { etag: 'W/"one"', 'last-modified': date } }],
    ['has no validator', { headers: { etag: undefined } }],
    [
      'was changed in the same second as the response',
      { headers: { etag: undefined, 'last-modified': date, date } },
    ],
    [
      'has a Last-Modified, but the response has no Date',
      { headers: { etag: undefined, 'last-modified': date, date: '' } },
    ],
    ['has an invalid ETag', { headers: { etag: 'one' } }],
    ["is on a server that doesn't support ranges", { headers: { 'accept-ranges': 'none' } }],
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
  ])('a download starts over if the range request gets a response %s', async (_why, how) => {
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, rest(etag), whole]);
  });

  it('a download starts over if the connection breaks before the first byte', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ cutAfter: 0 }]);
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(getRequests(server)).toEqual([whole, whole]);
  });

  it.each<[string, ResponseOptions, object]>([
    ['has status 202', { status: 202 }, { reason: 'unexpected_type' }],
    [
      'is too short and no retry is left',
      {
        headers: { 'content-length': '5', 'content-range': 'bytes 1000-399999/400000' },
        body: content.subarray(0, 1005),
      },
      { reason: 'truncated', mayHaveActed: false },
    ],
  ])('a download fails if the response to the range request %s', async (_what, how, error) => {
    const { path, names } = await folder();
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    const client = createClient(server, { retry: { limit: 1, baseDelay: 0 } });
    const call = client.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ code: 'response_body', ...error });
    expect(await names()).toEqual([]);
  });

  it('a download counts server errors and truncated responses toward the same retry limit', async () => {
    const server = await serveIn([
      { status: 500 },
      { cutAfter: 10 },
      { status: 500 },
      { cutAfter: 10 },
      { cutAfter: 10 },
    ]);
    const { path } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ reason: 'truncated' });
    expect(server.log).toHaveLength(4);
  });

  it('a download fails with its last error when truncated responses and server errors reach the retry limit', async () => {
    const ways = [
      { cutAfter: 10 },
      { status: 500 },
      { status: 500 },
      { status: 500 },
      { status: 500 },
    ];
    const server = await serveIn(ways);
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ code: 'server' });
    expect(server.log).toHaveLength(4);
    const single = createClient(await serveIn([{ cutAfter: 10 }]), { retry: false });
    const once = single.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(once)).toMatchObject({ reason: 'truncated' });
    expect(await names()).toEqual([]);
  });
});

it.each([false, true])(
  'a download from the emulator resumes after lost connections (separate asset origin: %s)',
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
    emulator.fail({ path }, { kind: 'truncate' }, { times: 2 });
    const to = join((await folder()).path, 'a.zip');
    await client.releases.downloadAsset({ owner, repo, id }, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    const seen = emulator.requests.filter((each) => each.status === 206);
    expect(seen).toHaveLength(2);
  },
);
