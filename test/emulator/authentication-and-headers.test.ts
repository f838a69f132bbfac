import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { api, basic, type RequestOptions, sendRequest } from './send-request.js';

// Tests the hosting API's authentication, response headers and errors.

const now = '2014-06-01T12:00:00Z';
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'a:b' });
  hosting.addUser('eve', { password: 'x', suspended: true });
  hosting.addOrg('lab', ['ada']);
  hosting.addRepo('lab', 'engine');
  hosting.addToken('ada', ['repo', 'gist'], { token: 't' });
  hosting.addToken('eve', [], { token: 'e' });
  hosting.addUser('gone');
  hosting.addToken('gone', [], { token: 'g' });
  hosting.state.accounts.delete('gone');
  hosting.addApplication('App', { clientId: 'id', clientSecret: 's' });
});

const get = (path: string, how: RequestOptions = {}) =>
  sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

describe('hosting API authentication', () => {
  test.each<[string | null, string, number]>([
    ['token t', '', 200],
    ['Token t', '', 200],
    ['BEARER   t ', '', 200],
    ['token x', '', 401],
    ['token', '', 401],
    ['tokent', '', 401],
    ['digest t', '', 401],
    ['token g', '', 401],
    ['token e', '', 403],
    [basic('ada', 'a:b'), '', 200],
    [basic('ada', 'a'), '', 401],
    [basic('ada', ''), '', 401],
    [basic('lab', ''), '', 401],
    [basic('nobody', 'x'), '', 401],
    [basic('eve', 'x'), '', 403],
    [basic('t', ''), '', 200],
    [basic('t', 'x-oauth-basic'), '', 200],
    ['Basic nonsense', '', 401],
    [null, '?access_token=t', 200],
    [null, '?access_token=x', 401],
    [null, '?access_token=', 401],
    ['token x', '?access_token=t', 401],
    ['token t', '?access_token=x', 200],
    [null, '?access_token=t&client_id=id&client_secret=x', 200],
    [null, '', 401],
  ])(
    'the hosting API responds to Authorization: %j and the query %j with a %i',
    async (auth, query, status) => {
      const response = await get(`/user${query}`, { auth });
      expect([response.status, response.data.login]).toEqual([
        status,
        status === 200 ? 'ada' : undefined,
      ]);
      if (status === 200) expect(response.headers['x-ratelimit-limit']).toBe('5000');
    },
  );

  test.each([
    ['client_id=id&client_secret=s', 200, '5000'],
    ['client_id=id&client_secret=x', 401, '60'],
    ['client_id=x&client_secret=s', 401, '60'],
    ['client_id=id', 200, '60'],
    ['client_secret=s', 200, '60'],
    ['', 200, '60'],
  ])(
    'the hosting API responds to the query %j with a %i and a rate limit of %s',
    async (query, status, limit) => {
      const response = await get(`/repos/lab/engine?${query}`);
      expect([response.status, response.headers['x-ratelimit-limit']]).toEqual([status, limit]);
    },
  );

  test('the hosting API requests a one-time password only if the password is correct', async () => {
    const ada = emulator.hosting.state.account('ada');
    if (ada) ada.otp = '123';
    const login = async (password: string, otp?: string) => {
      const headers = otp === undefined ? {} : { 'x-service-otp': otp };
      const response = await get('/user', { auth: basic('ada', password), headers });
      if (response.status === 401) expect(response.data).toHaveProperty('documentation_url');
      return [response.status, response.headers['x-service-otp']];
    };
    expect(await login('a:b')).toEqual([401, 'required; app']);
    expect(await login('a:b', '124')).toEqual([401, 'required; app']);
    expect(await login('x', '123')).toEqual([401, undefined]);
    expect(await login('a:b', '123')).toEqual([200, undefined]);
    expect(
      (await get('/user', { auth: 'token t' })).status,
      'a token needs no one-time password',
    ).toBe(200);
  });
});

