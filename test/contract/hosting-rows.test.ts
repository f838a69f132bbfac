import { describe, expect, onTestFinished, test } from 'vitest';
import { type HostingAuth, OAuthWebFlow } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import type { Seen } from '../support/server.js';
import { application, type HostingCase, token } from './case.js';
import { contractAvailable, contractNote, contractRows } from './contract-table.js';
import { authorizations, authorize, oauth } from './rows/authorizations-oauth.js';
import { hooks, hub } from './rows/hooks-hub.js';
import { pulls } from './rows/pulls.js';
import { downloads, pages, releases } from './rows/releases-pages.js';
import { commitComments, contents, gitRefs } from './rows/repository-content.js';
import { adminStats, rateLimit } from './rows/server.js';
import { starring, teams } from './rows/teams-starring.js';
import { runCase, wordsSent } from './run-case.js';

const cases: readonly HostingCase[] = [
  ...adminStats,
  ...authorizations,
  ...commitComments,
  ...contents,
  ...downloads,
  ...gitRefs,
  ...hooks,
  ...hub,
  ...pages,
  ...pulls,
  ...rateLimit,
  ...releases,
  ...starring,
  ...teams,
];

const authorizeRow = 'GET /login/oauth/authorize';

/** Adds a title that distinguishes a row's cases. */
function titled<Each extends { row: string; status: number; operation: string; outside?: true }>(
  all: readonly Each[],
): [title: string, each: Each][] {
  return all.map((each, index) => [
    `${each.row} for ${each.operation} (case ${index}, status ${each.status}${each.outside ? ', outside the contract' : ''})`,
    each,
  ]);
}

/** Requests sent by each row's cases, to compare with the contract. */
const sent = new Map<string, Seen[]>();

function note(row: string, seen: Seen): void {
  sent.set(row, [...(sent.get(row) ?? []), seen]);
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

test.each(titled(cases))('HostingClient sends %s as specified', async (_title, each) => {
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
  note(each.row, seen);
});

test.each(titled(oauth))('OAuthWebFlow sends %s as specified', async (_title, each) => {
  const makeClient = (authUrl: string) => {
    const { clientId, clientSecret } = application;
    const flow = new OAuthWebFlow({ authUrl, clientId, clientSecret });
    onTestFinished(() => flow.close());
    return flow;
  };
  note(each.row, await runCase(each, makeClient, ''));
});

test.each(authorize.map((each) => [each.url, each] as const))(
  'OAuthWebFlow builds the authorization URL %s as specified',
  (url, { input }) => {
    const { clientId, clientSecret } = application;
    const flow = new OAuthWebFlow({ authUrl: 'https://code.example.com', clientId, clientSecret });
    const created = flow.authorizeUrl(input);
    expect(created).toEqual({ url: `https://code.example.com${url}`, state: input.state });
    note(authorizeRow, { method: 'GET', url, headers: {}, body: '' });
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
  const tried = new Set(cases.map((each) => each.operation));
  expect(methods.length).toBeGreaterThan(80);
  // test/emulator/hosting-client.test.ts checks `contents.put`, which sends the requests of two rows.
  expect(methods.filter((method) => !tried.has(method))).toEqual(['contents.put']);
});

describe.skipIf(!contractAvailable)(`the contract cases (${contractNote})`, () => {
  const rows = contractRows();
  const all = [...cases, ...oauth];

  test('the cases cover exactly the 69 hosting and OAuth rows', () => {
    expect(rows).toHaveLength(69);
    const wanted = rows.map(({ row }) => row);
    const own = all.filter((each) => !each.outside).map(({ row }) => row);
    const tried = new Set([...own, authorizeRow]);
    expect(wanted.filter((row) => !tried.has(row))).toEqual([]);
    expect([...tried].filter((row) => !wanted.includes(row))).toEqual([]);
  });

  test.each(rows.map((row) => [row.row, row] as const))(
    'the cases cover the inputs and statuses of %s',
    (name, row) => {
      const own = all.filter((each) => each.row === name);
      const statuses = own.map(({ status }) => status);
      for (const status of row.statuses) expect(statuses, 'a status of the row').toContain(status);
      const requests = sent.get(name) ?? [];
      const expected = name === authorizeRow ? authorize.length : own.length;
      expect(requests, "requests from the row's cases, which must run first").toHaveLength(
        expected,
      );
      const words = new Set(requests.flatMap((seen) => [...wordsSent(seen)]));
      for (const [, parameter = ''] of name.matchAll(/:([a-z_]+)/g)) words.add(parameter);
      expect(
        [...row.words].filter((word) => !words.has(word)),
        'inputs without a case',
      ).toEqual([]);
      if (row.bare) {
        const beyond = requests.map((seen) => [
          new URL(seen.url, 'http://server').search,
          seen.body,
        ]);
        for (const [query = '', body] of beyond) {
          expect(body).toBe('');
          expect(query.replace(/[?&](?:per_page|page)=\d+/g, '')).toBe('');
        }
      }
    },
  );
});
