import { createServer } from 'node:https';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clientMethods } from '../../scripts/docs/client-methods.js';
import { listReadings } from '../../src/doctor/endpoints.js';
import { type ExamineOptions, examine, formatIssue, formatReport } from '../../src/doctor/index.js';
import { RequestGuard } from '../../src/doctor/request-guard.js';
import { ConsoleClient, HostingClient, SupportClient } from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { serverCertificate, serverKey } from '../socket/private-authority.js';
import { rejectionOf } from '../support/client.js';
import { listening, serve } from '../support/server.js';
import { diagnosis, examineOptions, healthy, listFindings, repository } from './world.js';

it('listReadings() returns exactly the client methods that call a GET endpoint', () => {
  const baseUrl = 'https://code.example.test/';
  const clients = {
    hosting: new HostingClient({ baseUrl }),
    support: new SupportClient({ baseUrl, auth: { accessToken: 'token' } }),
    appliance: new ConsoleClient({ baseUrl }),
  };
  const found = Object.entries(clients).flatMap(([name, client]) =>
    listReadings(client).map(({ operation }) => `${name}.${operation}`),
  );
  const declared = clientMethods().flatMap(({ name, endpoint }) =>
    endpoint?.method === 'GET' && !name.startsWith('oauth.') ? [name] : [],
  );
  expect(found.filter((name) => !declared.includes(name))).toEqual([]);
  expect(declared.filter((name) => !found.includes(name))).toEqual([]);
});

describe('examine() with a healthy server', () => {
  it('examine() finds no problems in a healthy server and reports no secrets', async () => {
    const { emulator, at } = await healthy();
    const steps: number[] = [];
    const operations: string[] = [];
    const report = await examine({
      ...examineOptions.hosting(at),
      ...examineOptions.support(at),
      ...examineOptions.console(at),
      onProgress: ({ done, total, operation }) => {
        steps.push(done / total);
        operations.push(operation);
      },
    });
    expect(listFindings(report)).toEqual([]);
    expect(report.healthy).toBe(true);
    const endpoints = report.families.flatMap((each) => each.endpoints);
    const others = endpoints.filter(({ outcome }) => outcome !== 'works');
    // These methods require Basic authentication or the credentials of an OAuth application.
    expect(others.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'applications.checkToken untried',
      'authorizations.list untried',
      'authorizations.get untried',
    ]);
    expect(Math.max(...steps)).toBe(1);
    expect(operations).toEqual(
      expect.arrayContaining(['hosting pulls.list', 'support me', 'console configCheck']),
    );
    const writes = emulator.requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(['/api/v2/authenticate']);
    const secrets = [
      seeded.token,
      supportSeed.apiKey,
      consoleSeed.licenseMd5,
      supportSeed.password,
    ];
    for (const text of [JSON.stringify(report), formatReport(report), formatIssue(report)]) {
      for (const secret of [...secrets, '127.0.0.1', String(at.port), seeded.login]) {
        expect(text).not.toContain(secret);
      }
    }
    expect(formatIssue(report)).not.toContain(seeded.repo);
    expect(formatReport(report)).toContain(`Repository: ${repository}\n`);
    expect(formatReport(report)).toContain('No problems found');
  });

  it('examine() chooses the most active repository by default', async () => {
    const { at } = await healthy();
    const { hosting } = examineOptions.hosting(at);
    const report = await examine({ hosting });
    expect(listFindings(report)).toEqual([]);
    expect(report.repository).toBe(repository);
    const pulls = report.families[0]?.endpoints.find(({ operation }) => operation === 'pulls.list');
    expect(pulls?.outcome).toBe('works');
  });
});

it.each([undefined, 'octo', 'service'])(
  "examine() reports the server's vendor name if the vendor option is %s",
  async (vendor) => {
    const { at } = await healthy({ vendor: 'octo' });
    const { hosting } = examineOptions.hosting(at);
    const report = await examine({ hosting: { ...hosting, vendor }, repository });
    const facts = report.families[0]?.facts ?? [];
    expect(facts).toContainEqual(expect.objectContaining({ name: 'vendor', value: 'octo' }));
    const problem = listFindings(report).find((each) => each.startsWith('vendor: '));
    if (vendor !== 'service') expect(listFindings(report)).toEqual([]);
    else expect(problem).toContain("Set vendor: 'octo'");
  },
);

