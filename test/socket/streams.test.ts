import { getEventListeners } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { heldLimit, holdTimers } from '../support/held-timers.js';
import { serve, serveRaw, type TestServer } from '../support/server.js';

const file = { owner: 'o', repo: 'r', path: 'big.bin' };
const url = (server: TestServer) => `${server.origin}/api/v3/repos/o/r/contents/big.bin`;
const raw = Buffer.alloc(300_000, 'abcdefghij');

describe('the stream of getRaw()', () => {
  it.each([
    ['uncompressed', undefined, raw],
    ['gzip', 'gzip', zlib.gzipSync(raw)],
    ['an empty gzip body', 'gzip', zlib.gzipSync('')],
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

  it('fails if a compressed body without a length is truncated', async () => {
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(zlib.gzipSync(raw).subarray(0, 100)),
    );
    const stream = await createClient(server).contents.getRaw(file);
    expect(await rejectionOf(buffer(stream))).toMatchObject({
      name: 'ResponseBodyError',
      reason: 'truncated',
    });
  });

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
    'stalls',
    (server) => createClient(server, { timeout: { body: 20 } }).contents.getRaw(file),
    { code: 'timeout', reason: 'body' },
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

/** Ways in which a caller may use a stream later. Each returns the error. */
const readers: Readonly<Record<string, (stream: Readable) => Promise<unknown>>> = {
  'a pipeline': (stream) =>
    rejectionOf(pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }))),
  'a loop': (stream) => rejectionOf(buffer(stream)),
  'an error listener': (stream) => new Promise((resolve) => stream.on('error', resolve)),
};

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

describe.each(endings)('a download that %s without a listener', (how, begin, expected) => {
  // undici detects stalled bodies only once a second, so two readers must suffice.
  const names = how === 'stalls' ? ['a pipeline', 'an error listener'] : Object.keys(readers);
  it.each(names.flatMap((name) => [[name, false] as const, [name, true] as const]))(
    `a download that ${how} before it has a listener reports the error to %s added later (gzip: %s)`,
    async (name, coded) => {
      const seen = uncaught();
      const server = await respond(how, coded);
      const stream = await begin(server);
      await until('the download has failed', async () => (await server.open()) === 0);
      await turns(20);
      expect(seen).toEqual([]);
      expect(await readers[name]?.(stream)).toMatchObject(expected);
      await turns(5);
      expect(seen).toEqual([]);
    },
  );
});

describe('broken downloads', () => {
  it.each([false, true])(
    'a download fails on read if the connection breaks right after the headers (gzip: %s)',
    async (coded) => {
      const seen = uncaught();
      const server = await serveRaw((socket) => {
        const coding = coded ? 'content-encoding: gzip\r\n' : '';
        socket.end(`HTTP/1.1 200 OK\r\n${coding}content-length: 100\r\n\r\nab`);
      });
      const stream = await createClient(server).contents.getRaw(file);
      await turns(20);
      expect(await rejectionOf(buffer(stream))).toMatchObject({ code: 'response_body' });
      expect(seen).toEqual([]);
    },
  );

  it('a broken download causes an uncaught exception if it is read without an error listener', async () => {
    const seen = uncaught();
    const server = await respond('breaks', false);
    const stream = await createClient(server).contents.getRaw(file);
    stream.on('data', () => undefined);
    await until('the process received the error', () => seen.length > 0);
    expect(seen).toMatchObject([{ code: 'response_body' }]);
  });
});

describe('asynchronous interceptors', () => {
  it("an interceptor's rejection causes a connection error with the reason as the cause", async () => {
    const rejections = watchRejections();
    const server = await serve((_request, response) => response.end('{}'));
    const reason = new Error('no token');
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const dispatch = async () => {
      throw reason;
    };
    // Uses `Reflect`, because undici's types require a synchronous function.
    Reflect.set(dispatcher, 'dispatch', dispatch);
    const hosting = createClient(server, { dispatcher, retry: false });
    const call = hosting.request('POST a');
    expect(await rejectionOf(call)).toMatchObject({
      code: 'connection',
      cause: reason,
      mayHaveActed: false,
    });
    expect(await rejections()).toEqual([]);
  });
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

  it.each([
    ['objects', [{ a: 1 }]],
    ['bytes and then an object', [Buffer.from('abc'), { a: 1 }]],
  ])('the client rejects an upload stream that yields %s', async (_what, chunks) => {
    const seen = uncaught();
    const server = await serve((_request, response) => response.end('{}'));
    const data = Readable.from(chunks);
    expect(
      await rejectionOf(createClient(server).releases.uploadAsset(upload(server, data))),
    ).toMatchObject({ code: 'invalid_request', field: 'data' });
    await turns(5);
    expect([seen, server.log]).toEqual([[], []]);
    expect(data.destroyed).toBe(true);
  });
});
