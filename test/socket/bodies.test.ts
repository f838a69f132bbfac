import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HostingClientOptions } from '../../src/hosting/client.js';
import { clientOf, rejectionOf } from '../support/client.js';
import { serveRaw } from '../support/server.js';

/** A whole answer as bytes: status line and header fields, then the body as given. */
function answer(head: string, body: Buffer | string = '', length: number | false = body.length) {
  const framing = length === false ? '' : `content-length: ${length}\r\n`;
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${head.replaceAll('\n', '\r\n')}\r\n${framing}\r\n`),
    Buffer.from(body),
  ]);
}

const json = JSON.stringify({ text: 'ä'.repeat(500) });
const value: unknown = JSON.parse(json);
const chunked = (body: Buffer | string, end = '0\r\n\r\n') =>
  Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    Buffer.from(`${body.length.toString(16)}\r\n`),
    Buffer.from(body),
    Buffer.from(`\r\n${end}`),
  ]);
const gzip = zlib.gzipSync(json);

interface Case {
  readonly name: string;
  readonly wire: Buffer;
  /** The server closes the connection after it. */
  readonly closes?: boolean;
  readonly options?: Partial<HostingClientOptions>;
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

const body = (problem: string, status = 200) => ({ name: 'ResponseBodyError', problem, status });

const cases: readonly Case[] = [
  { name: 'plain', wire: answer('200 OK', Buffer.from(json)), result: value },
  { name: 'chunked', wire: chunked('{"a":1}'), result: { a: 1 } },
  {
    name: 'until the connection ends',
    wire: answer('200 OK\nconnection: close', '{"a":1}', false),
    closes: true,
    result: { a: 1 },
  },
  { name: 'gzip', wire: answer('200 OK\ncontent-encoding: gzip', gzip), result: value },
  { name: 'x-gzip', wire: answer('200 OK\ncontent-encoding: X-GZip', gzip), result: value },
  {
    name: 'deflate',
    wire: answer('200 OK\ncontent-encoding: deflate', zlib.deflateSync(json)),
    result: value,
  },
  {
    name: 'raw deflate',
    wire: answer('200 OK\ncontent-encoding: deflate', zlib.deflateRawSync(json)),
    result: value,
  },
  {
    name: 'br',
    wire: answer('200 OK\ncontent-encoding: br', zlib.brotliCompressSync(json)),
    result: value,
  },
  {
    name: 'two codings',
    wire: answer('200 OK\ncontent-encoding: deflate, gzip', zlib.gzipSync(zlib.deflateSync(json))),
    result: value,
  },
  { name: 'identity', wire: answer('200 OK\ncontent-encoding: identity', '1'), result: 1 },
  {
    name: 'a byte-order mark',
    wire: answer('200 OK', Buffer.from('\ufeff{"ä":1}')),
    result: { ä: 1 },
  },
  {
    name: 'JSON labelled text/html',
    wire: answer('200 OK\ncontent-type: text/html', '{"a":1}'),
    result: { a: 1 },
  },
  { name: 'JSON without a label', wire: answer('200 OK', '[]'), result: [] },
  {
    name: 'after 102 and 103',
    wire: Buffer.concat([
      Buffer.from('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
      answer('200 OK', '1'),
    ]),
    result: 1,
  },
  {
    name: '__proto__ as an own member',
    wire: answer('200 OK', '{"__proto__":{"polluted":true}}'),
    result: JSON.parse('{"__proto__":{"polluted":true}}'),
  },
  {
    name: 'cut by Content-Length',
    wire: answer('200 OK', '{"a":', 100),
    closes: true,
    error: body('truncated'),
  },
  {
    name: 'cut while chunked',
    wire: chunked('{"a":1}', ''),
    closes: true,
    error: body('truncated'),
  },
  {
    name: 'gzip cut short',
    wire: answer('200 OK\ncontent-encoding: gzip', gzip.subarray(0, gzip.length - 12)),
    error: body('truncated'),
  },
  {
    name: 'gzip that is none',
    wire: answer('200 OK\ncontent-encoding: gzip', '{"a":1}'),
    error: body('undecodable'),
  },
  {
    name: 'an unknown coding',
    wire: answer('200 OK\ncontent-encoding: zstd', 'xxx'),
    error: body('undecodable'),
  },
  {
    name: 'a gzip bomb',
    wire: answer('200 OK\ncontent-encoding: gzip', zlib.gzipSync(Buffer.alloc(5_000_000))),
    options: { maxResponseBytes: 100_000 },
    error: body('too_large'),
  },
  {
    name: 'more than maxResponseBytes',
    wire: answer('200 OK', `"${'x'.repeat(2000)}"`),
    options: { maxResponseBytes: 1000 },
    error: body('too_large'),
  },
  {
    name: 'invalid UTF-8',
    wire: answer('200 OK', Buffer.from([0x22, 0xc3, 0x28, 0x22])),
    error: body('undecodable'),
  },
  { name: 'invalid JSON', wire: answer('200 OK', '{"a":'), error: body('invalid_json') },
  { name: 'two JSON values', wire: answer('200 OK', '{}{}'), error: body('invalid_json') },
  {
    name: 'HTML with 200',
    wire: answer('200 OK\ncontent-type: text/html', '<html>secret</html>'),
    error: body('unexpected_type'),
  },
  { name: 'an empty 200', wire: answer('200 OK', ''), error: body('empty') },
  { name: 'blanks only', wire: answer('200 OK', ' \n'), error: body('empty') },
  {
    name: 'a 204 where JSON was expected',
    wire: answer('204 No Content', '', false),
    error: body('empty', 204),
  },
  {
    name: 'HTML with 502',
    wire: answer('502 Bad Gateway\ncontent-type: text/html', '<html>nginx</html>'),
    error: { name: 'ServerError', message: expect.stringMatching(/^request: 502 Bad Gateway \[/) },
  },
  {
    name: 'HTML with 404, gzip',
    wire: answer('404 Not Found\ncontent-encoding: gzip', zlib.gzipSync('<html>')),
    error: { name: 'NotFoundError', body: '<html>' },
  },
  {
    name: 'an error that is too large',
    wire: answer('500 Oh', 'x'.repeat(2000)),
    options: { maxResponseBytes: 1000 },
    error: body('too_large', 500),
  },
  { name: 'no HTTP at all', wire: Buffer.from('SSH-2.0-x\r\n\r\n'), error: { code: 'connection' } },
  {
    name: 'a header of 70 KB',
    wire: answer(`200 OK\nx-huge: ${'x'.repeat(70_000)}`, '1'),
    error: { code: 'connection' },
  },
];

describe('a body', () => {
  for (const { name, wire, closes, options, result, error } of cases) {
    it(name, async () => {
      const server = await serveRaw((socket) => {
        if (closes) socket.end(wire);
        else socket.write(wire);
      });
      const call = clientOf(server, { retry: false, ...options }).request({ path: '/x' });
      if (error) expect(await rejectionOf(call)).toMatchObject(error);
      else expect(await call).toEqual(result);
    });
  }

  it('of an error keeps nothing of it in the message of a broken one', async () => {
    const server = await serveRaw((socket) => socket.write(answer('200 OK', '{"token":"s3cret"')));
    const error = await rejectionOf(clientOf(server).request({ path: '/x' }));
    expect(String(error)).not.toContain('s3cret');
  });

  it('that follows a 204 is none, and the next call is not disturbed', async () => {
    const server = await serveRaw((socket, index) =>
      socket.write(
        index === 0 ? answer('204 No Content', 'not allowed', false) : answer('200 OK', '2'),
      ),
    );
    const client = clientOf(server);
    expect(await client.request({ path: '/x', responseType: 'none' })).toBeUndefined();
    expect(await client.request({ path: '/x' })).toBe(2);
  });

  it('of a failed write says that the write was done', async () => {
    const server = await serveRaw((socket) => socket.end(answer('201 Created', '{"a":', 100)));
    const call = clientOf(server).request({ method: 'POST', path: '/x', json: {} });
    const error = await rejectionOf(call);
    expect(error).toMatchObject({ problem: 'truncated', status: 201 });
    expect(String(error)).toContain('the request itself was executed');
    expect(server.requests, 'a POST is never sent twice').toHaveLength(1);
  });

  it('of HEAD is none, whatever its header fields say', async () => {
    const server = await serveRaw((socket) =>
      socket.write(answer('200 OK\ncontent-encoding: gzip\netag: "e"', '', 5000)),
    );
    const call = clientOf(server).request({ method: 'HEAD', path: '/x' });
    expect((await call.withResponse()).response).toMatchObject({ status: 200, etag: '"e"' });
  });

  it('as bytes is whole and decoded', async () => {
    const server = await serveRaw((socket) =>
      socket.write(answer('200 OK\ncontent-encoding: gzip', gzip)),
    );
    const bytes = await clientOf(server).request({ path: '/x', responseType: 'bytes' });
    expect(Buffer.isBuffer(bytes) && bytes.toString()).toBe(json);
  });
});
