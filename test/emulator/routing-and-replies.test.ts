import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';
import { blobSha, Random, sha1 } from '../../src/testing/random.js';
import { Router, splitSegments } from '../../src/testing/router.js';
import { checkSite } from '../../src/testing/sites.js';
import { api, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

describe('router', () => {
  test('the router matches one or more segments with `*path` in the middle of a route', () => {
    const router = new Router<string>();
    router.add('GET /x/*path/y', 'open');
    expect(router.names).toEqual(['GET /x/*path/y']);
    expect(router.match('GET', '/x/1/2/y')?.params).toEqual({ path: '1/2' });
    for (const path of ['/x/y', '/x', '/x/1/2']) expect(router.match('GET', path)).toBeUndefined();
  });

  test('the router uses a PATCH route for POST unless POST has its own route', () => {
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

  test('the router keeps an encoded slash in a segment', () => {
    const router = new Router<string>();
    router.add('GET /:name', 'one');
    expect(router.match('GET', '/a%2F')?.params).toEqual({ name: 'a/' });
    expect(splitSegments('a/b/')).toEqual(['a', 'b']);
  });

  test("hosting.route() rejects a route that doesn't start with a method", () => {
    expect(() => emulator.hosting.route('xGET /x', () => ({}))).toThrow("got 'xGET /x'");
  });
});

describe('nearestRoutes', () => {
  test.each<[string, string, string[]]>([
    ['a route with the same method first', 'DELETE /a/b/c', ['GET /a/b', 'DELETE /a/b']],
    ['a parameter above a different word', 'GET /a/b/', ['GET /a/x', 'GET /a/:id']],
    ['a wildcard above a different word', 'GET /a/b', ['GET /a/x', 'GET /a/*path']],
    ['a route with the same start first', 'GET /x/y/z/a/b', ['GET /a/b', 'GET /x/y/z']],
    ['a route with fewer additional segments first', 'GET /z', ['GET /q/r/s/t', 'GET /z/y']],
  ])('nearestRoutes() ranks %s', (_name, requests, routes) => {
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

  test('emulator.respond() sends no body in response to HEAD', async () => {
    const head = await emulator.respond(request('HEAD', '/user'));
    expect([head.status, head.statusText, head.body]).toEqual([200, '', null]);
    expect(head.headers.get('content-length')).toMatch(/^[1-9]\d+$/);
  });

  test.each([204, 304])('emulator.respond() sends no body with the status %i', async (status) => {
    emulator.hosting.route('GET /bodyless', () => ({ status, body: 'x' }));
    const response = await emulator.respond(request('GET', '/bodyless'));
    expect([response.status, response.body, response.headers.get('content-length')]).toEqual([
      status,
      null,
      null,
    ]);
  });

  test('emulator.respond() rejects with the error that a custom route throws', async () => {
    emulator.hosting.route('GET /broken', () => Promise.reject(new RangeError('broken')));
    await expect(emulator.respond(request('GET', '/broken'))).rejects.toThrow(RangeError);
  });

  test('a redirect from the emulator contains its target in Location and in the body', async () => {
    const { status, headers, data } = await sendRequest(emulator, 'GET /repos/acme/rocket/tarball');
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^http:\/\/code\.test\//);
    expect(data.url).toBe(headers.location);
  });

  test("the emulator's vendor headers contain the vendor name", async () => {
    emulator = createEmulator({ vendor: 'acme' });
    const { headers } = await sendRequest(emulator, 'GET /user');
    expect(headers).toMatchObject({
      'x-acme-media-type': expect.stringContaining('acme'),
      'x-acme-request-id': expect.any(String),
    });
  });

  test.each([
    ['contract', 'a Link header'],
    ['none', 'no Link header'],
  ] as const)(
    "singlePageLinks: '%s' results in %s for a single page",
    async (singlePageLinks, links) => {
      emulator = createEmulator({ singlePageLinks });
      emulator.hosting.addHook('acme/rocket', { url: 'http://far.test/' });
      const { headers } = await sendRequest(emulator, 'GET /repos/acme/rocket/hooks');
      expect(headers.link !== undefined).toBe(links === 'a Link header');
    },
  );
});

test('checkSite() accepts a request without Host and Origin', () => {
  expect(() => checkSite({}, {})).not.toThrow();
});

describe('Random', () => {
  test('Random returns the mulberry32 sequence for its seed', () => {
    const random = new Random(1);
    expect([random.next(), random.next(), random.next()]).toEqual([
      0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
    ]);
  });

  test('Random.pick() and Random.below() return every possible value', () => {
    const random = new Random(7);
    const picked = Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c']));
    expect(new Set(picked)).toEqual(new Set(['a', 'b', 'c']));
    const below = Array.from({ length: 100 }, () => random.below(3));
    expect(new Set(below)).toEqual(new Set([0, 1, 2]));
  });
});

test('blobSha and sha1 return the hashes that git computes', () => {
  expect(blobSha(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  expect(sha1('a', Buffer.from('bc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});
