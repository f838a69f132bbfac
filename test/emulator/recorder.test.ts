import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { FormData, request, fetch as undiciFetch } from 'undici';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { HostingClient, SupportClient } from '../../src/index.js';
import {
  createEmulator,
  createRecorder,
  type RecordedExchange,
  replay,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { watchWarnings } from '../support/client.js';
import { serve } from '../support/server.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
import {
  createFolder,
  json,
  type RecordedResponse,
  readBytes,
  readLines,
  record,
  type Sent,
  sendRequest,
} from './recording-folder.js';

describe('recorder.listen()', () => {
  test('recorder.listen() forwards requests and responses without hop-by-hop headers', async () => {
    const server = await serve((seen, response) => {
      response.writeProcessing();
      const bytes = seen.url === '/bytes' || seen.url === '/coded';
      response.writeHead(seen.url === '/none' ? 204 : 203, 'As it is', {
        'content-type': seen.url === '/bytes' ? 'image/png' : 'text/plain',
        ...(seen.url === '/coded' && { 'content-encoding': 'x-own' }),
        location: `${server.origin}/there`,
        'set-cookie': ['a=1', 'b=2'],
        'keep-alive': 'timeout=99',
        ...(seen.method === 'HEAD' && { 'content-length': '7' }),
      });
      response.end(seen.url === '/none' ? undefined : `${bytes ? '' : seen.body}${server.origin}`);
    });
    const to = await createTemporaryFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const proxy = await recorder.listen(new URL(`${server.origin}/any/path`));
    onTestFinished(() => proxy.close());
    const headers = { 'content-type': 'application/json', 'x-own': 'y', expect: '100-continue' };
    const response = await request(`${proxy.url}/a%2Fb?c=d`, {
      method: 'PUT',
      headers: { ...headers, expect: undefined },
      body: '"ä"',
    });
    expect([response.statusCode, await response.body.text()]).toEqual([203, `"ä"${proxy.url}`]);
    expect(response.headers).toMatchObject({
      location: `${proxy.url}/there`,
      'set-cookie': ['a=1', 'b=2'],
      'content-length': String(4 + proxy.url.length),
    });
    expect(response.headers['keep-alive']).not.toContain('99');
    const [seen] = server.requests;
    expect(seen).toMatchObject({
      method: 'PUT',
      url: '/a%2Fb?c=d',
      body: '"ä"',
      headers: { 'x-own': 'y' },
    });
    expect(seen?.headers.host).toBe(new URL(server.origin).host);
    const fetched = await fetch(`${proxy.url}/bytes`);
    expect(await fetched.text(), 'bytes are unchanged').toBe(server.origin);
    const [, second] = server.requests;
    expect(second?.headers, 'the recorder requests an uncompressed body').not.toHaveProperty(
      'accept-encoding',
    );
    const coded = await request(`${proxy.url}/coded`);
    expect(await coded.body.text()).toBe(server.origin);
    const none = await request(`${proxy.url}/none`);
    expect([none.statusCode, await none.body.text()]).toEqual([204, '']);
    const head = await request(`${proxy.url}/head`, { method: 'HEAD' });
    expect([head.statusCode, await head.body.text()]).toEqual([203, '']);
    expect(head.headers['content-length']).toBe('7');
    const requests = (await readLines(to)).map((line) => line.request);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `PUT ${server.origin}/a%2Fb?c=d`,
      `GET ${server.origin}/bytes`,
      `GET ${server.origin}/coded`,
      `GET ${server.origin}/none`,
      `HEAD ${server.origin}/head`,
    ]);
    expect(requests[0]).toMatchObject({ json: 'ä' });
  });

  test.each(['close', 'destroy'] as const)(
    'a recorder and a replay stop their servers with %s()',
    async (end) => {
      const server = await serve((_seen, response) => response.end('x'));
      const to = await createTemporaryFolder();
      const recorder = createRecorder({ to });
      const proxy = await recorder.listen(server.origin);
      const other = await recorder.listen(server.origin);
      expect((await fetch(proxy.url)).status).toBe(200);
      await other.close();
      await recorder[end]();
      const replayer = replay(to);
      const replayed = await replayer.listen();
      expect((await fetch(replayed.url)).status).toBe(200);
      await new Promise<void>((resolve) => void replayer[end](resolve));
      for (const { url } of [proxy, other, replayed]) await expect(fetch(url)).rejects.toThrow();
    },
  );

  test('recorder.listen() streams large bodies and propagates disconnects', async () => {
    const large = Buffer.alloc(3_000_000, 'x');
    const server = await serve((seen, response) => {
      response.setHeader('content-type', 'application/zip');
      if (seen.url === '/broken') {
        response.setHeader('content-length', '9').write('half');
        return setTimeout(() => response.destroy(), 5);
      }
      if (seen.url !== '/endless') return response.end(seen.method === 'POST' ? seen.body : large);
      const more = () => {
        while (response.write(large));
        response.once('drain', more);
      };
      return more();
    });
    const to = await createTemporaryFolder();
    const recorder = createRecorder({ to });
    onTestFinished(() => recorder.close());
    const proxy = await recorder.listen(server.origin);
    onTestFinished(() => proxy.close());
    const down = await request(`${proxy.url}/down`);
    expect((await down.body.bytes()).length).toBe(large.length);
    const up = await request(`${proxy.url}/up`, { method: 'POST', body: large });
    expect((await up.body.bytes()).length).toBe(large.length);
    const broken = await request(`${proxy.url}/broken`);
    await expect(broken.body.text()).rejects.toThrow();
    const left = await request(`${proxy.url}/endless`);
    for await (const _piece of left.body) break;
    await expect
      .poll(() => server.open(), { message: 'the connection to the server is closed too' })
      .toBeLessThan(2);
    await server.close();
    const gone = await request(`${proxy.url}/gone`);
    expect(gone.statusCode).toBe(500);
    expect(await gone.body.text()).toContain('ECONNREFUSED');
    const recorded = (await readLines(to)).map(({ request: { url } }) => new URL(url).pathname);
    expect(recorded).toEqual(['/down', '/up']);
  });
});

