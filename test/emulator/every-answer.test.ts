import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { type Asking, api, ask, basic, origin } from './asking.js';

// What holds for every request to the hosting API: who asks, budgets, pages, validators, moves.

const now = '2014-06-01T12:00:00Z';
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'a:b' });
  hosting.addUser('eve', { password: 'x', suspended: true });
  hosting.addOrg('lab', ['ada']);
  hosting.addRepo('lab', 'engine');
  hosting.addToken('ada', ['repo', 'gist'], { token: 't' });
  hosting.addToken('eve', [], { token: 'e' });
  hosting.addToken('gone', [], { token: 'g' });
  hosting.addApplication('App', { clientId: 'id', clientSecret: 's' });
});

const get = (path: string, how: Asking = {}) =>
  ask(emulator, `GET ${path}`, { auth: null, ...how });

describe('who asks', () => {
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
  ])('%s %s: %i', async (auth, query, status) => {
    const answer = await get(`/user${query}`, { auth });
    expect([answer.status, answer.data.login]).toEqual([
      status,
      status === 200 ? 'ada' : undefined,
    ]);
    if (status === 200) expect(answer.headers['x-ratelimit-limit']).toBe('5000');
  });

  test.each([
    ['client_id=id&client_secret=s', 200, '5000'],
    ['client_id=id&client_secret=x', 401, '60'],
    ['client_id=x&client_secret=s', 401, '60'],
    ['client_id=id', 200, '60'],
    ['client_secret=s', 200, '60'],
    ['', 200, '60'],
  ])('an application by %j: %i, a budget of %s', async (query, status, limit) => {
    const answer = await get(`/repos/lab/engine?${query}`);
    expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([status, limit]);
  });

  test('the second factor is asked for, and only after the right password', async () => {
    const ada = emulator.hosting.state.account('ada');
    if (ada) ada.otp = '123';
    const login = async (password: string, otp?: string) => {
      const headers = otp === undefined ? {} : { 'x-service-otp': otp };
      const answer = await get('/user', { auth: basic('ada', password), headers });
      if (answer.status === 401) expect(answer.data).toHaveProperty('documentation_url');
      return [answer.status, answer.headers['x-service-otp']];
    };
    expect(await login('a:b')).toEqual([401, 'required; app']);
    expect(await login('a:b', '124')).toEqual([401, 'required; app']);
    expect(await login('x', '123')).toEqual([401, undefined]);
    expect(await login('a:b', '123')).toEqual([200, undefined]);
    expect((await get('/user', { auth: 'token t' })).status, 'tokens have none').toBe(200);
  });
});

describe('fields of every answer', () => {
  test('those of a read', async () => {
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
    expect(other.headers.etag, 'one user has one budget and one tag').toBe(headers.etag);
    expect((await get('/repos/lab/engine')).headers['cache-control']).toMatch(/^public, /);
  });

  test('the scopes that would do are in order', async () => {
    const { headers } = await get('/repos/lab/engine/hooks', { auth: 'token t' });
    expect(headers['x-accepted-oauth-scopes']).toBe(
      'admin:repo_hook, read:repo_hook, write:repo_hook',
    );
  });

  test('a write and a refusal have no validator', async () => {
    emulator.hosting.addPull('lab/engine');
    for (const [what, status] of [
      ['PUT /user/starred/lab/engine', 204],
      ['PATCH /repos/lab/engine/pulls/1', 200],
      ['POST /repos/lab/engine/hooks/1/pings', 404],
      ['GET /repos/lab/none', 404],
    ] as const) {
      const answer = await ask(emulator, what, { auth: 'token t' });
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:etag|vary|cache-control)$/)]),
      );
    }
  });

  test('the tag tells apart what differs', async () => {
    const tag = async (path: string, how: Asking = {}) => (await get(path, how)).headers.etag;
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
    [(tag: string) => tag, 304],
    [(tag: string) => `W/${tag}`, 304],
    [(tag: string) => `"other",  ${tag}`, 304],
    [() => '*', 304],
    [() => '"other"', 200],
    [(tag: string) => tag.slice(1, -1), 200],
    [(tag: string) => `xW/${tag}`, 200],
    [() => '', 200],
  ])('If-None-Match by %s: %i', async (given, status) => {
    const first = await get('/users/ada');
    const headers = { 'if-none-match': given(String(first.headers.etag)) };
    for (const method of ['GET', 'HEAD']) {
      const again = await ask(emulator, `${method} /users/ada`, { auth: null, headers });
      expect(again.status).toBe(status);
      expect(again.headers.etag).toBe(first.headers.etag);
      if (status !== 304) continue;
      expect([again.text, again.headers['content-type']]).toEqual(['', undefined]);
      expect(again.headers['x-ratelimit-remaining'], 'it costs nothing').toBe('59');
    }
  });

  test.each([
    ['application/vnd.service.beta+json', 'beta'],
    ['text/html, application/vnd.service.beta', 'beta'],
    ['application/vnd.service.v3+json', 'v3'],
    ['application/vnd.other.beta', 'v3'],
    ['', 'v3'],
  ])('%s is %s', async (accept, version) => {
    const { headers, data } = await get('/repos/lab/engine', { headers: { accept } });
    expect(headers['x-service-media-type']).toBe(`service.${version}`);
    expect(data.master_branch).toBe(version === 'beta' ? 'main' : undefined);
  });

  test('who sends no User-Agent is refused', async () => {
    const { status } = await emulator.answer(new Request(`${api}/users/ada`));
    expect(status).toBe(403);
  });
});

