import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { adasLab } from './hosting-worlds.js';
import { api, basic, type RequestOptions, sendRequest } from './send-request.js';

const now = '2014-06-01T12:00:00Z';
const ada = basic('ada', 'a:b');
let emulator: Emulator;

const get = (path: string, how: RequestOptions = {}) =>
  sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

beforeEach(() => {
  emulator = adasLab();
});

describe('the hosting API', () => {
  it('responds to a read with rate-limit, scope, ETag and caching headers', async () => {
    const { headers } = await get('/repos/lab/engine', { auth: 'token t' });
    expect(headers).toMatchObject({
      date: 'Sun, 01 Jun 2014 12:00:00 GMT',
      'x-service-media-type': 'service.v3',
      'x-service-request-id': expect.stringMatching(/^[0-9a-f]{16}$/),
      'x-oauth-scopes': 'repo, gist',
      'x-accepted-oauth-scopes': '',
      etag: expect.stringMatching(/^"[0-9a-f]{40}"$/),
      'cache-control': 'private, max-age=60, s-maxage=60',
      vary: 'Accept, Authorization, Cookie',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4999',
      'x-ratelimit-reset': String(Date.parse(now) / 1000 + 3600),
      status: '200 OK',
    });
    const other = await get('/repos/lab/engine', { auth: ada });
    expect(other.headers).not.toHaveProperty('x-oauth-scopes');
    expect(other.headers['x-service-request-id']).not.toBe(headers['x-service-request-id']);
    expect(other.headers.etag, 'the ETag depends on the user, not on the credentials').toBe(
      headers.etag,
    );
    expect((await get('/repos/lab/engine')).headers['cache-control']).toMatch(/^public, /);
  });

  it('omits ETag, Vary and Cache-Control from empty responses and errors', async () => {
    for (const [what, status] of [
      ['PUT /user/starred/lab/engine', 204],
      ['POST /repos/lab/engine/hooks/1/pings', 404],
      ['GET /repos/lab/none', 404],
      ['POST /repos/lab/engine/releases', 422],
    ] as const) {
      const response = await sendRequest(emulator, what, { auth: 'token t' });
      expect(response.status).toBe(status);
      expect(Object.keys(response.headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:etag|vary|cache-control)$/)]),
      );
    }
  });

  it('sends an ETag that depends on the path, the API version and the caller', async () => {
    const tag = async (path: string, how: RequestOptions = {}) =>
      (await get(path, how)).headers.etag;
    const tags = [
      await tag('/repos/lab/engine'),
      await tag('/repos/lab/engine', { headers: { accept: 'application/vnd.service.beta' } }),
      await tag('/repos/lab/engine', { auth: 'token t' }),
      await tag('/users/ada'),
    ];
    expect(new Set(tags).size).toBe(4);
    expect(await tag('/repos/lab/engine')).toBe(tags[0]);
  });

  it.each([
    ['"TAG"', 304],
    ['W/"TAG"', 304],
    ['*', 304],
    ['"other"', 200],
    ['TAG', 200],
  ])('responds to If-None-Match: %j with a %i', async (passed, status) => {
    const first = await get('/users/ada');
    const tag = String(first.headers.etag).slice(1, -1);
    const headers = { 'if-none-match': passed.replace('TAG', tag) };
    for (const method of ['GET', 'HEAD']) {
      const again = await sendRequest(emulator, `${method} /users/ada`, { auth: null, headers });
      expect(again.status).toBe(status);
      expect(again.headers.etag).toBe(first.headers.etag);
      if (status !== 304) continue;
      expect([again.text, again.headers['content-type']]).toEqual(['', undefined]);
      expect(again.headers['x-ratelimit-remaining'], 'a 304 uses no quota').toBe('59');
    }
  });

  it.each([
    ['application/vnd.service.beta+json', 'beta'],
    ['application/vnd.service.v3+json', 'v3'],
    ['application/vnd.other.beta', 'v3'],
    ['', 'v3'],
  ])('interprets Accept: %j as a request for API version %s', async (accept, version) => {
    const { headers, data } = await get('/repos/lab/engine', { headers: { accept } });
    expect(headers['x-service-media-type']).toBe(`service.${version}`);
    const [branch, isPublic] = version === 'beta' ? ['main', true] : [];
    expect([data.master_branch, data.public]).toEqual([branch, isPublic]);
  });

  it('responds with 403 to a request with a missing or blank User-Agent', async () => {
    const { status } = await emulator.respond(new Request(`${api}/users/ada`));
    expect(status).toBe(403);
    const blank = await get('/users/ada', { headers: { 'user-agent': ' ' } });
    expect([blank.status, blank.data.message]).toEqual([
      403,
      expect.stringContaining('User-Agent'),
    ]);
  });
});