const baseUrl = 'http://code.example.test/api/v3/';

const { owner, repo, token, login, password } = seeded;

const auth = { type: 'token', token } as const;

/** Creates a recorder that sends its requests to an in-process emulator. */
async function recording(secrets?: readonly string[]) {
  const emulator = createEmulator();
  const to = await createTemporaryFolder();
  const recorder = createRecorder({ to, dispatcher: emulator.dispatcher(), secrets });
  return { emulator, to, recorder };
}

test('a replay gives a client the same results as the recorded server', async () => {
  const { to, recorder } = await recording();
  async function results(dispatcher: typeof recorder | ReturnType<typeof replay>) {
    const hosting = new HostingClient({ baseUrl, auth, dispatcher });
    const file = { owner, repo, path: 'a.md', message: 'Add', content: Buffer.from('hello') };
    return {
      pulls: await hosting.pulls.list({ owner, repo, state: 'all', per_page: 80 }).toArray(),
      starred: await hosting.starring.isStarred({ owner, repo }),
      created: await hosting.contents.create(file),
      missing: await hosting.pulls
        .get({ owner, repo, number: 999 })
        .catch((error) => error.message),
    };
  }
  const first = await results(recorder);
  expect(first.pulls).toHaveLength(250);
  const recorded = replay(to);
  expect(await results(recorded)).toEqual(first);
  expect(recorded.missed).toEqual([]);
  expect(recorded.unused).toEqual([]);
  const [page] = await readLines(to);
  expect(page?.request).toMatchObject({ method: 'GET', url: expect.stringContaining(baseUrl) });
  expect(page?.response.file, 'a page of 80 is large').toMatch(/^bodies\/\d+\.json$/);
});

