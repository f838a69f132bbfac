import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { User } from '../../src/hosting/index.js';
import { HostingClient, type RawRequest } from '../../src/index.js';
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
    JSON.stringify({ url: request.url, body: request.body, type: request.headers['content-type'] }),
  );
};

describe('request()', () => {
  test.each<[string, RawRequest, object]>([
    [
      'a path with variables',
      {
        path: '/repos/{owner}/{repo}/labels{?page}',
        variables: { owner: 'a b', repo: 'c/d', page: 2 },
      },
      { url: '/api/v3/repos/a%20b/c%2Fd/labels?page=2' },
    ],
    [
      'a query',
      { path: 'search?q=x', query: { sort: 'stars', topic: ['a', 'b'], none: undefined } },
      { url: '/api/v3/search?q=x&sort=stars&topic=a&topic=b' },
    ],
    [
      'JSON',
      { method: 'POST', path: '/x', json: { a: 1, b: undefined } },
      { body: '{"a":1}', type: 'application/json; charset=utf-8' },
    ],
    [
      'a form',
      { method: 'POST', path: '/x', form: { 'hub.mode': 'subscribe', n: 1 } },
      { body: 'hub.mode=subscribe&n=1', type: 'application/x-www-form-urlencoded' },
    ],
    [
      'text',
      { method: 'PUT', path: '/x', body: { data: 'hi', contentType: 'text/plain' } },
      { body: 'hi', type: 'text/plain' },
    ],
    [
      'bytes',
      { method: 'PATCH', path: '/x', body: { data: Buffer.from('hi'), contentType: 'a/b' } },
      { body: 'hi', type: 'a/b' },
    ],
    [
      'a list of path segments',
      { path: '/contents{/path*}', variables: { path: ['a', 'b c'] } },
      { url: '/api/v3/contents/a/b%20c' },
    ],
  ])('request() sends %s', async (_name, request, expected) => {
    await using place = await world(echo);
    await expect(place.hosting.request(request)).resolves.toMatchObject(expected);
  });

  test('request() supports HEAD, bytes, streams and empty responses', async () => {
    await using place = await world((_request, response) => response.end('bytes'));
    const { hosting } = place;
    await expect(hosting.request({ method: 'HEAD', path: '/x' })).resolves.toBeUndefined();
    await expect(hosting.request({ path: '/x', responseType: 'none' })).resolves.toBeUndefined();
    await expect(hosting.request({ path: '/x', responseType: 'bytes' })).resolves.toEqual(
      Buffer.from('bytes'),
    );
    const stream = await hosting.request<NodeJS.ReadableStream>({
      path: '/x',
      responseType: 'stream',
    });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe('bytes');
  });

  test.each([204, 205])(
    'request() returns undefined for a %i, but rejects the response if a schema is set',
    async (status) => {
      await using place = await world((_request, response) => response.writeHead(status).end());
      const { hosting } = place;
      await expect(hosting.request({ method: 'DELETE', path: '/x' })).resolves.toBeUndefined();
      await expect(hosting.request({ path: '/x', schema: User })).rejects.toMatchObject({
        code: 'response_body',
      });
    },
  );

  test('request() rejects a 200 without a body', async () => {
    await using place = await world((_request, response) => response.end());
    await expect(place.hosting.request({ path: '/x' })).rejects.toMatchObject({
      code: 'response_body',
    });
  });

  test('request() transforms the response with a custom schema, but not with a triforge model', async () => {
    await using place = await world((_request, response) => response.end(JSON.stringify(ada)));
    const schema = z.object({ login: z.string().transform((login) => login.toUpperCase()) });
    await expect(place.hosting.request({ path: '/users/ada', schema })).resolves.toEqual({
      login: 'ADA',
    });
    await expect(place.hosting.request({ path: '/users/ada', schema: User })).resolves.toEqual(ada);
    const wrong = place.hosting.request({
      path: '/users/ada',
      schema: z.object({ id: z.string() }),
    });
    await expect(wrong).rejects.toMatchObject({
      code: 'response_shape',
      issues: [{ path: ['id'] }],
    });
  });

  test.each<[string, RawRequest, string]>([
    ['an empty path', { path: '' }, 'path'],
    ['.. in the path', { path: '/repos/../user' }, 'path'],
    ['%2e%2e in the path', { path: '/repos/%2e%2E/user' }, 'path'],
    [
      'a variable with the value ..',
      { path: '/repos/{owner}', variables: { owner: '..' } },
      'owner',
    ],
    ['a missing variable', { path: '/repos/{owner}' }, 'owner'],
    ['.. in a list variable', { path: '/x{/path*}', variables: { path: ['a', '..'] } }, 'path'],
    ['a URL with a username', { path: 'http://user:pass@host/x' }, 'path'],
    ['two bodies', { method: 'POST', path: '/x', json: 1, form: {} }, 'form'],
    ['a GET with a body', { path: '/x', json: {} }, 'body'],
    ['an unknown method', { method: 'TRACE' as never, path: '/x' }, 'method'],
  ])('request() rejects %s', async (_name, request, field) => {
    await using place = await world(echo);
    await expect(place.hosting.request(request)).rejects.toMatchObject({
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
    expect(await hosting.paginate({ path: '/users', schema }).toArray()).toEqual([
      { login: 'ada' },
      { login: 'ada' },
    ]);
    expect(await hosting.paginate({ path: '/users', schema: User }).toArray()).toEqual([ada, ada]);
    expect(await hosting.paginate({ path: '/users' }).toArray()).toEqual([ada, ada]);
  });

  test("paginate() rejects invalid items and responses that aren't arrays", async () => {
    await using place = await world(paged);
    const schema = z.object({ login: z.number() });
    await expect(
      place.hosting.paginate({ path: '/users', schema }).toArray(),
    ).rejects.toMatchObject({
      issues: [{ path: [0, 'login'] }],
    });
    await using other = await world((_request, response) => response.end('{}'));
    await expect(other.hosting.paginate({ path: '/x' }).toArray()).rejects.toThrow(
      'expected an array',
    );
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
    await place.hosting.follow({
      path: template(place.server.origin),
      variables: { owner: 'acme' },
    });
    expect(place.server.log).toEqual(['GET /users/ada/starred/acme']);
    expect(headers).toEqual(['token the-token']);
    await place.hosting.follow({ path: template(stranger.server.origin) });
    expect(stranger.server.requests[0]?.headers.authorization).toBeUndefined();
    const followed = place.hosting.follow({
      path: `${place.server.origin}/users/ada`,
      schema: z.object({ url: z.string() }),
    });
    await expect(followed).resolves.toEqual({ url: '/users/ada' });
  });
});