describe('refusals', () => {
  const documentation_url = 'https://developer.example.com/v3';
  test.each<[string, Asking, number, object]>([
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
  ])('%s %j: %i', async (what, how, status, body) => {
    emulator.hosting.route('GET /mine', () => undefined);
    const answer = await ask(emulator, what, { auth: null, ...how });
    expect(answer.status).toBe(status);
    expect(answer.data).toEqual({ message: expect.stringMatching(/\w/), ...body });
  });

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
  ])('a body of %j as %j: %i', async (text, type, status) => {
    const headers = new Headers({ 'user-agent': 'x', authorization: 'token t' });
    if (type !== undefined) headers.set('content-type', type);
    const body = new TextEncoder().encode(text);
    const url = `${api}/repos/lab/engine/releases`;
    const answer = await emulator.answer(new Request(url, { method: 'POST', headers, body }));
    const data = JSON.parse(await answer.text());
    expect([answer.status, data.tag_name]).toEqual([
      status,
      status !== 201 ? undefined : text === 'tag_name=[' ? '[' : 'a',
    ]);
    const words = { 400: /JSON/, 415: /json, got/, 422: /Validation/, 201: /^$/ }[status];
    expect(data.message ?? '').toMatch(words ?? '');
    if (text === '{') expect(data.message).toBe('Problems parsing JSON');
  });
});

describe('budgets', () => {
  test('each caller has one for an hour; the API says whose is used up', async () => {
    emulator.hosting.setRateLimit(1);
    expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await get('/user', { auth: 'token t' })).status).toBe(200);
    const spent = async (how: Asking = {}) => {
      const { status, data, headers } = await get('/users/ada', how);
      return [status, data.message, headers['x-ratelimit-remaining']];
    };
    expect(await spent()).toEqual([403, 'API rate limit exceeded for anonymous.', '0']);
    const auth = basic('ada', 'a:b');
    expect(await spent({ auth })).toEqual([403, 'API rate limit exceeded for user ada.', '0']);
    for (const path of ['/rate_limit', '/rate_limit/']) {
      expect((await get(path)).data.rate.remaining).toBe(0);
    }
    emulator.clock.advance(3_600_000 - 1000);
    expect((await get('/users/ada')).status).toBe(403);
    emulator.clock.advance(1000);
    expect((await get('/users/ada')).status).toBe(200);
    emulator.hosting.setRateLimit(undefined);
    expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('59');
    emulator.hosting.setRateLimit(5);
    emulator.reset();
    expect((await get('/rate_limit')).data.rate.limit).toBe(60);
  });
});

