import { truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingClient } from '../../src/hosting/index.js';
import type { Call } from '../../src/transport/api-client.js';
import { createClient, rejectionOf, until, watchRejections } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { sendJson, serve, serveRaw, type TestServer } from '../support/server.js';

const upload = (server: TestServer, data: Readable, size: number) => ({
  upload_url: `${server.origin}/up{?name}`,
  name: 'a',
  content_type: 'a/b',
  data,
  size,
});
/**
 * Slows a socket down to 250 bytes per ms. At this rate, 1.1 MB takes over four seconds, and a
 * piece of 256 KiB takes one second.
 */
function slow(socket: Socket): Socket {
  const write = socket._write.bind(socket);
  socket._write = (chunk: Buffer, encoding, done) => {
    setTimeout(() => write(chunk, encoding, done), chunk.length / 250);
  };
  return Object.assign(socket, { _writev: null });
}

const take = () => serve((request, response) => sendJson(response, request.body.length));

describe('uploads', () => {
  it('an upload sends the complete data with its length and type', async () => {
    const server = await take();
    const client = createClient(server, { validation: 'off' });
    const data = Readable.from([Buffer.alloc(700_000, 'x'), Buffer.alloc(300_000, 'y')]);
    expect(await client.releases.uploadAsset(upload(server, data, 1_000_000))).toBe(1_000_000);
    expect(server.requests[0]?.headers).toMatchObject({
      'content-length': '1000000',
      'content-type': 'a/b',
    });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('enough'))],
    [
      'throws',
      () => {
        throw new Error('enough');
      },
    ],
  ])('an upload fails if onProgress %s', async (_how, onProgress) => {
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

  it('an upload fails with a TimeoutError if the source hangs', async () => {
    const server = await take();
    const client = createClient(server, { timeout: { body: heldLimit } });
    const data = new Readable({ read() {} });
    data.push('some');
    const timers = holdTimers();
    const failing = rejectionOf(client.releases.uploadAsset(upload(server, data, 100)));
    await until('it is on its way', () => server.requests[0]?.body === 'some');
    timers.runOut();
    const error = await failing;
    expect(error).toMatchObject({ name: 'TimeoutError', reason: 'body', mayHaveActed: true });
    await until('the source is closed', () => data.destroyed);
    await client.close();
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it("an upload doesn't time out if each chunk arrives within the body timeout", async () => {
    const server = await take();
    const client = createClient(server, { validation: 'off', timeout: { body: heldLimit } });
    const timers = holdTimers();
    const data = Readable.from(
      (async function* () {
        for (let count = 1; count <= 5; count++) {
          await until('this piece has a limit of its own', () => timers.started === count);
          yield Buffer.from('x');
        }
      })(),
    );
    expect(await client.releases.uploadAsset(upload(server, data, 5))).toBe(5);
    expect(timers.running).toBe(0);
  });

  it.each([
    ['fails', 'disk on fire', new Error('disk on fire')],
    ['closes early', 'Premature close', undefined],
  ])(
    'the client names the input `data` in the error if its stream %s',
    async (_how, why, cause) => {
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
    },
  );

  it.each([3, 9, 30])(
    'the client names `size` in the error if `size` is %i for 10 bytes of data',
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

  it('the client names `data` in the error if the file shrinks during the upload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const data = join(folder, 'log');
    await writeFile(data, Buffer.alloc(8_000_000));
    const server = await take();
    const call = createClient(server).releases.uploadAsset(
      { upload_url: server.origin, name: 'a', content_type: 'a/b', data },
      { onProgress: () => truncateSync(data, 1_000_000) },
    );
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'data' });
  });

  const uploads: Readonly<
    Record<string, (client: HostingClient, origin: string) => Call<unknown>>
  > = {
    'large chunks': (client, origin) =>
      client.releases.uploadAsset({
        upload_url: origin,
        name: 'a',
        content_type: 'a/b',
        data: Buffer.alloc(1_100_000),
      }),
    JSON: (client) => client.request('POST /x', { text: 'x'.repeat(1_100_000) }),
  };
  for (const [name, send] of Object.entries(uploads)) {
    it(`an upload ignores the headers timeout on a slow uplink (${name})`, async () => {
      const server = await take();
      const dispatcher = new Agent({
        connect: (_options: object, done: (error: null, socket: Socket) => void) => {
          const socket = slow(connect(server.port, '127.0.0.1'));
          socket.once('connect', () => done(null, socket));
        },
      });
      onTestFinished(() => dispatcher.destroy());
      // The timeout is far from both durations, because a busy machine may stall for a second.
      const timeout = { headers: 2500 };
      const client = createClient(server, { dispatcher, timeout, validation: 'off', retry: false });
      expect(await send(client, server.origin)).toBeGreaterThanOrEqual(1_100_000);
    });
  }

  it('an aborted upload closes its source stream', async () => {
    const server = await serve(() => undefined);
    const controller = new AbortController();
    const data = new Readable({ read() {} });
    data.push('some');
    const call = createClient(server).releases.uploadAsset(upload(server, data, 10), {
      signal: controller.signal,
    });
    const ended = rejectionOf(call);
    await until('it was connected', async () => (await server.open()) === 1);
    controller.abort('enough');
    expect(await ended).toBe('enough');
    await until('the source is closed', () => data.destroyed);
  });
});

describe('requests without a body', () => {
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
});
