import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { api, basic, origin, type RequestOptions, sendRequest } from './send-request.js';

// Tests the hosting API's rate limits, pagination and URLs.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'a:b' });
  hosting.addOrg('lab', ['ada']);
  hosting.addRepo('lab', 'engine');
  hosting.addToken('ada', ['repo', 'gist'], { token: 't' });
  hosting.addApplication('App', { clientId: 'id', clientSecret: 's' });
});

const get = (path: string, how: RequestOptions = {}) =>
  sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

describe('hosting rate limit', () => {
  test("the hosting API's rate limit counts the requests of each caller separately", async () => {
    emulator.hosting.setRateLimit(1);
    expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await get('/user', { auth: 'token t' })).status).toBe(200);
    const spent = async (how: RequestOptions = {}) => {
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

describe('page()', () => {
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
  ])('page() returns the items and page links for the query %j', async (query, expected, links) => {
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

  test.each([0, 1, 30])('page() adds no Link header to a list of %i items', async (length) => {
    emulator.hosting.route('GET /items', ({ page }) => page(range(1, length)));
    expect((await get('/items')).headers.link).toBeUndefined();
  });
});

describe('the hosting API', () => {
  test('the hosting API redirects permanently from a renamed repository and all paths below it', async () => {
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

  test('the hosting API serves a repository that has the old name of a renamed repository', async () => {
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

  test('the hosting API serves custom routes only below /api/v3', async () => {
    emulator.hosting.route('POST /repos/:owner/:repo/releases/:id/assets', () => ({
      body: 'mine',
    }));
    const path = '/repos/lab/engine/releases/9/assets';
    expect((await sendRequest(emulator, `POST ${path}`)).text).not.toBe('mine');
    expect((await sendRequest(emulator, `POST ${path}`, { auth: null })).text).toBe('mine');
    expect((await sendRequest(emulator, `POST /api/uploads${path}`, { auth: null })).status).toBe(
      401,
    );
  });

  test('hook payloads use the origin of the last request', async () => {
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

  test('the hosting API sends a raw file only if Accept starts with the raw type', async () => {
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

  test('hosting.routes lists each route once with its full path', () => {
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

  test("the hosting API counts an application's requests separately from anonymous requests", async () => {
    emulator.hosting.setRateLimit(1);
    const path = '/users/ada?client_id=id&client_secret=s';
    expect((await get(path)).status).toBe(200);
    expect((await get(path)).data.message).toContain('app id');
    expect((await get('/users/ada')).status).toBe(200);
  });

  test('emulator.status() reports the number of records of each kind', () => {
    const { hosting } = emulator;
    hosting.addPull('lab/engine');
    const asset = hosting.addRelease('lab/engine', 'v1');
    hosting.addAsset(asset, 'a');
    hosting.addRelease('lab/engine', 'v2');
    for (let count = 0; count < 3; count++)
      hosting.addHook('lab/engine', { url: 'http://far.test/' });
    hosting.emit('lab/engine', 'push', {});
    expect(emulator.status().families.hosting).toEqual({
      accounts: 2,
      repositories: 1,
      'pull requests': 1,
      releases: 2,
      hooks: 3,
      teams: 1,
      tokens: 1,
      applications: 1,
      deliveries: 3,
    });
  });
});
