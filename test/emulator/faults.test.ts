import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type Fault,
  type FaultMatcher,
  type FaultOptions,
  seeded,
} from '../../src/testing/index.js';
import { sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

describe('every kind of fault', () => {
  const headers = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };

  const star = '/api/v3/user/starred/acme/rocket';

  const user = '/api/v3/user';

  /** Sends an in-process request, or a request over a socket if `at`, the server's URL, is set. */
  async function sendRequest(path: string, method = 'GET', at?: string) {
    const response = await request((at ?? 'http://code.test') + path, {
      method: method as 'GET', // `as`: undici's type lists only known methods.
      headers,
      ...(at === undefined && { dispatcher: emulator.dispatcher() }),
    });
    return response;
  }

  async function whole(path: string, method = 'GET', at?: string) {
    const { statusCode: status, headers: fields, body } = await sendRequest(path, method, at);
    return { status, headers: fields, text: await body.text() };
  }

  describe.each(['in process', 'over sockets'])('faults (%s)', (where) => {
    let at: string | undefined;
    beforeEach(async () => {
      at = where === 'in process' ? undefined : (await emulator.listen()).url;
      return () => emulator.close();
    });

    it('a `response` fault replaces the status, headers and body', async () => {
      const getResponse = async (fault: object, method = 'GET') => {
        emulator.fail({}, { kind: 'response', status: 418, ...fault });
        const { status, headers: fields, text } = await whole(user, method, at);
        expect(status).toBe(418);
        return [fields['content-type'], fields['content-length'], text];
      };
      const json = 'application/json; charset=utf-8';
      const text = 'text/plain;charset=UTF-8';
      expect(await getResponse({ body: { a: 'ä' } })).toEqual([json, '10', '{"a":"ä"}']);
      expect(await getResponse({})).toEqual([json, '0', '']);
      expect(await getResponse({ body: null })).toEqual([json, '4', 'null']);
      expect(await getResponse({ body: 'x' })).toEqual([text, '1', 'x']);
      for (const name of ['content-type', 'Content-Type']) {
        const own = { [name]: 'text/x' };
        expect(await getResponse({ body: [1], headers: own })).toEqual(['text/x', '3', '[1]']);
      }
      expect(await getResponse({ body: 'xyz' }, 'HEAD')).toEqual([undefined, '3', '']);
    });

    it('a `reset` fault breaks the connection before or after execution', async () => {
      for (const [executed, status] of [
        [undefined, 404],
        [false, 404],
        [true, 204],
      ] as const) {
        emulator.fail({ method: 'PUT' }, { kind: 'reset', executed });
        await expect(sendRequest(star, 'PUT', at)).rejects.toThrow();
        expect([executed, (await whole(star, 'GET', at)).status]).toEqual([executed, status]);
      }
      expect(emulator.requests.map((each) => each.status)).toEqual([0, 404, 0, 404, 0, 204]);
    });

    it('a `truncate` fault ends a body early', async () => {
      const { text } = await whole(user, 'GET', at);
      for (const [bytes, length] of [
        [undefined, Math.floor(text.length / 2)],
        [3, 3],
        [0, 0],
      ]) {
        emulator.fail({}, { kind: 'truncate', bytes });
        const { statusCode, headers: fields, body } = await sendRequest(user, 'GET', at);
        expect([statusCode, fields['content-length']]).toEqual([200, String(text.length)]);
        let got = '';
        await expect(async () => {
          for await (const piece of body) got += piece;
        }).rejects.toThrow();
        expect(got).toBe(text.slice(0, length));
      }
      expect(emulator.requests.map((each) => each.status)).toEqual([200, 200, 200, 200]);
    });

    it('a `malformed` fault sends invalid HTTP', async () => {
      emulator.fail({}, { kind: 'malformed' });
      await expect(sendRequest(user, 'GET', at)).rejects.toMatchObject({ name: 'HTTPParserError' });
      emulator.fail(
        {},
        { kind: 'malformed', raw: 'HTTP/1.1 299 Own\r\nconnection: close\r\n\r\nx' },
      );
      expect(await whole(user, 'GET', at)).toMatchObject({ status: 299, text: 'x' });
    });

    it('a `refuse` fault rejects connections for `ms` milliseconds', async () => {
      emulator.fail({}, { kind: 'refuse', ms: 50 });
      await expect(sendRequest(user, 'GET', at)).rejects.toThrow();
      await expect
        .poll(() => whole(user, 'GET', at).catch(() => undefined))
        .toMatchObject({ status: 200 });
      expect(emulator.requests.map((each) => each.status)).toEqual([0, 200]);
    });

    it('a `delay` fault postpones a response', async () => {
      emulator.fail({ method: 'PUT' }, { kind: 'delay', ms: 200 });
      const requests = whole(star, 'PUT', at);
      await expect.poll(() => emulator.requests.length, { interval: 1 }).toBe(1);
      expect(emulator.requests[0]?.status, 'no response has been sent yet').toBe(0);
      expect((await requests).status).toBe(204);
      emulator.fail({}, { kind: 'delay', ms: 60_000 });
      const leaving = new AbortController();
      const { signal } = leaving;
      const dispatcher = at === undefined ? emulator.dispatcher() : undefined;
      const call = request((at ?? 'http://code.test') + star, {
        method: 'DELETE',
        headers,
        signal,
        ...(dispatcher && { dispatcher }),
      });
      const outcome = expect(call).rejects.toThrow('aborted');
      await expect.poll(() => emulator.requests.length, { interval: 1 }).toBe(2);
      leaving.abort();
      await outcome;
      await wait(20);
      expect((await whole(star, 'GET', at)).status, 'the aborted request was not executed').toBe(
        204,
      );
    });
  });

  it('a `slow` fault splits a body into chunks of the configured size', async () => {
    const { text } = await whole(user);
    for (const [bytes, step] of [
      [undefined, 1024],
      [500, 500],
      [0, 1],
    ] as const) {
      emulator.fail({}, { kind: 'slow', ms: 0, bytes });
      const { body } = await sendRequest(user);
      const pieces: string[] = [];
      for await (const piece of body) pieces.push(String(piece));
      expect(pieces.join('')).toBe(text);
      expect(pieces.slice(0, -1).every((piece) => piece.length === step)).toBe(true);
    }
  });

  it.each<[string, FaultMatcher, FaultOptions, string]>([
    ['one request', {}, {}, 'x....'],
    ['two requests', {}, { times: 2 }, 'xx...'],
    ['any number of requests', {}, { times: Number.POSITIVE_INFINITY }, 'xxxxx'],
    ['the third request', {}, { after: 2 }, '..x..'],
    ['the method PUT', { method: 'PUT' }, {}, '.x...'],
    ['part of the path', { path: 'starred' }, { times: 9 }, '.xx..'],
    ['a path pattern', { path: /user$/ }, { times: 9 }, 'x..xx'],
    ['a path pattern with the g flag', { path: /user/g }, { times: 9 }, 'xxxxx'],
    ['a query parameter', { query: { a: '1' } }, { times: 9 }, '...xx'],
    ['several query parameters', { query: { a: '1', b: '2' } }, {}, '....x'],
    [
      'method, path and query',
      { method: 'GET', path: '/user', query: { a: '1' } },
      { after: 1 },
      '....x',
    ],
    ['a query in `path`', { path: 'a=1' }, { times: 9 }, '.....'],
  ])('a fault for %s applies only to matching requests', async (_name, matcher, options, met) => {
    emulator.fail(matcher, { kind: 'response', status: 503 }, options);
    let seen = '';
    for (const [method, path] of [
      ['GET', user],
      ['PUT', star],
      ['GET', star],
      ['GET', `${user}?a=1`],
      ['GET', `${user}?b=2&a=1`],
    ] as const) {
      seen += (await whole(path, method)).status === 503 ? 'x' : '.';
    }
    expect(seen).toBe(met);
    const left = options.times === undefined && met.includes('x') ? 0 : 1;
    if (options.times === undefined) expect(emulator.status().faults).toHaveLength(left);
    emulator.clearFaults();
    expect((await whole(user)).status).toBe(200);
  });

  it('faults apply in the order they were added until their counts are used up', async () => {
    const respond = (status: number): Fault => ({ kind: 'response', status });
    emulator.fail({ path: '/user' }, respond(501));
    emulator.fail({}, respond(502), { times: 2 });
    emulator.fail({}, respond(503), { after: 1 });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await whole(user)).status);
    expect(statuses).toEqual([501, 502, 502, 200, 503]);
  });
});

