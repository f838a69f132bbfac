import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Agent } from 'undici';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tlsFacts } from '../../src/doctor/examine.js';
import { type ExamineOptions, examine, formatReport } from '../../src/doctor/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { authority, serverCertificate, serverKey } from '../socket/private-authority.js';
import { rejectionOf } from '../support/client.js';
import { listening, type Seen, sendJson, serve } from '../support/server.js';
import { diagnosis, examineOptions, listFindings, start } from './world.js';

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

async function factNamed(name: string, hosting: NonNullable<ExamineOptions['hosting']>) {
  const { families } = await examine({ hosting });
  return families[0]?.facts.find((fact) => fact.name === name);
}

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

it('examine() finds no problems in a healthy server, writes nothing, and reports no secrets', async () => {
  const { emulator, at } = await start();
  const report = await examine({
    ...examineOptions.hosting(at),
    ...examineOptions.support(at),
    ...examineOptions.console(at),
  });
  expect(listFindings(report)).toEqual([]);
  expect(report.healthy).toBe(true);
  expect(report.families.map(({ facts }) => facts.map(({ name }) => name))).toEqual([
    expect.arrayContaining(['proxy', 'DNS', 'TLS', 'API', 'vendor', 'version', 'scopes', 'limit']),
    ['proxy', 'DNS', 'TLS', 'reachable', 'credentials', 'clock'],
    ['proxy', 'DNS', 'TLS', 'reachable', 'credentials', 'clock'],
  ]);
  const requests = emulator.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
  expect(requests.sort()).toEqual([
    'GET /api/v2/me',
    'GET /api/v3/rate_limit',
    'GET /setup/api/configcheck',
    'POST /api/v2/authenticate',
  ]);
  const secrets = [seeded.token, supportSeed.apiKey, consoleSeed.licenseMd5, supportSeed.password];
  for (const text of [JSON.stringify(report), formatReport(report)]) {
    for (const secret of [...secrets, '127.0.0.1', String(at.port), seeded.login]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(formatReport(report)).toContain('No problems found');
});

it.each([
  [undefined, "the server uses 'octo', but the client uses 'service'. Set vendor: 'octo'"],
  ['octo', undefined],
])("examine() compares the server's vendor name with the option %j", async (vendor, problem) => {
  const { at } = await start({ vendor: 'octo' });
  const { hosting } = examineOptions.hosting(at);
  const report = await examine({ hosting: { ...hosting, vendor } });
  const facts = report.families[0]?.facts ?? [];
  expect(facts).toContainEqual(expect.objectContaining({ name: 'vendor', value: 'octo' }));
  if (problem === undefined) expect(listFindings(report)).toEqual([]);
  else expect(listFindings(report)).toEqual([expect.stringContaining(problem)]);
});

it('examine() reports an unreachable server', async () => {
  // Port 1 is reserved, so no test server listens on it.
  const url = 'http://127.0.0.1:1/';
  for (const family of ['hosting', 'support', 'console'] as const) {
    const report = await diagnosis(family, { hostingUrl: url, supportUrl: url, consoleUrl: url });
    expect(listFindings(report)).toEqual([
      expect.stringContaining('reachable: the server did not respond'),
    ]);
    expect(report.families[0]).toMatchObject({ family, reachable: false });
    expect(report.families[0]?.facts).toContainEqual(
      expect.objectContaining({ value: 'ECONNREFUSED' }),
    );
  }
});

it('examine() reports a host name that cannot be resolved', async () => {
  const report = await examine({ hosting: { baseUrl: 'http://nowhere.invalid/' } });
  expect(listFindings(report)).toContainEqual(expect.stringMatching(/^DNS: the host name/));
});

it.each([
  [{}, { name: 'proxy', value: 'none' }],
  [{ HTTPS_PROXY: 'http://proxy.test' }, { value: expect.stringMatching(/HTTPS_PROXY.*'env'/) }],
  [{ http_proxy: 'http://proxy.test' }, { value: expect.stringMatching(/HTTP_PROXY.*'env'/) }],
])('examine() reports that no proxy is used if the environment is %j', async (env, fact) => {
  for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy']) {
    vi.stubEnv(name, undefined);
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { at } = await start();
  const [report] = (await examine(examineOptions.hosting(at))).families;
  vi.unstubAllEnvs();
  expect(report?.facts[0]).toMatchObject(fact);
});

it('examine() reports an untrusted certificate without sending a request', async () => {
  const seen: unknown[] = [];
  const server = createServer({ cert: serverCertificate, key: serverKey }, (request, response) => {
    seen.push(request.url);
    response.end('{}');
  });
  server.on('tlsClientError', () => undefined);
  const { port } = await listening(server);
  const baseUrl = `https://localhost:${port}/api/v3/`;
  const report = await examine({ hosting: { baseUrl } });
  const facts = report.families[0]?.facts ?? [];
  expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'proxy: none',
    expect.stringMatching(/^DNS: \d address(es)?$/),
    'TLS: TLSv1.3',
    expect.stringMatching(/^certificate: \d+ days left$/),
    'trust: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'reachable: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]);
  expect(listFindings(report)).toEqual([
    expect.stringMatching(/tls: \{ ca \}.*NODE_EXTRA_CA_CERTS/),
    expect.stringContaining('did not respond'),
  ]);
  expect(seen).toEqual([]);
  const trusting = await examine({ hosting: { baseUrl, tls: { ca: authority } } });
  expect(trusting.families[0]?.facts).toContainEqual(
    expect.objectContaining({ name: 'trust', value: 'the certificate is trusted' }),
  );
});

