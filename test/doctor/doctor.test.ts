import { createServer } from 'node:https';
import { expect, it, vi } from 'vitest';
import { examine, formatIssue, formatReport } from '../../src/doctor/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { authority, serverCertificate, serverKey } from '../socket/private-authority.js';
import { rejectionOf } from '../support/client.js';
import { listening, serve } from '../support/server.js';
import { diagnosis, examineOptions, listFindings, start } from './world.js';

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
  for (const text of [JSON.stringify(report), formatReport(report), formatIssue(report)]) {
    for (const secret of [...secrets, '127.0.0.1', String(at.port), seeded.login]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(formatReport(report)).toContain('No problems found');
});

it.each([
  [undefined, "the server uses 'octo', but the client uses 'service'. Set vendor: 'octo'"],
  ['github', "the server uses 'octo', but the client uses 'github'. Set vendor: 'octo'"],
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

it('examine() finds the API below /api/v3/ if the base URL omits this path', async () => {
  const { at } = await start();
  const { hosting } = examineOptions.hosting(at);
  const report = await examine({ hosting: { ...hosting, baseUrl: at.url } });
  expect(listFindings(report)).toEqual(['API: the API is at /api/v3/. Use this path in baseUrl.']);
  expect(report.families[0]?.reachable).toBe(true);
});

it('examine() reports a server without a hosting API', async () => {
  const server = await serve((_request, response) => response.end('<h1>Welcome</h1>'));
  const report = await examine({ hosting: { baseUrl: server.origin } });
  expect(listFindings(report)).toEqual([
    'API: no hosting API responds at this URL. Check baseUrl.',
  ]);
  expect(report.families[0]).toMatchObject({ reachable: false });
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

it('examine() sends one request if the credentials are rejected', async () => {
  const { emulator, at } = await start();
  const auth = { type: 'token', token: 'f'.repeat(40) } as const;
  const report = await examine({ hosting: { baseUrl: at.hostingUrl, auth } });
  expect(listFindings(report)).toEqual([
    'credentials: the server rejects the credentials. Check auth.',
  ]);
  expect(emulator.requests).toHaveLength(1);
});

it.each([
  [{}, { name: 'proxy', value: 'none' }],
  [{ HTTPS_PROXY: 'http://proxy.test' }, { value: expect.stringMatching(/HTTPS_PROXY.*'env'/) }],
  [{ http_proxy: 'http://proxy.test' }, { value: expect.stringMatching(/HTTP_PROXY.*'env'/) }],
])('examine() reports the proxy if the environment is %j', async (env, fact) => {
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

it('examine() requires an API', async () => {
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
