import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type Route } from '../../src/index.js';
import { createSchema, type StandardSchema } from '../../src/schema/standard-schema.js';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf, watchRejections } from '../support/client.js';
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
});

const Titled = z.object({ title: z.string().transform((text) => text.toUpperCase()) });
const repository = { owner: 'acme', repo: 'rocket' };
const pull = { ...repository, number: 1 };

/** Creates clients and a server that responds to every request with `body` as JSON. */
async function respondWith(body: unknown, status = 200) {
  const server = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const baseUrl = server.origin;
  return {
    server,
    hosting: new HostingClient({ baseUrl, auth: { type: 'token', token: 'secret' } }),
    support: new SupportClient({ baseUrl, auth: { accessToken: 'secret' } }),
    appliance: new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) } }),
  };
}

describe('custom schemas', () => {
  it('a custom schema replaces the model and determines the result of the call', async () => {
    const { hosting } = await respondWith({ title: 'old' });
    const call = hosting.pulls.get(pull).as(Titled);
    expect(await call).toEqual({ title: 'OLD' });
    expect((await call.withResponse()).response.status).toBe(200);
  });

  const boom = new Error('boom: token secret');
  it.each<[string, StandardSchema['~standard']['validate']]>([
    ['throws', () => expect.unreachable(boom.message)],
    ['rejects', async () => await Promise.reject(boom)],
    // `as`: JavaScript callers can pass anything.
    ['returns nothing', () => undefined as never],
    ['returns no issues', () => ({ issues: [] })],
  ])('a schema that %s causes a ResponseShapeError after a write', async (how, validate) => {
    const { hosting, server } = await respondWith({ id: 1 });
    const schema = createSchema(validate);
    const create = () => hosting.releases.create({ ...repository, tag_name: 'v1' });
    for (const call of [create().as(schema), hosting.request('POST /x', {}, { schema })]) {
      const error = await rejectionOf(call);
      expect(error).toMatchObject({ code: 'response_shape', mayHaveActed: true });
      expect(error).toHaveProperty('issues.length', 1);
      if (how !== 'returns no issues') expect(error).toHaveProperty('cause');
      expect(inspect(error, { showHidden: true })).not.toContain('token secret');
    }
    expect(server.log).toHaveLength(2);
  });

  it('a custom schema validates each item in a list or a search', async () => {
    const one = await respondWith([{ title: 'a' }, { title: 'b' }]);
    const list = one.hosting.pulls.list(repository).as(Titled);
    expect(await list.toArray()).toEqual([{ title: 'A' }, { title: 'B' }]);
    const last = list.as(z.object({ title: z.string() }));
    expect(await last.first()).toEqual({ title: 'a' });
    const two = await respondWith({ success: true, total: 1, items: [{ title: 'a' }] });
    const search = two.support.contacts.search().as(Titled);
    expect(await search.toArray()).toEqual([{ title: 'A' }]);
  });

  it.each(['warn', 'off'] as const)(
    "a custom schema rejects a mismatch even with `validation: '%s'`",
    async (validation) => {
      const { hosting } = await respondWith({ title: 7 });
      const failed = rejectionOf(hosting.pulls.get(pull, { validation }).as(Titled));
      expect(await failed).toMatchObject({ code: 'response_shape' });
    },
  );

  it.each([null, 5, {}, { '~standard': {} }])('as() rejects %j as the schema', async (wrong) => {
    const { hosting } = await respondWith([{ title: 'a' }]);
    const schema = wrong as never;
    const single = hosting.pulls.get(pull, { validation: 'off' }).as(schema);
    expect(await rejectionOf(single)).toMatchObject({ code: 'invalid_request', field: 'as' });
    const list = hosting.pulls.list(repository).as(schema).first();
    expect(await rejectionOf(list)).toMatchObject({ code: 'invalid_request', field: 'as' });
  });

  it('as() rejects if the response of the method is not JSON', async () => {
    const { hosting } = await respondWith({});
    const star = hosting.starring.star(repository);
    const call: Promise<unknown> = Reflect.apply(Reflect.get(star, 'as'), star, [Titled]);
    expect(await rejectionOf(call)).toMatchObject({
      message: 'as: must not be called on a method whose response is not JSON',
    });
  });

  it("the original call's promise rejects after as() is called", async () => {
    const { hosting } = await respondWith({ title: 'old' });
    const original = hosting.pulls.get(pull);
    const call = original.as(Titled);
    expect(await call).toEqual({ title: 'OLD' });
    expect(await rejectionOf(original)).toMatchObject({ code: 'invalid_request', field: 'as' });
    expect(await rejectionOf(original.withResponse())).toMatchObject({ field: 'as' });
    expect((await call.withResponse()).data).toEqual({ title: 'OLD' });
  });

  it('as() causes no unhandled rejection if the call fails', async () => {
    const rejections = watchRejections();
    const { hosting, server } = await respondWith({ message: 'Not Found' }, 404);
    const call = hosting.pulls.get(pull).as(Titled).as(Titled);
    expect(await rejectionOf(call)).toMatchObject({ status: 404 });
    const unsent = hosting.pulls.get({ ...pull, number: 0 }).as(Titled);
    expect(await rejectionOf(unsent)).toMatchObject({ code: 'invalid_request' });
    expect(server.log).toHaveLength(1);
    expect(await rejections()).toEqual([]);
  });
});
