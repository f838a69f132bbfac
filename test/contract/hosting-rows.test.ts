import { expect, onTestFinished, test } from 'vitest';
import { type HostingAuth, OAuthWebFlow } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { application, token } from './case.js';
import { contractAvailable, contractNote, contractRows } from './contract-table.js';
import { hostingCases } from './hosting-cases.js';
import { authorize, oauth } from './rows/authorizations-oauth.js';
import { runCase } from './run-case.js';

/** Adds a title that distinguishes a row's cases. */
function titled<Each extends { row: string; operation: string }>(
  all: readonly Each[],
): [string, Each][] {
  return all.map((each, index) => [`${each.row} for ${each.operation} (case ${index})`, each]);
}

function authorization(auth: HostingAuth, operation: string): string | undefined {
  if (typeof auth === 'function' || typeof auth === 'string' || auth.type === 'none') {
    return undefined;
  }
  if (auth.type === 'token') return `token ${auth.token}`;
  const [user, password] =
    auth.type === 'basic' ? [auth.username, auth.password] : [auth.clientId, auth.clientSecret];
  expect(auth.type === 'application', operation).toBe(operation.startsWith('applications.'));
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

test.each(titled(hostingCases))('HostingClient sends %s as specified', async (_title, each) => {
  const auth = each.auth ?? token;
  const makeClient = (origin: string) => {
    const client = new HostingClient({
      baseUrl: `${origin}/api/v3`,
      auth,
      retry: false,
    });
    onTestFinished(() => client.close());
    return client;
  };
  const seen = await runCase(each, makeClient, '/api/v3');
  expect(seen.headers.authorization).toBe(authorization(auth, each.operation));
});

test.each(titled(oauth))('OAuthWebFlow sends %s as specified', async (_title, each) => {
  const makeClient = (authUrl: string) => {
    const { clientId, clientSecret } = application;
    const flow = new OAuthWebFlow({ authUrl, clientId, clientSecret });
    onTestFinished(() => flow.close());
    return flow;
  };
  await runCase(each, makeClient, '');
});

test.each(authorize.map((each) => [each.url, each] as const))(
  'OAuthWebFlow builds the authorization URL %s as specified',
  (url, { input }) => {
    const { clientId, clientSecret } = application;
    const flow = new OAuthWebFlow({ authUrl: 'https://code.example.com', clientId, clientSecret });
    const created = flow.authorizeUrl(input);
    expect(created).toEqual({ url: `https://code.example.com${url}`, state: input.state });
  },
);

test('every resource method except contents.put has a contract case', () => {
  const client = new HostingClient({ baseUrl: 'http://127.0.0.1:1' });
  onTestFinished(() => client.close());
  const methods = Object.entries(client).flatMap(([resource, value]: [string, unknown]) => {
    const prototype: unknown = Object.getPrototypeOf(value);
    return Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name, { value: member }]) => name !== 'constructor' && typeof member === 'function')
      .map(([name]) => `${resource}.${name}`);
  });
  const tried = new Set(hostingCases.map((each) => each.operation));
  expect(methods.length).toBeGreaterThan(80);
  // test/emulator/client-calls.test.ts checks `contents.put`, which sends the requests of two rows.
  expect(methods.filter((method) => !tried.has(method))).toEqual(['contents.put']);
});

test.skipIf(!contractAvailable)(
  `the cases cover exactly the 69 hosting and OAuth rows (${contractNote})`,
  () => {
    const wanted = contractRows().map(({ row }) => row);
    expect(wanted).toHaveLength(69);
    const tried = [...hostingCases, ...oauth].filter(({ notInContract }) => !notInContract);
    const rows = ['GET /login/oauth/authorize', ...tried.map(({ row }) => row)];
    expect(new Set(rows)).toEqual(new Set(wanted));
  },
);
