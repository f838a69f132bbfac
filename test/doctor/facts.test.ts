import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ExamineOptions, examine } from '../../src/doctor/index.js';
import { listening, type Seen, sendJson, serve } from '../support/server.js';

type Respond = (request: Seen, response: ServerResponse) => unknown;

/**
 * Serves an API below `/api/v3/` with the specified headers. `rest` handles all requests except
 * `/rate_limit`. Default: responds with a 404.
 */
async function serving(headers: Readonly<Record<string, string>> = {}, rest: Respond = notFound) {
  return await serve((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.url === '/api/v3/rate_limit') return sendJson(response, {});
    return rest(request, response);
  });
}

const notFound: Respond = (_request, response) => sendJson(response, { message: 'Not Found' }, 404);

/**
 * Returns the values of facts about the hosting API, keyed by name. Wraps the value in an array if
 * the fact has a problem.
 */
async function getFacts(
  hosting: NonNullable<ExamineOptions['hosting']>,
  options: Omit<ExamineOptions, 'hosting'> = {},
) {
  const { families } = await examine({ ...options, hosting });
  const facts = families[0]?.facts ?? [];
  return Object.fromEntries(
    facts.map(({ name, value, problem }) => [name, problem ? [value] : value]),
  );
}

const at = ({ origin }: { readonly origin: string }) => ({ baseUrl: `${origin}/api/v3/` });

describe('rate limit check', () => {
  it.each([
    ['5000', '4000', '4000 of 5000 left'],
    ['5000', '100', '100 of 5000 left'],
    ['5000', '99', ['99 of 5000 left']],
    ['60', '6', '6 of 60 left'],
    ['60', '5', ['5 of 60 left']],
  ])(
    'examine() reports a rate limit of %s with %s remaining',
    async (limit, remaining, expected) => {
      const reset = String(Math.ceil(Date.now() / 1000) + 3600);
      const server = await serving({
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': reset,
      });
      expect(await getFacts(at(server))).toMatchObject({ limit: expected });
    },
  );

  it('examine() reports that a server sends no rate limit', async () => {
    expect(await getFacts(at(await serving()))).toMatchObject({ limit: 'not reported' });
  });
});

it.each([
  ['repo, user', 'repo, user'],
  ['', 'none'],
  [undefined, 'not reported'],
])('examine() reports the scopes header %j as %j', async (scopes, value) => {
  const server = await serving(scopes === undefined ? {} : { 'x-oauth-scopes': scopes });
  expect(await getFacts(at(server))).toMatchObject({ scopes: value });
});

it.each<[Record<string, string>, string | readonly [string]]>([
  [{ 'x-octo-media-type': 'octo.v3' }, ['octo']],
  [{ 'x-octo-request-id': '1' }, ['octo']],
  [{ 'x-octo-media-type': 'octo.v3', 'x-abc-request-id': '1' }, ['octo']],
  [{ 'x-two-words-media-type': 'x', 'x-octo-request-id': '1' }, ['octo']],
  [{ 'x-9-request-id': '1' }, 'unknown'],
  [{ 'y-octo-request-id': '1', 'x-octo-request': '1' }, 'unknown'],
])('examine() reports the vendor of a server with the headers %j as %j', async (headers, value) => {
  expect(await getFacts(at(await serving(headers)))).toMatchObject({ vendor: value });
});

describe('API location check', () => {
  const api: Respond = (_request, response) => sendJson(response, {});
  const page: Respond = (_request, response) => response.end('<h1>Welcome</h1>');

  it.each<[string, string, Readonly<Record<string, Respond>>, string | RegExp]>([
    ['with the API path', '/api/v3/', { '/api/v3/rate_limit': api }, 'found'],
    ['without a trailing slash', '/api/v3', { '/api/v3/rate_limit': api }, 'found'],
    ['with a prefix before the API path', '/x/api/v3/', { '/x/api/v3/rate_limit': api }, 'found'],
    ['of an API at the root', '/', { '/rate_limit': api }, 'found'],
    [
      'without the API path',
      '/',
      { '/api/v3/rate_limit': api, '/rate_limit': page },
      /the API is at \/api\/v3\/\./,
    ],
    ['with an unknown path', '/api/v3/', { '/rate_limit': api }, /the API is at \/\./],
    [
      'of a server without an API',
      '/',
      { '/rate_limit': page, '/api/v3/rate_limit': page },
      /no hosting API/,
    ],
  ])(
    'examine() looks for the API with a base URL %s',
    async (_where, path, responses, expected) => {
      const server = await serve((request, response) =>
        (responses[request.url] ?? notFound)(request, response),
      );
      const { families } = await examine({ hosting: { baseUrl: server.origin + path } });
      const fact = families[0]?.facts.find(({ name }) => name === 'API');
      if (typeof expected === 'string') expect(fact).toEqual({ name: 'API', value: expected });
      else expect(fact?.problem).toMatch(expected);
    },
  );

  it.each<[string, Respond, boolean]>([
    ['sends 403 and a vendor header', named(403, { 'x-octo-request-id': '1' }), true],
    ['sends 404 and a rate limit', named(404, { 'x-ratelimit-limit': '60' }), true],
    ['sends 403 without API headers', named(403, {}), false],
    ['sends JSON without API headers', (_request, response) => response.end('{}'), false],
  ])('examine() reports whether a server that %s has an API', async (_how, response, isApi) => {
    const server = await serve(response);
    const { families } = await examine({ hosting: at(server) });
    expect(families[0]?.reachable).toBe(isApi);
  });
});

