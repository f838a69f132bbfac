import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';
import { blobSha, Random, sha1 } from '../../src/testing/random.js';
import { Router, segmentsOf } from '../../src/testing/router.js';
import { refusalOf } from '../../src/testing/sites.js';
import { api, ask } from './asking.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

describe('the route table', () => {
  test('an open part in the middle takes at least one segment', () => {
    const router = new Router<string>();
    router.add('GET /x/*path/y', 'open');
    expect(router.names).toEqual(['GET /x/*path/y']);
    expect(router.match('GET', '/x/1/2/y')?.params).toEqual({ path: '1/2' });
    for (const path of ['/x/y', '/x', '/x/1/2']) expect(router.match('GET', path)).toBeUndefined();
  });

  test('PATCH is also taken by POST, where POST has no route of its own, and by nothing else', () => {
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

  test('a slash within a segment stays, and segments need no slash before them', () => {
    const router = new Router<string>();
    router.add('GET /:name', 'one');
    expect(router.match('GET', '/a%2F')?.params).toEqual({ name: 'a/' });
    expect(segmentsOf('a/b/')).toEqual(['a', 'b']);
  });

  test('a route of one’s own begins with its method', () => {
    expect(() => emulator.hosting.route('xGET /x', () => ({}))).toThrow("got 'xGET /x'");
  });
});

describe('nearest to what is no route', () => {
  test.each<[string, string, string[]]>([
    ['the same method', 'DELETE /a/b/c', ['GET /a/b', 'DELETE /a/b']],
    ['a parameter, rather than another word', 'GET /a/b/', ['GET /a/x', 'GET /a/:id']],
    ['an open part, rather than another word', 'GET /a/b', ['GET /a/x', 'GET /a/*path']],
    ['what begins alike', 'GET /x/y/z/a/b', ['GET /a/b', 'GET /x/y/z']],
    ['what lacks less', 'GET /z', ['GET /q/r/s/t', 'GET /z/y']],
  ])('is %s', (_name, asked, routes) => {
    const [method = '', path = ''] = asked.split(' ');
    expect(nearestRoutes(routes, method, path)).toEqual(routes.toReversed());
  });
});

describe('replies', () => {
  const request = (method: string, path: string) =>
    new Request(api + path, {
      method,
      headers: { authorization: `token ${seeded.token}`, 'user-agent': 'test' },
    });

  test('an answer to HEAD has no body; no answer says a reason of its own', async () => {
    const head = await emulator.answer(request('HEAD', '/user'));
    expect([head.status, head.statusText, head.body]).toEqual([200, '', null]);
    expect(head.headers.get('content-length')).toMatch(/^[1-9]\d+$/);
  });

  test.each([204, 304])(
    'a status of %i goes without a body, whatever a route says',
    async (status) => {
      emulator.hosting.route('GET /bodyless', () => ({ status, body: 'x' }));
      const answer = await emulator.answer(request('GET', '/bodyless'));
      expect([answer.status, answer.body, answer.headers.get('content-length')]).toEqual([
        status,
        null,
        null,
      ]);
    },
  );

  test('what a route throws is thrown as it is', async () => {
    emulator.hosting.route('GET /broken', () => Promise.reject(new RangeError('broken')));
    await expect(emulator.answer(request('GET', '/broken'))).rejects.toThrow(RangeError);
  });

  test('a redirect says where to, in its head and in its body', async () => {
    const { status, headers, data } = await ask(emulator, 'GET /repos/acme/rocket/tarball');
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^http:\/\/code\.test\//);
    expect(data.url).toBe(headers.location);
  });

  test('header fields of the vendor have its name', async () => {
    emulator = createEmulator({ vendor: 'acme' });
    const { headers } = await ask(emulator, 'GET /user');
    expect(headers).toMatchObject({
      'x-acme-media-type': expect.stringContaining('acme'),
      'x-acme-request-id': expect.any(String),
    });
  });

  test.each([
    ['contract', true],
    ['none', false],
  ] as const)('singlePageLinks: %s', async (singlePageLinks, links) => {
    emulator = createEmulator({ singlePageLinks });
    emulator.hosting.addHook('acme/rocket', { url: 'http://far.test/' });
    const { headers } = await ask(emulator, 'GET /repos/acme/rocket/hooks');
    expect(headers.link !== undefined).toBe(links);
  });
});

test('a request without Host, which only HTTP/1.0 may send, is let in', () => {
  expect(refusalOf({}, {})).toBeUndefined();
});

describe('what looks random', () => {
  test('is mulberry32, the same each time', () => {
    const random = new Random(1);
    expect([random.next(), random.next(), random.next()]).toEqual([
      0.6270739405881613, 0.002735721180215478, 0.5274470399599522,
    ]);
  });

  test('a choice may be any of several, a number any below its limit', () => {
    const random = new Random(7);
    const picked = Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c']));
    expect(new Set(picked)).toEqual(new Set(['a', 'b', 'c']));
    const below = Array.from({ length: 100 }, () => random.below(3));
    expect(new Set(below)).toEqual(new Set([0, 1, 2]));
  });
});

test('objects have the names that git gives them', () => {
  expect(blobSha(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  expect(sha1('a', Buffer.from('bc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});
