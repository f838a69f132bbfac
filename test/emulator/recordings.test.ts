import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { FormData, request, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createRecorder, type RecordedExchange, replay } from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import {
  createFolder,
  json,
  type RecordedResponse,
  readLines,
  record,
  recordingFolder,
  type Sent,
  sendRequest,
} from './recording-folder.js';

describe('createRecorder()', () => {
  it('createRecorder() rejects a folder that contains bodies but no recording', async () => {
    const to = await recordingFolder();
    await mkdir(join(to, 'bodies'));
    await writeFile(join(to, 'bodies', 'mine.txt'), 'mine');
    expect(() => createRecorder({ to })).toThrow(/bodies: .* no recording/);
    expect(await readFile(join(to, 'bodies', 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('a recorder replaces a symlink in its folder instead of writing through the symlink', async () => {
    const [to, other] = [await recordingFolder(), await recordingFolder()];
    const target = join(other, 'precious');
    await writeFile(target, 'precious');
    await symlink(target, join(to, 'exchanges.ndjson'));
    createRecorder({ to });
    expect(await readFile(target, 'utf8')).toBe('precious');
  });

  it.each<[string, Buffer]>([
    ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
    ['UTF-16', Buffer.from('a\ud800b', 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffä')],
    ['invalid UTF-8', Buffer.from([0x61, 0xc3, 0x28, 0xff])],
  ])('a recorder stores %s byte for byte', async (_what, body) => {
    const { to } = await record([[{}, { body }]]);
    const { body: replayed } = await request('http://other.test/', { dispatcher: replay(to) });
    expect(Buffer.from(await replayed.arrayBuffer())).toEqual(body);
  });

  it.each<[string, (path: string) => string | undefined]>([
    ['a body of more than 64 MiB', () => undefined],
    ['a file that cannot be written', (to) => join(to, 'bodies')],
  ])('a recorder forwards %s without recording it', async (what, blocked) => {
    const warnings = watchWarnings();
    const piece = Buffer.alloc(1_048_576);
    const server = await serve((_seen, response) => {
      response.writeHead(200);
      Readable.from(Array<Buffer>(what.includes('64') ? 66 : 1).fill(piece)).pipe(response);
    });
    const to = await recordingFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const file = blocked(to);
    if (file !== undefined) await writeFile(file, '');
    const { body } = await request(server.origin, { dispatcher: recorder });
    expect((await body.arrayBuffer()).byteLength % piece.length).toBe(0);
    expect(await readLines(to)).toEqual([]);
    await expect.poll(() => warnings).toEqual([expect.stringContaining('was not recorded')]);
  });

  it("a recorder destroys the body stream of a request that can't be sent", async () => {
    const recorder = createRecorder({ to: await recordingFolder() });
    onTestFinished(() => recorder.close());
    const body = new Readable({ read: () => undefined });
    body.push('the beginning');
    const sent = { method: 'POST', body, dispatcher: recorder } as const;
    await expect(request('http://127.0.0.1:1', sent)).rejects.toThrow('ECONNREFUSED');
    await expect.poll(() => body.destroyed).toBe(true);
  });

  it('recorder.listen() forwards requests and responses byte for byte', async () => {
    const sent = Buffer.from('a=caf\xe9&b=\xff', 'latin1');
    const reply = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xe9]);
    const seen: Buffer[] = [];
    const server = createServer((incoming, response) => {
      incoming.on('data', (piece: Buffer) => seen.push(piece));
      incoming.on('end', () => response.setHeader('content-type', 'text/plain').end(reply));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    // `as`: the address of a TCP server is an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const recorder = createRecorder({ to: await recordingFolder() });
    onTestFinished(() => recorder.close());
    const { url } = await recorder.listen(`http://127.0.0.1:${port}`);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(url, { method: 'POST', headers, body: sent });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(reply);
    expect(Buffer.concat(seen)).toEqual(sent);
  });
});

describe('replay()', () => {
  const request = { method: 'GET', url: 'http://code.example.test/', headers: {} };
  const response = { status: 200, headers: {} };
  it.each<[string, object | string]>([
    ['malformed JSON', '{'],
    ['no request', { response }],
    ['an interim status', { request, response: { ...response, status: 101 } }],
    [
      'a header with a line break',
      { request, response: { ...response, headers: { a: 'b\r\nc' } } },
    ],
  ])('replay() reports the line with %s', async (_what, exchange) => {
    const path = join(await recordingFolder(), 'exchanges.ndjson');
    const line = typeof exchange === 'string' ? exchange : JSON.stringify(exchange);
    await writeFile(path, `\n${line}\n`);
    expect(() => replay(dirname(path))).toThrow(`replay: ${path}, line 2: must be an exchange`);
  });

  it('replay() rejects a folder without a recording', async () => {
    const to = await recordingFolder();
    expect(() => replay(to)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`${to}: must contain a recording`),
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    );
  });

  it('a replay fails if a body file is missing', async () => {
    const folder = await createFolder([{ response: { file: 'bodies/0001.txt' } }]);
    await expect(sendRequest(replay(folder), '/')).rejects.toThrow('ENOENT');
  });
});

test.each<[string, Sent, Partial<RecordedExchange['request']>]>([
  [
    'records JSON with masked secrets',
    { headers: json, body: '{"a":[{"password":"x","api_key":1}],"code":"c","s":"password"}' },
    { json: { a: [{ password: '***', api_key: '***' }], code: '***', s: 'password' } },
  ],
  [
    'records JSON as text if parsing would change a number',
    { headers: json, body: '{"a":1.0}' },
    { text: '{"a":1.0}' },
  ],
  [
    'records JSON in a stream as JSON',
    { headers: json, body: Readable.from([Buffer.from('{"a'), Buffer.from('":1}')]) },
    { json: { a: 1 } },
  ],
  ['omits a plain-text body', { headers: { 'content-type': 'text/plain' }, body: 'x' }, {}],
  ["doesn't record a body if the client sent none", { headers: json }, {}],
])('a recorder that receives a request %s', async (_name, sent, wanted) => {
  const { lines, server } = await record([[{ method: 'POST', ...sent }]]);
  const { method: _method, url: _url, headers, ...body } = lines[0]?.request ?? { headers: {} };
  expect(body).toEqual(wanted);
  expect(headers).toEqual(sent.headers ?? {});
  const whole = sent.body instanceof Readable ? '{"a":1}' : String(sent.body ?? '');
  expect(server.requests[0]?.body, 'the server receives the whole body').toBe(whole);
});

test('a recorder forwards multipart forms and large uploads without recording their content', async () => {
  const large = JSON.stringify({ a: 'x'.repeat(1_048_576) });
  const pieces = large.match(/.{1,60000}/gs) ?? [];
  const { lines, server, recorder } = await record([
    [{ method: 'POST', headers: json, body: Readable.from(pieces) }],
    [{ method: 'POST', headers: json, body: JSON.stringify('x'.repeat(65_535)) }],
    [{ method: 'POST', headers: json, body: JSON.stringify(['x'.repeat(65_535)]) }],
  ]);
  for (const { request } of lines) {
    expect(request).not.toHaveProperty('text');
    expect(request).not.toHaveProperty('json');
  }
  expect(server.requests.map(({ body }) => body.length)).toEqual([large.length, 65_537, 65_539]);
  const parts = new FormData();
  parts.append('password', 'x');
  await undiciFetch(server.origin, { method: 'POST', body: parts, dispatcher: recorder });
  expect(server.requests[3]?.body).toContain('name="password"');
});

test.each<[string, RecordedResponse, Partial<RecordedExchange['response']>]>([
  [
    'JSON',
    { headers: json, body: '{"code":"x","errors":[{"code":"y"}],"token":"z"}' },
    { json: { code: 'x', errors: [{ code: 'y' }], token: '***' } },
  ],
  ['text', { body: 'token=abc' }, { text: 'token=***' }],
  ['no body', { body: '' }, {}],
  ['no media type', { headers: { 'content-type': '' }, body: 'x' }, { file: 'bodies/0001.bin' }],
  [
    'the content coding identity',
    { headers: { ...json, 'content-encoding': 'identity' }, body: '{"token":"z"}' },
    { json: { token: '***' } },
  ],
  [
    'an unknown content coding',
    { headers: { 'content-encoding': 'x-gzip2' }, body: 'x' },
    { file: 'bodies/0001.bin' },
  ],
  [
    "a body that doesn't match its content coding",
    { headers: { 'content-encoding': 'gzip' }, body: 'x' },
    { file: 'bodies/0001.bin' },
  ],
])('a recorder records a response with %s', async (_name, responded, wanted) => {
  const { lines, to, got } = await record([[{}, responded]]);
  const [line] = lines;
  if (!line) throw new Error('nothing was recorded');
  const { status, headers, ...body } = line.response;
  expect([status, body]).toEqual([200, wanted]);
  expect(headers).not.toHaveProperty('content-length');
  if (body.file !== undefined) {
    expect(await readFile(join(to, body.file))).toEqual(Buffer.from(responded.body ?? ''));
    expect(headers['content-encoding']).toBe(responded.headers?.['content-encoding']);
  } else expect(headers).not.toHaveProperty('content-encoding');
  expect(got[0]).toEqual(Buffer.from(responded.body ?? ''));
});

test('a recording contains only headers that select a response or can be replayed', async () => {
  const requests = {
    accept: 'text/html',
    'content-type': 'multipart/form-data; boundary=abc; x=y',
    'if-modified-since': 'then',
    'if-none-match': '"tag"',
    range: 'bytes=0-1',
    'user-agent': 'test',
    'x-other': 'y',
  };
  const responded = {
    'x-token': 'abc',
    location: '/x?access_token=abc&y=z',
    'set-cookie': 'a=b',
    'keep-alive': 'timeout=5',
    trailer: 'x',
    'transfer-encoding': 'chunked',
    etag: '"tag"',
  };
  const { lines } = await record([
    [
      { method: 'POST', headers: requests, body: 'x' },
      { status: 201, headers: responded, body: 'y' },
    ],
    [{ method: 'HEAD' }, { headers: { 'content-length': '7', 'keep-alive': 'timeout=5' } }],
  ]);
  const { accept, range } = requests;
  expect(lines[0]?.request.headers).toEqual({
    accept,
    range,
    'content-type': 'multipart/form-data',
    'if-modified-since': 'then',
    'if-none-match': '"tag"',
  });
  expect(lines[0]?.response).toEqual({
    status: 201,
    text: 'y',
    headers: {
      'content-type': 'text/plain',
      'x-token': '***',
      location: '/x?access_token=***&y=z',
      'set-cookie': '***',
      etag: '"tag"',
      date: expect.any(String),
    },
  });
  expect(lines[1]?.request).toMatchObject({ method: 'HEAD' });
  const { date } = lines[1]?.response.headers ?? {};
  expect(lines[1]?.response.headers).toEqual({
    'content-type': 'text/plain',
    'content-length': '7',
    date,
  });
});

test('a recorder stores large and binary bodies in numbered files', async () => {
  const text = (length: number) => 'x'.repeat(length);
  const { lines, to } = await record([
    [{}, { body: text(65_536) }],
    [{}, { body: text(65_537) }],
    [{}, { headers: json, body: JSON.stringify(text(65_536)) }],
    [{}, { headers: { 'content-type': 'image/png' }, body: Buffer.alloc(100_000, 1) }],
  ]);
  const [inline, ...files] = lines.map(({ response }) => response);
  expect(inline).toHaveProperty('text', text(65_536));
  expect(files.map(({ file }) => file)).toEqual([
    'bodies/0001.txt',
    'bodies/0002.json',
    'bodies/0003.bin',
  ]);
  expect(await readFile(join(to, 'bodies/0001.txt'), 'utf8')).toBe(text(65_537));
  expect(await readFile(join(to, 'bodies/0003.bin'))).toEqual(Buffer.alloc(100_000, 1));
  createRecorder({ to });
  expect(await readdir(to)).toEqual(['exchanges.ndjson']);
  expect(await readLines(to)).toEqual([]);
});