function named(status: number, headers: Readonly<Record<string, string>>): Respond {
  const budget = { 'x-ratelimit-remaining': '50', 'x-ratelimit-reset': '4000000000' };
  const all = 'x-ratelimit-limit' in headers ? { ...headers, ...budget } : headers;
  return (_request, response) => sendJson(response, { message: 'no' }, status, all);
}

it.each([401, 403])(
  'examine() reports credentials that the server rejects with %i',
  async (status) => {
    const server = await serve(named(status, { 'x-octo-request-id': '1' }));
    const { families } = await examine({ hosting: at(server) });
    expect(families[0]?.facts).toContainEqual(
      expect.objectContaining({ name: 'reachable', value: `yes, ${status}` }),
    );
    expect(families[0]?.facts).toContainEqual(
      expect.objectContaining({ name: 'credentials', problem: expect.stringMatching(/./) }),
    );
    expect(server.log).toHaveLength(1);
  },
);

it('examine() requests the API again with its vendor name after a 415', async () => {
  const server = await serve((request, response) =>
    /octo/.test(request.headers.accept ?? '')
      ? sendJson(response, {}, 200, { 'x-octo-request-id': '1', 'x-oauth-scopes': 'repo' })
      : sendJson(response, {}, 415, { 'x-octo-request-id': '1' }),
  );
  expect(await getFacts(at(server))).toMatchObject({ vendor: ['octo'], scopes: 'repo' });
});

it.each<[Record<string, string>, string]>([
  [{ 'x-octo-media-type': 'octo.v3; format=json' }, 'v3'],
  [{ 'x-octo-request-id': '1', 'x-octo-api-version-selected': '2022-11-28' }, '2022-11-28'],
  [{ 'x-octo-media-type': 'octo.v3', 'x-octo-enterprise-version': '3.9.2' }, '3.9.2'],
  [{ 'x-octo-media-type': 'octo.<script>' }, 'unknown'],
  [{}, 'unknown'],
])(
  'examine() reports the version of a server with the headers %j as %s',
  async (headers, value) => {
    expect(await getFacts(at(await serving(headers)))).toMatchObject({ version: value });
  },
);

describe('TLS check', () => {
  it.each([
    ['http://localhost:1/', 'none'],
    ['http://127.0.0.1:1/', 'none'],
    ['http://127.99.88.77:1/', 'none'],
    ['http://[::1]:1/', 'none'],
    ['http://0.0.0.0:1/', ['none']],
  ])(
    'examine() accepts plain HTTP at %s only if the host is a loopback address',
    async (baseUrl, expected) => {
      expect(await getFacts({ baseUrl })).toMatchObject({ TLS: expected });
    },
  );

  it('examine() skips the TLS check if a custom dispatcher is set', async () => {
    const server = await serving();
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const { families } = await examine({ hosting: { ...at(server), dispatcher } });
    const names = families[0]?.facts.map(({ name }) => name);
    expect(names).not.toContain('TLS');
    expect(names).not.toContain('DNS');
  });

  it.each<[string, (socket: Socket) => unknown, RegExp]>([
    ['responds in plain HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /^E/],
    ['sends nothing', () => undefined, /^the TLS handshake timed out$/],
  ])('examine() reports a TLS problem if the server %s', async (_what, respond, code) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      respond(socket);
    });
    const { port } = await listening(server);
    const { families } = await examine({
      hosting: { baseUrl: `https://127.0.0.1:${port}/api/v3/` },
      timeout: 300,
    });
    expect(families[0]?.facts[2]).toMatchObject({
      name: 'TLS',
      value: expect.stringMatching(code),
      problem: expect.stringMatching(/./),
    });
  });
});
