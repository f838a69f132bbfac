import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { User } from '../../src/hosting/index.js';
import { HostingClient, type Route } from '../../src/index.js';
import { type Handler, serve } from '../support/server.js';

const ada = {
  login: 'ada',
  id: 1,
  avatar_url: '',
  gravatar_id: '',
  url: '',
  html_url: '',
  followers_url: '',
  following_url: '',
  gists_url: '',
  starred_url: '',
  subscriptions_url: '',
  organizations_url: '',
  repos_url: '',
  events_url: '',
  received_events_url: '',
  type: 'User',
  site_admin: false,
};

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
  const raw = (data: string | Buffer, contentType: string) => ({ body: { data, contentType } });
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
      'other inputs of a POST as JSON',
      'POST /x/{id}',
      { id: 1, a: 1, b: undefined },
      {},
      { url: '/api/v3/x/1', body: '{"a":1}', type: 'application/json; charset=utf-8' },
    ],
    [
      'a form',
      'POST /x',
      { 'hub.mode': 'subscribe', n: 1 },
      { encoding: 'form' },
      { body: 'hub.mode=subscribe&n=1', type: 'application/x-www-form-urlencoded' },
    ],
    ['text', 'PUT /x', {}, raw('hi', 'text/plain'), { body: 'hi', type: 'text/plain' }],
    [
      'bytes, with the inputs in the query',
      'PATCH /x',
      { name: 'a' },
      raw(Buffer.from('hi'), 'a/b'),
      { url: '/api/v3/x?name=a', body: 'hi', type: 'a/b' },
    ],
    [
      'a list of path segments',
      'GET /contents{/path*}',
      { path: ['a', 'b c'] },
      {},
      { url: '/api/v3/contents/a/b%20c' },
    ],
    [
      'a variable with slashes',
      'GET /contents/{+path}',
      { path: 'a/b c' },
      {},
      { url: '/api/v3/contents/a/b%20c' },
    ],
    [
      'an Accept header',
      'GET /x',
      {},
      { headers: { accept: 'text/plain' } },
      { accept: 'text/plain' },
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

  test.each([204, 205])(
    'request() returns undefined for a %i, but rejects the response if a schema is set',
    async (status) => {
      await using place = await world((_request, response) => response.writeHead(status).end());
      const { hosting } = place;
      await expect(hosting.request('DELETE /x')).resolves.toBeUndefined();
      await expect(hosting.request('GET /x', {}, { schema: User })).rejects.toMatchObject({
        code: 'response_body',
      });
    },
  );

  test('request() rejects a 200 without a body', async () => {
    await using place = await world((_request, response) => response.end());
    await expect(place.hosting.request('GET /x')).rejects.toMatchObject({
      code: 'response_body',
    });
  });

  test('request() transforms the response with a custom schema, but not with a triforge model', async () => {
    await using place = await world((_request, response) => response.end(JSON.stringify(ada)));
    const schema = z.object({ login: z.string().transform((login) => login.toUpperCase()) });
    await expect(place.hosting.request('GET /users/ada', {}, { schema })).resolves.toEqual({
      login: 'ADA',
    });
    await expect(place.hosting.request('GET /users/ada', {}, { schema: User })).resolves.toEqual(
      ada,
    );
    const wrong = place.hosting.request(
      'GET /users/ada',
      {},
      { schema: z.object({ id: z.string() }) },
    );
    await expect(wrong).rejects.toMatchObject({
      code: 'response_shape',
      issues: [{ path: ['id'] }],
    });
  });

  test.each<[string, Route, object, object, string]>([
    ['.. in the path', 'GET /repos/../user', {}, {}, 'route'],
    ['a variable with the value ..', 'GET /repos/{owner}', { owner: '..' }, {}, 'owner'],
    ['a missing variable', 'GET /repos/{owner}', {}, {}, 'owner'],
    ['a GET with a body', 'GET /x', {}, raw('', 'a/b'), 'body'],
  ])('request() rejects %s', async (_name, route, inputs, options, field) => {
    await using place = await world(echo);
    await expect(place.hosting.request(route, { ...inputs }, options)).rejects.toMatchObject({
      code: 'invalid_request',
      field,
    });
    expect(place.server.log).toEqual([]);
  });
});

describe('paginate()', () => {
  const paged: Handler = (request, response) => {
    const next = request.url.includes('page=2') ? undefined : `<${request.url}?page=2>; rel="next"`;
    if (next) response.setHeader('link', next);
    response.end(JSON.stringify([ada]));
  };

  test('paginate() accepts a custom schema, a triforge model, or no schema', async () => {
    await using place = await world(paged);
    const { hosting } = place;
    const schema = z.object({ login: z.string() });
    expect(await hosting.paginate('GET /users', {}, { schema }).toArray()).toEqual([
      { login: 'ada' },
      { login: 'ada' },
    ]);
    expect(await hosting.paginate('GET /users', {}, { schema: User }).toArray()).toEqual([
      ada,
      ada,
    ]);
    expect(await hosting.paginate('GET /users').toArray()).toEqual([ada, ada]);
  });

  test("paginate() rejects invalid items and responses that aren't arrays", async () => {
    await using place = await world(paged);
    const schema = z.object({ login: z.number() });
    await expect(
      place.hosting.paginate('GET /users', {}, { schema }).toArray(),
    ).rejects.toMatchObject({
      issues: [{ path: [0, 'login'] }],
    });
    await using other = await world((_request, response) => response.end('{}'));
    await expect(other.hosting.paginate('GET /x').toArray()).rejects.toThrow('expected an array');
  });
});

describe('follow()', () => {
  test("follow() expands a URL template, and sends the token only to the server's origin", async () => {
    await using stranger = await world(echo);
    const headers: unknown[] = [];
    await using place = await world((request, response) => {
      headers.push(request.headers.authorization);
      echo(request, response, 0);
    });
    const template = (origin: string) => `${origin}/users/ada/starred{/owner}{/repo}`;
    await place.hosting.follow(template(place.server.origin), { owner: 'acme' });
    expect(place.server.log).toEqual(['GET /users/ada/starred/acme']);
    expect(headers).toEqual(['token the-token']);
    await place.hosting.follow(template(stranger.server.origin));
    expect(stranger.server.requests[0]?.headers.authorization).toBeUndefined();
    const followed = place.hosting.follow(
      `${place.server.origin}/users/ada`,
      {},
      { schema: z.object({ url: z.string() }) },
    );
    await expect(followed).resolves.toEqual({ url: '/users/ada' });
  });
});
