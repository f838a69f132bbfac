import { readdir, readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Dispatcher, FormData, request, fetch as undiciFetch, upgrade } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createRecorder, type RecordedExchange } from '../../src/testing/index.js';
import { serve, serveRaw } from '../support/server.js';
import { readLines, recordingFolder } from './recording-folder.js';

// Tests the content of recordings for all kinds of requests and responses. Uses a real server and undici's
// `Agent`.

interface RecordedResponse {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions['body'];
}

/** Sends requests one after another through a recorder and returns the recording's exchanges. */
async function record(
  exchanges: readonly [Sent, RecordedResponse?][],
  secrets?: readonly string[],
) {
  const to = await recordingFolder();
  const server = await serve((_seen, response, index) => {
    const { status = 200, headers = {}, body } = exchanges[index]?.[1] ?? {};
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  });
  const recorder = createRecorder({ to, secrets });
  onTestFinished(() => recorder.close());
  const got: Buffer[] = [];
  for (const [{ method = 'GET', path = '/', headers = {}, body = null }] of exchanges) {
    const response = await request(server.origin + path, {
      method: method as 'GET', // `as`: undici's type lists only known methods.
      headers,
      body,
      dispatcher: recorder,
    });
    got.push(Buffer.from(await response.body.arrayBuffer()));
  }
  return { to, recorder, server, got, lines: await readLines(to) };
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const xml = { 'content-type': 'application/xml' };

/** The parameter's name or the path marks the value as a secret. The response only repeats the value. */
test.each<[string, Sent, string]>([
  ['a query', { path: '/a?x=1&access_token=hidden word&y' }, '/a?x=1&access_token=***&y'],
  [
    'a parameter with an encoded name',
    { path: '/a?access%5Ftoken=hidden%20word' },
    '/a?access%5Ftoken=***',
  ],
  ['a query with a question mark', { path: '/a?x=?&token=hidden+word' }, '/a?x=?&token=***'],
  ['a path', { path: '/applications/1/tokens/hidden%20word?x' }, '/applications/1/tokens/***?x'],
  [
    'a query whose secret starts with a question mark',
    { path: '/a?x=?&token=?hidden-one' },
    '/a?x=?&token=***',
  ],
])('a recorder masks a secret in %s and its echo', async (_name, sent, target) => {
  const path = sent.path?.replace(' ', '%20') ?? '';
  const { lines, server } = await record([
    [{ path }, { body: path.endsWith('?hidden-one') ? '?hidden-one' : 'hidden word' }],
  ]);
  expect(lines[0]?.request.url).toBe(server.origin + target);
  expect(lines[0]?.response.text).toBe('***');
});

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

test.each<[string, Sent, string, string]>([
  ['masks a token', { headers: { authorization: 'token long-secret' } }, '(long-secret)', '(***)'],
  [
    'keeps a token inside a word',
    { headers: { authorization: 'token secretly' } },
    'xsecretly secretlyx',
    'xsecretly secretlyx',
  ],
  [
    'masks a token next to punctuation',
    { headers: { authorization: 'token secretly' } },
    '-secretly.secretly!',
    '-***.***!',
  ],
  [
    'masks a Basic password',
    { headers: { authorization: basic('me:pass:word1') } },
    `pass:word1 ${basic('me:pass:word1')} me`,
    '*** Basic *** me',
  ],
  [
    'masks the password of the lowercase scheme `basic`',
    { headers: { authorization: basic('me:password1').replace('B', 'b') } },
    'password1',
    '***',
  ],
  [
    'keeps a password after the scheme Bearer',
    { headers: { authorization: basic('me:password1').replace('Basic', 'Bearer') } },
    'password1',
    'password1',
  ],
  ['masks a cookie', { headers: { cookie: 'session=1; x' } }, 'session=1; x', '***'],
  [
    'masks a header with a secret name',
    { headers: { 'x-api-key': 'a long key' } },
    'a long key',
    '***',
  ],
  [
    'keeps a header with a non-secret name',
    { headers: { 'x-word': 'a long word' } },
    'a long word',
    'a long word',
  ],
  [
    'keeps a secret of seven characters',
    { headers: { 'x-api-key': 'sevench' } },
    'sevench',
    'sevench',
  ],
  [
    'masks a secret of eight characters',
    { headers: { 'x-api-key': 'eightchr' } },
    'eightchr',
    '***',
  ],
  [
    'masks a form field with a secret name',
    { method: 'POST', headers: form, body: 'a=1&password=two+words%21&b' },
    'two words! two+words%21',
    '*** ***',
  ],
  [
    'masks a JSON member with a secret name',
    { method: 'POST', headers: json, body: '{"password": "two \\"words\\""}' },
    'two "words" {"two \\"words\\""}',
    '*** {"***"}',
  ],
  [
    'masks a percent-encoded secret',
    { method: 'POST', headers: json, body: '{"token":"a/b c+d="}' },
    'a%2Fb%20c%2Bd%3D a%2Fb+c%2Bd%3D',
    '*** ***',
  ],
  [
    'masks the longer of two overlapping secrets',
    { method: 'POST', headers: json, body: '{"token":"abcdefgh","secret":"abcdefgh-ijkl"}' },
    'abcdefgh-ijkl',
    '***',
  ],
  [
    "keeps a secret that a URL can't encode",
    { method: 'POST', headers: json, body: '{"token":"abcdefgh\\ud800"}' },
    'abcdefgh',
    'abcdefgh',
  ],
  [
    'keeps a password after a scheme that ends in Basic',
    { headers: { authorization: basic('me:password1').replace('B', 'NotB') } },
    'password1',
    'password1',
  ],
  [
    'masks a Basic credential without a colon',
    { headers: { authorization: basic('nothing-else') } },
    'nothing-else',
    '***',
  ],
  [
    'keeps values with non-secret names',
    { path: '/?page=long-word', method: 'POST', headers: form, body: 'a=other-long-word' },
    'long-word other-long-word',
    'long-word other-long-word',
  ],
  [
    'masks a secret in malformed JSON',
    { method: 'POST', headers: json, body: '{"token":"\\q-secret"' },
    '(\\q-secret)',
    '(***)',
  ],
])('a recorder %s (response)', async (_name, sent, body, wanted) => {
  const { lines, got } = await record([[sent, { body }]]);
  expect(lines[0]?.response.text).toBe(wanted);
  expect(got[0]?.toString(), 'the client receives the whole body').toBe(body);
});

test.each<[string, Sent, Partial<RecordedExchange['request']>]>([
  [
    'records a form as text with masked secrets',
    { headers: form, body: 'a=1&password=x&b=%C3%A4' },
    { text: 'a=1&password=***&b=%C3%A4' },
  ],
  [
    'records JSON with masked secrets',
    { headers: json, body: '{"a":[{"password":"x","api_key":1}],"code":"c","s":"password"}' },
    { json: { a: [{ password: '***', api_key: '***' }], code: '***', s: 'password' } },
  ],
  [
    'records an empty secret unchanged',
    { headers: json, body: '{"password":"","b": null}' },
    { json: { password: '', b: null } },
  ],
  [
    'records JSON with whitespace as parsed JSON',
    { headers: json, body: '{ "a" : "b c",\n "n": [ 1 ] }' },
    { json: { a: 'b c', n: [1] } },
  ],
  [
    'records JSON as text if parsing would change a number',
    { headers: json, body: '{"a":1.0}' },
    { text: '{"a":1.0}' },
  ],
  [
    'records malformed JSON as text with masked secrets',
    { headers: json, body: '{"a":"\\x","token":"\\q"' },
    { text: '{"a":"\\x","token":"***"' },
  ],
  [
    'records JSON in a buffer as JSON',
    { headers: json, body: Buffer.from('{"a":"ä"}') },
    { json: { a: 'ä' } },
  ],
  [
    'records JSON in a stream as JSON',
    { headers: json, body: Readable.from([Buffer.from('{"a'), Buffer.from('":1}')]) },
    { json: { a: 1 } },
  ],
  ['omits a plain-text body', { headers: { 'content-type': 'text/plain' }, body: 'x' }, {}],
  ['omits a body without a media type', { body: 'x' }, {}],
  ['records no body if the client sent none', { headers: json }, {}],
])('a recorder %s (request)', async (_name, sent, wanted) => {
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
  const whole = JSON.stringify({ a: 'x'.repeat(1_048_568) });
  const { lines, server, recorder } = await record([
    [{ method: 'POST', headers: json, body: Readable.from(pieces) }],
    [{ method: 'POST', headers: json, body: Readable.from([whole]) }],
  ]);
  expect(lines[0]?.request).not.toHaveProperty('text');
  expect(lines[0]?.request).not.toHaveProperty('file');
  expect(lines[1]?.request.file, 'exactly 1 MiB').toMatch(/^bodies\/0001\.json$/);
  expect(server.requests.map(({ body }) => body.length)).toEqual([large.length, whole.length]);
  const parts = new FormData();
  parts.append('password', 'x');
  await undiciFetch(server.origin, { method: 'POST', body: parts, dispatcher: recorder });
  expect(server.requests[2]?.body).toContain('name="password"');
});

test.each<[string, RecordedResponse, Partial<RecordedExchange['response']>]>([
  [
    'JSON',
    { headers: json, body: '{"code":"x","errors":[{"code":"y"}],"token":"z"}' },
    { json: { code: 'x', errors: [{ code: 'y' }], token: '***' } },
  ],
  [
    'a license that is not secret',
    { headers: json, body: '{"license":"mit"}' },
    { json: { license: 'mit' } },
  ],
  [
    'secret and non-secret names',
    { headers: json, body: '{"my_password":"a","license_md5":"b","token_":"c"}' },
    { json: { my_password: '***', license_md5: '***', token_: 'c' } },
  ],
  [
    'a private key',
    { headers: json, body: '{"a":["-BEGIN PRIVATE KEY-"],"b":"PRIVATE KEY"}' },
    { json: { a: ['***'], b: '***' } },
  ],
  [
    'an echo before its secret',
    { headers: json, body: '["some-secret",{"token":"some-secret"}]' },
    { json: ['***', { token: '***' }] },
  ],
  [
    'XML',
    { headers: xml, body: '<a><Password>xyz</Password><b>y</b><c.d>z</c.d></a>' },
    { text: '<a><Password>***</Password><b>y</b><c.d>z</c.d></a>' },
  ],
  [
    'a form',
    { headers: form, body: 'access_token=abc&scope=repo' },
    { text: 'access_token=***&scope=repo' },
  ],
  ['text', { body: 'token=abc' }, { text: 'token=***' }],
  [
    'a script',
    { headers: { 'content-type': 'application/javascript' }, body: 'f()' },
    { text: 'f()' },
  ],
  ['no body', { body: '' }, {}],
  ['no media type', { headers: { 'content-type': '' }, body: 'x' }, { file: 'bodies/0001.bin' }],
  [
    'the content coding gzip',
    { headers: { 'content-encoding': 'gzip' }, body: gzipSync('x') },
    { text: 'x' },
  ],
  [
    'the content coding x-gzip',
    { headers: { 'content-encoding': 'x-gzip' }, body: gzipSync('x') },
    { text: 'x' },
  ],
  [
    'the content coding deflate',
    { headers: { 'content-encoding': 'deflate' }, body: deflateSync('x') },
    { text: 'x' },
  ],
  [
    'the content coding br',
    { headers: { 'content-encoding': 'br' }, body: brotliCompressSync('x') },
    { text: 'x' },
  ],
  [
    'the content coding identity',
    { headers: { 'content-encoding': 'identity' }, body: 'x' },
    { text: 'x' },
  ],
  ['an empty body labeled as gzip', { headers: { 'content-encoding': 'gzip' }, body: '' }, {}],
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
  ['text with tags', { body: '<b>x</b>' }, { text: '<b>x</b>' }],
  [
    'compressed bytes',
    { headers: { 'content-type': 'image/png', 'content-encoding': 'gzip' }, body: gzipSync('x') },
    { file: 'bodies/0001.bin' },
  ],
  ...['my-gzip', 'gzip2', 'deflate2', 'my-deflate', 'zip'].map(
    (coding): [string, RecordedResponse, object] => [
      `the content coding ${coding}`,
      { headers: { 'content-encoding': coding }, body: gzipSync('x') },
      { file: 'bodies/0001.bin' },
    ],
  ),
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
    [
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data;Boundary=b' },
        body: '--b--',
      },
      { headers: { 'content-length': '1' }, body: 'y' },
    ],
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
  expect(lines[2]?.request.headers).toEqual({ 'content-type': 'multipart/form-data' });
  expect(lines[2]?.response.headers).not.toHaveProperty('content-length');
});

