import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, truncateSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { HostingClientOptions } from '../../src/hosting/index.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { listening, sendJson, serve, serveRaw, type TestServer } from '../support/server.js';
import { folder, hash } from './download-world.js';

const upload = (server: TestServer, data: Readable | ReadableStream<Uint8Array>, size = 8) => ({
  upload_url: `${server.origin}/up{?name}`,
  name: 'a',
  content_type: 'a/b',
  data,
  size,
});

/** Starts a server that returns each request's body as a JSON string. */
const take = (status = 201) =>
  serve((request, response) => sendJson(response, request.body, status));

/** Creates a web stream that never ends, and reports whether it was canceled. */
function endless() {
  const state = { canceled: false };
  const data = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(Buffer.from('some')),
    cancel: () => {
      state.canceled = true;
    },
  });
  return { data, state };
}

async function openFile() {
  const file = join((await folder()).path, 'file');
  await writeFile(file, 'content');
  const data = createReadStream(file);
  await once(data, 'open');
  return data;
}

describe('an upload', () => {
  it('starts the headers timeout at the end of the request, however long the body takes', async () => {
    const server = await take();
    const timeout = { headers: 1500 };
    const client = createClient(server, { timeout, retry: false, validation: 'off' });
    const pieces = async function* () {
      for (const piece of ['a', 'b', 'c', 'd']) {
        await sleep(1000);
        yield piece;
      }
    };
    const sent = await client.releases.uploadAsset(upload(server, Readable.from(pieces()), 4));
    expect(sent).toBe('abcd');
  });

  it('fails if onProgress rejects', async () => {
    const onProgress = () => Promise.reject(new Error('enough'));
    const rejections = watchRejections();
    const server = await take();
    const chunks = Array.from({ length: 50 }, () => Buffer.alloc(100_000));
    const data = Readable.from(chunks, { objectMode: true });
    const uploading = createClient(server).releases.uploadAsset(upload(server, data, 5_000_000), {
      onProgress,
    });
    expect(await rejectionOf(uploading)).toMatchObject({ cause: { message: 'enough' } });
    expect(data.destroyed).toBe(true);
    expect(await rejections()).toEqual([]);
  });

  it('fails with a TimeoutError if the source hangs', async () => {
    const server = await take();
    const client = createClient(server, { timeout: { body: heldLimit } });
    const data = new Readable({ read() {} });
    data.push('some');
    const timers = holdTimers();
    const failing = rejectionOf(client.releases.uploadAsset(upload(server, data, 100)));
    await until('the first bytes arrived', () => server.requests[0]?.body === 'some');
    timers.runOut();
    const error = await failing;
    expect(error).toMatchObject({ name: 'TimeoutError', reason: 'body', mayHaveActed: true });
    await until('the source is closed', () => data.destroyed);
    await client.close();
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it.each([
    ['fails', 'disk on fire', new Error('disk on fire')],
    ['closes early', 'Premature close', undefined],
  ])('fails with an error that names `data` if the stream %s', async (_how, why, cause) => {
    const server = await take();
    const data = new Readable({
      read() {
        this.destroy(cause);
      },
    });
    const call = createClient(server).releases.uploadAsset(upload(server, data, 10));
    const error = await rejectionOf(call);
    expect(error).toMatchObject({
      code: 'invalid_request',
      field: 'data',
      cause: cause ?? { code: 'ERR_STREAM_PREMATURE_CLOSE' },
    });
    expect(String(error)).toContain(
      `releases.uploadAsset: data: the stream failed: ${why}. The server did not execute the request.`,
    );
  });

  it.each([3, 9, 30])(
    'fails with an error that names `size` if `size` is %i for 10 bytes of data',
    async (size) => {
      const server = await take();
      const data = Readable.from([Buffer.alloc(3), Buffer.alloc(6), Buffer.alloc(1)]);
      const call = createClient(server).releases.uploadAsset(upload(server, data, size));
      const error = await rejectionOf(call);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field: 'size' });
      expect(String(error)).toMatch(
        /^InvalidRequestError: releases\.uploadAsset: size: the data .*declared size.*\. The server did not execute the request\. \[POST http/,
      );
      expect(data.destroyed).toBe(true);
      // The server must not receive a body that looks complete.
      expect(server.requests.filter(({ body }) => body.length === size)).toEqual([]);
    },
  );

  it('fails with an error that names `data` if the file shrinks during the upload', async () => {
    const data = join((await folder()).path, 'log');
    await writeFile(data, Buffer.alloc(8_000_000));
    const server = await take();
    const call = createClient(server).releases.uploadAsset(
      { upload_url: server.origin, name: 'a', content_type: 'a/b', data },
      { onProgress: () => truncateSync(data, 1_000_000) },
    );
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'data' });
  });

  it.each<[string, object, Partial<HostingClientOptions>]>([
    ['an input is invalid', { name: 5 }, {}],
    ['the auth function rejects', {}, { auth: () => Promise.reject(new Error('none')) }],
  ])('destroys the stream in `data` if %s', async (_why, change, options) => {
    const rejections = watchRejections();
    const server = await take();
    const hosting = createClient(server, options);
    const data = await openFile();
    const input = { upload_url: server.origin, name: 'a', content_type: 'a/b', data, size: 7 };
    await rejectionOf(
      Reflect.apply(hosting.releases.uploadAsset, hosting.releases, [{ ...input, ...change }]),
    );
    await until('the file is closed', () => data.closed);
    expect(server.log).toEqual([]);
    await hosting.close();
    expect(await rejections()).toEqual([]);
  });
});

