import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { HostingClient, OAuthWebFlow } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { parseDelivery, verifySignature } from '../../../src/webhooks/index.js';
import { rejectionOf } from '../../support/client.js';
import { type Seen, sendJson, serve, type TestServer } from '../../support/server.js';

/** Stands in every secret that may be any text: not even a part of one may show. */
const mark = 'pl4nted';
const text = `${mark} "pass"\\word'+/&=%(1)!*`;
const multiline = `-----BEGIN PRIVATE KEY-----\n${mark}/+MIIB\n-----END PRIVATE KEY-----\n`;
const word = `${mark}-w0rd`;
/** What a token may be at worst. */
const token = `${mark}+/=%&"(1)!*\\`;
const hex40 = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7abcd';
const hex32 = 'deadbeef5ec2e7deadbeef5ec2e71234';
const clientId = '0123456789abcdef0123';

const licenseFile = Buffer.from('a license');
const licenseHash = createHash('md5').update(licenseFile).digest('hex');

/** What must stand nowhere, in whatever encoding. */
const traces = [
  ...[mark, hex40, hex32, licenseHash],
  ...[`jo:${text}`, `license:${hex32}`, `license:${licenseHash}`].map((pair) =>
    Buffer.from(pair).toString('base64'),
  ),
];

const repo = { owner: 'o', repo: 'r' };

/** A way to give a secret: what is made, and the call. */
interface Row {
  readonly name: string;
  readonly start: (origin: string) => { readonly client: object; readonly call: () => unknown };
}

function hosting(
  name: string,
  auth: ConstructorParameters<typeof HostingClient>[0]['auth'],
  use: (client: HostingClient, origin: string) => unknown = (client) =>
    client.request({ path: '/x' }),
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
    private_key: multiline,
    ldap: { password: text, bind_dn: `cn=${text}` },
    smtp: { password: text },
    service_ssl: { key: multiline },
  },
};

const rows: readonly Row[] = [
  hosting('a password', basicAuth),
  hosting('a password and a one-time password', { ...basicAuth, otp: word }),
  hosting('a one-time password that is asked for', { ...basicAuth, otp: async () => word }),
  hosting('a token', { type: 'token', token }),
  hosting('a token in the query', { type: 'token', token, in: 'query' }),
  hosting('a function that gives a token', async () => ({ type: 'token', token })),
  hosting('the secret of an application', application),
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
  hosting('follow: a URL that holds a token', undefined, (client, origin) =>
    client.follow(`${origin}/api/v3/x?access_token=${word}`),
  ),
  hosting('request: credentials in the query', undefined, (client) =>
    client.request({ path: '/x', query: { client_id: clientId, client_secret: hex40 } }),
  ),
  hosting('request: a password in JSON, and in a form', undefined, async (client) => {
    const form = { client_secret: text };
    await client.request({ path: '/x', method: 'POST', form }).catch(() => undefined);
    await client.request({ path: '/x', method: 'POST', json: { password: text } });
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
  support('the token of a session', session, (client) => client.me()),
  support('the token of a session, in a write', session, (client) =>
    client.contacts.update({ contact_id: 1, name: 'x' }),
  ),
  support('an accessToken', { accessToken: text }, (client) =>
    client.contacts.get({ contact_id: 1 }),
  ),
  support('an accessToken, in a search', { accessToken: text }, (client) =>
    client.contacts.search({}).toArray(),
  ),
  appliance('the hash of a license', license),
  appliance('the hash of a license, in the query', { ...license, in: 'query' }),
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

/** All that a server knows of a request, as it came and as it is meant. */
function told({ url, headers, body }: Seen): string {
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
    return []; // no JSON: nothing to add
  }
  return found;
}

/** A header field can't hold everything. */
const field = (value: string) => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 6000);

type Tell = (response: ServerResponse, all: string) => unknown;
const hostile: Readonly<Record<string, Tell>> = {
  'refuses by 400 in JSON': (response, all) =>
    sendJson(response, { message: all, errors: [{ code: 'custom', message: all }, all] }, 400),
  'refuses by 401': (response, all) =>
    sendJson(response, { message: all, statusMessage: all }, 401),
  'wants a one-time password': (response, all) =>
    sendJson(response, { message: all }, 401, { 'x-service-otp': 'required; app' }),
  'refuses by 403 for a limit': (response, all) =>
    sendJson(response, { message: `API rate limit exceeded ${all}` }, 403, {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '1',
      'x-ratelimit-reset': '4000000000',
    }),
  'refuses by 422 with other members': (response, all) =>
    sendJson(response, { documentation_url: all, error: all, other: { deep: [all] } }, 422),
  'fails by 500 in HTML': (response, all) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${all}</pre>`),
  'fails by 502, its status text telling': (response, all) =>
    response.writeHead(502, field(all)).end(),
  'answers 200 in another shape': (response, all) =>
    sendJson(response, { [all]: all, id: all, status: all, access_token: all }),
  'answers 200 with a failure inside': (response, all) =>
    sendJson(response, {
      success: false,
      statusMessage: all,
      error: all,
      error_description: all,
      error_uri: all,
    }),
  'answers 200 in text': (response, all) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(all),
  'answers 200 in broken JSON': (response, all) => response.end(`{"a":${JSON.stringify(all)}`),
  'answers 200 with header fields': (response, all) =>
    sendJson(response, {}, 200, {
      'x-echo': field(all),
      link: `<http://x.test/?q=${encodeURIComponent(field(all))}>; rel="next"`,
      'set-cookie': field(all),
    }),
  'answers with a Link that can not be read': (response, all) =>
    sendJson(response, [], 200, { link: `<${field(all)}` }),
  'redirects elsewhere': (response, all) =>
    response.writeHead(302, { location: `ftp://jo:${encodeURIComponent(all)}@x.test/` }).end(),
  'redirects to itself with a query': (response, all) =>
    response.writeHead(307, { location: `/x?q=${encodeURIComponent(field(all))}` }).end(),
  'cuts its body short': (response, all) => {
    response.writeHead(200, { 'content-length': '1000000' });
    response.write(all, () => response.destroy());
  },
  'closes the connection': (response) => response.destroy(),
};

