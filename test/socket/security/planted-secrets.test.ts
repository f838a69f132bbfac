import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { HostingClient, OAuthWebFlow } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { parseDelivery, verifySignature } from '../../../src/webhooks/index.js';
import { rejectionOf } from '../../support/client.js';
import { hostile, hostileServer } from './hostile-server.js';
import {
  clientId,
  expectClean,
  hex32,
  hex40,
  licenseFile,
  multiline,
  shown,
  text,
  token,
  watchEvents,
  word,
} from './planted.js';

const repo = { owner: 'o', repo: 'r' };

/** A way to pass a secret to a client or a call. */
interface Row {
  readonly name: string;
  readonly start: (origin: string) => { readonly client: object; readonly call: () => unknown };
}

function hosting(
  name: string,
  auth: ConstructorParameters<typeof HostingClient>[0]['auth'],
  use: (client: HostingClient, origin: string) => unknown = (client) => client.request('GET /x'),
): Row {
  return {
    name: `hosting: ${name}`,
    start: (origin) => {
      const client = new HostingClient({ baseUrl: `${origin}/api/v3`, auth, retry: false });
      onTestFinished(() => client.close());
      return { client, call: () => use(client, origin) };
    },
  };
}

function support(
  name: string,
  auth: ConstructorParameters<typeof SupportClient>[0]['auth'],
  use: (client: SupportClient) => unknown,
): Row {
  return {
    name: `support: ${name}`,
    start: (origin) => {
      const client = new SupportClient({ baseUrl: `${origin}/api/v2`, auth, retry: false });
      onTestFinished(() => client.close());
      return { client, call: () => use(client) };
    },
  };
}

function appliance(
  name: string,
  auth: ConstructorParameters<typeof ConsoleClient>[0]['auth'],
  use: (client: ConsoleClient) => unknown = (client) => client.maintenance.get(),
): Row {
  return {
    name: `console: ${name}`,
    start: (origin) => {
      const client = new ConsoleClient({ baseUrl: origin, auth, retry: false });
      onTestFinished(() => client.close());
      return { client, call: () => use(client) };
    },
  };
}

const basicAuth = { type: 'basic', username: 'jo', password: text } as const;
const application = { type: 'application', clientId, clientSecret: hex40 } as const;
const license = { licenseMd5: hex32 };
const session = { userName: 'jo', apiKey: text, password: `${text}2` };
const secretSettings = {
  enterprise: {
    ldap: { password: text, bind_dn: `cn=${text}` },
    smtp: { password: text },
    service_ssl: { key: multiline },
  },
};

const rows: readonly Row[] = [
  hosting('a password', basicAuth),
  hosting('a password and a one-time password', { ...basicAuth, otp: word }),
  hosting('a one-time password from a function', { ...basicAuth, otp: async () => word }),
  hosting('a token', { type: 'token', token }),
  hosting('a token in the query', { type: 'token', token, in: 'query' }),
  hosting('a function that returns a token', async () => ({ type: 'token', token })),
  hosting("an application's secret", application),
  hosting('authorizations.create: client_secret', basicAuth, (client) =>
    client.authorizations.create({ note: 'n', client_id: clientId, client_secret: hex40 }),
  ),
  hosting('authorizations.getOrCreateForApp: client_secret', basicAuth, (client) =>
    client.authorizations.getOrCreateForApp({ client_id: clientId, client_secret: hex40 }),
  ),
  ...(['checkToken', 'resetToken', 'revokeToken'] as const).map((method) =>
    hosting(`applications.${method}: access_token`, application, (client) =>
      client.applications[method]({ client_id: clientId, access_token: token }),
    ),
  ),
  hosting('hooks.create: config', undefined, (client) =>
    client.hooks.create({
      ...repo,
      name: 'web',
      config: { url: `https://jo:${word}@x.test/`, secret: text, api_token: text },
    }),
  ),
  hosting('hooks.update: config', undefined, (client) =>
    client.hooks.update({ ...repo, id: 1, config: { url: 'https://x.test/', secret: text } }),
  ),
  hosting('hub.subscribe: secret and callback', basicAuth, (client, origin) =>
    client.hub.subscribe({
      'hub.topic': `${origin}/o/r/events/push`,
      'hub.callback': `https://jo:${word}@x.test/?token=${word}`,
      'hub.secret': text,
    }),
  ),
  hosting('follow: a URL with a token', undefined, (client, origin) =>
    client.follow(`${origin}/api/v3/x?access_token=${word}`),
  ),
  hosting('request: credentials in the query', undefined, (client) =>
    client.request('GET /x', { client_id: clientId, client_secret: hex40 }),
  ),
  hosting('request: a password in JSON, and in a form', undefined, async (client) => {
    const form = { client_secret: text };
    await client.request('POST /x', { ...form }, { encoding: 'form' }).catch(() => undefined);
    await client.request('POST /x', { password: text });
  }),
  {
    name: 'oauth: code and clientSecret',
    start: (origin) => {
      const client = new OAuthWebFlow({
        authUrl: origin,
        clientId,
        clientSecret: hex40,
        retry: false,
      });
      onTestFinished(() => client.close());
      return { client, call: () => client.exchangeCode({ code: text }) };
    },
  },
  support('apiKey and password', session, (client) => client.authenticate()),
  support("a session's token", session, (client) => client.me()),
  support("a session's token, in a write", session, (client) =>
    client.contacts.update({ contact_id: 1, name: 'x' }),
  ),
  support('an accessToken', { accessToken: text }, (client) =>
    client.contacts.get({ contact_id: 1 }),
  ),
  support('an accessToken, in a search', { accessToken: text }, (client) =>
    client.contacts.search({}).toArray(),
  ),
  appliance('a license hash', license),
  appliance('a license hash, in the query', { ...license, in: 'query' }),
  appliance('a license file', { license: licenseFile }),
  appliance('settings.update: passwords and private keys', license, (client) =>
    client.settings.update(secretSettings),
  ),
  appliance('start: license and first settings', undefined, (client) =>
    client.start({
      license: licenseFile,
      package: Buffer.from('package'),
      settings: secretSettings,
    }),
  ),
  appliance('upgrade: a new license', license, (client) =>
    client.upgrade({ license: licenseFile }),
  ),
];

