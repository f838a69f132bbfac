import { once } from 'node:events';
import { mkdir, open, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  asset,
  content,
  folder,
  hash,
  type ResponseOptions,
  respond,
  serveIn,
} from './download-world.js';

describe('downloads to a file', () => {
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
  ])('a download to a file keeps the existing file after %s', async (_what, how, error) => {
    const { path, names } = await folder();
    const to = join(path, 'a');
    await writeFile(to, 'former');
    const server = await serve((request, response) => respond(request, response, how));
    const call = createClient(server, { retry: { limit: 2, baseDelay: 0 } }).releases.downloadAsset(
      asset,
      { to },
    );
    expect(await rejectionOf(call)).toMatchObject(error);
    expect(server.log).toHaveLength(how.cutAfter === undefined ? 1 : 2);
    expect(await readFile(to, 'utf8')).toBe('former');
    expect(await names()).toEqual(['a']);
  });

  it('a download to a file accepts a 203 as a complete response', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ status: 203 }]);
    await createClient(server).releases.downloadAsset(asset, { to, headers: { 'x-trace': 'a' } });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(server.requests[0]?.headers['x-trace']).toBe('a');
  });

  it.each([
    ['while data is arriving', {}],
    ['while waiting to resume', { cutAfter: 1000 }],
  ])('a download to a file rejects with the abort reason if aborted %s', async (_when, how) => {
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

  it('a download to a file rejects with the error that onProgress throws', async () => {
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

  it("a download to a symbolic link replaces the link's target", async () => {
    const { path } = await folder();
    await writeFile(join(path, 'kept'), 'former');
    await symlink(join(path, 'kept'), join(path, 'link'));
    const file = await createClient(await serveIn([])).releases.downloadAsset(asset, {
      to: join(path, 'link'),
    });
    expect(file.path).toBe(join(path, 'kept'));
    expect(hash(await readFile(join(path, 'kept')))).toBe(hash(content));
  });

  it('a download of an empty body creates an empty file', async () => {
    const to = join((await folder()).path, 'a');
    const server = await serveIn([{ body: Buffer.alloc(0) }]);
    expect(await createClient(server).releases.downloadAsset(asset, { to })).toEqual({
      path: to,
      size: 0,
    });
    expect((await stat(to)).size).toBe(0);
  });

  it('downloadAsset() rejects an unwritable `to` path without sending a request', async () => {
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

  it('downloadAsset() lists the valid values of `to` in the error for an invalid value', async () => {
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

  it('a download leaves no file behind if the disk is full', async () => {
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

  it("a download leaves no partial file behind if the finished file can't be renamed", async () => {
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
    [{ to: 'a', headers: { Range: 'bytes=5-' } }, 'headers.range'],
    [{ to: 'a', headers: { 'If-Range': '"x"' } }, 'headers.if-range'],
    [{ to: 'a', retry: { limit: -1 } }, 'retry.limit'],
    [{ to: 'a', onprogress: () => undefined }, 'onprogress'],
  ])(
    'downloadAsset() rejects the options %o and names `%s` in the error',
    async (options, field) => {
      const { path, names } = await folder();
      const server = await serveIn([]);
      const { releases } = createClient(server);
      const passed = 'to' in options ? { ...options, to: join(path, 'a') } : options;
      const call = Reflect.apply(releases.downloadAsset, releases, [asset, passed]);
      expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field });
      expect(server.log).toEqual([]);
      expect(await names()).toEqual([]);
    },
  );

  it.each(['gzip', 'deflate', 'br'])(
    'a file download fails if its %s-encoded body is empty',
    async (coding) => {
      const headers = { 'content-encoding': coding };
      const body = Buffer.alloc(0);
      const server = await serve((request, response) =>
        respond(request, response, { headers, body }),
      );
      const { path, names } = await folder();
      const call = createClient(server, { retry: false }).releases.downloadAsset(asset, {
        to: join(path, 'a'),
      });
      expect(await rejectionOf(call)).toMatchObject({ code: 'response_body', reason: 'truncated' });
      expect(await names()).toEqual([]);
    },
  );

  it('onProgress ends a file download if it returns a rejected promise', async () => {
    const rejections = watchRejections();
    const reason = new Error('enough');
    const server = await serve((request, response) => respond(request, response));
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, {
      to: join(path, 'a'),
      onProgress: async () => {
        throw reason;
      },
    });
    expect(await rejectionOf(call)).toBe(reason);
    expect(await names()).toEqual([]);
    expect(await rejections()).toEqual([]);
  });
});

const reasons: readonly [string, unknown][] = [
  ['an error', new Error('mine')],
  ['a frozen error', Object.freeze(new Error('mine'))],
  ['a string', 'mine'],
  ['an empty string', ''],
  ['null', null],
  ['0', 0],
  ['false', false],
  ['a symbol', Symbol('mine')],
];

describe.each(reasons)('file downloads aborted with %s', (_what, reason) => {
  it.each(['while bytes arrive', 'after the last byte'])(
    'a file download rejects with the abort reason if aborted %s',
    async (when) => {
      const controller = new AbortController();
      const server = await serve((request, response) => respond(request, response));
      const { path, names } = await folder();
      const call = createClient(server, { retry: false }).releases.downloadAsset(asset, {
        to: join(path, 'a'),
        signal: controller.signal,
        onProgress: ({ received, total }) => {
          if (when === 'while bytes arrive' || received === total) controller.abort(reason);
        },
      });
      expect(await rejectionOf(call)).toBe(reason);
      expect(await names()).toEqual([]);
      expect(server.log).toHaveLength(1);
    },
  );

  it('a file download rejects with the abort reason if aborted between two attempts', async () => {
    const controller = new AbortController();
    const server = await serve((request, response) => {
      respond(request, response, { cutAfter: 1000 });
      setTimeout(() => controller.abort(reason), 20);
    });
    const { path, names } = await folder();
    const retry = { baseDelay: 1e8, maxDelay: 1e8 };
    const { signal } = controller;
    const to = join(path, 'a');
    const call = createClient(server, { retry }).releases.downloadAsset(asset, { to, signal });
    expect(await rejectionOf(call)).toBe(reason);
    expect(await names()).toEqual([]);
  });
});

it('a file download leaves no file behind if close() is called when the last byte arrives', async () => {
  const server = await serve((request, response) => respond(request, response));
  const { path, names } = await folder();
  const hosting = createClient(server);
  const call = hosting.releases.downloadAsset(asset, {
    to: join(path, 'a'),
    onProgress: ({ received, total }) => {
      if (received === total) void hosting.close({ gracePeriod: 0 });
    },
  });
  expect(await rejectionOf(call)).toMatchObject({ code: 'connection' });
  expect(await names()).toEqual([]);
});