describe('fault details', () => {
  const star = '/user/starred/acme/rocket';

  it('emulator.status() lists the remaining faults with their remaining counts', async () => {
    emulator.fail({ path: '/user' }, { kind: 'response', status: 500 });
    emulator.fail({ method: 'PUT' }, { kind: 'reset' }, { times: 2 });
    const query = { page: '2' };
    emulator.fail({ query }, { kind: 'hang' }, { times: Number.POSITIVE_INFINITY });
    await sendRequest(emulator, 'GET /user');
    await expect(sendRequest(emulator, `PUT ${star}`)).rejects.toThrow();
    expect(emulator.status().faults).toEqual([
      { kind: 'reset', match: 'PUT any path', left: 1 },
      { kind: 'hang', match: 'any method any path {"page":"2"}', left: null },
    ]);
  });

  it.each([
    { kind: 'delay', ms: 60_000 },
    { kind: 'slow', ms: 60_000 },
  ] as const)('the fault $kind follows fake timers', async (fault) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    emulator.hosting.route('GET /six', () => ({ body: 'abcdef' }));
    emulator.fail({}, fault);
    let isDone = false;
    const call = sendRequest(emulator, 'GET /six').finally(() => {
      isDone = true;
    });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(isDone).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(isDone).toBe(true);
    expect((await call).status).toBe(200);
  });
});
