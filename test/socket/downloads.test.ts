import { getEventListeners, once } from 'node:events';
import { mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClient, rejectionOf, until } from '../support/client.js';
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
  serveIn,
} from './download-world.js';

const whole = { range: false, validator: undefined };
const rest = (validator: string) => ({ range: true, validator });

describe('downloadAsset()', () => {
  it('returns a stream, a web stream or bytes, or writes a file', async () => {
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

  it('accepts `to` and `as` for repository contents', async () => {
    const server = await serveIn([]);
    const { contents } = createClient(server);
    const place = { owner: 'o', repo: 'r' };
    const to = pathToFileURL(join((await folder()).path, 'a'));
    await contents.getRaw({ ...place, path: 'a' }, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    await contents.getArchive({ ...place, archive_format: 'zipball', ref: 'main' }, { to });
    expect(hash(await contents.getRawReadme(place, { as: 'bytes' }))).toBe(hash(content));
  });

  it('retries a bytes download after a broken connection', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const bytes = await createClient(server).releases.downloadAsset(asset, { as: 'bytes' });
    expect(hash(bytes)).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, whole]);
  });

  it('sends a web stream no faster than its reader reads', async () => {
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

  it('ends a web stream with an error if the connection breaks', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const web = await createClient(server).releases.downloadAsset(asset, { as: 'web' });
    expect(await rejectionOf(new Response(web).arrayBuffer())).toMatchObject({
      code: 'response_body',
      reason: 'truncated',
    });
  });
});

describe('downloads to a file', () => {
  it('resumes at the byte where the connection failed, and reports progress', async () => {
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

  it("resumes at a redirect's target without sending credentials there", async () => {
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

  it('resumes after a body timeout', async () => {
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
  ])('starts over if the file %s', async (_why, how) => {
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

  it('decodes a compressed body, and starts over if the connection breaks', async () => {
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
  ])('accepts %s in response to a range request', async (_what, how) => {
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
  ])('starts over if the range request gets a response %s', async (_why, how) => {
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, rest(etag), whole]);
  });

  it.each<[string, ResponseOptions, object]>([
    [
      'repeated connection failures',
      { cutAfter: 10 },
      { code: 'response_body', reason: 'truncated' },
    ],
    ['a 404', { status: 404 }, { code: 'not_found' }],
    ['a 416 to a request without a range', { status: 416 }, { status: 416 }],
    [
      "a body that isn't in the announced coding",
      { headers: { 'content-encoding': 'gzip' } },
      { code: 'response_body' },
    ],
    ['a 202', { status: 202 }, { code: 'response_body', reason: 'unexpected_type' }],
    [
      'a 206 to a request without a range',
      { status: 206 },
      { code: 'response_body', reason: 'unexpected_type' },
    ],
  ])('keeps the existing file after %s', async (_what, how, error) => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    await writeFile(to, 'former');
    const server = await serve((request, response) => respond(request, response, how));
    const call = createClient(server, { retry: { limit: 2, baseDelay: 0 } }).releases.downloadAsset(
      asset,
      { to },
    );
    expect(await rejectionOf(call)).toMatchObject(error);
    expect(server.log).toHaveLength(how.cutAfter === undefined ? 1 : 3);
    expect(await readFile(to, 'utf8')).toBe('former');
    expect(await names()).toEqual(['a']);
  });

  it('accepts a 203 as a complete file', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ status: 203 }]);
    await createClient(server).releases.downloadAsset(asset, { to, headers: { 'x-trace': 'a' } });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(server.requests[0]?.headers['x-trace']).toBe('a');
  });

  it('starts over if the connection broke before the first byte', async () => {
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
  ])('fails if the response to the range request %s', async (_what, how, error) => {
    const { path, names } = await folder();
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    const client = createClient(server, { retry: { limit: 1, baseDelay: 0 } });
    const call = client.releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ code: 'response_body', ...error });
    expect(await names()).toEqual([]);
  });

  it('counts server errors and truncated responses toward the same retry limit', async () => {
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

  it('respects the retry limit after truncated responses and server errors', async () => {
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

  it.each([
    ['while data is arriving', {}],
    ['while waiting to resume', { cutAfter: 1000 }],
  ])('rejects with the abort reason if aborted %s', async (_when, how) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const server = await serve((request, response) => {
      if ('cutAfter' in how) respond(request, response, how);
      else response.writeHead(200, { 'content-length': 10 }).write('x');
    });
    const { path, names } = await folder();
    const retry = { baseDelay: 1e8, maxDelay: 1e8 };
    const call = createClient(server, { retry }).releases.downloadAsset(asset, {
      to: join(path, 'a'),
      signal: controller.signal,
      onProgress: () => setTimeout(() => controller.abort(reason), 50),
    });
    expect(await rejectionOf(call)).toBe(reason);
    expect(await names()).toEqual([]);
    expect(server.log, 'number of requests').toHaveLength(1);
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('rejects with the error that onProgress throws', async () => {
    const { path, names } = await folder();
    const server = await serveIn([{ cutAfter: 1000 }]);
    const once = createClient(server, { retry: false }).releases;
    const reason = await rejectionOf(once.downloadAsset(asset, { as: 'bytes' }));
    expect(reason).toMatchObject({ reason: 'truncated' });
    const onProgress = () => {
      throw reason;
    };
    const call = createClient(server).releases.downloadAsset(asset, {
      to: join(path, 'a'),
      onProgress,
    });
    expect(await rejectionOf(call)).toBe(reason);
    expect(await names()).toEqual([]);
  });

  it('replaces the target of a symbolic link', async () => {
    const { path } = await folder();
    await writeFile(join(path, 'kept'), 'former');
    await symlink(join(path, 'kept'), join(path, 'link'));
    const file = await createClient(await serveIn([])).releases.downloadAsset(asset, {
      to: join(path, 'link'),
    });
    expect(file.path).toBe(join(path, 'kept'));
    expect(hash(await readFile(join(path, 'kept')))).toBe(hash(content));
  });

  it('creates an empty file from an empty body', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ body: Buffer.alloc(0) }]);
    expect(await createClient(server).releases.downloadAsset(asset, { to })).toEqual({
      path: to,
      size: 0,
    });
    expect((await stat(to)).size).toBe(0);
  });

  it('rejects an unwritable path without sending a request', async () => {
    const { path } = await folder();
    const server = await serveIn([]);
    await writeFile(join(path, 'file'), '');
    await symlink(join(path, 'loop'), join(path, 'loop'));
    // Uses a socket, because a faulty implementation would replace a real device with a file.
    const listener = createServer().listen(join(path, 'socket'));
    onTestFinished(() => void listener.close());
    await once(listener, 'listening');
    for (const to of [
      join(path, 'no', 'such'),
      path,
      join(path, 'file', 'below'),
      join(path, 'loop'),
      join(path, 'socket'),
      '',
      5,
    ]) {
      const { releases } = createClient(server);
      const call = Reflect.apply(releases.downloadAsset, releases, [asset, { to }]);
      const error = await Promise.resolve(call).catch((reason: unknown) => reason);
      expect(error, String(to)).toMatchObject({ code: 'invalid_request', field: 'to' });
    }
    expect(server.log).toEqual([]);
  });

  it('lists the valid values of `to` in the error for an invalid value', async () => {
    const { releases } = createClient(await serve(() => undefined));
    for (const to of ['', 5, null, {}]) {
      const call = Reflect.apply(releases.downloadAsset, releases, [asset, { to }]);
      const error = await Promise.resolve(call).catch((reason: unknown) => reason);
      expect(error, String(to)).toMatchObject({
        field: 'to',
        message: expect.stringMatching(/a path or a file: URL/),
      });
      expect(error, 'no file operation failed').not.toHaveProperty('cause');
    }
  });

  it('leaves no file behind if the disk is full', async () => {
    const { path, names } = await folder();
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    const handle = await open(join(path, 'probe'), 'w');
    const write = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile');
    onTestFinished(() => write.mockRestore());
    await handle.close();
    await rm(join(path, 'probe'));
    write.mockRejectedValueOnce(full);
    const server = await serveIn([]);
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({
      code: 'invalid_request',
      field: 'to',
      message: expect.stringContaining('ENOSPC'),
      cause: full,
    });
    expect(server.log).toHaveLength(1);
    expect(await names()).toEqual([]);
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it("leaves no file behind if the finished file can't be renamed", async () => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    const server = await serve(async (request, response) => {
      await mkdir(to);
      respond(request, response);
    });
    const call = createClient(server).releases.downloadAsset(asset, { to });
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'to' });
    expect(await names()).toEqual(['a']);
  });

  it.each<[object, string]>([
    [{ as: 'text' }, 'as'],
    [{ as: 'web', to: 'a' }, 'as'],
    [{ onProgress: () => undefined }, 'onProgress'],
    [{ to: 'a', onProgress: 5 }, 'onProgress'],
    [{ to: 'a', headers: { Range: 'bytes=5-' } }, 'headers.range'],
    [{ to: 'a', headers: { 'If-Range': '"x"' } }, 'headers.if-range'],
    [{ to: 'a', retry: { limit: -1 } }, 'retry.limit'],
    [{ to: 'a', onprogress: () => undefined }, 'onprogress'],
  ])('rejects the options %j and names `%s` in the error', async (options, field) => {
    const { path, names } = await folder();
    const server = await serveIn([]);
    const { releases } = createClient(server);
    const passed = 'to' in options ? { ...options, to: join(path, 'a') } : options;
    const call = Reflect.apply(releases.downloadAsset, releases, [asset, passed]);
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
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
