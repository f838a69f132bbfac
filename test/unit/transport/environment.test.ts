import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConsoleClient, environment as ofConsole } from '../../../src/console/client.js';
import { HostingClient, environment as ofHosting } from '../../../src/hosting/client.js';
import { environment as ofSupport, SupportClient } from '../../../src/support/client.js';
import { about } from '../about.js';

const clients = { HostingClient, SupportClient, ConsoleClient };
type Name = keyof typeof clients;

const guide = readFileSync(
  fileURLToPath(new URL('../../../docs/auth.md', import.meta.url)),
  'utf8',
);
const table = /## Environment variables\n(.*?)\n## /s.exec(guide)?.[1] ?? '';
const documented = [...new Set(table.match(/TRIFORGE_\w+/g))];

beforeEach(() => {
  for (const name of documented) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const stub = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

/** Creates a `fetch` function that records its requests and responds with `body`. */
function createFetch(body = '{"success":true}') {
  const sent: { readonly url: string; readonly headers: object }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), headers: Object.fromEntries(new Headers(init?.headers)) });
    return new Response(body);
  };
  return { sent, fetch };
}

const hosting = { TRIFORGE_BASE_URL: 'https://code.example.com/api/v3' };
const support = { TRIFORGE_SUPPORT_BASE_URL: 'https://support.example.com/api/v2' };
const appliance = { TRIFORGE_CONSOLE_BASE_URL: 'https://code.example.com:8443' };
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const hash = '0123456789abcdef0123456789abcdef';

describe('fromEnv()', () => {
  test.each<[Name, Record<string, string>, string, Record<string, string>]>([
    ['HostingClient', hosting, 'https://code.example.com/api/v3/x', {}],
    [
      'HostingClient',
      { ...hosting, TRIFORGE_TOKEN: 'hush-token', TRIFORGE_VENDOR: 'github' },
      'https://code.example.com/api/v3/x',
      { authorization: 'token hush-token', accept: 'application/vnd.github.v3+json' },
    ],
    [
      'HostingClient',
      { ...hosting, TRIFORGE_USERNAME: 'ann', TRIFORGE_PASSWORD: 'hush', TRIFORGE_TOKEN: '' },
      'https://code.example.com/api/v3/x',
      { authorization: basic('ann', 'hush') },
    ],
    [
      'HostingClient',
      {
        ...hosting,
        TRIFORGE_CLIENT_ID: 'i'.repeat(20),
        TRIFORGE_CLIENT_SECRET: 's'.repeat(40),
        TRIFORGE_API_VERSION: '2022-11-28',
      },
      `https://code.example.com/api/v3/x?client_id=${'i'.repeat(20)}&client_secret=${'s'.repeat(40)}`,
      { 'x-service-api-version': '2022-11-28' },
    ],
    [
      'SupportClient',
      { ...support, TRIFORGE_SUPPORT_ACCESS_TOKEN: 'hush-support' },
      'https://support.example.com/api/v2/x?access_token=hush-support',
      {},
    ],
    [
      'ConsoleClient',
      { ...appliance, TRIFORGE_CONSOLE_LICENSE_MD5: hash },
      'https://code.example.com:8443/x',
      { authorization: basic('license', hash) },
    ],
  ])('creates a %s with the settings in %j', async (name, variables, url, headers) => {
    stub(variables);
    const { sent, fetch } = createFetch();
    const client = clients[name].fromEnv({ fetch });
    vi.unstubAllEnvs();
    await client.request('GET x');
    expect(sent).toMatchObject([{ url, headers }]);
  });

  test('SupportClient.fromEnv() accepts the variables for a session', async () => {
    stub({
      ...support,
      TRIFORGE_SUPPORT_USER_NAME: 'ann',
      TRIFORGE_SUPPORT_API_KEY: 'hush-key',
      TRIFORGE_SUPPORT_PASSWORD: 'hush-password',
    });
    const { fetch } = createFetch('{"success":true,"access_token":"hush-session"}');
    const { accessToken } = await SupportClient.fromEnv({ fetch }).authenticate();
    expect(accessToken).toBe('hush-session');
  });

  test('ignores invalid variables whose options are passed', async () => {
    // fromEnv() rejects variables for two authentication schemes, but doesn't read them here.
    stub({ TRIFORGE_BASE_URL: 'no URL', TRIFORGE_TOKEN: 'a b', TRIFORGE_USERNAME: 'ann' });
    const { sent, fetch } = createFetch();
    const client = HostingClient.fromEnv({
      baseUrl: 'https://given.example.com',
      auth: { type: 'token', token: 'hush-given' },
      vendor: undefined,
      fetch,
    });
    await client.request('GET x');
    const headers = { authorization: 'token hush-given' };
    expect(sent).toMatchObject([{ url: 'https://given.example.com/x', headers }]);
  });

  test("the HostingClient constructor doesn't read environment variables", () => {
    stub(hosting);
    expect(() => Reflect.construct(HostingClient, [{}])).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'baseUrl' }),
    );
  });

  const secret = { ...hosting, TRIFORGE_TOKEN: 'hush-98', TRIFORGE_PASSWORD: 'hush-99' };
  const proxied = { ...hosting, TRIFORGE_PROXY: 'socks5://ann:hush-98@proxy' };
  const both = /TRIFORGE_USERNAME and TRIFORGE_PASSWORD, .* \(got TRIFORGE_USERNAME\)/;
  const session = /_USER_NAME, \w+_API_KEY and \w+_PASSWORD, or \w+_ACCESS_TOKEN \(got none\)$/;
  test.each<[Name, Record<string, string>, string, RegExp, variable?: string]>([
    ['HostingClient', {}, 'baseUrl', /TRIFORGE_BASE_URL/],
    [
      'HostingClient',
      { ...hosting, TRIFORGE_TOKEN: 'hush-98\n' },
      'auth',
      /line break.* \(set by TRIFORGE_TOKEN\)$/s,
      'auth.token',
    ],
    ['HostingClient', { ...hosting, TRIFORGE_USERNAME: 'ann' }, 'auth', both],
    ['HostingClient', secret, 'auth', /\(got TRIFORGE_TOKEN and TRIFORGE_PASSWORD\)/],
    ['HostingClient', proxied, 'proxy', /an http or https URL.* \(set by TRIFORGE_PROXY\)$/],
    ['SupportClient', support, 'auth', session],
  ])(
    '%s.fromEnv() rejects the variables %j with an error that contains no secret',
    (name, variables, option, says, variable = option) => {
      stub(variables);
      let error: unknown;
      try {
        clients[name].fromEnv();
      } catch (thrown) {
        error = thrown;
      }
      const message = about(variable, says);
      expect(error).toMatchObject({ name: 'ConfigurationError', option, message });
      expect(inspect(error, { depth: 9 })).not.toContain('hush');
    },
  );
});

test('docs/auth.md lists every environment variable', () => {
  const read = JSON.stringify([ofHosting, ofSupport, ofConsole]).match(/TRIFORGE_\w+/g) ?? [];
  expect(new Set(documented)).toEqual(new Set([...read, 'TRIFORGE_LOG', 'TRIFORGE_VALIDATION']));
});