describe('hosting API validation', () => {
  const documentation_url = 'https://developer.example.com/v3';
  it.each<[string, RequestOptions, number, object]>([
    ['GET /user', {}, 401, { message: 'Requires authentication', documentation_url }],
    ['GET /user', { auth: 'token x' }, 401, { message: 'Bad credentials', documentation_url }],
    [
      'POST /authorizations',
      { auth: ada, body: { note: 'n', scopes: ['x'] } },
      422,
      {
        documentation_url,
      },
    ],
    ['GET /nowhere', {}, 404, { documentation_url }],
  ])('responds to %s (options %j) with a %i and a message', async (what, how, status, body) => {
    emulator.hosting.route('GET /mine', () => undefined);
    const response = await sendRequest(emulator, what, { auth: null, ...how });
    expect(response.status).toBe(status);
    expect(response.data).toEqual({ message: expect.stringMatching(/\w/), ...body });
  });

  it.each([
    ['{}', undefined, 422],
    ['tag_name=a', 'application/x-www-form-urlencoded', 201],
    ['tag_name=[', 'application/x-www-form-urlencoded', 201],
    ['{"tag_name":"a"}', 'application/json', 201],
    ['{"tag_name":"a"}', 'application/vnd.service.v3+json', 201],
    ['{"tag_name":"a"}', '', 201],
    ['"a"', 'application/json', 400],
    ['{', 'application/json', 400],
    ['{"tag_name":"a"}', 'text/plain', 415],
  ])('responds to a POST of %j (Content-Type: %j) with a %i', async (text, type, status) => {
    const headers = new Headers({ 'user-agent': 'x', authorization: 'token t' });
    if (type !== undefined) headers.set('content-type', type);
    const body = new TextEncoder().encode(text);
    const url = `${api}/repos/lab/engine/releases`;
    const response = await emulator.respond(new Request(url, { method: 'POST', headers, body }));
    const data = JSON.parse(await response.text());
    expect([response.status, data.tag_name]).toEqual([
      status,
      status !== 201 ? undefined : text === 'tag_name=[' ? '[' : 'a',
    ]);
    const parsed = text === '{' ? /^Problems parsing JSON$/ : /^Body should be a JSON Hash$/;
    const words = { 400: parsed, 415: /json, got/, 422: /Validation/, 201: /^$/ }[status];
    expect(data.message ?? '').toMatch(words ?? '');
  });
});

describe('hosting response headers', () => {
  const here = '/repos/lab/engine';

  it.each<[string, RequestOptions]>([
    [`GET ${here}`, {}],
    ['GET /user', { auth: null }],
    [`GET ${here}`, { headers: { 'user-agent': '' } }],
  ])('the response to %s (options %j) contains the rate limit', async (what, how) => {
    const { headers } = await sendRequest(emulator, what, { auth: 'token t', ...how });
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
    }
  });

  it('the response to GET /rate_limit shows that the request used no quota', async () => {
    const { headers } = await get('/rate_limit');
    const again = await get('/rate_limit', { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([304, '60']);
  });

  it.each<[string, object]>([
    [`POST ${here}/releases`, { tag_name: 'v9' }],
    ['POST /authorizations', { note: 'n' }],
  ])('the response to %s contains ETag and Cache-Control', async (what, body) => {
    emulator.hosting.addPull('lab/engine');
    const { status, headers } = await sendRequest(emulator, what, { auth: ada, body });
    expect([200, 201]).toContain(status);
    expect(headers.etag).toMatch(/^"[0-9a-f]{40}"$/);
    expect(headers['cache-control']).toBe('private, max-age=60, s-maxage=60');
  });

  it('a PATCH ignores If-None-Match', async () => {
    emulator.hosting.addPull('lab/engine');
    const how = { auth: ada, body: { title: 'T' }, headers: { 'if-none-match': '*' } };
    const { status, data } = await sendRequest(emulator, `PATCH ${here}/pulls/1`, how);
    expect([status, data.title]).toEqual([200, 'T']);
  });

  it('the `vendor` option sets the name in header names and media types', async () => {
    const github = createEmulator({ vendor: 'github' });
    const accept = 'application/vnd.github.beta+json';
    const { headers } = await sendRequest(github, 'GET /user', { headers: { accept } });
    expect(headers).toMatchObject({
      'x-github-media-type': 'github.beta',
      'x-github-request-id': expect.any(String),
    });
    expect((await get('/users/ada')).headers['x-service-media-type']).toBe('service.v3');
  });
});
