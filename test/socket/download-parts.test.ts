import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { serve } from '../support/server.js';
import { asset, content, etag, folder, getRequests, hash, respond } from './download-world.js';

const range = (from: number) => `bytes ${from}-${content.length - 1}/${content.length}`;
const cut = { cutAfter: 100_000 };

describe('file downloads', () => {
  it.each([1, 1000, 299_999])(
    'a file download discards a 206 without Content-Length if the connection breaks after byte %i',
    async (bytes) => {
      const server = await serve((request, response, index) => {
        if (index !== 1) return respond(request, response, index === 0 ? cut : {});
        // Sends the file from its first byte, but the header announces only the remaining bytes.
        response.writeHead(206, { etag, 'content-range': range(100_000) });
        return response.write(content.subarray(0, bytes), () => response.destroy());
      });
      const to = join((await folder()).path, 'a');
      await createClient(server).releases.downloadAsset(asset, { to });
      expect(hash(await readFile(to))).toBe(hash(content));
      expect(server.requests.map(({ headers }) => headers.range)).toEqual([
        undefined,
        'bytes=100000-',
        'bytes=100000-',
      ]);
    },
  );

  it.each([
    { 'content-range': range(100_000) },
    { 'content-range': 'bytes 100000-399999/*' },
    { 'content-range': 'bytes 0-299999/400000' },
    { 'content-length': '300000' },
    { 'transfer-encoding': 'chunked' },
  ])(
    'a file download starts over if a 200 contains only the requested range (headers: %j)',
    async (headers) => {
      const server = await serve((request, response, index) => {
        if (index === 0) return respond(request, response, cut);
        if (index > 1) return respond(request, response);
        response.writeHead(200, { etag, ...headers });
        return response.end(content.subarray(100_000));
      });
      const to = join((await folder()).path, 'a');
      await createClient(server).releases.downloadAsset(asset, { to });
      expect(hash(await readFile(to))).toBe(hash(content));
      expect(getRequests(server)).toMatchObject([
        { range: false },
        { range: true },
        { range: false },
      ]);
    },
  );

  it.each([range(0), 'bytes 0-399999/*', 'bytes */400000', 'none'])(
    'a file download ignores the Content-Range "%s" in a 200',
    async (contentRange) => {
      const headers = { 'content-range': contentRange };
      const server = await serve((request, response) => respond(request, response, { headers }));
      const to = join((await folder()).path, 'a');
      await createClient(server).releases.downloadAsset(asset, { to });
      expect(hash(await readFile(to))).toBe(hash(content));
      expect(server.log).toHaveLength(1);
    },
  );

  it('a file download never joins parts of two URLs, even if their ETags are equal', async () => {
    const other = Buffer.alloc(content.length, 'x');
    let redirects = 0;
    const server = await serve((request, response) => {
      if (!request.url.startsWith('/files/')) {
        redirects++;
        const location = `/files/${redirects === 1 ? 'a' : 'b'}?signature=${redirects}`;
        return response.writeHead(302, { location }).end();
      }
      const isFirst = request.url.startsWith('/files/a');
      return respond(request, response, isFirst ? cut : { body: other });
    });
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(other));
  });

  it('a file download resumes after a redirect to the same path with a new signature', async () => {
    let redirects = 0;
    const server = await serve((request, response) => {
      if (request.url.startsWith('/files/')) {
        return respond(request, response, redirects === 1 ? cut : {});
      }
      redirects++;
      return response.writeHead(302, { location: `/files/a?signature=${redirects}` }).end();
    });
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(server.requests.at(-1)?.headers.range).toBe('bytes=100000-');
  });

  it.each<[string, (part: string) => void]>([
    ['shortens', (part) => truncateSync(part, 5)],
    ['extends', (part) => appendFileSync(part, 'more')],
    ['removes', (part) => rmSync(part)],
    [
      'replaces',
      (part) => {
        rmSync(part);
        writeFileSync(part, Buffer.alloc(content.length));
      },
    ],
  ])('a file download fails if another program %s the partial file', async (_what, change) => {
    const server = await serve((request, response, index) => {
      if (index === 0) return respond(request, response, cut);
      const [part = ''] = readdirSync(path);
      change(join(path, part));
      return respond(request, response);
    });
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'to' });
    expect(await names()).toEqual([]);
  });

  it('a file download fails if another program shortens the partial file during a 206', async () => {
    const server = await serve((request, response, index) => {
      if (index !== 1) return respond(request, response, index === 0 ? cut : {});
      const [part = ''] = readdirSync(path);
      truncateSync(join(path, part), 5);
      response.writeHead(206, { etag, 'content-range': range(100_000) });
      return response.write(content.subarray(100_000, 200_000), () => response.destroy());
    });
    const { path, names } = await folder();
    const call = createClient(server).releases.downloadAsset(asset, { to: join(path, 'a') });
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'to' });
    expect(await names()).toEqual([]);
  });

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
      respond(request, response, cut);
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