it('examine() finds the API below /api/v3/ if the base URL omits this path', async () => {
  const { at } = await healthy();
  const { hosting } = examineOptions.hosting(at);
  const report = await examine({ hosting: { ...hosting, baseUrl: at.url }, repository });
  expect(listFindings(report)).toEqual(['API: the API is at /api/v3/. Use this path in the URL.']);
  expect(report.families[0]?.endpoints.length).toBeGreaterThan(40);
});

it('examine() reports a server without a hosting API', async () => {
  const server = await serve((_request, response) => response.end('<h1>Welcome</h1>'));
  const report = await examine({ hosting: { baseUrl: server.origin } });
  expect(listFindings(report)).toEqual(['API: no hosting API responds at this URL']);
  expect(report.families[0]).toMatchObject({ reachable: false, endpoints: [] });
});

it('examine() reports an unreachable server', async () => {
  // Port 1 is reserved, so no test server listens on it.
  const url = 'http://127.0.0.1:1/';
  for (const family of ['hosting', 'support', 'console'] as const) {
    const nowhere = { hostingUrl: url, supportUrl: url, consoleUrl: url };
    const report = await diagnosis(family, nowhere);
    expect(listFindings(report)).toEqual([
      expect.stringContaining('reachable: the server did not respond'),
    ]);
    expect(report.families[0]).toMatchObject({ family, reachable: false, endpoints: [] });
    expect(report.families[0]?.facts).toContainEqual(
      expect.objectContaining({ value: 'ECONNREFUSED' }),
    );
  }
});

it('examine() stops after the first response if the credentials are rejected', async () => {
  const { emulator, at } = await healthy();
  const auth = { type: 'token', token: 'f'.repeat(40) } as const;
  const report = await examine({ hosting: { baseUrl: at.hostingUrl, auth } });
  expect(listFindings(report)).toEqual(['credentials: the server rejects the credentials']);
  expect(emulator.requests).toHaveLength(1);
});

it('examine() reports an untrusted certificate without sending a request', async () => {
  const seen: unknown[] = [];
  const server = createServer({ cert: serverCertificate, key: serverKey }, (request, response) => {
    seen.push(request.url);
    response.end('{}');
  });
  server.on('tlsClientError', () => undefined);
  const { port } = await listening(server);
  const report = await examine({ hosting: { baseUrl: `https://localhost:${port}/api/v3/` } });
  const facts = report.families[0]?.facts ?? [];
  expect(facts.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'TLS: TLSv1.3',
    expect.stringMatching(/^certificate: \d+ days left$/),
    'trust: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'reachable: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ]);
  expect(listFindings(report)).toEqual([
    expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    expect.stringContaining('did not respond'),
  ]);
  expect(seen).toEqual([]);
});

it('RequestGuard blocks writes', async () => {
  const server = await serve((_request, response) => response.end());
  const { dispatcher } = new RequestGuard(new Agent(), 60_000);
  onTestFinished(() => dispatcher.close());
  const client = new HostingClient({ baseUrl: server.origin, dispatcher, retry: false });
  const deleting = client.hooks.delete({ owner: 'o', repo: 'r', id: 1 });
  expect(await rejectionOf(deleting)).toMatchObject({ code: 'connection' });
  expect(server.log).toEqual([]);
});

const at = 'https://code.example.test';

it.each<[ExamineOptions, string]>([
  [{}, 'hosting'],
  [{ hosting: { baseUrl: at }, repository: 'rocket' }, 'repository'],
  [{ hosting: { baseUrl: at }, repository: '/acme/rocket' }, 'repository'],
  [{ hosting: { baseUrl: at }, repository: 'acme/rocket/pulls' }, 'repository'],
])('examine() rejects the options %j', async (options, field) => {
  expect(await rejectionOf(examine(options))).toMatchObject({ code: 'invalid_request', field });
});
