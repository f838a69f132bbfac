import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRecorder, type Replay, replay } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { readLines, recordingFolder } from './recording-folder.js';

// Tests how a replay responds to requests, with handwritten recordings.

const origin = 'http://code.example.test';

interface Line {
  readonly method?: string;
  readonly url?: string;
  readonly sent?: object;
  readonly headers?: object;
  readonly response?: object;
}

async function createFolder(lines: readonly Line[]): Promise<string> {
  const folder = await recordingFolder();
  await mkdir(join(folder, 'bodies'));
  const texts = lines.map(({ method = 'GET', url = '/', headers = {}, sent = {}, response = {} }) =>
    JSON.stringify({
      request: { method, url: url.startsWith('/') ? origin + url : url, headers, ...sent },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, ...response },
    }),
  );
  await writeFile(join(folder, 'exchanges.ndjson'), `${texts.join('\n \n')}\n`);
  return folder;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request to a replay in process. @returns Status, headers and text, or the error message
 * instead of the text.
 */
async function sendRequest(
  from: Replay,
  path: string,
  { method = 'GET', ...how }: RequestOptions = {},
) {
  const url = path.startsWith('/') ? origin + path : path;
  const response = await request(url, {
    method: method as 'GET', // `as`: undici's type lists only known methods.
    dispatcher: from,
    ...how,
  });
  const text = await response.body.text();
  const { statusCode: status, headers } = response;
  const output = status === 501 ? String(JSON.parse(text || '{}').message) : text;
  return { status, headers, text: output };
}

const text = (word: string) => ({ response: { text: word } });
const json = { 'content-type': 'application/json' };
const accept = { accept: 'text/html' };

describe('strict replay', () => {
  const lines: readonly Line[] = [
    { url: '/a', ...text('first') },
    { url: '/a', ...text('second') },
    { url: '/a', headers: accept, ...text('html') },
    { url: '/q?b=2&a=1&a=0', ...text('query') },
    { url: '/q?c', ...text('other query') },
    { url: '/q?d', ...text('third query') },
    { url: '/q?e', ...text('fourth query') },
    {
      method: 'POST',
      url: '/p',
      headers: json,
      sent: { json: { x: [1, { y: 2 }] } },
      ...text('json'),
    },
    { method: 'POST', url: '/p', sent: { text: 'b' }, headers: json, ...text('text') },
    {
      method: 'POST',
      url: '/f',
      sent: { file: 'bodies/0001.bin' },
      headers: json,
      ...text('file'),
    },
    {
      method: 'POST',
      url: '/s?access_token=***',
      headers: { 'content-type': 'x-www-form-urlencoded' },
      sent: { text: 'password=***' },
      ...text('secret'),
    },
    {
      method: 'POST',
      url: '/p?z',
      sent: { text: 'z' },
      headers: json,
      ...text('of another query'),
    },
  ];
  const posted = (body: string): RequestOptions => ({ method: 'POST', headers: json, body });

  test.each<[string, ...[path: string, answer: string, how?: RequestOptions][]]>([
    [
      'responds to repeated requests in the recorded order',
      ['/a', 'first'],
      ['/a', 'second'],
      ['/a', 'replay: GET /a: the request was recorded 2 times, but sent more often'],
    ],
    [
      'selects the exchange with matching headers, or rejects the request',
      ['/a', 'html', { headers: accept }],
      [
        '/a',
        'replay: GET /a: the request was recorded with a different header (/a)',
        { headers: { accept: 'text/plain' } },
      ],
    ],
    [
      "ignores headers that don't select a response",
      ['/a', 'first', { headers: { 'user-agent': 'x' } }],
    ],
    [
      'ignores the order of query parameters',
      ['/q?a=1&a=0&b=2', 'query'],
      [
        '/q?a=1&a=0&b=2',
        'replay: GET /q?a=1&a=0&b=2: the request was recorded once, but sent more often',
      ],
    ],
    [
      'rejects a request with an unrecorded query',
      [
        '/q?a=0&a=1&b=2',
        'replay: GET /q?a=0&a=1&b=2: the request was recorded with a different query (/q?b=2&a=1&a=0, /q?c, /q?d)',
      ],
    ],
    [
      'rejects a request with an unrecorded method',
      [
        '/a',
        'replay: DELETE /a: no request with this method and path was recorded',
        { method: 'DELETE' },
      ],
    ],
    [
      'rejects a request with an unrecorded path',
      ['/aa', 'replay: GET /aa: no request with this method and path was recorded'],
    ],
    ['ignores whitespace in a JSON body', ['/p', 'json', posted('{ "x": [1, {"y":2}] }')]],
    [
      'rejects a request with an unrecorded body',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different body (/p)',
        posted('{"x":[1,{"y":3}]}'),
      ],
    ],
    [
      "compares a text body exactly if it isn't JSON",
      ['/p', 'text', posted('b')],
      ['/p', 'replay: POST /p: the request was recorded with a different body (/p)', posted('"b"')],
    ],
    [
      'rejects a large body if a small body was recorded',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different body (/p)',
        posted(JSON.stringify('x'.repeat(70_000))),
      ],
    ],
    [
      'rejects a request with a recorded body but unrecorded headers',
      [
        '/p',
        'replay: POST /p: the request was recorded with a different header (/p)',
        { ...posted('b'), headers: { ...json, ...accept } },
      ],
    ],
    [
      'accepts any body if the recorded body was saved in a file',
      ['/f', 'file', posted('anything')],
    ],
    [
      'accepts a large body if the recorded body was saved in a file',
      ['/f', 'file', posted('x'.repeat(1_048_577))],
    ],
    [
      'accepts secrets that differ from those in the recorded request',
      [
        '/s?access_token=another',
        'secret',
        {
          method: 'POST',
          headers: { 'content-type': 'x-www-form-urlencoded' },
          body: 'password=other',
        },
      ],
    ],
  ])('%s', async (_name, ...rows) => {
    const from = replay(await createFolder(lines));
    const missed: unknown[] = [];
    for (const [path, wanted, how = {}] of rows) {
      const { status, text: got } = await sendRequest(from, path, how);
      const refused = wanted.startsWith('replay: ');
      expect([status, got]).toEqual([refused ? 501 : 200, wanted]);
      const why = /^replay: \S+ \S+: (.*)$/.exec(wanted)?.[1];
      if (refused) missed.push({ method: how.method ?? 'GET', path, why });
    }
    expect(from.missed).toEqual(missed);
    expect(from.unused).toHaveLength(lines.length - (rows.length - missed.length));
    expect(from.unused.at(-1)).toBe(`POST ${origin}/p?z`);
  });
});