test('a recording contains no secrets', async () => {
  const { to, recorder, emulator } = await recording(['a word of my own']);
  const basic = { type: 'basic', username: login, password } as const;
  const hosting = new HostingClient({ baseUrl, auth: basic, dispatcher: recorder });
  const created = await hosting.authorizations.create({
    note: 'a word of my own',
    scopes: ['repo'],
  });
  await hosting
    .withAuth({ type: 'token', token: created.token ?? '' })
    .pulls.get({ owner, repo, number: 1 });
  await hosting.hooks.create({
    owner,
    repo,
    name: 'web',
    config: { url: 'http://127.0.0.1:1/', secret: 'hook secret' },
  });
  const support = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: supportSeed,
    dispatcher: recorder,
  });
  await support.contacts.get({ contact_id: 1 });
  const sent = emulator.requests.at(-1)?.sent.target ?? '';
  const session = new URLSearchParams(sent.split('?')[1]).get('access_token') ?? 'none';
  expect(session).toMatch(/^[0-9a-f]{40}$/);
  const all = await readBytes(to);
  const secrets = {
    password,
    encoded: encodeURIComponent(password),
    basic: Buffer.from(`${login}:${password}`).toString('base64'),
    token: created.token ?? '',
    hook: 'hook secret',
    own: 'a word of my own',
    session,
    apiKey: supportSeed.apiKey,
  };
  for (const [name, secret] of Object.entries(secrets)) expect(all, name).not.toContain(secret);
  const replayed = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: { userName: supportSeed.userName, apiKey: 'another key', password: 'another' },
    dispatcher: replay(to),
  });
  expect(
    (await replayed.contacts.get({ contact_id: 1 })).id,
    "the replay doesn't compare secrets",
  ).toBe(1);
});

test('replay() and createRecorder() reject unknown options', async () => {
  const to = await createTemporaryFolder();
  createRecorder({ to });
  const loosely = (options: object) => options;
  expect(() => replay(to, loosely({ lenient: true }))).toThrow("unknown option 'lenient'");
  expect(() => createRecorder({ ...loosely({ form: 1 }), to })).toThrow("unknown option 'form'");
});

describe('recordings', () => {
  describe('createRecorder()', () => {
    it('createRecorder() rejects a folder that contains bodies but no recording', async () => {
      const to = await createTemporaryFolder();
      await mkdir(join(to, 'bodies'));
      await writeFile(join(to, 'bodies', 'mine.txt'), 'mine');
      expect(() => createRecorder({ to })).toThrow(/bodies: .* no recording/);
      expect(await readFile(join(to, 'bodies', 'mine.txt'), 'utf8')).toBe('mine');
    });

    it('a recorder replaces a symlink in its folder instead of writing through the symlink', async () => {
      const [to, other] = [await createTemporaryFolder(), await createTemporaryFolder()];
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
      const to = await createTemporaryFolder();
      const recorder = createRecorder({ to });
      onTestFinished(() => recorder.close());
      const file = blocked(to);
      if (file !== undefined) await writeFile(file, '');
      const { body } = await request(server.origin, { dispatcher: recorder });
      expect((await body.arrayBuffer()).byteLength % piece.length).toBe(0);
      expect(await readLines(to)).toEqual([]);
      await expect.poll(() => warnings).toEqual([expect.stringContaining('was not recorded')]);
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
      const path = join(await createTemporaryFolder(), 'exchanges.ndjson');
      const line = typeof exchange === 'string' ? exchange : JSON.stringify(exchange);
      await writeFile(path, `\n${line}\n`);
      expect(() => replay(dirname(path))).toThrow(`replay: ${path}, line 2: must be an exchange`);
    });

    it('replay() rejects a folder without a recording', async () => {
      const to = await createTemporaryFolder();
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
      { headers: json, body: '{"a":[{"password":"x","api_key":1}],"code":"c","token":""}' },
      { json: { a: [{ password: '***', api_key: '***' }], code: '***', token: '' } },
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
});
