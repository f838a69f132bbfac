import { getEventListeners, once } from 'node:events';
import { chmod, mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  asset,
  content,
  download,
  etag,
  failDownload,
  folder,
  getRequests,
  hash,
  type ResponseOptions,
  respond,
  rest,
  serveIn,
  whole,
} from './download-world.js';

const readMode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

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

  it('ends a web stream with an error if the connection breaks', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const web = await createClient(server).releases.downloadAsset(asset, { as: 'web' });
    expect(await rejectionOf(new Response(web).arrayBuffer())).toMatchObject({
      code: 'response_body',
      reason: 'truncated',
    });
  });

  it.each<[object, string]>([
    [{ as: 'text' }, 'as'],
    [{ as: 'web', to: 'a' }, 'as'],
    [{ onProgress: () => undefined }, 'onProgress'],
    [{ to: 'a', onprogress: () => undefined }, 'onprogress'],
  ])('rejects the options %o and names `%s` in the error', async (options, field) => {
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

it('getRaw(), getArchive() and getRawReadme() also accept `to` or `as`', async () => {
  const { contents } = createClient(await serveIn([]));
  const place = { owner: 'o', repo: 'r' };
  const to = pathToFileURL(join((await folder()).path, 'a'));
  await contents.getRaw({ ...place, path: 'a' }, { to });
  expect(hash(await readFile(to))).toBe(hash(content));
  await contents.getArchive({ ...place, archive_format: 'zipball', ref: 'main' }, { to });
  expect(hash(await contents.getRawReadme(place, { as: 'bytes' }))).toBe(hash(content));
});

describe('the `to` path of a download', () => {
  it('causes an error without a request if no file can be created there', async () => {
    const { path, names } = await folder();
    const server = await serveIn([]);
    await writeFile(join(path, 'file'), '');
    await symlink(join(path, 'loop'), join(path, 'loop'));
    // Uses a socket, because a faulty implementation would replace a real device with a file.
    const listener = createServer().listen(join(path, 'socket'));
    onTestFinished(() => void listener.close());
    await once(listener, 'listening');
    const before = await names();
    const below = ['no/such', '', 'file/below', 'loop', 'socket', 'x/', 'x//', 'x/.', 'x/..'];
    const places = [...below.map((each) => `${path}/${each}`), pathToFileURL(`${path}/x/`)];
    for (const to of [...places, '.', '..', '/', './']) {
      const error = await failDownload(server, { to });
      expect(error, String(to)).toMatchObject({ code: 'invalid_request', field: 'to' });
    }
    expect(server.log).toEqual([]);
    expect(await names()).toEqual(before);
  });

  it('can be relative, and the download returns the absolute path', async () => {
    const { path } = await folder();
    const before = process.cwd();
    process.chdir(path);
    onTestFinished(() => process.chdir(before));
    expect((await download(await serveIn([]), { to: 'a' })).path).toBe(join(path, 'a'));
  });

  it('can be a symbolic link, whose target the download replaces', async () => {
    const { path } = await folder();
    await writeFile(join(path, 'kept'), 'former');
    await symlink(join(path, 'kept'), join(path, 'link'));
    const file = await download(await serveIn([]), { to: join(path, 'link') });
    expect(file.path).toBe(join(path, 'kept'));
    expect(hash(await readFile(join(path, 'kept')))).toBe(hash(content));
  });
});

describe('the file mode of a download', () => {
  it.each([
    ['is 0600 like that of the existing file', 0o600, '600'],
    ['loses the set-user-ID bit of the existing file', 0o4755, '755'],
  ])('%s', async (_claim, mode, expected) => {
    const to = join((await folder()).path, 'a');
    await writeFile(to, 'former');
    await chmod(to, mode);
    expect((await download(await serveIn([]), { to })).hash).toBe(hash(content));
    expect(await readMode(to)).toBe(expected);
  });

  it('is 0600 for a partial file if the existing file has this mode', async () => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    await writeFile(to, 'former');
    await chmod(to, 0o600);
    const modes: string[] = [];
    const server = await serve(async (request, response) => {
      for (const name of await names()) modes.push(await readMode(join(path, name)));
      respond(request, response);
    });
    await download(server, { to });
    expect(modes).toEqual(['600', '600']);
  });

  it('follows the umask for a new file', async () => {
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    expect(await readMode((await download(await serveIn([]))).path)).toBe('640');
  });
});

describe('a download to a file', () => {
  it.each<[string, ResponseOptions, object]>([
    [
      'repeated connection failures',
      { cutAfter: 10 },
      { code: 'response_body', reason: 'truncated' },
    ],
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
    const client = { retry: { limit: 2, baseDelay: 0 } };
    expect(await failDownload(server, { to, client })).toMatchObject(error);
    expect(server.log).toHaveLength(how.cutAfter === undefined ? 1 : 2);
    expect(await readFile(to, 'utf8')).toBe('former');
    expect(await names()).toEqual(['a']);
  });

  it('leaves no file behind if the disk is full', async () => {
    const { path } = await folder();
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
    expect(await failDownload(server)).toMatchObject({
      code: 'invalid_request',
      field: 'to',
      message: expect.stringContaining('ENOSPC'),
      cause: full,
    });
    expect(server.log).toHaveLength(1);
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it("leaves no partial file behind if the finished file can't be renamed", async () => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    const server = await serve(async (request, response) => {
      await mkdir(to);
      respond(request, response);
    });
    expect(await failDownload(server, { to })).toMatchObject({
      code: 'invalid_request',
      field: 'to',
    });
    expect(await names()).toEqual(['a']);
  });

  it('rejects with the error that onProgress throws, even if the client retries that error', async () => {
    const server = await serveIn([{ cutAfter: 1000 }]);
    const once = createClient(server, { retry: false }).releases;
    const reason = await rejectionOf(once.downloadAsset(asset, { as: 'bytes' }));
    expect(reason).toMatchObject({ reason: 'truncated' });
    const onProgress = () => {
      throw reason;
    };
    expect(await failDownload(server, { onProgress })).toBe(reason);
  });
});

describe('an aborted download to a file', () => {
  const reason = new Error('mine');

  it.each(['when bytes arrive', 'while it waits for bytes', 'after the last byte'])(
    'rejects with the abort reason %s',
    async (when) => {
      const controller = new AbortController();
      const abort = () => controller.abort(reason);
      const server = await serve((request, response) => {
        if (when !== 'while it waits for bytes') return respond(request, response);
        return response
          .writeHead(200, { 'content-length': 10 })
          .write('x', () => setTimeout(abort, 50));
      });
      const onProgress = ({ received, total }: { received: number; total: number | undefined }) => {
        if (when === 'when bytes arrive' || received === total) abort();
      };
      const { signal } = controller;
      expect(await failDownload(server, { signal, onProgress })).toBe(reason);
      expect(server.log, 'number of requests').toHaveLength(1);
      // After the last byte, the client keeps the connection for later requests.
      if (when === 'after the last byte') return;
      await until('no socket is open', async () => (await server.open()) === 0);
    },
  );

  it('rejects with the abort reason between two attempts', async () => {
    const controller = new AbortController();
    const server = await serve((request, response) => {
      respond(request, response, { cutAfter: 1000 });
      setTimeout(() => controller.abort(reason), 50);
    });
    const client = { retry: { baseDelay: 1e8, maxDelay: 1e8 } };
    const { signal } = controller;
    expect(await failDownload(server, { signal, client })).toBe(reason);
    expect(server.log, 'number of requests').toHaveLength(1);
    await until('no socket is open', async () => (await server.open()) === 0);
  });
});

const withRange = (range: string | readonly string[], more = {}): ResponseOptions => ({
  headers: { 'content-range': range, ...more },
});
const right = 'bytes 1000-399999/400000';

describe('an interrupted download to a file', () => {
  it('resumes at the byte where the connection failed, and reports progress', async () => {
    const server = await serveIn([{ cutAfter: 150_000 }]);
    const reported: number[] = [];
    const { signal } = new AbortController();
    const file = await download(server, {
      signal,
      onProgress: ({ received, total }) => {
        expect(total).toBe(content.length);
        reported.push(received);
      },
    });
    expect(file).toMatchObject({ size: content.length, hash: hash(content), names: ['a'] });
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(reported.at(-1)).toBe(content.length);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it("resumes at a redirect's target without sending credentials there", async () => {
    const store = await serveIn([{ cutAfter: 100_000 }]);
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${store.origin}/kept?signature=s` }).end(),
    );
    const client = { auth: { type: 'token', token: 'secret' } } as const;
    expect((await download(server, { client })).hash).toBe(hash(content));
    expect(getRequests(store)).toEqual([whole, rest(etag)]);
    for (const { headers } of server.requests) expect(headers.authorization).toContain('secret');
    for (const { headers } of store.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  /** Starts a server that redirects to a different URL each time, and breaks the first download. */
  async function redirecting(location: string) {
    let redirects = 0;
    return await serve((request, response) => {
      if (request.url.startsWith('/files/')) {
        return respond(request, response, redirects === 1 ? { cutAfter: 100_000 } : {});
      }
      redirects++;
      return response.writeHead(302, { location: `${location}${redirects}` }).end();
    });
  }

  it('resumes after a redirect to the same path with a new signature', async () => {
    const server = await redirecting('/files/a?signature=');
    expect((await download(server)).hash).toBe(hash(content));
    expect(server.requests.at(-1)?.headers.range).toBe('bytes=100000-');
  });

  it('never combines parts from two URLs, even if their ETags are equal', async () => {
    const server = await redirecting('/files/');
    expect(await failDownload(server)).toMatchObject({ reason: 'truncated' });
  });

  it.each<[string, ResponseOptions, { cutAfter: number }?]>([
    ['the file has a weak ETag', { headers: { etag: 'W/"one"' } }],
    ['the file has no validator', { headers: { etag: undefined } }],
    [
      'the body is compressed',
      { body: gzipSync(content), headers: { 'content-encoding': 'gzip' } },
    ],
  ])('starts over if %s', async (_why, how, cut = { cutAfter: 1000 }) => {
    const server = await serveIn([{ ...how, ...cut }, how]);
    const reported: unknown[] = [];
    const file = await download(server, { onProgress: (progress) => reported.push(progress) });
    expect(file).toMatchObject({ size: content.length, hash: hash(content) });
    expect(getRequests(server)).toEqual([whole, whole]);
    const total = how.body ? undefined : content.length;
    expect(reported.at(-1)).toEqual({ received: content.length, total });
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
    expect(await download(server)).toMatchObject({ size: body.length, hash: hash(body) });
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
  });

  // Without these checks, the file could contain bytes of two versions.
  it.each<[string, ResponseOptions]>([
    ['without Content-Range', { headers: { 'content-range': undefined } }],
    ['with another ETag', withRange(right, { etag: '"two"' })],
    ['with an earlier start', withRange('bytes 0-399999/400000')],
    ['with an early end', withRange('bytes 1000-2000/400000')],
    ['for a file with a different size', withRange('bytes 1000-399999/400001')],
    [
      'with a content coding',
      {
        ...withRange(right, { 'content-encoding': 'gzip' }),
        body: Buffer.concat([content.subarray(0, 1000), gzipSync(content.subarray(1000))]),
      },
    ],
    [
      'that is shorter than its Content-Range',
      { ...withRange(right, { 'content-length': '5' }), body: content.subarray(0, 1005) },
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
  ])('fails and leaves no file after a range response %s', async (_why, how) => {
    const server = await serveIn([{ cutAfter: 1000 }, how]);
    expect(await failDownload(server)).toMatchObject(
      how.status === 416 ? { status: 416 } : { code: 'response_body' },
    );
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
  });

  it('counts each resumption toward the retry limit', async () => {
    const server = await serveIn([{ status: 500 }, { cutAfter: 10 }, { status: 500 }]);
    const client = { retry: { limit: 2, baseDelay: 0 } };
    expect(await failDownload(server, { client })).toMatchObject({ code: 'server' });
    expect(server.log).toHaveLength(3);
  });
});