describe('lenient replay', () => {
  const lines: readonly Line[] = [
    { method: 'POST', url: '/p?a', headers: json, sent: { json: 1 }, ...text('a 1') },
    { method: 'POST', url: '/p?a', headers: json, sent: { json: 2 }, ...text('a 2') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 1 }, ...text('b 1') },
    {
      method: 'POST',
      url: '/p?b',
      headers: { ...json, ...accept },
      sent: { json: 3 },
      ...text('b 3 html'),
    },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3 again') },
    { method: 'POST', url: '/p?b', headers: json, sent: { json: 3 }, ...text('b 3 at last') },
  ];
  test.each<[string, ...[path: string, body: string, answer: string, headers?: object][]]>([
    ['an equal query to an equal body', ['/p?b', '2', 'b 1']],
    ['an equal body to an unused exchange', ['/p?a', '2', 'a 2'], ['/p?x', '2', 'a 2']],
    [
      'an unused exchange to a used exchange',
      ['/p?x', '1', 'a 1'],
      ['/p?x', '1', 'b 1'],
      ['/p?x', '1', 'a 1'],
    ],
    ['equal headers to different headers', ['/p?x', '3', 'b 3'], ['/p?x', '3', 'b 3 html', accept]],
    [
      'the first unused exchange to later equal exchanges',
      ['/p?b', '3', 'b 3'],
      ['/p?b', '3', 'b 3 again'],
      ['/p?b', '3', 'b 3 at last'],
      ['/p?b', '3', 'b 3 at last'],
    ],
    [
      'a 501 to an exchange with a different path',
      ['/z', '1', 'replay: POST /z: no request with this method and path was recorded'],
    ],
  ])('prefers %s', async (_name, ...rows) => {
    const from = replay(await createFolder(lines), { mode: 'lenient' });
    for (const [path, body, wanted, headers = {}] of rows) {
      const how = { method: 'POST', headers: { ...json, ...headers }, body };
      expect((await sendRequest(from, path, how)).text).toBe(wanted);
    }
  });
});

