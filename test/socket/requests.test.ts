import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { HostingClient, type Route } from '../../src/index.js';
import { type Handler, serve } from '../support/server.js';

async function world(handler: Handler) {
  const server = await serve(handler);
  const auth = { type: 'token', token: 'the-token' } as const;
  const hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, auth, retry: false });
  return { server, hosting, [Symbol.asyncDispose]: () => hosting.close() };
}

const echo: Handler = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      url: request.url,
      body: request.body,
      type: request.headers['content-type'],
      accept: request.headers.accept,
    }),
  );
};

describe('request()', () => {
  test.each<[string, Route, object, object, object]>([
    [
      'a path with variables',
      'GET /repos/{owner}/{repo}/labels{?page}',
      { owner: 'a b', repo: 'c/d', page: 2 },
      {},
      { url: '/api/v3/repos/a%20b/c%2Fd/labels?page=2' },
    ],
    [
      'other inputs of a GET in the query',
      'GET search/{kind}?q=x',
      { kind: 'issues', sort: 'stars', topic: ['a', 'b'], none: undefined },
      {},
      { url: '/api/v3/search/issues?q=x&sort=stars&topic=a&topic=b' },
    ],
    [
      'a form',
      'POST /x',
      { 'hub.mode': 'subscribe', n: 1 },
      { encoding: 'form' },
      { body: 'hub.mode=subscribe&n=1', type: 'application/x-www-form-urlencoded' },
    ],
    [
      'JSON',
      'PATCH /x',
      { name: 'a' },
      {},
      { url: '/api/v3/x', body: '{"name":"a"}', type: 'application/json; charset=utf-8' },
    ],
  ])('request() sends %s', async (_name, route, inputs, options, expected) => {
    await using place = await world(echo);
    await expect(place.hosting.request(route, { ...inputs }, options)).resolves.toMatchObject(
      expected,
    );
  });

  test('request() supports HEAD, text, bytes and streams', async () => {
    await using place = await world((_request, response) => response.end('bytes'));
    const { hosting } = place;
    await expect(hosting.request('HEAD /x')).resolves.toBeUndefined();
    await expect(hosting.request('GET /x', {}, { responseType: 'text' })).resolves.toBe('bytes');
    await expect(hosting.request('GET /x', {}, { responseType: 'bytes' })).resolves.toEqual(
      Buffer.from('bytes'),
    );
    const stream = await hosting.request('GET /x', {}, { responseType: 'stream' });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe('bytes');
  });
});

describe('request() with an absolute URL', () => {
  test("expands the URL's template, and sends the token only to the server's origin", async () => {
    await using stranger = await world(echo);
    const headers: unknown[] = [];
    await using place = await world((request, response) => {
      headers.push(request.headers.authorization);
      echo(request, response, 0);
    });
    const template = (origin: string) => `${origin}/users/ada/starred{/owner}{/repo}`;
    await place.hosting.request(`GET ${template(place.server.origin)}`, { owner: 'acme' });
    expect(place.server.log).toEqual(['GET /users/ada/starred/acme']);
    expect(headers).toEqual(['token the-token']);
    await place.hosting.request(`GET ${template(stranger.server.origin)}`);
    expect(stranger.server.requests[0]?.headers.authorization).toBeUndefined();
    const followed = place.hosting.request(
      `GET ${place.server.origin}/users/ada`,
      {},
      { schema: z.object({ url: z.string() }) },
    );
    await expect(followed).resolves.toEqual({ url: '/users/ada' });
  });
});

type Call = (hosting: HostingClient, value: string) => Promise<unknown>;

const place = { owner: 'acme', repo: 'rocket' };

const names = [
  'a#b?.md',
  '50% off.txt',
  'with space',
  '🚀.md',
  '%2e%2e',
  'a+b&c=d',
  "it's (1)*!",
  'é/è/ê',
  '...',
];

describe('path inputs', () => {
  const slashes: readonly (readonly [string, string, Call])[] = [
    ['contents.get', '/contents/', (h, v) => h.contents.get({ ...place, path: v })],
    [
      'contents.create',
      '/contents/',
      (h, v) => h.contents.create({ ...place, path: v, message: 'm', content: { text: 'h' } }),
    ],
    ['releases.getByTag', '/releases/tags/', (h, v) => h.releases.getByTag({ ...place, tag: v })],
    [
      'contents.getArchive',
      '/tarball/',
      (h, v) => h.contents.getArchive({ ...place, archive_format: 'tarball', ref: v }),
    ],
  ];

  test.each(slashes)(
    'the client keeps special characters in the path of %s',
    async (_name, marker, call) => {
      const server = await serve((_request, response) => response.writeHead(404).end('{}'));
      await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
      for (const name of names) await call(hosting, `docs/${name}`).catch(() => undefined);
      const arrived = server.requests.map((request) => {
        const { pathname, search, hash } = new URL(request.url, server.origin);
        expect(search + hash).toBe('');
        const rest = pathname.slice(pathname.indexOf(marker) + marker.length);
        return rest.split('/').map(decodeURIComponent).join('/');
      });
      expect(arrived).toEqual(names.map((name) => `docs/${name}`));
    },
  );

  test('the client keeps special characters in a single path segment and in a query parameter', async () => {
    const server = await serve((_request, response) => response.writeHead(404).end('{}'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
    for (const name of names) {
      await hosting.starring
        .listStarredBy({ username: name })
        .first()
        .catch(() => undefined);
      await hosting.contents.getReadme({ ...place, ref: name }).catch(() => undefined);
    }
    const arrived = server.requests.map((request) => {
      const url = new URL(request.url, server.origin);
      return url.searchParams.get('ref') ?? decodeURIComponent(url.pathname.split('/')[4] ?? '');
    });
    expect(arrived).toEqual(names.flatMap((name) => [name, name]));
  });

  test('contents.get() reads the root folder if the path is empty', async () => {
    const server = await serve((_request, response) => response.end('[]'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
    await expect(hosting.contents.get({ ...place, path: '' })).resolves.toEqual([]);
    expect(server.log).toEqual(['GET /api/v3/repos/acme/rocket/contents']);
  });
});
