import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners, once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf, turns, until } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { serve, serveRaw, type TestServer } from '../support/server.js';
import { respond as respondWire } from './faults/fault-table.js';

const file = { owner: 'o', repo: 'r', path: 'big.bin' };
const url = (server: TestServer) => `${server.origin}/api/v3/repos/o/r/contents/big.bin`;
const raw = Buffer.alloc(300_000, 'abcdefghij');

describe('the stream of getRaw()', () => {
  it.each([
    ['uncompressed', undefined, raw],
    ['gzip', 'gzip', zlib.gzipSync(raw)],
  ])('delivers the complete, decoded body (%s)', async (name, coding, body) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { ...(coding && { 'content-encoding': coding }) });
      response.end(body);
    });
    const stream = await createClient(server).contents.getRaw(file);
    expect((await buffer(stream)).equals(name.startsWith('an empty') ? Buffer.alloc(0) : raw)).toBe(
      true,
    );
  });

  it.each([
    ['uncompressed', {}, raw.subarray(0, 1000)],
    ['gzip', { 'content-encoding': 'gzip' }, zlib.gzipSync(raw).subarray(0, 100)],
  ])(
    'fails with an error that contains the URL if the body is truncated (%s)',
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

  it('continues after the total timeout', async () => {
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

  it('applies backpressure from the reader to the server', async () => {
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

  it.each([true, false])('fails with the abort reason (gzip: %s)', async (coded) => {
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
  });

  it('closes its socket if the reader cancels', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const stream = await createClient(server).contents.getRaw(file);
    for await (const _ of stream) break;
    await until('no socket is open', async () => (await server.open()) === 0);
  });

  it('keeps the socket reusable and leaves no abort listener after a complete read', async () => {
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
});

const zipped = zlib.gzipSync(raw);

/** Records uncaught errors, each of which would have ended the process. */
function uncaught(): unknown[] {
  const seen: unknown[] = [];
  const note = (error: unknown) => {
    seen.push(error);
  };
  const former = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  onTestFinished(() => {
    process.off('uncaughtException', note);
    for (const each of former) process.on('uncaughtException', each);
  });
  return seen;
}

/** Ways in which a download ends before its caller has added a listener. */
const endings: readonly (readonly [string, (server: TestServer) => Promise<Readable>, object])[] = [
  [
    'breaks',
    (server) => createClient(server).contents.getRaw(file),
    { code: 'response_body', reason: 'truncated' },
  ],
  [
    'is aborted',
    async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      const stream = await createClient(server).contents.getRaw(file, { signal });
      controller.abort(new Error('enough'));
      return stream;
    },
    { message: 'enough' },
  ],
];

function respond(how: string, coded: boolean): Promise<TestServer> {
  return serve((_request, response) => {
    response.writeHead(200, {
      'content-length': '300000',
      ...(coded && { 'content-encoding': 'gzip' }),
    });
    response.write(zipped.subarray(0, 100), () => {
      if (how === 'breaks') response.destroy();
    });
  });
}

describe('a download without a listener', () => {
  it.each(endings)(
    'a download that %s before it has a listener reports the error to later readers',
    async (how, begin, expected) => {
      for (const coded of [false, true]) {
        const seen = uncaught();
        const server = await respond(how, coded);
        const streams = [await begin(server), await begin(server)] as const;
        await until('the downloads have failed', async () => (await server.open()) === 0);
        await turns(20);
        expect(seen).toEqual([]);
        const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
        expect(await rejectionOf(pipeline(streams[0], sink))).toMatchObject(expected);
        expect(await once(streams[1], 'error')).toMatchObject([expected]);
        await turns(5);
        expect(seen).toEqual([]);
      }
    },
  );
});

describe('upload streams', () => {
  const upload = (server: TestServer, data: Readable) => ({
    upload_url: `${server.origin}/up`,
    name: 'a',
    content_type: 'a/b',
    size: 10,
    data,
  });

  it('an upload stream that fails while the client waits for credentials causes an InvalidRequestError', async () => {
    const seen = uncaught();
    const server = await serve((_request, response) => response.end('{}'));
    const data = createReadStream('/does/not/exist');
    const auth = async () => {
      await until('the stream has failed', () => data.errored !== null);
      return { type: 'token' as const, token: 'a-token-of-mine' };
    };
    const error = await rejectionOf(
      createClient(server, { auth }).releases.uploadAsset(upload(server, data)),
    );
    expect(error).toMatchObject({ code: 'invalid_request', field: 'data' });
    expect(String(error)).toContain('ENOENT');
    expect([seen, server.log]).toEqual([[], []]);
  });

  it('the client rejects an upload stream that yields objects', async () => {
    const seen = uncaught();
    const server = await serve((_request, response) => response.end('{}'));
    const data = Readable.from([{ a: 1 }]);
    expect(
      await rejectionOf(createClient(server).releases.uploadAsset(upload(server, data))),
    ).toMatchObject({ code: 'invalid_request', field: 'data' });
    await turns(5);
    expect([seen, server.log]).toEqual([[], []]);
    expect(data.destroyed).toBe(true);
  });
});

describe('response bodies', () => {
  it('the client resolves a HEAD call without waiting for the body that Content-Length announces', async () => {
    const server = await serveRaw((socket) =>
      socket.write(respondWire('200 OK\ncontent-encoding: gzip\netag: "e"', '', 5000)),
    );
    const call = createClient(server).request('HEAD /x');
    expect((await call.withResponse()).response).toMatchObject({ status: 200, etag: '"e"' });
  });
});

describe('bodiless responses with a nonzero Content-Length', () => {
  it('a 304 with a nonzero Content-Length revalidates the cached response', async () => {
    const server = await serveRaw((socket, _index, head) =>
      socket.write(
        /^if-none-match: "v1"/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\netag: "v1"\r\ncontent-length: 7\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\netag: "v1"\r\ncontent-length: 7\r\n\r\n{"a":1}',
      ),
    );
    const client = createClient(server, { cache: true, retry: false });
    for (const fromCache of [false, true, true]) {
      const { data, response } = await client.request('GET /x').withResponse();
      expect([data, response.fromCache]).toEqual([{ a: 1 }, fromCache]);
    }
  });

  it('a 204 with a nonzero Content-Length yields an empty stream', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n'),
    );
    const stream = await createClient(server).contents.getRaw(file);
    expect(await stream.toArray()).toEqual([]);
  });
});

describe('connection resets during a body without a length', () => {
  const heads = {
    'HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\n',
    'HTTP/1.1': 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n',
    'chunked with connection: close':
      'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n',
  };
  const truncated = { code: 'response_body', reason: 'truncated' };
  const resetting = (head: string) =>
    serveRaw((socket) => {
      socket.write(`${head}[{"half":`);
      // A reset discards data in transit, so it must wait until undici has read the head.
      const reset = () => {
        unsubscribe('undici:request:headers', reset);
        setImmediate(() => socket.resetAndDestroy());
      };
      subscribe('undici:request:headers', reset);
    });

  it.each(Object.entries(heads))(
    'a connection reset ends a download stream with an error (%s)',
    async (_name, head) => {
      const stream = await createClient(await resetting(head)).contents.getRaw(file);
      const error = await rejectionOf(buffer(stream));
      expect(error).toMatchObject(truncated);
      if (!head.includes('chunked')) expect(error).toMatchObject({ cause: { code: 'ECONNRESET' } });
    },
  );
});
