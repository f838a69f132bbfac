import { getEventListeners, once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, turns, until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

const file = { owner: 'o', repo: 'r', path: 'big.bin' };
const url = (server: TestServer) => `${server.origin}/api/v3/repos/o/r/contents/big.bin`;
const raw = Buffer.alloc(300_000, 'abcdefghij');

describe('the stream from getRaw()', () => {
  it.each([
    ['uncompressed', undefined, raw],
    ['gzip', 'gzip', zlib.gzipSync(raw)],
    ['deflate', 'deflate', zlib.deflateSync(raw)],
    ['raw deflate', 'deflate', zlib.deflateRawSync(raw)],
    ['br', 'br', zlib.brotliCompressSync(raw)],
    ['gzip over deflate', 'deflate, gzip', zlib.gzipSync(zlib.deflateSync(raw))],
    ['an empty gzip body', 'gzip', zlib.gzipSync('')],
  ])(
    'the stream of getRaw() delivers the complete, decoded body (%s)',
    async (name, coding, body) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, { ...(coding && { 'content-encoding': coding }) });
        response.end(body);
      });
      const stream = await createClient(server).contents.getRaw(file);
      expect(
        (await buffer(stream)).equals(name.startsWith('an empty') ? Buffer.alloc(0) : raw),
      ).toBe(true);
    },
  );

  it.each([
    ['uncompressed', {}, raw.subarray(0, 1000)],
    ['gzip', { 'content-encoding': 'gzip' }, zlib.gzipSync(raw).subarray(0, 100)],
  ])(
    'the stream error for a truncated body contains the URL (%s)',
    async (_name, headers, part) => {
      const server = await serve((_request, response) => {
        response.writeHead(206, { 'content-length': '300000', ...headers });
        response.write(part, () => response.destroy());
      });
      const stream = await createClient(server).contents.getRaw(file);
      expect(await rejectionOf(buffer(stream))).toMatchObject({
        name: 'ResponseBodyError',
        reason: 'truncated',
        status: 206,
        message: expect.stringContaining(url(server)),
      });
    },
  );

  it.each([
    ['is compressed and truncated', zlib.gzipSync(raw).subarray(0, 100), 'truncated'],
    ["isn't in the announced coding", raw, 'undecodable'],
  ])('the stream of getRaw() fails if the body %s', async (_name, body, problem) => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
    );
    const stream = await createClient(server).contents.getRaw(file);
    expect(await rejectionOf(buffer(stream))).toMatchObject({
      name: 'ResponseBodyError',
      reason: problem,
    });
  });

  it('getRaw() rejects if the content coding is unknown', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
    );
    expect(await rejectionOf(createClient(server).contents.getRaw(file))).toMatchObject({
      reason: 'undecodable',
    });
  });

  it('the stream of getRaw() fails with a TimeoutError if the body stalls', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x');
    });
    const stream = await createClient(server, { timeout: { body: 50 } }).contents.getRaw(file);
    expect(await rejectionOf(buffer(stream))).toMatchObject({
      name: 'TimeoutError',
      reason: 'body',
      message: expect.stringContaining(url(server)),
    });
  });

  it('the stream of getRaw() continues after the total timeout', async () => {
    let end = () => {};
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '2' });
      response.write('x');
      end = () => response.end('y');
    });
    const timers = holdTimers();
    const stream = await createClient(server, { timeout: { total: heldLimit } }).contents.getRaw(
      file,
    );
    expect(timers.started).toBe(1);
    timers.runOut();
    end();
    expect(String(await buffer(stream))).toBe('xy');
  });

  it('the stream of getRaw() applies backpressure from the reader to the server', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(256 * 1024);
    const total = 64 * 1024 * 1024;
    const server = await serve((_request, response) => {
      const source = new Readable({
        read() {
          sent += chunk.length;
          this.push(sent > total ? null : chunk);
        },
      });
      source.pipe(response);
    });
    const stream = await createClient(server).contents.getRaw(file);
    let before = -1;
    await until('the server can send no more', async () => {
      const same = sent === before;
      before = sent;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      return same;
    });
    expect(sent).toBeLessThan(total / 2);
    let read = 0;
    for await (const part of stream) read += part.length;
    expect(read).toBe(total);
  });

  it.each([true, false])(
    'the stream of getRaw() fails with the abort reason (gzip: %s)',
    async (coded) => {
      const server = await serve((_request, response) => {
        response.writeHead(200, coded ? { 'content-encoding': 'gzip' } : {});
        response.write(coded ? zlib.gzipSync(raw).subarray(0, 50) : 'x');
      });
      const controller = new AbortController();
      const client = createClient(server);
      const stream = await client.contents.getRaw(file, { signal: controller.signal });
      const reading = rejectionOf(buffer(stream));
      const reason = new Error('enough');
      controller.abort(reason);
      expect(await reading).toBe(reason);
      await client.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    },
  );

  it('the stream of getRaw() closes its socket if the reader cancels', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const stream = await createClient(server).contents.getRaw(file);
    for await (const _ of stream) break;
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('a complete read of getRaw() keeps the socket reusable and leaves no abort listener', async () => {
    const server = await serve((_request, response) => response.end('x'));
    const { signal } = new AbortController();
    const client = createClient(server);
    for (let count = 0; count < 3; count++) {
      await buffer(await client.contents.getRaw(file, { signal }));
      await turns(3);
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(server.sockets.size).toBe(1);
  });

  it.each([404, 500])(
    "getRaw() includes the server's message in the error for a %i",
    async (status) => {
      const server = await serve((_request, response) =>
        sendJson(response, { message: 'no such file' }, status),
      );
      const call = createClient(server, { retry: false }).contents.getRaw(file);
      expect(await rejectionOf(call)).toMatchObject({
        status,
        message: expect.stringContaining('no such file'),
      });
    },
  );

  it('getRaw() rejects and closes the socket if the media type is wrong', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.write('[');
    });
    expect(await rejectionOf(createClient(server).contents.getRaw(file))).toMatchObject({
      name: 'ResponseBodyError',
      reason: 'unexpected_type',
    });
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('withResponse() returns the stream and its response', async () => {
    const server = await serve((_request, response) => response.end('x'));
    const { data, response } = await createClient(server).contents.getRaw(file).withResponse();
    expect(response.status).toBe(200);
    data.resume();
    await once(data, 'end');
  });
});
