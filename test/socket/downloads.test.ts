import { once } from 'node:events';
import { chmod, mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  asset,
  content,
  download,
  etag,
  failDownload,
  folder,
  hash,
  type ResponseOptions,
  respond,
  serveIn,
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

  it('applies backpressure to the server while a web stream is unread', async () => {
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

  it.each(['', 5, null, {}])(
    'causes an error that lists the valid values if it is %o',
    async (to) => {
      const server = await serveIn([]);
      const { releases } = createClient(server);
      const call = Reflect.apply(releases.downloadAsset, releases, [asset, { to }]);
      const error = await rejectionOf(call);
      expect(error).toMatchObject({
        code: 'invalid_request',
        field: 'to',
        message: expect.stringMatching(/a path or a file: URL/),
      });
      expect(error, 'no file operation failed').not.toHaveProperty('cause');
      expect(server.log).toEqual([]);
    },
  );

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

  it('can contain `..` after a symbolic link, which the download resolves first', async () => {
    const { path } = await folder();
    await mkdir(join(path, 'deep', 'in'), { recursive: true });
    await symlink(join(path, 'deep', 'in'), join(path, 'link'));
    const file = await download(await serveIn([]), { to: `${path}/link/../a` });
    expect(file.path).toBe(join(path, 'deep', 'a'));
  });
});

describe('the file mode of a download', () => {
  it.each([
    ['is 0600 like that of the existing file', 0o600, '600'],
    ['is 0444 like that of the existing file', 0o444, '444'],
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
  it('accepts a 203 as a complete response', async () => {
    const server = await serveIn([{ status: 203 }]);
    const file = await download(server, { headers: { 'x-trace': 'a' } });
    expect(file.hash).toBe(hash(content));
    expect(server.requests[0]?.headers['x-trace']).toBe('a');
  });

  it('creates an empty file for an empty body', async () => {
    const file = await download(await serveIn([{ body: Buffer.alloc(0) }]));
    expect(file).toMatchObject({ size: 0, hash: hash(Buffer.alloc(0)) });
  });

  it.each<[string, ResponseOptions, object]>([
    [
      'repeated connection failures',
      { cutAfter: 10 },
      { code: 'response_body', reason: 'truncated' },
    ],
    ['a 404', { status: 404 }, { code: 'not_found' }],
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

  it('rejects if onProgress returns a rejected promise', async () => {
    const rejections = watchRejections();
    const reason = new Error('enough');
    const onProgress = () => Promise.reject(reason);
    expect(await failDownload(await serveIn([]), { onProgress })).toBe(reason);
    expect(await rejections()).toEqual([]);
  });
});

describe.each<[string, unknown]>([
  ['an error', new Error('mine')],
  ['a string', 'mine'],
  ['null', null],
])('a download to a file that is aborted with %s', (_what, reason) => {
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
