import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { HostingClient, OAuthWebFlow } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { type Seen, sendJson, serve, type TestServer } from '../../support/server.js';
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

/** Returns all text that a request contains, raw and decoded. */
function collectTexts({ url, headers, body }: Seen): string {
  const encoded = /Basic (\S+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const form = [...new URLSearchParams(isForm ? body : '')].map((pair) => pair.join('='));
  return [
    url,
    decoded(url),
    JSON.stringify(headers),
    Buffer.from(encoded, 'base64').toString(),
    body,
    ...form,
    jsonTexts(body).join(' '),
    ...[...new URLSearchParams(isForm ? body : '').values()].flatMap(jsonTexts),
  ].join(' ');
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function jsonTexts(source: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(source, (_key, value: unknown) => {
      if (typeof value === 'string') found.push(value);
      return value;
    });
  } catch {
    return []; // The body isn't JSON, so there is nothing to add.
  }
  return found;
}

/** Replaces characters that a header can't contain. */
const field = (value: string) => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 6000);

type Tell = (response: ServerResponse, all: string) => unknown;
/** Responses that echo all received data or are broken. */
const hostile: Readonly<Record<string, Tell>> = {
  'responds with 400 and JSON': (response, all) =>
    sendJson(response, { message: all, errors: [{ code: 'custom', message: all }, all] }, 400),
  'requires a one-time password': (response, all) =>
    sendJson(response, { message: all }, 401, { 'x-service-otp': 'required; app' }),
  'responds with 422 and unknown properties': (response, all) =>
    sendJson(response, { documentation_url: all, error: all, other: { deep: [all] } }, 422),
  'responds with 502 and a custom status text': (response, all) =>
    response.writeHead(502, field(all)).end(),
  'responds with 200 and a wrong shape': (response, all) =>
    sendJson(response, { [all]: all, id: all, status: all, access_token: all }),
  'responds with 200 and a failure': (response, all) =>
    sendJson(response, {
      success: false,
      statusMessage: all,
      error: all,
      error_description: all,
      error_uri: all,
    }),
  'responds with 200 and malformed JSON': (response, all) =>
    response.end(`{"a":${JSON.stringify(all)}`),
  'responds with 200 and custom headers': (response, all) =>
    sendJson(response, {}, 200, {
      'x-echo': field(all),
      link: `<http://x.test/?q=${encodeURIComponent(field(all))}>; rel="next"`,
      'set-cookie': field(all),
    }),
  'redirects to another origin': (response, all) =>
    response.writeHead(302, { location: `ftp://jo:${encodeURIComponent(all)}@x.test/` }).end(),
  'redirects to itself with a query': (response, all) =>
    response.writeHead(307, { location: `/x?q=${encodeURIComponent(field(all))}` }).end(),
  'truncates its response body': (response, all) => {
    response.writeHead(200, { 'content-length': '1000000' });
    response.write(all, () => response.destroy());
  },
};

/** Starts a server that opens one session and handles all other requests with `report`. */
async function hostileServer(report: Tell): Promise<TestServer> {
  const session2 = `${text}-of-the-session`;
  return await serve((seen, response, index) => {
    if (seen.url.endsWith('/authenticate') && !seen.url.includes('?') && index === 0) {
      const expires = '2099-01-01T00:00:00+0000';
      return sendJson(response, { success: true, access_token: session2, expires });
    }
    return report(response, collectTexts(seen));
  });
}

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
  hosting('a one-time password from a function', { ...basicAuth, otp: async () => word }),
  hosting('a token', { type: 'token', token }),
  hosting('a token in the query', { type: 'token', token, in: 'query' }),
  hosting('a function that returns a token', async () => ({ type: 'token', token })),
  hosting("an application's secret", application),
  hosting('authorizations.create: client_secret', basicAuth, (client) =>
    client.authorizations.create({ note: 'n', client_id: clientId, client_secret: hex40 }),
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
  hosting('hub.subscribe: secret and callback', basicAuth, (client, origin) =>
    client.hub.subscribe({
      'hub.topic': `${origin}/o/r/events/push`,
      'hub.callback': `https://jo:${word}@x.test/?token=${word}`,
      'hub.secret': text,
    }),
  ),
  hosting('request: an absolute URL with a token', undefined, (client, origin) =>
    client.request(`GET ${origin}/api/v3/x?access_token=${word}`),
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
