import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { getResponse, graphql, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { Agent, request, FormData as UndiciFormData, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createEmulator,
  dispatcherFromMsw,
  type Emulator,
  seeded,
} from '../../src/testing/index.js';
import { Router } from '../../src/testing/router.js';
import { api, ask, mona, origin } from './asking.js';

const readme = `${api}/repos/acme/rocket/readme`;
const auth = { authorization: `token ${seeded.token}` };
const ended: (() => unknown)[] = [];
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

afterEach(async () => {
  await emulator.close();
  for (const end of ended.splice(0)) await end();
});

describe('the route table', () => {
  const router = new Router<string>();
  router.add('GET /repos/:owner/:repo/releases/latest', 'latest');
  router.add('GET /repos/:owner/:repo/releases/:id', 'release');
  router.add('GET /repos/:owner/:repo/contents/*path', 'contents');
  router.add('GET /', 'root');

  test.each([
    ['GET', '/repos/a/b/releases/latest', 'latest', { owner: 'a', repo: 'b' }],
    ['GET', '/repos/a/b/releases/7/', 'release', { owner: 'a', repo: 'b', id: '7' }],
    ['HEAD', '/repos/a/b/releases/7', 'release', { owner: 'a', repo: 'b', id: '7' }],
    ['GET', '/repos/a/b/contents', 'contents', { owner: 'a', repo: 'b', path: '' }],
    ['GET', '/repos/a/b/contents/', 'contents', { owner: 'a', repo: 'b', path: '' }],
    ['GET', '/repos/a/b/contents/c/d', 'contents', { owner: 'a', repo: 'b', path: 'c/d' }],
    ['GET', '/repos/a/b/contents/c%2Fd%2F', 'contents', { owner: 'a', repo: 'b', path: 'c/d' }],
    ['GET', '/repos/a/b/contents/%F0%9F%9A%80', 'contents', { owner: 'a', repo: 'b', path: '🚀' }],
    ['GET', '/', 'root', {}],
    ['GET', '', 'root', {}],
  ])('%s %s', (method, path, handler, params) => {
    expect(router.match(method, path)).toEqual({ handler, params });
  });

  test.each([
    ['POST', '/repos/a/b/releases/7'],
    ['GET', '/repos/a/b/releases'],
    ['GET', '/repos//b/releases/7'],
    ['GET', '/repos/a/b/contents//x'],
    ['GET', '/repos/a/b/releases/%'],
    ['GET', '/elsewhere'],
  ])('%s %s is nothing', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});

describe('the record of requests', () => {
  test('shows what was received, without its secrets; they are kept apart', async () => {
    const body = { note: 'n', client_secret: 'x'.repeat(40), scopes: ['repo'] };
    await ask(emulator, 'POST /authorizations?page=2&access_token=hidden', { auth: mona, body });
    const [first] = emulator.requests;
    expect(first).toMatchObject({
      method: 'POST',
      path: '/api/v3/authorizations?page=2&access_token=***',
      query: { page: '2', access_token: '***' },
      headers: { authorization: 'Basic ***' },
      body: { note: 'n', client_secret: '***', scopes: ['repo'] },
      status: 422,
    });
    expect(first?.sent.headers.get('authorization')).toBe(mona);
    expect(first?.sent.target).toContain('hidden');
    expect(JSON.parse(first?.sent.body ?? '')).toEqual(body);
    expect(JSON.stringify(first)).not.toContain('hidden');
  });

  test('keeps the order of arrival, and has status 0 for what was never answered', async () => {
    emulator.fail({ path: '/readme' }, { kind: 'hang' });
    const controller = new AbortController();
    const dispatcher = emulator.dispatcher();
    const call = request(readme, { dispatcher, signal: controller.signal });
    await ask(emulator, 'GET /user', { auth: mona });
    controller.abort();
    await expect(call).rejects.toThrow('aborted');
    expect(emulator.printRequests()).toBe(
      '0 GET    /api/v3/repos/acme/rocket/readme\n200 GET    /api/v3/user',
    );
  });

  test('shows a body that is no JSON as it came, and a form by its fields', async () => {
    await ask(emulator, 'POST /authorizations', { auth: mona, body: '{' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await ask(emulator, 'POST /hub', { auth: mona, body: 'hub.mode=x&hub.secret=y', headers });
    expect(emulator.requests.map((each) => each.body)).toEqual([
      '{',
      { 'hub.mode': 'x', 'hub.secret': '***' },
    ]);
  });
});

describe('bodies', () => {
  test('a JSON body over 1 MiB is not recorded, and arrives whole', async () => {
    const content = Buffer.alloc(1024 * 1024, 5).toString('base64');
    const body = { message: 'Large', content };
    const { status, data } = await ask(emulator, 'PUT /repos/acme/rocket/contents/large', { body });
    expect([status, data.content.size]).toEqual([201, 1024 * 1024]);
    expect(emulator.requests[0]?.body).toBeUndefined();
  });

  test('one that nobody reads to its end is left', async () => {
    emulator.fail({}, { kind: 'answer', status: 413, body: 'too large' });
    const body = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(65_536, 32)));
    const ended = new Promise((resolve) => body.once('close', resolve));
    const { statusCode } = await request(`${api}/repos/acme/rocket/releases`, {
      method: 'POST',
      dispatcher: emulator.dispatcher(),
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(statusCode).toBe(413);
    body.destroy();
    await ended;
  });

  test('a PUT without one has length zero', async () => {
    await ask(emulator, 'PUT /user/starred/acme/rocket');
    expect(emulator.requests[0]?.headers['content-length']).toBe('0');
  });
});

describe('time', () => {
  test('stands still, goes on when told, and begins again', async () => {
    const now = new Date('2020-02-03T04:05:06Z');
    emulator = createEmulator({ now });
    const date = async () => (await ask(emulator, 'GET /user')).headers.date;
    expect(await date()).toBe('Mon, 03 Feb 2020 04:05:06 GMT');
    emulator.clock.advance(1000);
    expect(await date()).toBe('Mon, 03 Feb 2020 04:05:07 GMT');
    emulator.clock.set(new Date(0));
    emulator.reset();
    expect(emulator.clock.now).toEqual(now);
  });

  test('the same requests get the same answers, header by header', async () => {
    const runs = [];
    for (const each of [emulator, createEmulator()]) {
      const answers = [];
      for (const what of ['GET /repos/acme/rocket/pulls', 'GET /orgs/acme/teams', 'GET /none']) {
        const { status, headers, text } = await ask(each, what);
        answers.push({ status, headers, text });
      }
      runs.push(answers);
    }
    expect(runs[0]).toEqual(runs[1]);
  });
});

describe('ETags', () => {
  test('a 304 is free, for any of several tags, weak ones too', async () => {
    const first = await ask(emulator, 'GET /user');
    const remaining = first.headers['x-ratelimit-remaining'];
    for (const tag of [`"x", W/${first.headers.etag}`, '*', String(first.headers.etag)]) {
      const again = await ask(emulator, 'GET /user', { headers: { 'if-none-match': tag } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers['x-ratelimit-remaining']).toBe(remaining);
      expect(again.headers.etag).toBe(first.headers.etag);
    }
    const other = await ask(emulator, 'GET /user', { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });
});

describe('over sockets', () => {
  async function started() {
    const address = await emulator.listen();
    const agent = new Agent();
    ended.push(() => agent.close());
    return { ...address, agent, readme: `${address.hostingUrl}repos/acme/rocket/readme` };
  }

  test('says where it is', async () => {
    const { url, port, hostingUrl, supportUrl, consoleUrl, webUrl } = await started();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect([hostingUrl, supportUrl, consoleUrl, webUrl]).toEqual([
      `${url}/api/v3/`,
      `${url}/api/v2/`,
      `${url}/`,
      url,
    ]);
  });

  test('a port that is taken is an error', async () => {
    const { port } = await started();
    await expect(createEmulator().listen(port)).rejects.toThrow('EADDRINUSE');
  });

  test('it can be disposed of', async () => {
    let url = '';
    {
      await using mine = createEmulator();
      ({ url } = await mine.listen());
    }
    await expect(request(url)).rejects.toThrow('ECONNREFUSED');
  });

  test('answers say how long they are, HEAD too', async () => {
    const { agent, readme: target } = await started();
    const get = await request(target, { dispatcher: agent });
    const length = String(Buffer.byteLength(await get.body.text()));
    expect(get.headers['content-length']).toBe(length);
    const head = await request(target, { method: 'HEAD', dispatcher: agent });
    expect(head.headers['content-length']).toBe(length);
    await head.body.dump();
  });

  test('an upload of 20 MiB is counted and hashed, not kept', async () => {
    const { hostingUrl, url } = await started();
    const made = await fetch(`${hostingUrl}repos/acme/rocket/releases`, {
      method: 'POST',
      headers: auth,
      body: JSON.stringify({ tag_name: 'big' }),
    });
    const { id }: { id: number } = JSON.parse(await made.text());
    const piece = Buffer.alloc(1024 * 1024, 7);
    const hash = createHash('sha256');
    const body = Readable.from(
      (function* () {
        for (let index = 0; index < 20; index++) {
          hash.update(piece);
          yield piece;
        }
      })(),
    );
    const uploaded = await request(
      `${url}/api/uploads/repos/acme/rocket/releases/${id}/assets?name=big.bin`,
      {
        method: 'POST',
        headers: { ...auth, 'content-type': 'application/octet-stream' },
        body,
      },
    );
    expect(uploaded.statusCode).toBe(201);
    await uploaded.body.dump();
    const release = emulator.hosting.state.repo('acme', 'rocket')?.releases.at(-1);
    const [asset] = release?.assets ?? [];
    expect(asset).toMatchObject({ size: 20 * 1024 * 1024, sha256: hash.digest('hex') });
    expect(asset?.content).toBeUndefined();
    const headers = { ...auth, accept: 'application/octet-stream' };
    const path = `${hostingUrl}repos/acme/rocket/releases/assets/${asset?.id}`;
    const gone = await request(path, { headers });
    expect(gone.statusCode).toBe(410);
    await gone.body.dump();
  });

  test('slow, malformed, reset, truncated', async () => {
    const { agent, readme: target } = await started();
    const get = () => request(target, { dispatcher: agent });
    const whole = await (await get()).body.text();
    emulator.fail({}, { kind: 'slow', bytes: 400, ms: 1 });
    expect(await (await get()).body.text()).toBe(whole);
    emulator.fail({}, { kind: 'malformed' });
    await expect(get()).rejects.toMatchObject({ name: 'HTTPParserError' });
    emulator.fail({}, { kind: 'reset' });
    await expect(get()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|SOCKET/) });
    emulator.fail({}, { kind: 'truncate', bytes: 10 });
    const cut = await get();
    const pieces: Buffer[] = [];
    await expect(async () => {
      for await (const piece of cut.body) pieces.push(piece);
    }).rejects.toThrow();
    expect(Buffer.concat(pieces).toString()).toBe(whole.slice(0, 10));
    emulator.fail({}, { kind: 'truncate', bytes: 0 });
    await expect(async () => (await get()).body.text()).rejects.toThrow();
    expect(emulator.requests.map((each) => each.status)).toEqual([200, 200, 0, 0, 200, 200]);
  });

  test('a fault of the emulator itself is told', async () => {
    const { agent, readme: target } = await started();
    emulator.fail({}, { kind: 'answer', status: 1 });
    const { statusCode, body } = await request(target, { dispatcher: agent });
    expect(statusCode).toBe(500);
    expect(await body.text()).toContain('the emulator failed: RangeError');
  });

  test('a client that leaves in the middle of a slow answer does no harm', async () => {
    const { agent, readme: target } = await started();
    emulator.fail({}, { kind: 'slow', bytes: 10, ms: 5 });
    const { body } = await request(target, { dispatcher: agent });
    for await (const _piece of body) break;
    const next = await request(target, { dispatcher: agent });
    expect(next.statusCode).toBe(200);
    await next.body.dump();
  });

  test('a request without a host, and one whose target begins with //', async () => {
    const { port } = await started();
    const say = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.end(text);
      const [data] = await once(socket, 'data');
      socket.destroy();
      return String(data).slice(9, 12);
    };
    expect(await say('GET /api/v3/user HTTP/1.0\r\n\r\n')).toBe('401');
    const there = 'GET //elsewhere/api/v3/user HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    expect(await say(there)).toBe('404');
  });
});

describe('in process', () => {
  test('every kind of body arrives', async () => {
    const dispatcher = emulator.dispatcher();
    const url = `${api}/repos/acme/rocket/releases`;
    const send = async (body: unknown, type = 'application/json') => {
      const answer = await request(url, {
        method: 'POST',
        dispatcher,
        headers: Object.entries({ ...auth, 'content-type': type }).flat(),
        body: body as string, // `as`: the types of undici name fewer bodies than it takes
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    const json = (tag: string) => JSON.stringify({ tag_name: tag });
    expect(await send(json('a'))).toBe(201);
    expect(await send(Buffer.from(json('b')))).toBe(201);
    expect(await send(Readable.from([json('c')]))).toBe(201);
    const init = { method: 'POST', dispatcher, headers: auth };
    const fetched = await undiciFetch(url, { ...init, body: json('d') });
    expect(fetched.status).toBe(201);
    const form = new UndiciFormData();
    form.set('tag_name', 'e');
    form.set('file', new File(['x'], 'x.txt'));
    const multipart = await undiciFetch(url, { ...init, body: form });
    expect(multipart.status).toBe(400);
    expect(await send(form, '')).toBe(400);
    expect(await send(new Uint8Array(Buffer.from(json('f'))).buffer)).toBe(201);
    await expect(send(5)).rejects.toThrow('expected a body of text, bytes');
    expect(await send(undefined)).toBe(422);
  });

  test('a query apart from the path counts', async () => {
    const dispatcher = emulator.dispatcher();
    const query = { per_page: 3, state: 'all' };
    const { body } = await request(`${api}/repos/acme/rocket/pulls`, { dispatcher, query });
    expect(await body.json()).toHaveLength(3);
  });

  test('closed, it answers no more', async () => {
    const dispatcher = emulator.dispatcher();
    await dispatcher.close();
    await expect(request(readme, { dispatcher })).rejects.toMatchObject({
      code: 'UND_ERR_CLOSED',
    });
    const other = emulator.dispatcher();
    await new Promise<void>((resolve) => other.destroy(resolve));
    await expect(request(readme, { dispatcher: other })).rejects.toThrow('closed');
  });

  test('faults look as they do on a socket', async () => {
    const dispatcher = emulator.dispatcher();
    const get = () => request(readme, { dispatcher });
    emulator.fail({}, { kind: 'reset' });
    await expect(get()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    emulator.fail({}, { kind: 'malformed' });
    await expect(get()).rejects.toMatchObject({ name: 'HTTPParserError' });
    emulator.fail({}, { kind: 'truncate' });
    const cut = await get();
    await expect(cut.body.text()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    emulator.fail({}, { kind: 'slow', ms: 1 });
    expect((await get()).statusCode).toBe(200);
  });

  test('only the requests that match are met, some let pass, so many times', async () => {
    const broken = { kind: 'answer', status: 503, body: { message: 'no' } } as const;
    const get = async (query: string, method = 'GET') =>
      (await ask(emulator, `${method} /repos/acme/rocket/pulls?${query}`)).status;
    emulator.fail({ method: 'GET', path: /pulls$/g, query: { page: '2' } }, broken, { after: 1 });
    expect([await get('page=1'), await get('page=2'), await get('page=2')]).toEqual([
      200, 200, 503,
    ]);
    expect(await get('page=2')).toBe(200);
    emulator.fail({ path: 'pulls' }, broken, { times: Number.POSITIVE_INFINITY });
    expect([await get(''), await get('')]).toEqual([503, 503]);
    emulator.reset();
    expect(await get('')).toBe(200);
  });
});

describe('by msw', () => {
  test('handlers show a reset as a network error, and a cut or slow body', async () => {
    const server = setupServer(...(await emulator.handlers(origin)));
    server.listen({ onUnhandledRequest: 'error' });
    ended.push(() => server.close());
    emulator.fail({}, { kind: 'reset' });
    await expect(fetch(readme)).rejects.toThrow('fetch');
    emulator.fail({}, { kind: 'truncate' });
    const cut = await fetch(readme);
    await expect(cut.text()).rejects.toThrow();
    emulator.fail({}, { kind: 'slow', ms: 1, bytes: 500 });
    const slow = await fetch(readme);
    expect(JSON.parse(await slow.text())).toMatchObject({ name: 'README.md' });
  });

  test('a slow body can be left', async () => {
    emulator.fail({}, { kind: 'slow', ms: 1, bytes: 1 });
    const response = await getResponse(await emulator.handlers(), new Request(readme));
    const reader = response?.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    await reader?.cancel();
  });

  test('the bridge takes GraphQL handlers, network errors, and what nobody handles', async () => {
    const dispatcher = dispatcherFromMsw(
      [
        graphql.query('Who', ({ variables }) => HttpResponse.json({ data: { variables } })),
        http.get(`${origin}/broken`, () => HttpResponse.error()),
        http.get(`${origin}/cookies`, () => {
          const headers = new Headers();
          headers.append('set-cookie', 'a=1');
          headers.append('set-cookie', 'b=2');
          return new HttpResponse('x', { headers });
        }),
        http.post(`${origin}/echo`, async ({ request: got }) =>
          HttpResponse.text(await got.text()),
        ),
      ],
      { unhandled: async ({ url }) => new Response(`nobody for ${url}`, { status: 418 }) },
    );
    const asked = await request(`${origin}/graphql`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query Who($a: Int) { who(a: $a) }', variables: { a: 1 } }),
    });
    expect(await asked.body.json()).toEqual({ data: { variables: { a: 1 } } });
    await expect(request(`${origin}/broken`, { dispatcher })).rejects.toThrow('other side closed');
    const { headers, body } = await request(`${origin}/cookies`, { dispatcher });
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    await body.dump();
    const echo = await request(`${origin}/echo`, {
      method: 'POST',
      dispatcher,
      body: Readable.from(['a', 'b']),
    });
    expect(await echo.body.text()).toBe('ab');
    const other = await request(`${origin}/none`, { dispatcher });
    expect([other.statusCode, await other.body.text()]).toEqual([418, `nobody for ${origin}/none`]);
  });
});
