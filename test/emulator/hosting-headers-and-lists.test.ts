import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { adasLab } from './hosting-worlds.js';
import { api, basic, mona, origin, type RequestOptions, sendRequest } from './send-request.js';

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
    ['GET /mine', {}, 404, { documentation_url }],
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

describe('page()', () => {
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

  it.each<[string, number[], Record<string, number>]>([
    ['', range(1, 30), { next: 2, last: 7 }],
    ['page=2', range(31, 60), { next: 3, last: 7, first: 1, prev: 1 }],
    ['page=7', range(181, 205), { first: 1, prev: 6 }],
    ['per_page=100', range(1, 100), { next: 2, last: 3 }],
    ['per_page=101', range(1, 100), { next: 2, last: 3 }],
    ['per_page=0&page=0', range(1, 30), { next: 2, last: 7 }],
    ['per_page=x&page=-1', range(1, 30), { next: 2, last: 7 }],
    ['per_page=1000000000', range(1, 30), { next: 2, last: 7 }],
  ])('returns the items and page links for the query %j', async (query, expected, links) => {
    const items = range(1, 205);
    emulator.hosting.route('GET /items', ({ page }) => page(items));
    const secret = 'q=a%20b&access_token=t&client_id=id&client_secret=s';
    const { data, headers } = await get(`/items?${secret}&${query}`);
    expect(data).toEqual(expected);
    const found = [...String(headers.link).matchAll(/<([^>]*)>; rel="(\w+)"(, |$)/g)];
    const pages = found.map(([, url = '', rel]) => {
      const target = new URL(url);
      expect(target.origin + target.pathname).toBe(`${api}/items`);
      expect([...target.searchParams.keys()].filter((name) => /token|client/.test(name))).toEqual(
        [],
      );
      expect(target.searchParams.get('q')).toBe('a b');
      return [rel, Number(target.searchParams.get('page'))];
    });
    expect(Object.fromEntries(pages)).toEqual(links);
  });
});

describe('renamed repositories', () => {
  it('redirects permanently from a renamed repository and all paths below it', async () => {
    emulator.hosting.renameRepo('lab/engine', 'motor');
    for (const [path, target] of [
      ['/repos/lab/engine', '/repos/lab/motor'],
      ['/repos/lab/engine/pulls/1', '/repos/lab/motor/pulls/1'],
      ['/repos/lab/engine/pulls?a=1&access_token=t&b=2', '/repos/lab/motor/pulls?a=1&b=2'],
      ['/repos/lab/engine?client_id=id&client_secret=s', '/repos/lab/motor'],
    ] as const) {
      const { status, headers } = await get(path);
      expect([status, headers.location]).toEqual([301, api + target]);
    }
    const upload = '/api/uploads/repos/lab/engine/releases/1/assets';
    const moved = await sendRequest(emulator, `POST ${upload}`, { auth: 'token t' });
    expect(moved.headers.location).toBe(origin + upload.replace('engine', 'motor'));
    for (const path of ['/repos/lab/engines', '/x/repos/lab/engine', '/users/lab/engine']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it('serves a repository that has the old name of a renamed repository', async () => {
    const getId = async (name: string) => (await get(`/repos/lab/${name}`)).data.id;
    const id = await getId('engine');
    emulator.hosting.renameRepo('lab/engine', 'motor');
    emulator.hosting.renameRepo('lab/motor', 'engine');
    expect(await getId('engine')).toBe(id);
    expect((await get('/repos/lab/motor')).headers.location).toBe(`${api}/repos/lab/engine`);
    emulator.hosting.renameRepo('lab/engine', 'turbine');
    expect(emulator.hosting.addRepo('lab', 'engine').id).toBe(await getId('engine'));
    expect(await getId('turbine')).toBe(id);
  });
});

it('some lists have a Link header even if they have a single page', async () => {
  emulator = createEmulator(noon);
  emulator.hosting.addHook('acme/rocket', { url: 'http://far.test/' });
  for (const [path, auth] of [
    ['/authorizations', mona],
    ['/repos/acme/rocket/hooks', undefined],
    ['/repos/mona/project-1/stargazers', undefined],
  ] as const) {
    const { headers } = await sendRequest(emulator, `GET ${path}`, { auth });
    expect(headers.link).toMatch(/page=1>; rel="first", <[^>]*page=1>; rel="last"$/);
  }
  const { headers } = await sendRequest(emulator, 'GET /repos/acme/rocket/downloads');
  expect(headers.link).toBeUndefined();
});

it('a list of repositories contains only repositories that the caller can see', async () => {
  for (const [owner, path] of [
    ['lab', '/orgs/lab/repos'],
    ['ada', '/users/ada/repos'],
  ] as const) {
    emulator.hosting.addRepo(owner, 'open');
    emulator.hosting.addRepo(owner, 'hidden', { isPrivate: true });
    const names = async (auth: string | null) =>
      (await get(path, { auth })).data.map(({ name }: { name: string }) => name);
    expect(await names(basic('ada', 'a:b'))).toContain('hidden');
    expect(await names(null)).toContain('open');
    expect(await names(null)).not.toContain('hidden');
  }
});
