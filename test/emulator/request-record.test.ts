import { Readable } from 'node:stream';
import { request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { api, mona, sendRequest } from './send-request.js';

const readme = `${api}/repos/acme/rocket/readme`;
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('emulator.requests', () => {
  test('emulator.requests contains the time and response size of each request', async () => {
    const { text } = await sendRequest(emulator, 'GET /user');
    emulator.clock.advance(1500);
    await sendRequest(emulator, 'HEAD /user');
    expect(emulator.requests).toMatchObject([
      { time: '2014-06-01T12:00:00.000Z', size: text.length },
      { time: '2014-06-01T12:00:01.500Z', size: 0 },
    ]);
  });

  test('emulator.requests masks secrets except in `sent`', async () => {
    const body = { note: 'n', client_secret: 'x'.repeat(40), scopes: ['repo'] };
    await sendRequest(emulator, 'POST /authorizations?page=2&access_token=hidden', {
      auth: mona,
      body,
    });
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

  test('emulator.printRequests() lists requests in order of arrival', async () => {
    emulator.fail({ path: '/readme' }, { kind: 'hang' });
    const controller = new AbortController();
    const dispatcher = emulator.dispatcher();
    const call = request(readme, { dispatcher, signal: controller.signal });
    await sendRequest(emulator, 'GET /user', { auth: mona });
    controller.abort();
    await expect(call).rejects.toThrow('aborted');
    expect(emulator.printRequests()).toBe(
      '0 GET    /api/v3/repos/acme/rocket/readme\n200 GET    /api/v3/user',
    );
  });

  test('emulator.requests contains invalid JSON as text and a form as an object', async () => {
    await sendRequest(emulator, 'POST /authorizations', { auth: mona, body: '{' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await sendRequest(emulator, 'POST /hub', {
      auth: mona,
      body: 'hub.mode=x&hub.secret=y',
      headers,
    });
    expect(emulator.requests.map((each) => each.body)).toEqual([
      '{',
      { 'hub.mode': 'x', 'hub.secret': '***' },
    ]);
  });
});

describe('request handling', () => {
  test('emulator.requests omits a JSON body of more than 1 MiB', async () => {
    const content = Buffer.alloc(1024 * 1024, 5).toString('base64');
    const body = { message: 'Large', content };
    const { status, data } = await sendRequest(emulator, 'PUT /repos/acme/rocket/contents/large', {
      body,
    });
    expect([status, data.content.size]).toEqual([201, 1024 * 1024]);
    expect(emulator.requests[0]?.body).toBeUndefined();
  });

  test('emulator.dispatcher() tolerates a body stream destroyed after an early response', async () => {
    emulator.fail({}, { kind: 'response', status: 413, body: 'too large' });
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

  test('emulator.requests contains Content-Length: 0 for a PUT without a body', async () => {
    await sendRequest(emulator, 'PUT /user/starred/acme/rocket');
    expect(emulator.requests[0]?.headers['content-length']).toBe('0');
  });
});

describe('clock option', () => {
  test('the clock option sets a fixed time that emulator.reset() restores', async () => {
    const now = new Date('2020-02-03T04:05:06Z');
    emulator = createEmulator({ clock: now });
    const date = async () => (await sendRequest(emulator, 'GET /user')).headers.date;
    expect(await date()).toBe('Mon, 03 Feb 2020 04:05:06 GMT');
    emulator.clock.advance(1000);
    expect(await date()).toBe('Mon, 03 Feb 2020 04:05:07 GMT');
    emulator.clock.set(new Date(0));
    emulator.reset();
    expect(emulator.clock.now).toEqual(now);
  });

  test('two emulators with equal clocks send equal responses to equal requests', async () => {
    const runs = [];
    for (const each of [emulator, createEmulator(noon)]) {
      const responses = [];
      for (const what of ['GET /repos/acme/rocket/pulls', 'GET /orgs/acme/teams', 'GET /none']) {
        const { status, headers, text } = await sendRequest(each, what);
        responses.push({ status, headers, text });
      }
      runs.push(responses);
    }
    expect(runs[0]).toEqual(runs[1]);
  });
});

describe('ETags', () => {
  test('the emulator responds to a matching If-None-Match with a 304 and uses no quota', async () => {
    const first = await sendRequest(emulator, 'GET /user');
    const remaining = first.headers['x-ratelimit-remaining'];
    for (const tag of [`"x", W/${first.headers.etag}`, '*', String(first.headers.etag)]) {
      const again = await sendRequest(emulator, 'GET /user', { headers: { 'if-none-match': tag } });
      expect([again.status, again.text]).toEqual([304, '']);
      expect(again.headers['x-ratelimit-remaining']).toBe(remaining);
      expect(again.headers.etag).toBe(first.headers.etag);
    }
    const other = await sendRequest(emulator, 'GET /user', { headers: { 'if-none-match': '"x"' } });
    expect(other.status).toBe(200);
  });
});