describe('replay responses', () => {
  test('returns the recorded status, headers and body', async () => {
    const headers = { 'content-type': 'application/json', 'x-a': 'b' };
    const folder = await createFolder([
      { url: '/json', response: { status: 201, headers, json: { a: 1 } } },
      { url: '/none', response: { status: 204, headers: { 'x-a': 'b' } } },
      { url: '/same', response: { status: 304, headers: {} } },
      { url: '/reset', response: { status: 205, headers: {} } },
      { method: 'HEAD', url: '/head', response: { headers: { 'content-length': '7' } } },
      { url: '/empty', response: { headers: {} } },
      {
        url: '/bytes',
        response: { headers: { 'content-type': 'image/png' }, file: 'bodies/0001.bin' },
      },
    ]);
    await writeFile(join(folder, 'bodies/0001.bin'), Buffer.from([200, 1]));
    const from = replay(folder);
    const created = await sendRequest(from, '/json');
    expect(created).toEqual({
      status: 201,
      headers: { ...headers, 'content-length': '7' },
      text: '{"a":1}',
    });
    const none = await sendRequest(from, '/none');
    expect(none).toEqual({ status: 204, headers: { 'x-a': 'b' }, text: '' });
    expect((await sendRequest(from, '/same')).status).toBe(304);
    expect((await sendRequest(from, '/reset')).status).toBe(205);
    const head = await sendRequest(from, '/head', { method: 'HEAD' });
    expect(head).toEqual({ status: 200, headers: { 'content-length': '7' }, text: '' });
    expect(await sendRequest(from, '/empty')).toMatchObject({
      headers: { 'content-length': '0' },
      text: '',
    });
    const { body } = await request(`${origin}/bytes`, { dispatcher: from });
    expect(Buffer.from(await body.arrayBuffer())).toEqual(Buffer.from([200, 1]));
    const head501 = await sendRequest(from, '/other', { method: 'HEAD' });
    expect([head501.status, head501.headers['content-type']]).toEqual([
      501,
      expect.stringContaining('json'),
    ]);
  });

  test('replaces recorded origins with the origin of the replay server', async () => {
    const both = `${origin}/x ${origin}/y http://other.example.test/z`;
    const coded = { 'content-type': 'text/plain', 'content-encoding': 'br' };
    const folder = await createFolder([
      {
        url: '/a',
        response: { headers: { 'content-type': 'text/plain', location: both }, text: both },
      },
      { url: '/a', response: { headers: { 'content-type': 'text/plain' }, text: both } },
      { url: '/b', response: { headers: coded, text: both } },
      { url: '/b', response: { headers: { 'content-type': 'image/png' }, text: both } },
      { url: 'http://other.example.test/c', ...text('c') },
    ]);
    const from = replay(folder);
    expect((await sendRequest(from, '/a')).text, 'in process, the recorded origins are kept').toBe(
      both,
    );
    const here = await from.listen();
    onTestFinished(() => here.close());
    const moved = both.replaceAll(/http:\/\/\w+\.example\.test/g, here.url);
    const response = await request(`${here.url}/a`);
    expect([response.headers.location, await response.body.text()]).toEqual([undefined, moved]);
    for (let times = 0; times < 2; times++) {
      const { body } = await request(`${here.url}/b`);
      expect(await body.text(), 'a body that is not readable text is unchanged').toBe(both);
    }
    const again = replay(folder);
    const there = await again.listen();
    onTestFinished(() => there.close());
    const first = await request(`${there.url}/a`);
    expect(first.headers.location).toBe(moved.replaceAll(here.url, there.url));
    await first.body.dump();
    expect(await (await request(`${there.url}/c`)).body.text()).toBe('c');
  });
});