it('examine() rejects options without an API', async () => {
  expect(await rejectionOf(examine({}))).toMatchObject({
    code: 'invalid_request',
    field: 'hosting',
  });
});

it.each(['x-oauth-scopes', 'x-token4echo-request-id'])(
  'examine() hides a credential that a server echoes in %s',
  async (name) => {
    const token = 'token4echo';
    const server = await serve((_request, response) => {
      response.setHeader(name, token).setHeader('content-type', 'application/json').end('{}');
    });
    const auth = { type: 'token', token } as const;
    const report = await examine({ hosting: { baseUrl: server.origin, auth } });
    expect(JSON.stringify(report)).not.toContain(token);
  },
);

describe('rate limit check', () => {
  it.each([
    ['5000', '100', '100 of 5000 left'],
    ['5000', '99', ['99 of 5000 left']],
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
  [{ 'x-octo-request-id': '1' }, ['octo']],
  [{ 'x-octo-media-type': 'octo.v3', 'x-abc-request-id': '1' }, ['octo']],
  [{ 'x-two-words-media-type': 'x', 'x-octo-request-id': '1' }, ['octo']],
  [{ 'y-octo-request-id': '1', 'x-octo-request': '1' }, 'unknown'],
])('examine() reports the vendor of a server with the headers %j as %j', async (headers, value) => {
  expect(await getFacts(at(await serving(headers)))).toMatchObject({ vendor: value });
});

describe('API location check', () => {
  const api: Respond = (_request, response) => sendJson(response, {});
  const page: Respond = (_request, response) => response.end('<h1>Welcome</h1>');

  const nothing =
    'no hosting API responds at this URL. Check baseUrl. On an appliance, its path is /api/v3/.';

  it.each<[string, string, Readonly<Record<string, Respond>>, string]>([
    ['with the API path', '/api/v3/', { '/api/v3/rate_limit': api }, 'found'],
    ['of an API at the root', '/', { '/rate_limit': api }, 'found'],
    ['without the API path', '/', { '/api/v3/rate_limit': api, '/rate_limit': page }, nothing],
    ['with an unknown path', '/api/v3/', { '/rate_limit': api }, nothing],
  ])(
    "examine() reports the API's location for a base URL %s",
    async (_where, path, responses, expected) => {
      const server = await serve((request, response) =>
        (responses[request.url] ?? notFound)(request, response),
      );
      const { families } = await examine({ hosting: { baseUrl: server.origin + path } });
      const fact = families[0]?.facts.find(({ name }) => name === 'API');
      if (expected === 'found') expect(fact).toEqual({ name: 'API', value: expected });
      else expect(fact?.problem).toBe(expected);
      expect(families[0]?.reachable).toBe(!expected.startsWith('no hosting API'));
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

it('examine() reports a server that fails, and no result for the credentials', async () => {
  const server = await serve(named(500, { 'x-octo-request-id': '1' }));
  const auth = { type: 'token', token: seeded.token } as const;
  const facts = await getFacts({ ...at(server), auth });
  expect(facts).toMatchObject({ reachable: ['yes, 500'], credentials: 'unknown' });
});

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
])(
  'examine() reports the version of a server with the headers %j as %s',
  async (headers, value) => {
    expect(await getFacts(at(await serving(headers)))).toMatchObject({ version: value });
  },
);

describe('TLS check', () => {
  it.each([
    ['http://localhost:1/', 'none'],
    ['http://127.99.88.77:1/', 'none'],
    ['http://[::1]:1/', 'none'],
    ['http://0.0.0.0:1/', ['none']],
    ['http://localhost.example.invalid:1/', ['none']],
  ])(
    'examine() accepts plain HTTP at %s only if the host is a loopback address',
    async (baseUrl, expected) => {
      expect(await getFacts({ baseUrl })).toMatchObject({ TLS: expected });
    },
  );

  it.each(['dispatcher', 'fetch'] as const)(
    'examine() skips the DNS and TLS checks if the option %s is set',
    async (option) => {
      const server = await serving();
      const options = { dispatcher: new Agent(), fetch };
      onTestFinished(() => options.dispatcher.close());
      const { families } = await examine({ hosting: { ...at(server), [option]: options[option] } });
      const names = families[0]?.facts.map(({ name }) => name);
      expect(names).not.toContain('TLS');
      expect(names).not.toContain('DNS');
    },
  );

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

/** Sets `Date` to a fixed time until the test ends. */
function setTime(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(time);
  onTestFinished(() => void vi.useRealTimers());
}

describe('clock check', () => {
  const now = Date.UTC(2024, 5, 1, 12);

  it.each([
    ['59 s ahead', 59, 'in sync'],
    ['60 s behind', -60, 'in sync'],
    ['a minute ahead', 60, /^1 minute ahead$/],
    ['a minute behind', -61, /^1 minute behind$/],
    ['three days behind', -3 * 86_400, /^4320 minutes behind$/],
  ])('examine() reports a server clock that is %s', async (_how, seconds, value) => {
    setTime(now);
    const server = await serve((_request, response) => {
      const date = new Date(now + seconds * 1000).toUTCString();
      sendJson(response, {}, 200, { date });
    });
    const clock = await factNamed('clock', at(server));
    expect(clock?.value).toMatch(value);
    expect(!clock?.problem, clock?.problem).toBe(value === 'in sync');
  });

  it('examine() reports the clock as unknown if the response has no Date header', async () => {
    const server = await serve((_request, response) => {
      response.sendDate = false;
      sendJson(response, {});
    });
    const clock = await factNamed('clock', at(server));
    expect(clock).toEqual({ name: 'clock', value: 'unknown' });
  });
});

describe('certificate check', () => {
  const end = Date.UTC(2120, 0, 1);
  const day = 86_400_000;
  let baseUrl = '';

  beforeEach(async () => {
    const server = createServer({ cert: serverCertificate, key: serverKey });
    server.on('tlsClientError', () => undefined);
    const { port } = await listening(server);
    baseUrl = `https://localhost:${port}/api/v3/`;
  });

  it.each([
    ['is valid for two weeks', -14 * day, /^14 days left$/, false],
    ['is valid for less than two weeks', 1 - 14 * day, /^13 days left$/, true],
    ['expires tomorrow', -day, /^1 day left$/, true],
    ['has expired', 1, /expired/, true],
  ])('examine() reports a certificate that %s', async (_what, time, value, wrong) => {
    setTime(end + time);
    const certificate = await factNamed('certificate', { baseUrl });
    expect(certificate?.value).toMatch(value);
    expect(!!certificate?.problem, certificate?.problem).toBe(wrong);
  });
});

/** Starts a TLS server that records the server names of handshakes. */
async function handshakes(host: string) {
  const names: string[] = [];
  const server = createTlsServer({
    cert: serverCertificate,
    key: serverKey,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => undefined);
  return { ...(await listening(server, { host })), names };
}

describe('tlsFacts()', () => {
  it.each<[string, string, string[]]>([
    ['localhost', '127.0.0.1', ['localhost']],
    // An IP address isn't sent as a server name (RFC 6066, section 3).
    ['127.0.0.1', '127.0.0.1', []],
    ['[::1]', '::1', []],
  ])('sends the server names $2 for the host %s', async (host, at, named) => {
    const seen = await handshakes(at);
    const [first] = await tlsFacts(new URL(`https://${host}:${seen.port}/`), undefined, 2000);
    expect(first).toEqual({ name: 'TLS', value: 'TLSv1.3' });
    expect(seen.names).toEqual(named);
    await expect.poll(() => [...seen.sockets].map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});