describe('secrets', () => {
  for (const [behaviour, report] of Object.entries(hostile)) {
    for (const { name, start } of rows) {
      it(`errors, events and clients never show a secret if the server ${behaviour} (${name})`, async () => {
        const events = watchEvents();
        const server = await hostileServer(report);
        const { client, call } = start(server.origin);
        const started: unknown = call();
        const outcome: unknown = await Promise.resolve(started).catch((error: unknown) => error);
        const texts = [
          ...events,
          ...shown(client),
          inspect(client, { showHidden: true, depth: 9 }),
        ];
        if (outcome instanceof Error) texts.push(...shown(outcome));
        if (started instanceof Object)
          texts.push(inspect(started, { depth: 0 }).replace(/\{.*/s, ''));
        expect(server.requests.length, inspect(outcome)).toBeGreaterThan(0);
        expectClean(texts);
      });
    }
  }
});

describe('errors for rejected inputs', () => {
  const wrong: readonly [string, () => unknown][] = [
    ['a token with a line break', () => createHosting({ type: 'token', token: `${word}\r\nx: y` })],
    ['an empty password', () => createHosting({ type: 'basic', username: 'jo', password: '' })],
    [
      'an invalid license hash',
      () => new ConsoleClient({ baseUrl: 'https://x.test', auth: { licenseMd5: text } }),
    ],
    [
      'a header with a line break',
      () =>
        createHosting(undefined).request('GET /x', {}, { headers: { 'x-a': `${text}\r\nb: c` } }),
    ],
    [
      'a base URL with userinfo',
      () => new HostingClient({ baseUrl: `https://jo:${word}@x.test/` }),
    ],
    [
      "a signature that doesn't match",
      () => verifySignature({ body: 'x', signature: `sha1=${'0'.repeat(40)}`, secret: text }),
    ],
    [
      'a delivery without headers',
      () => parseDelivery({ headers: {}, body: Buffer.from('{}'), secret: text }),
    ],
    [
      'settings under two names',
      () =>
        new ConsoleClient({ baseUrl: 'https://x.test', auth: license }).settings.update({
          enterprise: { service_ssl: { key: multiline }, 'service_ssl ': text },
        } as never),
    ],
  ];
  function createHosting(
    auth: ConstructorParameters<typeof HostingClient>[0]['auth'],
  ): HostingClient {
    return new HostingClient({ baseUrl: 'http://127.0.0.1:1', auth, retry: false });
  }
  for (const [name, act] of wrong) {
    it(`the error never shows a secret from ${name}`, async () => {
      const events = watchEvents();
      const acting = (async () => {
        const created: unknown = await act();
        return created instanceof HostingClient ? await created.request('GET /x') : created;
      })();
      const error = await rejectionOf(acting);
      expectClean([...events, ...shown(error)]);
    });
  }
});
