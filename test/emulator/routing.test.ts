import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';
import { Router } from '../../src/testing/router.js';
import { noon } from '../support/noon.js';
import { api, origin, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('Router.match()', () => {
  const router = new Router<string>();
  router.add('GET /repos/:owner/:repo/releases/latest', 'latest');
  router.add('GET /repos/:owner/:repo/releases/:id', 'release');
  router.add('GET /repos/:owner/:repo/contents/*path', 'contents');
  router.add('GET /', 'root');

  it.each([
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
  ])('finds the route for %s %j', (method, path, handler, params) => {
    expect(router.match(method, path)).toEqual({ handler, params });
  });

  it.each([
    ['POST', '/repos/a/b/releases/7'],
    ['GET', '/repos/a/b/releases'],
    ['GET', '/repos//b/releases/7'],
    ['GET', '/repos/a/b/contents//x'],
    ['GET', '/repos/a/b/releases/%'],
    ['GET', '/elsewhere'],
  ])('finds no route for %s %j', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});

describe('Router', () => {
  it('matches one or more segments with `*path` in the middle of a route', () => {
    const router = new Router<string>();
    router.add('GET /x/*path/y', 'open');
    expect(router.names).toEqual(['GET /x/*path/y']);
    expect(router.match('GET', '/x/1/2/y')?.params).toEqual({ path: '1/2' });
    for (const path of ['/x/y', '/x', '/x/1/2']) expect(router.match('GET', path)).toBeUndefined();
  });

  it('uses a PATCH route for POST unless POST has its own route', () => {
    const router = new Router<string>();
    router.add('PATCH /a', 'patch a');
    router.add('PATCH /b', 'patch b');
    router.add('POST /b', 'post b');
    const found = ['PATCH /a', 'POST /a', 'PUT /a', 'GET /a', 'POST /b'].map((each) => {
      const [method = '', path = ''] = each.split(' ');
      return router.match(method, path)?.handler;
    });
    expect(found).toEqual(['patch a', 'patch a', undefined, undefined, 'post b']);
  });

  it('lets POST update a record of the hosting API, as PATCH does', async () => {
    const body = { title: 'By POST' };
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/pulls/1', {
      body,
    });
    expect([status, data.title]).toEqual([200, 'By POST']);
  });
});

describe('nearestRoutes()', () => {
  it.each<[string, string, string[]]>([
    ['a route with the same method first', 'DELETE /a/b/c', ['GET /a/b', 'DELETE /a/b']],
    ['a parameter above a different word', 'GET /a/b/', ['GET /a/x', 'GET /a/:id']],
    ['a wildcard above a different word', 'GET /a/b', ['GET /a/x', 'GET /a/*path']],
    ['a route with the same start first', 'GET /x/y/z/a/b', ['GET /a/b', 'GET /x/y/z']],
    ['a route with fewer additional segments first', 'GET /z', ['GET /q/r/s/t', 'GET /z/y']],
  ])('ranks %s', (_name, requests, routes) => {
    const [method = '', path = ''] = requests.split(' ');
    expect(nearestRoutes(routes, method, path)).toEqual(routes.toReversed());
  });
});

describe('emulator.respond()', () => {
  const request = (method: string, path: string) =>
    new Request(api + path, {
      method,
      headers: { authorization: `token ${seeded.token}`, 'user-agent': 'test' },
    });

  it('sends no body in response to HEAD', async () => {
    const head = await emulator.respond(request('HEAD', '/user'));
    expect([head.status, head.statusText, head.body]).toEqual([200, '', null]);
    expect(head.headers.get('content-length')).toMatch(/^[1-9]\d+$/);
  });

  it.each([204, 304])('sends no body with the status %i', async (status) => {
    emulator.hosting.route('GET /bodyless', () => ({ status, body: 'x' }));
    const response = await emulator.respond(request('GET', '/bodyless'));
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
      status,
      null,
      null,
    ]);
  });

  it('a redirect from the emulator contains its target in Location and in the body', async () => {
    const { status, headers, data } = await sendRequest(emulator, 'GET /repos/acme/rocket/tarball');
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^http:\/\/code\.test\//);
    expect(data.url).toBe(headers.location);
  });
});

it.each<[string, string[]]>([
  ['GET /api/v3/repos/acme/rocket/branches', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /api/v3/repos/a/b/pull/1', ['GET /api/v3/repos/:owner/:repo/pulls/:number']],
  ['DELETE /api/v3/repos/a/b/pulls/1', ['PATCH /api/v3/repos/:owner/:repo/pulls/:number']],
  ['GET /api/v3/repo/a/b/readme', ['GET /api/v3/repos/:owner/:repo/readme']],
  ['GET /api/v3/repo/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /repos/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['PUT /api/v3/user', ['GET /api/v3/user']],
  ['GET /setup/api/setting', ['GET /setup/api/settings', 'PUT /setup/api/settings']],
])('the 404 for the unknown route %s suggests %j', async (what, near) => {
  const [method = '', path = ''] = what.split(' ');
  const headers = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
  const response = await emulator.respond(new Request(origin + path, { method, headers }));
  const { message, nearest } = JSON.parse(await response.text());
  expect([response.status, message]).toEqual([404, `emulator: unknown route: ${what}`]);
  expect(nearest.length).toBeLessThanOrEqual(3);
  expect(nearest).toEqual(expect.arrayContaining(near));
});

it('the 404 for a path of 3000 segments suggests three routes', async () => {
  const response = await emulator.respond(new Request(`${origin}/${'xyz/'.repeat(3000)}`));
  expect(await response.json()).toMatchObject({
    nearest: [/./, /./, /./].map((each) => expect.stringMatching(each)),
  });
});
