import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { adasLab } from './hosting-worlds.js';
import { api, basic, mona, origin, type RequestOptions, sendRequest } from './send-request.js';

let emulator: Emulator;

const get = (path: string, how: RequestOptions = {}) =>
  sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

beforeEach(() => {
  emulator = adasLab();
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

describe('the hosting API', () => {
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

  it('serves custom routes only below /api/v3', async () => {
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

describe('URLs in responses', () => {
  it("the URL of an organization is under /orgs, but the URL of a repository's owner is under /users", async () => {
    const { data } = await get('/orgs/lab');
    expect(data).toMatchObject({ login: 'lab', type: 'Organization', url: `${api}/orgs/lab` });
    expect((await get(data.repos_url.slice(api.length))).status).toBe(200);
    expect((await get('/repos/lab/engine')).data.owner.url).toBe(`${api}/users/lab`);
  });

  it('every URL in the API root responds with 200, except /hub', async () => {
    const { data } = await get('/');
    const bare = Object.values<string>(data).filter((url) => !/\{(?!\?)/.test(url));
    expect(bare.length).toBeGreaterThan(4);
    for (const url of bare) {
      const path = url.slice(api.length).replace(/\{.*/, '');
      const { status } = await get(path, { auth: basic('ada', 'a:b') });
      expect([path, status]).toEqual([path, path === '/hub' ? 404 : 200]);
    }
    expect((await get('/api/v3/')).data).toEqual(data);
  });
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
