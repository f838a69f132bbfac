import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { serve } from '../support/server.js';
import {
  content,
  download,
  etag,
  failDownload,
  getRequests,
  hash,
  type ResponseOptions,
  respond,
  rest,
  serveIn,
  whole,
} from './download-world.js';

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

  it('resumes after a body timeout', async () => {
    const server = await serve((request, response, index) => {
      if (index > 0) return respond(request, response);
      response.writeHead(200, { 'content-length': content.length, etag });
      return response.write(content.subarray(0, 5000));
    });
    const file = await download(server, { client: { timeout: { body: 1000 } } });
    expect(file.hash).toBe(hash(content));
    expect(getRequests(server)).toEqual([whole, rest(etag)]);
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
    ['the connection breaks before the first byte', {}, { cutAfter: 0 }],
    ['the file has a weak ETag', { headers: { etag: 'W/"one"' } }],
    ['the file has no validator', { headers: { etag: undefined } }],
    ['the file has an invalid ETag', { headers: { etag: 'one' } }],
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
    ['with two Content-Range headers', withRange([right, 'bytes 0-9/400000'])],
    ['with two ETag headers', withRange(right, { etag: [etag, '"two"'] })],
    ['with another ETag', withRange(right, { etag: '"two"' })],
    ['with an ETag without quotes', withRange(right, { etag: 'one' })],
    ['with an earlier start', withRange('bytes 0-399999/400000')],
    ['with an early end', withRange('bytes 1000-2000/400000')],
    ['for a file with a different size', withRange('bytes 1000-399999/400001')],
    ['for a file with an unknown size', withRange('bytes 1000-399999/*')],
    [
      'with numbers above MAX_SAFE_INTEGER',
      withRange('bytes 1000-9007199254740992/9007199254740993'),
    ],
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

  it('fails if the connection breaks again after it resumed', async () => {
    const server = await serveIn([{ cutAfter: 1000 }, { cutAfter: 1000 }]);
    expect(await failDownload(server)).toMatchObject({ reason: 'truncated' });
    expect(server.log).toHaveLength(2);
  });

  it.each<[string, readonly ResponseOptions[], object]>([
    ['server errors', [{ status: 500 }, { cutAfter: 10 }, { status: 500 }], { code: 'server' }],
    [
      'a last attempt that breaks',
      [{ status: 500 }, { status: 500 }, { cutAfter: 10 }],
      { reason: 'truncated' },
    ],
  ])('counts each resumption toward the retry limit (%s)', async (_what, ways, error) => {
    const server = await serveIn(ways);
    const client = { retry: { limit: 2, baseDelay: 0 } };
    expect(await failDownload(server, { client })).toMatchObject(error);
    expect(server.log).toHaveLength(3);
  });
});
