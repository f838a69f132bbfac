import { createReadStream } from 'node:fs';
import { finished, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { serve, serveRaw, type TestServer } from '../support/server.js';

const file = { owner: 'o', repo: 'r', path: 'big.bin' };
const zipped = zlib.gzipSync(Buffer.alloc(300_000, 'abcdefghij'));

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
  'a web stream': (stream) => rejectionOf(new Response(Readable.toWeb(stream) as never).text()),
  'an error listener': (stream) => new Promise((resolve) => stream.on('error', resolve)),
  'all listeners': (stream) =>
    new Promise((resolve, reject) => {
      stream.on('data', () => undefined);
      stream.on('end', () => reject(new Error('it ended well')));
      stream.on('error', resolve);
    }),
  'finished()': (stream) => new Promise((resolve) => finished(stream, resolve)),
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
      await until('it has failed', async () => (await server.open()) === 0);
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

  it('a download fails on read if the Content-Encoding header incorrectly specifies gzip', async () => {
    const seen = uncaught();
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    );
    const stream = await createClient(server).contents.getRaw(file);
    await turns(20);
    expect(await rejectionOf(buffer(stream))).toMatchObject({ reason: 'undecodable' });
    expect(seen).toEqual([]);
  });

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
    ['numbers', [1, 2]],
    ['bytes and then an object', [Buffer.from('abc'), { a: 1 }]],
    ['undefined', [undefined]],
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

  it('the client sends strings from an upload stream as UTF-8', async () => {
    const server = await serve((_request, response) => response.end('{}'));
    const data = Readable.from(['ääää', Buffer.from('ab')]);
    await createClient(server, { validation: 'off' }).releases.uploadAsset(upload(server, data));
    expect(server.requests[0]?.body).toBe('ääääab');
  });
});
