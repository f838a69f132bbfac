import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, watchRejections } from '../support/client.js';
import { serve } from '../support/server.js';
import { asset, content, etag, folder, getRequests, hash, respond } from './download-world.js';

const chunked = { 'content-length': undefined };
const cut = { cutAfter: 100_000 };

/**
 * Starts a server that truncates the first response. `rest` creates the response to a range
 * request.
 */
async function resumedBy(
  rest: (from: number) => { readonly headers: Record<string, string>; readonly body: Buffer },
  first: Readonly<Record<string, string | undefined>> = chunked,
) {
  return await serve((request, response, index) => {
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    if (index === 0) return respond(request, response, { ...cut, headers: first });
    if (from === undefined) return respond(request, response, { headers: first });
    const { headers, body } = rest(Number(from));
    response.writeHead(206, headers);
    return response.end(body);
  });
}

const range = (from: number) => `bytes ${from}-${content.length - 1}/${content.length}`;

describe('resumed downloads', () => {
  it.each<[string, (from: number) => Buffer]>([
    ['too few bytes', (from) => content.subarray(from, from + 10)],
    ['no bytes', () => Buffer.alloc(0)],
    ['too many bytes', (from) => Buffer.concat([content.subarray(from), Buffer.from('more')])],
    ['the complete file again', () => content],
  ])('a resumed download starts over if a 206 contains %s', async (_what, body) => {
    const server = await resumedBy((from) => ({
      headers: { etag, 'content-range': range(from) },
      body: body(from),
    }));
    const to = join((await folder()).path, 'a');
    const file = await createClient(server).releases.downloadAsset(asset, { to });
    expect(file.size).toBe(content.length);
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(getRequests(server)).toMatchObject([
      { range: false },
      { range: true },
      { range: false },
    ]);
  });

  it('a resumed download fails and leaves no file if every 206 is too short', async () => {
    const server = await serve((request, response) => {
      if (request.headers.range === undefined) {
        return respond(request, response, { ...cut, headers: chunked });
      }
      response.writeHead(206, { etag, 'content-range': range(100_000) });
      return response.end('few');
    });
    const { path, names } = await folder();
    const call = createClient(server, { retry: { limit: 3, baseDelay: 0 } }).releases.downloadAsset(
      asset,
      { to: join(path, 'a') },
    );
    expect(await rejectionOf(call)).toMatchObject({
      code: 'response_body',
      reason: 'truncated',
    });
    expect(await names()).toEqual([]);
  });

  it('a resumed download stops reading a 206 that exceeds the announced size', async () => {
    let written = 0;
    const server = await serve((request, response, index) => {
      if (index === 0) return respond(request, response, { ...cut, headers: chunked });
      if (request.headers.range === undefined) return respond(request, response);
      response.writeHead(206, { etag, 'content-range': range(100_000) });
      const chunk = Buffer.alloc(1024 * 1024);
      const write = () => {
        if (response.destroyed) return;
        written += chunk.length;
        // Writes in the next turn of the event loop, so that the server can notice a closed
        // connection.
        response.write(chunk, () => setImmediate(write));
      };
      return write();
    });
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['an old Last-Modified', { etag: undefined }],
    ['a weak ETag', { etag: 'W/"one"' }],
  ])(
    'an interrupted download starts over if the first response has %s but no strong ETag',
    async (_what, validator) => {
      const headers = {
        ...validator,
        'last-modified': 'Sun, 01 Nov 2026 10:00:00 GMT',
        date: 'Mon, 02 Nov 2026 10:00:00 GMT',
      };
      const other = Buffer.alloc(content.length, 'x');
      const server = await serve((request, response, index) =>
        respond(request, response, {
          headers,
          ...(index === 0 ? cut : { body: other }),
        }),
      );
      const to = join((await folder()).path, 'a');
      await createClient(server).releases.downloadAsset(asset, { to });
      expect(hash(await readFile(to))).toBe(hash(other));
      expect(getRequests(server)).toMatchObject([{ range: false }, { range: false }]);
    },
  );

  it.each([
    ['no ETag', undefined],
    ['a different ETag', '"two"'],
    ['a weak ETag', 'W/"one"'],
  ])('a resumed download starts over if the 206 has %s', async (_what, tag) => {
    const server = await resumedBy((from) => ({
      headers: { 'content-range': range(from), ...(tag && { etag: tag }) },
      body: Buffer.alloc(content.length - from, 'x'),
    }));
    const to = join((await folder()).path, 'a');
    await createClient(server).releases.downloadAsset(asset, { to });
    expect(hash(await readFile(to))).toBe(hash(content));
  });
});

describe('onProgress', () => {
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

describe('file download options', () => {
  it('downloadAsset() accepts inherited properties as options', async () => {
    const server = await serve((request, response, index) =>
      respond(request, response, index === 0 ? { status: 503 } : {}),
    );
    const { releases } = createClient(server);
    const controller = new AbortController();
    class Defaults {
      get headers() {
        return { 'x-mine': 'yes' };
      }
      get retry() {
        return false as const;
      }
      get auth() {
        return { type: 'token', token: 'mine' } as const;
      }
      get signal() {
        return controller.signal;
      }
    }
    const { path } = await folder();
    const options = Object.assign(new Defaults(), { to: join(path, 'a') });
    expect(await rejectionOf(releases.downloadAsset(asset, options))).toMatchObject({
      code: 'server',
    });
    expect(server.requests).toMatchObject([
      { headers: { 'x-mine': 'yes', authorization: 'token mine' } },
    ]);
    controller.abort(new Error('mine'));
    const inherited: typeof options = Object.create(options);
    expect(await rejectionOf(releases.downloadAsset(asset, inherited))).toBe(
      controller.signal.reason,
    );
    expect(server.requests).toHaveLength(1);
  });
});