test('a recorder masks a secret in a Location header that contains only a query', async () => {
  const { lines } = await record([
    [{}, { status: 302, headers: { location: '?access_token=abc&y=z' } }],
  ]);
  expect(lines[0]?.response.headers.location).toBe('?access_token=***&y=z');
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

test("a recorder doesn't record a truncated response", async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('half');
    return setTimeout(() => response.destroy(), 5);
  });
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const { body } = await request(server.origin, { dispatcher: recorder });
  await expect(body.text()).rejects.toThrow();
  expect(await readLines(to)).toEqual([]);
});

test('a recorder masks values of the `secrets` option in URLs and bodies', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end('some words');
  });
  const recorder = createRecorder({ to, secrets: ['some words'] });
  onTestFinished(() => recorder.close());
  const { body } = await request(`${server.origin}/some%20words?a=some+words`, {
    dispatcher: recorder,
  });
  expect(await body.text()).toBe('some words');
  const url = `${server.origin}/***?a=***`;
  expect(await readLines(to)).toMatchObject([{ request: { url }, response: { text: '***' } }]);
});

test('a recorder forwards an abort to the server', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => void response.writeHead(200).write('half'));
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const leaving = new AbortController();
  const { signal } = leaving;
  const { body } = await request(server.origin, { dispatcher: recorder, signal });
  leaving.abort();
  await expect(body.text()).rejects.toThrow('aborted');
  await expect.poll(() => server.open()).toBe(0);
  expect(await readLines(to)).toEqual([]);
});