describe('an upload of a ReadableStream', () => {
  it('sends the stream of a Blob', async () => {
    const server = await take();
    const client = createClient(server, { validation: 'off' });
    const data = new Blob(['all ', 'data']).stream();
    expect(await client.releases.uploadAsset(upload(server, data))).toBe('all data');
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '8' });
  });

  it('sends no second request after the stream was read', async () => {
    const server = await take(429);
    const client = createClient(server);
    const data = new Blob(['all data']).stream();
    const error = await rejectionOf(client.releases.uploadAsset(upload(server, data)));
    expect(error).toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  it('cancels the stream if the call is aborted', async () => {
    const server = await take();
    const { data, state } = endless();
    const controller = new AbortController();
    const call = createClient(server).releases.uploadAsset(upload(server, data), {
      signal: controller.signal,
    });
    const failing = rejectionOf(call);
    await until('the first bytes arrived', () => server.requests[0]?.body === 'some');
    controller.abort();
    expect(await failing).toMatchObject({ name: 'AbortError' });
    await until('the stream is canceled', () => state.canceled);
  });
});

it('the client sends a large file unchanged to a slow server, and sends it again after a 429', async () => {
  // The file exceeds the system's buffers on both sides, so the server slows down the client.
  const bytes = randomBytes(12_345_678);
  const data = join((await folder()).path, 'file');
  await writeFile(data, bytes);
  const received: string[] = [];
  let attempts = 0;
  const server = createServer(async (request, response) => {
    const attempt = ++attempts;
    const pieces: Buffer[] = [];
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      pieces.push(piece);
      await sleep(1);
      if (attempt > 1 || pieces.length < 20) continue;
      // Reads the rest until the client gives up. Closing a socket with unread data would reset the
      // connection, and the reset could overtake the response.
      request.on('error', () => {}).resume();
      response.writeHead(429, { 'retry-after': '0' }).end('{"message":"not now"}');
      return;
    }
    received.push(hash(Buffer.concat(pieces)));
    response.writeHead(201).end('{}');
  });
  const { origin } = await listening(server);
  const client = createClient({ origin }, { validation: 'off' });
  const file = { upload_url: origin, name: 'a', content_type: 'a/b', data };
  await client.releases.uploadAsset(file);
  expect(attempts).toBe(2);
  expect(received).toEqual([hash(bytes)]);
});

it('the client sends a Content-Length of 0 with a PUT, POST or PATCH without a body', async () => {
  const heads: string[] = [];
  const server = await serveRaw((socket, _index, head) => {
    heads.push(head.toLowerCase());
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const client = createClient(server, { userAgent: 'me/1' });
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE', 'GET'] as const) {
    await client.request(`${method} /x`);
  }
  await client.starring.star({ owner: 'o', repo: 'r' });
  expect(heads.map((head) => /content-length: (\d+)/.exec(head)?.[1])).toEqual([
    '0',
    '0',
    '0',
    undefined,
    undefined,
    '0',
  ]);
  for (const head of heads) expect(head).toMatch(/\r\nuser-agent: me\/1 triforge\/\d/);
});
