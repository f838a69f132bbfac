import { Readable } from 'node:stream';
import { getResponse, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { request, FormData as UndiciFormData, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, dispatcherOver, type Emulator, seeded } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { api, origin, sendRequest } from './send-request.js';

const readme = `${api}/repos/acme/rocket/readme`;
const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
const ended: (() => unknown)[] = [];
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

afterEach(async () => {
  await emulator.close();
  for (const end of ended.splice(0)) await end();
});

describe('emulator.dispatcher()', () => {
  test('emulator.dispatcher() accepts strings, bytes, streams and forms as bodies', async () => {
    const dispatcher = emulator.dispatcher();
    const url = `${api}/repos/acme/rocket/releases`;
    const send = async (body: unknown, type = 'application/json') => {
      const response = await request(url, {
        method: 'POST',
        dispatcher,
        headers: Object.entries({ ...auth, 'content-type': type }).flat(),
        body: body as string, // `as`: undici accepts more body types than its declarations list.
      });
      await response.body.dump();
      return response.statusCode;
    };
    const json = (tag: string) => JSON.stringify({ tag_name: tag });
    expect(await send(json('a'))).toBe(201);
    expect(await send(Buffer.from(json('b')))).toBe(201);
    expect(await send(Readable.from([json('c')]))).toBe(201);
    const init = { method: 'POST', dispatcher, headers: auth };
    const typed = { ...auth, 'content-type': 'application/json' };
    const fetched = await undiciFetch(url, { ...init, headers: typed, body: json('d') });
    expect(fetched.status).toBe(201);
    const form = new UndiciFormData();
    form.set('tag_name', 'e');
    form.set('file', new File(['x'], 'x.txt'));
    const multipart = await undiciFetch(url, { ...init, body: form });
    expect(multipart.status).toBe(415);
    expect(await send(form, '')).toBe(400);
    expect(await send(new Uint8Array(Buffer.from(json('f'))).buffer)).toBe(201);
    await expect(send(5)).rejects.toThrow('body must be a string');
    expect(await send(undefined)).toBe(422);
  });

  test('emulator.dispatcher() applies headersTimeout and bodyTimeout', async () => {
    const dispatcher = emulator.dispatcher();
    emulator.fail({}, { kind: 'hang' });
    await expect(
      request(readme, { dispatcher, headers: auth, headersTimeout: 20 }),
    ).rejects.toThrow('Headers Timeout Error');
    emulator.fail({}, { kind: 'slow', ms: 60_000 });
    const { body } = await request(readme, { dispatcher, headers: auth, bodyTimeout: 20 });
    await expect(body.text()).rejects.toThrow('Body Timeout Error');
    const calm = { dispatcher, headers: auth, headersTimeout: 0, bodyTimeout: 0 };
    expect((await (await request(readme, calm)).body.text()).length).toBeGreaterThan(100);
  });

  test('emulator.dispatcher() appends the query option to the URL', async () => {
    const dispatcher = emulator.dispatcher();
    const query = { per_page: 3, state: 'all' };
    const { body } = await request(`${api}/repos/acme/rocket/pulls`, {
      dispatcher,
      query,
      headers: auth,
    });
    expect(await body.json()).toHaveLength(3);
  });

  test('a closed or destroyed dispatcher of the emulator rejects requests', async () => {
    const dispatcher = emulator.dispatcher();
    await dispatcher.close();
    await expect(request(readme, { dispatcher })).rejects.toMatchObject({
      code: 'UND_ERR_DESTROYED',
    });
    const other = emulator.dispatcher();
    await new Promise<void>((resolve) => other.destroy(resolve));
    await expect(request(readme, { dispatcher: other })).rejects.toThrow('destroyed');
  });

  test('emulator.dispatcher() reports faults as the errors that a real socket causes', async () => {
    const dispatcher = emulator.dispatcher();
    const get = () => request(readme, { dispatcher, headers: auth });
    emulator.fail({}, { kind: 'reset' });
    await expect(get()).rejects.toMatchObject({ code: 'ECONNRESET' });
    emulator.fail({}, { kind: 'malformed' });
    await expect(get()).rejects.toMatchObject({ name: 'HTTPParserError' });
    emulator.fail({}, { kind: 'truncate' });
    const cut = await get();
    await expect(cut.body.text()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    emulator.fail({}, { kind: 'slow', ms: 1 });
    expect((await get()).statusCode).toBe(200);
  });

  test('a `refuse` fault refuses all connections of a dispatcher for `ms` milliseconds', async () => {
    const dispatcher = emulator.dispatcher();
    const get = () => request(readme, { dispatcher, headers: auth });
    emulator.fail({}, { kind: 'refuse', ms: 100 });
    await expect(get()).rejects.toThrow();
    await expect(get()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect.poll(async () => (await get()).statusCode, { interval: 20 }).toBe(200);
  });

  test('emulator.dispatcher() sends URLs with the scheme and host of the request', async () => {
    const dispatcher = emulator.dispatcher();
    for (const own of ['http://code.test', 'https://code.test:8443']) {
      const url = `${own}/api/v3/repos/acme/rocket/readme`;
      const { body } = await request(url, { dispatcher, headers: auth });
      expect(await body.json()).toMatchObject({ url: expect.stringContaining(`${own}/api/v3/`) });
    }
  });

  test('a fault applies only to matching requests within its `after` and `times`', async () => {
    const broken = { kind: 'response', status: 503, body: { message: 'no' } } as const;
    const get = async (query: string, method = 'GET') =>
      (await sendRequest(emulator, `${method} /repos/acme/rocket/pulls?${query}`)).status;
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

describe('dispatcherOver()', () => {
  test('dispatcherOver() fails a request with the error that the handler throws', async () => {
    const error = new Error('no such fixture');
    const dispatcher = dispatcherOver(() => Promise.reject(error));
    await expect(request(readme, { dispatcher })).rejects.toBe(error);
  });

  test('dispatcherOver() treats a network error of msw as a reset', async () => {
    const dispatcher = dispatcherOver(async () => Response.error());
    await expect(request(readme, { dispatcher })).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('MSW integration', () => {
  test('mswHandlers() reports a `reset` fault as a network error', async () => {
    const server = setupServer(...mswHandlers(emulator, origin));
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

  test('mswHandlers() responds only to requests for the configured origin', async () => {
    const handlers = mswHandlers(emulator, origin);
    expect(
      await getResponse(handlers, new Request('http://other.test/api/v3/user')),
    ).toBeUndefined();
    const any = await getResponse(mswHandlers(emulator), new Request('http://other.test/api/v3'));
    expect(any?.status).toBe(200);
    const named = new Request(`${api}/user?a=%2F`, { headers: { 'user-agent': 'own' } });
    await getResponse(handlers, named);
    await getResponse(handlers, new Request(readme));
    expect(emulator.requests.map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
      ['/api/v3', 'node'],
      ['/api/v3/user?a=%2F', 'own'],
      ['/api/v3/repos/acme/rocket/readme', 'node'],
    ]);
    emulator.fail({}, { kind: 'malformed' });
    expect((await getResponse(handlers, new Request(readme)))?.type).toBe('error');
    emulator.fail({}, { kind: 'slow', ms: 0 });
    const slow = await getResponse(handlers, new Request(`${api}/none`));
    expect([slow?.status, slow?.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  });

  test('a handler of server.use() takes precedence over mswHandlers()', async () => {
    const server = setupServer(...mswHandlers(emulator, origin));
    server.listen({ onUnhandledRequest: 'error' });
    ended.push(() => server.close());
    expect((await fetch(readme)).status).toBe(200);
    server.use(http.get(readme, () => HttpResponse.text('own')));
    expect(await (await fetch(readme)).text()).toBe('own');
  });

  test('mswHandlers() lets the reader cancel a slow body', async () => {
    emulator.fail({}, { kind: 'slow', ms: 1, bytes: 1 });
    const response = await getResponse(mswHandlers(emulator), new Request(readme));
    const reader = response?.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    await reader?.cancel();
  });
});