test('a recorder accepts a dispatch handler with only one or two callbacks', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response, index) => {
    response.writeProcessing();
    if (index > 0) response.destroy();
    else response.end('x');
  });
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const failures: unknown[] = [];
  const failed = (_controller: unknown, error: unknown) => failures.push(error);
  const sendRequest = (handler: object) =>
    recorder.dispatch(
      { origin: server.origin, method: 'GET', path: '/' },
      // `as`: undici accepts a handler that has only one callback.
      handler as Dispatcher.DispatchHandler,
    );
  sendRequest({ onRequestStart: () => undefined, onResponseError: failed });
  await expect.poll(() => readLines(to)).toMatchObject([{ response: { status: 200 } }]);
  expect(failures).toEqual([]);
  sendRequest({ onRequestStart: () => undefined });
  await expect.poll(() => server.log).toHaveLength(2);
});

test("a recorder doesn't fail on an upgrade without onRequestUpgrade", async () => {
  const server = await serveRaw((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n');
  });
  const recorder = createRecorder({ to: await recordingFolder() });
  onTestFinished(() => recorder.destroy());
  const failures: unknown[] = [];
  // `as`: undici accepts a handler without other callbacks.
  const handler = {
    onRequestStart: () => undefined,
    onResponseError: (_controller: unknown, error: unknown) => failures.push(error),
  } as Dispatcher.DispatchHandler;
  recorder.dispatch({ origin: server.origin, method: 'GET', path: '/', upgrade: 'own' }, handler);
  await expect.poll(() => server.log).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(failures).toEqual([]);
});

test('a recorder forwards an upgrade without recording it', async () => {
  const server = await serveRaw((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n');
  });
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.destroy());
  const { headers, socket } = await upgrade(server.origin, {
    dispatcher: recorder,
    protocol: 'own',
  });
  socket.destroy();
  expect(headers.upgrade).toBe('own');
  expect(await readLines(to)).toEqual([]);
});