describe('pages', () => {
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

  test.each<[string, number[], Record<string, number>]>([
    ['', range(1, 30), { next: 2, last: 7 }],
    ['page=2', range(31, 60), { next: 3, last: 7, first: 1, prev: 1 }],
    ['page=7', range(181, 205), { first: 1, prev: 6 }],
    ['page=9', [], { first: 1, prev: 8 }],
    ['per_page=100', range(1, 100), { next: 2, last: 3 }],
    ['per_page=100&page=3', range(201, 205), { first: 1, prev: 2 }],
    ['per_page=101', range(1, 100), { next: 2, last: 3 }],
    ['per_page=1', [1], { next: 2, last: 205 }],
    ['per_page=41&page=5', range(165, 205), { first: 1, prev: 4 }],
    ['per_page=0&page=0', range(1, 30), { next: 2, last: 7 }],
    ['per_page=x&page=-1', range(1, 30), { next: 2, last: 7 }],
    ['per_page=5x&page=x2', range(1, 30), { next: 2, last: 7 }],
    ['per_page=1000000000', range(1, 30), { next: 2, last: 7 }],
    ['per_page=', range(1, 30), { next: 2, last: 7 }],
  ])('by %j', async (query, expected, links) => {
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

  test.each([0, 1, 30])('%i items have no links', async (length) => {
    emulator.hosting.route('GET /items', ({ page }) => page(range(1, length)));
    expect((await get('/items')).headers.link).toBeUndefined();
  });
});

describe('addresses', () => {
  test('a renamed repository is moved for good, with all below it', async () => {
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
    const moved = await ask(emulator, `POST ${upload}`, { auth: 'token t' });
    expect(moved.headers.location).toBe(origin + upload.replace('engine', 'motor'));
    for (const path of ['/repos/lab/engines', '/x/repos/lab/engine', '/users/lab/engine']) {
      expect((await get(path)).status).toBe(404);
    }
  });

  test('a route of one’s own is only below the API', async () => {
    emulator.hosting.route('POST /repos/:owner/:repo/releases/:id/assets', () => ({
      body: 'mine',
    }));
    const path = '/repos/lab/engine/releases/9/assets';
    expect((await ask(emulator, `POST ${path}`)).text).not.toBe('mine');
    expect((await ask(emulator, `POST ${path}`, { auth: null })).text).toBe('mine');
    expect((await ask(emulator, `POST /api/uploads${path}`, { auth: null })).status).toBe(401);
  });

  test('payloads of one’s own have the address that was asked last', async () => {
    emulator.hosting.allowDeliveries(() => false);
    emulator.hosting.addHook('lab/engine', { url: 'http://far.test/' }, { events: ['*'] });
    const urls = () => {
      emulator.hosting.emit('lab/engine', 'gollum', {});
      const form = new URLSearchParams(emulator.hosting.deliveries.at(-1)?.body);
      const { repository } = JSON.parse(form.get('payload') ?? '');
      return [repository.html_url, repository.url, repository.ssh_url];
    };
    expect(urls()).toEqual([
      'http://127.0.0.1/lab/engine',
      'http://127.0.0.1/api/v3/repos/lab/engine',
      'git@127.0.0.1:lab/engine.git',
    ]);
    await get('/users/ada');
    expect(urls()[0]).toBe(`${origin}/lab/engine`);
  });

  test('the first type that is accepted decides', async () => {
    emulator.hosting.addFile('lab/engine', 'a', 'alpha');
    const raw = 'application/vnd.service.v3.raw';
    for (const [accept, bytes] of [
      [` ${raw} ; q=0.5, text/html`, true],
      [`${raw},text/html;q=0.1`, true],
      [`text/html, ${raw}`, false],
      [`text/html;a=${raw}`, false],
    ] as const) {
      const { text } = await get('/repos/lab/engine/contents/a', { headers: { accept } });
      expect([accept, text === 'alpha']).toEqual([accept, bytes]);
    }
  });

  test('every route has its whole path', () => {
    emulator.hosting.route('GET /mine', () => ({}));
    const { routes } = emulator.hosting;
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /api/v3/user',
        'POST /api/uploads/repos/:owner/:repo/releases/:id/assets',
        'POST /login/oauth/access_token',
        'GET /api/v3/mine',
      ]),
    );
    expect(new Set(routes).size).toBe(routes.length);
  });

  test('an application has a budget of its own', async () => {
    emulator.hosting.setRateLimit(1);
    const path = '/users/ada?client_id=id&client_secret=s';
    expect((await get(path)).status).toBe(200);
    expect((await get(path)).data.message).toContain('app id');
    expect((await get('/users/ada')).status).toBe(200);
  });

  test('how much there is, for the status page', () => {
    const { hosting } = emulator;
    hosting.addPull('lab/engine');
    const asset = hosting.addRelease('lab/engine', 'v1');
    hosting.addAsset(asset, 'a');
    hosting.addRelease('lab/engine', 'v2');
    for (let count = 0; count < 3; count++)
      hosting.addHook('lab/engine', { url: 'http://far.test/' });
    hosting.emit('lab/engine', 'push', {});
    expect(emulator.status().families.hosting).toEqual({
      accounts: 3,
      repositories: 1,
      'pull requests': 1,
      releases: 2,
      hooks: 3,
      teams: 1,
      tokens: 3,
      applications: 1,
      deliveries: 3,
    });
  });
});
