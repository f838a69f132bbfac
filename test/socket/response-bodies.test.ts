import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { serve, serveRaw } from '../support/server.js';
import { respond } from './faults/fault-table.js';

const repo = { owner: 'o', repo: 'r' };
const pull = { ...repo, number: 1 };
const file = { ...repo, path: 'big.bin' };

describe('response bodies', () => {
  it('the client resolves a HEAD call without waiting for the body that Content-Length announces', async () => {
    const server = await serveRaw((socket) =>
      socket.write(respond('200 OK\ncontent-encoding: gzip\netag: "e"', '', 5000)),
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

  it('the client treats a 204 with a nonzero Content-Length as a success', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const client = createClient(server);
    await client.starring.star(repo);
    expect(await client.starring.isStarred(repo)).toBe(true);
    expect(server.log).toHaveLength(2);
  });

  it('a 204 with a nonzero Content-Length yields an empty stream', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n'),
    );
    const stream = await createClient(server).contents.getRaw(file);
    expect(await stream.toArray()).toEqual([]);
  });
});

/** Encodes a body with gzip `count` times. */
function coded(count: number, body: Buffer): Buffer {
  let bytes = body;
  for (let each = 0; each < count; each++) bytes = zlib.gzipSync(bytes, { level: 1 });
  return bytes;
}

describe.each([
  ['buffered', (client: ReturnType<typeof createClient>) => client.pulls.get(pull)],
  [
    'streamed',
    async (client: ReturnType<typeof createClient>) => buffer(await client.contents.getRaw(file)),
  ],
] as const)('%s bodies', (_how, get) => {
  const server = (count: number, body: Buffer) =>
    serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': Array(count).fill('gzip').join(', ') });
      response.end(coded(count, body));
    });

  it('the client decodes a response body with five content codings', async () => {
    const client = createClient(await server(5, Buffer.from('{}')), { validation: 'off' });
    expect(await get(client)).toBeDefined();
  });

  it.each([6, 301])('the client rejects a response body with %d content codings', async (count) => {
    const client = createClient(await server(count, Buffer.from('{}')), { validation: 'off' });
    const error = await rejectionOf(get(client));
    expect(error).toMatchObject({ code: 'response_body', reason: 'undecodable' });
    expect(String(error)).toContain(`${count} content codings`);
  });
});

describe('body decoding', () => {
  // One byte of gzip decodes to a thousand bytes, so decoding takes long enough to be interrupted.
  const bomb = zlib.gzipSync(Buffer.alloc(90_000_000), { level: 1 });
  const bombing = () =>
    serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' });
      response.end(zlib.gzipSync(bomb), () => {
        sent++;
      });
    });
  let sent = 0;

  it('a call that is aborted while its body is decoded rejects with the abort reason', async () => {
    const controller = new AbortController();
    const server = await bombing();
    const client = createClient(server, { retry: false });
    const call = rejectionOf(client.pulls.get(pull, { signal: controller.signal }));
    // Aborts when the complete response has been sent and decoding is about to start.
    const before = sent;
    await until('the response was sent', () => sent > before);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await call).toBe(reason);
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

  it.each(Object.entries(heads))(
    'a connection reset rejects a call with a buffered response (%s)',
    async (_name, head) => {
      const client = createClient(await resetting(head), { retry: false });
      expect(await rejectionOf(client.contents.getRaw(file).then(buffer))).toMatchObject(truncated);
      expect(
        await rejectionOf(client.pulls.list({ owner: 'o', repo: 'r' }).toArray()),
      ).toMatchObject(truncated);
    },
  );

  it('the client accepts a body without a length if the server closes the connection normally', async () => {
    const server = await serveRaw((socket) => socket.end(`${heads['HTTP/1.0']}all of it`));
    expect(String(await buffer(await createClient(server).contents.getRaw(file)))).toBe(
      'all of it',
    );
  });

  it('a connection reset ends a body without an error if the client uses a custom dispatcher', async () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const server = await resetting(heads['HTTP/1.0']);
    const stream = await createClient(server, { dispatcher }).contents.getRaw(file);
    expect(String(await buffer(stream))).toBe('[{"half":');
  });
});
