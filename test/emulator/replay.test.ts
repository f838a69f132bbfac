import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
import {
  createFolder,
  json,
  type Line,
  origin,
  type RequestOptions,
  sendRequest,
  text,
} from './recording-folder.js';

test('replay() throws a TypeError for an unknown mode', async () => {
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

test.each(['close', 'destroy'] as const)(
  '%s() makes a replay reject later requests',
  async (end) => {
    const from = replay(await createFolder([{}]));
    await from[end]();
    await expect(sendRequest(from, '/')).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  },
);

test('a recorder closes only an Agent that it created', async () => {
  const server = await serve((seen, response) => seen.url === '/' && response.end('x'));
  const own = createRecorder({ to: await createTemporaryFolder() });
  await (await request(server.origin, { dispatcher: own })).body.dump();
  await own.close();
  await expect(request(server.origin, { dispatcher: own })).rejects.toThrow();
  const destroyed = createRecorder({ to: await createTemporaryFolder() });
  const waiting = request(`${server.origin}/wait`, { dispatcher: destroyed });
  const outcome = expect(waiting).rejects.toThrow('enough of it');
  await expect.poll(() => server.log).toContain('GET /wait');
  await new Promise<void>((done) => destroyed.destroy(new Error('enough of it'), done));
  await outcome;
  const agent = new Agent();
  onTestFinished(() => agent.close());
  const passed = createRecorder({ to: await createTemporaryFolder(), dispatcher: agent });
  await passed.close();
  await passed.destroy();
  expect((await request(server.origin, { dispatcher: passed })).statusCode).toBe(200);
});

// Tests which recorded exchange a replay selects for a request.

const accept = { accept: 'text/html' };

describe('strict replay', () => {
  const encoded = { 'content-type': 'x-www-form-urlencoded' };
  const post = (url: string, sent: object, word: string, headers: object = json): Line => ({
    method: 'POST',
    ...{ url, headers, sent },
    ...text(word),
  });
  const lines: readonly Line[] = [
    { url: '/a', ...text('first') },
    { url: '/a', ...text('second') },
    { url: '/a', headers: accept, ...text('html') },
    { url: '/q?b=2&a=1&a=0', ...text('query') },
    { url: '/q?c', ...text('other query') },
    { url: '/q?d', ...text('third query') },
    { url: '/q?e', ...text('fourth query') },
    post('/p', { json: { x: [1, { y: 2 }] } }, 'json'),
    post('/p', { text: 'b' }, 'text'),
    post('/f', {}, 'large'),
    post('/s?access_token=***', { text: 'password=***' }, 'secret', encoded),
    post('/p?z', { text: 'z' }, 'of another query'),
  ];
  const posted = (body: string, headers: object = {}): RequestOptions => ({
    method: 'POST',
    headers: { ...json, ...headers },
    body,
  });
  const otherBody = 'replay: POST /p: the request was recorded with a different body (/p)';
  const otherHeader = (what: string) =>
    `replay: ${what}: the request was recorded with a different header (${what.split(' ')[1]})`;
  const unknown = (what: string) =>
    `replay: ${what}: no request with this method and path was recorded`;
  const repeated = (path: string, times: string) =>
    `replay: GET ${path}: the request was recorded ${times}, but sent more often`;
  const large = JSON.stringify('x'.repeat(70_000));
  const [query, unordered] = ['/q?a=1&a=0&b=2', '/q?a=0&a=1&b=2'];
  const otherQuery = `replay: GET ${unordered}: the request was recorded with a different query (/q?b=2&a=1&a=0, /q?c, /q?d)`;

  test.each<[string, ...[path: string, answer: string, how?: RequestOptions][]]>([
    [
      'responds to repeated requests in the recorded order',
      ['/a', 'first'],
      ['/a', 'second'],
      ['/a', repeated('/a', '2 times')],
    ],
    [
      'selects the exchange with matching headers, or rejects the request',
      ['/a', 'html', { headers: accept }],
      ['/a', otherHeader('GET /a'), { headers: { accept: 'text/plain' } }],
    ],
    ["ignores headers that don't select a response", ['/a', 'first', { headers: { 'x-a': 'x' } }]],
    ['ignores the order of query parameters', [query, 'query'], [query, repeated(query, 'once')]],
    ['rejects a request with an unrecorded query', [unordered, otherQuery]],
    ['rejects an unrecorded method', ['/a', unknown('DELETE /a'), { method: 'DELETE' }]],
    ['ignores whitespace in a JSON body', ['/p', 'json', posted('{ "x": [1, {"y":2}] }')]],
    [
      "compares a text body exactly if it isn't JSON",
      ['/p', 'text', posted('b')],
      ['/p', otherBody, posted('"b"')],
    ],
    ['rejects a large body if a small body was recorded', ['/p', otherBody, posted(large)]],
    [
      'rejects a request with a recorded body but unrecorded headers',
      ['/p', otherHeader('POST /p'), posted('b', accept)],
    ],
    [
      'accepts any large body if a large body was recorded',
      ['/f', 'large', posted('x'.repeat(1_048_577))],
    ],
    [
      'accepts secrets that differ from those in the recorded request',
      ['/s?access_token=another', 'secret', posted('password=other', encoded)],
    ],
  ])('a strict replay %s', async (_name, ...rows) => {
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
  ])('a lenient replay prefers %s', async (_name, ...rows) => {
    const from = replay(await createFolder(lines), { mode: 'lenient' });
    for (const [path, body, wanted, headers = {}] of rows) {
      const how = { method: 'POST', headers: { ...json, ...headers }, body };
      expect((await sendRequest(from, path, how)).text).toBe(wanted);
    }
  });
});

describe('a replay', () => {
  test('a replay returns the recorded status, headers and body', async () => {
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
    expect(created).toMatchObject({
      status: 201,
      headers: { ...headers, 'content-length': '7' },
      text: '{"a":1}',
    });
    const none = await sendRequest(from, '/none');
    expect(none).toMatchObject({ status: 204, headers: { 'x-a': 'b' }, text: '' });
    expect((await sendRequest(from, '/same')).status).toBe(304);
    expect((await sendRequest(from, '/reset')).status).toBe(205);
    const head = await sendRequest(from, '/head', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '7' }, text: '' });
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

  test('a replay server replaces recorded origins with its own origin', async () => {
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