test.each<[string, string]>([
  ['malformed JSON', '{'],
  ['no request', '{"response":{"status":200,"headers":{}}}'],
  [
    'no method',
    '{"request":{"url":"http://a","headers":{}},"response":{"status":200,"headers":{}}}',
  ],
  [
    'an invalid URL',
    '{"request":{"method":"GET","url":"a","headers":{}},"response":{"status":200,"headers":{}}}',
  ],
  [
    'no request headers',
    '{"request":{"method":"GET","url":"http://a"},"response":{"status":200,"headers":{}}}',
  ],
  [
    'no status',
    '{"request":{"method":"GET","url":"http://a","headers":{}},"response":{"headers":{}}}',
  ],
  [
    'no response headers',
    '{"request":{"method":"GET","url":"http://a","headers":{}},"response":{"status":200}}',
  ],
])('replay() reports the line with %s', async (_name, line) => {
  const folder = await createFolder([{}, {}]);
  const path = join(folder, 'exchanges.ndjson');
  await writeFile(path, `\n${line}\n`);
  expect(() => replay(folder)).toThrow(`replay: ${path}, line 2: must be an exchange`);
});

test('a replay server responds to a 20 MB upload', async () => {
  const from = replay(await createFolder([{ method: 'POST', url: '/up', ...text('thanks') }]));
  const here = await from.listen();
  onTestFinished(() => here.close());
  const body = Buffer.alloc(20_000_000);
  const { body: response } = await request(`${here.url}/up`, { method: 'POST', body });
  expect(await response.text()).toBe('thanks');
});

test('replay() throws for an unknown mode', async () => {
  const folder = await createFolder([]);
  const mode = 'loose' as 'lenient'; // `as`: JavaScript callers can pass anything.
  expect(() => replay(folder, { mode })).toThrow(TypeError);
  expect(replay(folder, { mode: undefined }).unused).toEqual([]);
  expect(replay(folder, { mode: 'strict', secrets: ['a long word'] }).missed).toEqual([]);
});

test('replay() masks `secrets` before comparing requests', async () => {
  const from = replay(await createFolder([{ url: '/***', ...text('x') }]), {
    secrets: ['my own word'],
  });
  expect((await sendRequest(from, '/my%20own%20word')).text).toBe('x');
});

describe('close() and destroy()', () => {
  test.each(['close', 'destroy'] as const)(
    '%s() makes a replay reject later requests',
    async (end) => {
      const from = replay(await createFolder([{}]));
      await from[end]();
      await expect(sendRequest(from, '/')).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
      const other = replay(await createFolder([{}]));
      await new Promise<void>((done) =>
        end === 'close' ? other.close(done) : other.destroy(null, done),
      );
      await expect(sendRequest(other, '/')).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
      const third = replay(await createFolder([{}]));
      await new Promise<void>((done) => third.destroy(done));
      await expect(sendRequest(third, '/')).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
    },
  );

  test('closes only an Agent that the recorder created', async () => {
    const server = await serve((seen, response) => seen.url === '/' && response.end('x'));
    const own = createRecorder({ to: await recordingFolder() });
    await (await request(server.origin, { dispatcher: own })).body.dump();
    await own.close();
    await expect(request(server.origin, { dispatcher: own })).rejects.toThrow();
    const destroyed = createRecorder({ to: await recordingFolder() });
    const waiting = request(`${server.origin}/wait`, { dispatcher: destroyed });
    const outcome = expect(waiting).rejects.toThrow('enough of it');
    await expect.poll(() => server.log).toContain('GET /wait');
    await new Promise<void>((done) => destroyed.destroy(new Error('enough of it'), done));
    await outcome;
    const agent = new Agent();
    onTestFinished(() => agent.close());
    const passed = createRecorder({ to: await recordingFolder(), dispatcher: agent });
    await passed.close();
    await passed.destroy();
    expect((await request(server.origin, { dispatcher: passed })).statusCode).toBe(200);
  });
});

describe('recorder.listen()', () => {
  test('forwards requests and responses without hop-by-hop headers', async () => {
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
    const to = await recordingFolder();
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
    expect((await readLines(to)).map(({ request: { method, url } }) => `${method} ${url}`)).toEqual(
      [
        `PUT ${server.origin}/a%2Fb?c=d`,
        `GET ${server.origin}/bytes`,
        `GET ${server.origin}/coded`,
        `GET ${server.origin}/none`,
        `HEAD ${server.origin}/head`,
      ],
    );
  });

  test('streams large bodies and propagates disconnects', async () => {
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
    const to = await recordingFolder();
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