describe('the hosting API', () => {
  test('the hosting API responds to a read with rate-limit, scope, ETag and caching headers', async () => {
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
    const other = await get('/repos/lab/engine', { auth: basic('ada', 'a:b') });
    expect(other.headers).not.toHaveProperty('x-oauth-scopes');
    expect(other.headers['x-service-request-id']).not.toBe(headers['x-service-request-id']);
    expect(other.headers.etag, 'the ETag depends on the user, not on the credentials').toBe(
      headers.etag,
    );
    expect((await get('/repos/lab/engine')).headers['cache-control']).toMatch(/^public, /);
  });

  test('the hosting API lists scopes alphabetically in X-Accepted-OAuth-Scopes', async () => {
    const { headers } = await get('/repos/lab/engine/hooks', { auth: 'token t' });
    expect(headers['x-accepted-oauth-scopes']).toBe(
      'admin:repo_hook, read:repo_hook, write:repo_hook',
    );
  });

  test('the hosting API omits ETag, Vary and Cache-Control from empty responses and errors', async () => {
    for (const [what, status] of [
      ['PUT /user/starred/lab/engine', 204],
      ['POST /repos/lab/engine/hooks/1/pings', 404],
      ['GET /repos/lab/none', 404],
    ] as const) {
      const response = await sendRequest(emulator, what, { auth: 'token t' });
      expect(response.status).toBe(status);
      expect(Object.keys(response.headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:etag|vary|cache-control)$/)]),
      );
    }
  });

  test('the hosting API sends an ETag that depends on the path, API version and caller', async () => {
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

  test.each([
    ['"TAG"', 304],
    ['W/"TAG"', 304],
    ['"other",  "TAG"', 304],
    ['*', 304],
    ['"other"', 200],
    ['TAG', 200],
    ['xW/"TAG"', 200],
    ['', 200],
  ])('the hosting API responds to If-None-Match: %j with a %i', async (passed, status) => {
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

  test.each([
    ['application/vnd.service.beta+json', 'beta'],
    ['text/html, application/vnd.service.beta', 'beta'],
    ['application/vnd.service.v3+json', 'v3'],
    ['application/vnd.other.beta', 'v3'],
    ['', 'v3'],
  ])(
    'the hosting API interprets Accept: %j as a request for API version %s',
    async (accept, version) => {
      const { headers, data } = await get('/repos/lab/engine', { headers: { accept } });
      expect(headers['x-service-media-type']).toBe(`service.${version}`);
      expect(data.master_branch).toBe(version === 'beta' ? 'main' : undefined);
    },
  );

  test('the hosting API responds with 403 to a request without a User-Agent', async () => {
    const { status } = await emulator.respond(new Request(`${api}/users/ada`));
    expect(status).toBe(403);
  });
});

describe('hosting API validation', () => {
  const documentation_url = 'https://developer.example.com/v3';
  test.each<[string, RequestOptions, number, object]>([
    ['GET /repos/lab/none', {}, 404, { message: 'Not Found', documentation_url }],
    ['GET /user', {}, 401, { message: 'Requires authentication', documentation_url }],
    ['GET /assets/lab/engine/1', {}, 404, { message: 'Not Found', documentation_url }],
    ['GET /user', { auth: 'token x' }, 401, { message: 'Bad credentials', documentation_url }],
    ['GET /authorizations', { auth: 'token t' }, 403, { documentation_url }],
    [
      'POST /authorizations',
      { auth: basic('ada', 'a:b'), body: { note: 'n', scopes: ['x'] } },
      422,
      {
        documentation_url,
      },
    ],
    ['POST /hub', { auth: basic('ada', 'a:b'), body: {} }, 415, { documentation_url }],
    ['GET /nowhere', {}, 404, { documentation_url, nearest: expect.any(Array) }],
    ['GET /mine', {}, 404, { message: 'Not Found', documentation_url }],
  ])(
    'the hosting API responds to %s (options %j) with a %i and a message',
    async (what, how, status, body) => {
      emulator.hosting.route('GET /mine', () => undefined);
      const response = await sendRequest(emulator, what, { auth: null, ...how });
      expect(response.status).toBe(status);
      expect(response.data).toEqual({ message: expect.stringMatching(/\w/), ...body });
    },
  );

  test.each([
    ['{}', undefined, 422],
    ['', 'text/plain', 422],
    ['  ', 'text/plain', 422],
    ['tag_name=a', 'application/x-www-form-urlencoded', 201],
    [' {"tag_name":"a"}', 'application/x-www-form-urlencoded', 201],
    ['[]', 'application/x-www-form-urlencoded', 400],
    ['tag_name=[', 'application/x-www-form-urlencoded', 201],
    ['{"tag_name":"a"}', 'application/json', 201],
    ['{"tag_name":"a"}', 'application/vnd.service.v3+json', 201],
    ['{"tag_name":"a"}', '', 201],
    ['{"tag_name":"a"}', 'application/a/b+json', 415],
    ['{"tag_name":"a"}', 'application/+json', 415],
    ['{"tag_name":"a"}', 'xapplication/json', 415],
    ['{"tag_name":"a"}', 'application/json2', 415],
    ['"a"', 'application/json', 400],
    ['null', 'application/json', 400],
    ['[{}]', 'application/json', 400],
    ['5', 'application/json', 400],
    ['{', 'application/json', 400],
  ])(
    'the hosting API responds to a POST of %j (Content-Type: %j) with a %i',
    async (text, type, status) => {
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
      const words = { 400: /JSON/, 415: /json, got/, 422: /Validation/, 201: /^$/ }[status];
      expect(data.message ?? '').toMatch(words ?? '');
      if (text === '{') expect(data.message).toBe('Problems parsing JSON');
    },
  );
});