/** Every event that is published. */
function watchEvents(): string[] {
  const names = 'request:start request:end request:error retry wait redirect cache:hit shape-drift';
  const seen: string[] = [];
  const note = (message: unknown) => {
    seen.push(inspect(message, { depth: 20 }), JSON.stringify(message));
  };
  for (const name of names.split(' ')) {
    subscribe(`triforge:${name}`, note);
    onTestFinished(() => {
      unsubscribe(`triforge:${name}`, note);
    });
  }
  return seen;
}

/** All that logs may show of a value: its causes, and what is asked for by name, too. */
function shown(value: unknown): string[] {
  const texts = [inspect(value, { depth: 20 }), String(value), JSON.stringify(value) ?? ''];
  if (value instanceof Error) {
    texts.push(value.stack ?? '', value.message, JSON.stringify(Object.entries(value)));
    for (const name of ['response', 'body', 'request', 'errors', 'issues', 'statusMessage']) {
      const part: unknown = Reflect.get(value, name);
      texts.push(inspect(part, { depth: 20 }), JSON.stringify(part) ?? '');
    }
    if (value.cause !== undefined) texts.push(...shown(value.cause));
  }
  return texts;
}

function expectClean(texts: readonly string[]): void {
  for (const each of texts) {
    for (const secret of traces) {
      const at = each.indexOf(secret);
      if (at >= 0) {
        throw new Error(`a secret shows: …${each.slice(Math.max(0, at - 80), at + 80)}…`);
      }
    }
  }
}

async function hostileServer(tell: Tell): Promise<TestServer> {
  const session2 = `${text}-of-the-session`;
  return await serve((seen, response, index) => {
    if (seen.url.endsWith('/authenticate') && !seen.url.includes('?') && index === 0) {
      const expires = '2099-01-01T00:00:00+0000';
      return sendJson(response, { success: true, access_token: session2, expires });
    }
    return tell(response, told(seen));
  });
}

describe('no secret shows anywhere', () => {
  for (const [behaviour, tell] of Object.entries(hostile)) {
    for (const { name, start } of rows) {
      it(`${name}, where the server ${behaviour}`, async () => {
        const events = watchEvents();
        const server = await hostileServer(tell);
        const { client, call } = start(server.origin);
        const begun: unknown = call();
        const outcome: unknown = await Promise.resolve(begun).catch((error: unknown) => error);
        const texts = [
          ...events,
          ...shown(client),
          inspect(client, { showHidden: true, depth: 9 }),
        ];
        if (outcome instanceof Error) texts.push(...shown(outcome));
        if (begun instanceof Object) texts.push(inspect(begun, { depth: 0 }).replace(/\{.*/s, ''));
        expect(server.requests.length, inspect(outcome)).toBeGreaterThan(0);
        expectClean(texts);
      });
    }
  }
});

describe('no secret shows where nothing was sent', () => {
  const wrong: readonly [string, () => unknown][] = [
    ['a token with a line break', () => hostingOf({ type: 'token', token: `${word}\r\nx: y` })],
    ['a password that is none', () => hostingOf({ type: 'basic', username: 'jo', password: '' })],
    [
      'a license hash that is none',
      () => new ConsoleClient({ baseUrl: 'https://x.test', auth: { licenseMd5: text } }),
    ],
    [
      'a header field',
      () => hostingOf(undefined).request({ path: '/x' }, { headers: { 'x-a': `${text}\r\nb: c` } }),
    ],
    [
      'a base URL with userinfo',
      () => new HostingClient({ baseUrl: `https://jo:${word}@x.test/` }),
    ],
    [
      'a signature that does not fit',
      () => verifySignature({ body: 'x', signature: `sha1=${'0'.repeat(40)}`, secret: text }),
    ],
    [
      'a delivery that does not fit',
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
  function hostingOf(auth: ConstructorParameters<typeof HostingClient>[0]['auth']): HostingClient {
    return new HostingClient({ baseUrl: 'http://127.0.0.1:1', auth, retry: false });
  }
  for (const [name, act] of wrong) {
    it(name, async () => {
      const events = watchEvents();
      const acting = (async () => {
        const made: unknown = await act();
        return made instanceof HostingClient ? await made.request({ path: '/x' }) : made;
      })();
      const error = await rejectionOf(acting);
      expectClean([...events, ...shown(error)]);
    });
  }
});
