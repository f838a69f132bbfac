import { describe, expect, it, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { isTriforgeError } from '../../src/errors/index.js';
import { HostingClient, OAuthWebFlow, type RequestOptions } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { parseDelivery, verifySignature } from '../../src/webhooks/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';

const baseUrl = 'http://127.0.0.1:1/';
const session = { userName: 'u', apiKey: 'k', password: 'p' };
const application = { clientId: 'i'.repeat(20), clientSecret: 's'.repeat(40) };
const token = { type: 'token', token: 'mine' } as const;

/** Returns a function that calls a constructor with options that the compiler would reject. */
const make = (target: new (options: never) => object, options: unknown) => () =>
  Reflect.construct(target, [options]);
const receive = (target: (options: never) => unknown, options: unknown) => () =>
  Reflect.apply(target, undefined, [options]);
const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('client and receiver options', () => {
  test.each<[string, () => unknown, string]>([
    ['hosting options', make(HostingClient, { baseUrl, token: 'mine' }), 'token'],
    ['hosting tls options', make(HostingClient, { baseUrl, tls: { crt: '' } }), 'tls.crt'],
    ['timeout options', make(HostingClient, { baseUrl, timeout: { totl: 1 } }), 'timeout.totl'],
    ['retry options', make(HostingClient, { baseUrl, retry: { limits: 3 } }), 'retry.limits'],
    [
      'rate-limit options',
      make(HostingClient, { baseUrl, rateLimit: { wait: 1 } }),
      'rateLimit.wait',
    ],
    ['cache options', make(HostingClient, { baseUrl, cache: { bytes: 1 } }), 'cache.bytes'],
    ['support options', make(SupportClient, { baseUrl, auth: session, vendor: 'x' }), 'vendor'],
    ['console options', make(ConsoleClient, { baseUrl, webUrl: baseUrl }), 'webUrl'],
    [
      'OAuth options',
      make(OAuthWebFlow, { authUrl: baseUrl, ...application, scope: 'a' }),
      'scope',
    ],
  ])(
    'an unknown name in %s causes an error that lists the known options',
    (_title, act, option) => {
      const name = option.split('.').at(-1);
      expect(thrownBy(act)).toMatchObject({
        code: 'configuration',
        option,
        message: expect.stringMatching(`unknown option '${name}'. .*Known options: `),
      });
    },
  );

  test.each<[string, unknown]>([
    ['rateLimit', null],
    ['trustedOrigins', 'https://uploads.example.com'],
  ])('HostingClient rejects the option %s with the value %j', (option, value) => {
    const error = thrownBy(make(HostingClient, { baseUrl, [option]: value }));
    expect(error).toMatchObject({ code: 'configuration', option });
  });

  test('HostingClient accepts false as the timeout option', () => {
    expect(thrownBy(make(HostingClient, { baseUrl, timeout: false }))).toBeInstanceOf(
      HostingClient,
    );
  });
});

const reply: Handler = (request, response) =>
  sendJson(response, { url: request.url, body: request.body, headers: request.headers });

describe('call options', () => {
  test.each<[unknown, string]>([
    [{ timeOut: 5 }, 'timeOut'],
    [{ from: 'cursor of a list' }, 'from'],
    [{ retry: { limits: 3 } }, 'retry.limits'],
    [{ timeout: -1 }, 'timeout.total'],
    [{ validation: 'lax' }, 'validation'],
    [{ auth: { type: 'tokn' } }, 'auth'],
    [{ headers: null }, 'headers'],
    [{ headers: [['a']] }, 'headers'],
    [{ signal: {} }, 'signal'],
    [null, 'options'],
  ])(
    'adminStats.get() and request() reject the options %j without sending a request',
    async (options, field) => {
      const server = await serve(reply);
      const client = createClient(server);
      const calls = [
        Reflect.apply(client.adminStats.get, client.adminStats, [{ type: 'hooks' }, options]),
        Reflect.apply(client.request, client, ['GET /x', {}, options]),
      ];
      for (const call of calls) {
        expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field });
      }
      expect(server.log).toEqual([]);
    },
  );

  test.each<[unknown, string]>([
    [null, 'options'],
    [{ retry: { limits: 1 } }, 'retry.limits'],
    [{ concurrency: Object.create(null) }, 'concurrency'],
  ])('pulls.list() and paginate() reject the options %j', async (options, field) => {
    const client = createClient({ origin: 'http://127.0.0.1:1' });
    const lists = [
      Reflect.apply(client.pulls.list, client.pulls, [{ owner: 'a', repo: 'b' }, options]),
      Reflect.apply(client.paginate, client, ['GET /x', {}, options]),
    ];
    for (const list of lists) {
      expect(await rejectionOf(list.toArray())).toMatchObject({ code: 'invalid_request', field });
    }
  });

  test('searches, uploads and waitForConfiguration() reject invalid options', async () => {
    await using support = new SupportClient({ baseUrl, auth: session });
    const search = Reflect.apply(support.contacts.search, support.contacts, [{}, { form: 1 }]);
    expect(await rejectionOf(search.toArray())).toMatchObject({ field: 'form' });
    await using appliance = new ConsoleClient({ baseUrl });
    const files = { license: Buffer.from('l'), package: Buffer.from('p') };
    const start = Reflect.apply(appliance.start, appliance, [files, { progress: 1 }]);
    expect(await rejectionOf(start)).toMatchObject({ code: 'invalid_request', field: 'progress' });
    const wait = receive(appliance.waitForConfiguration.bind(appliance), { grace: 1 });
    expect(thrownBy(wait)).toMatchObject({ code: 'invalid_request', field: 'grace' });
    const { done } = appliance.waitForConfiguration({ interval: -1 });
    expect(done).toBeTypeOf('function');
    const ended = appliance.waitForConfiguration({ interval: -1 }).done();
    expect(await rejectionOf(ended)).toMatchObject({ code: 'invalid_request', field: 'interval' });
  });

  test.each<[string, RequestOptions['headers']]>([
    ['an object', { 'X-One': '1' }],
    ['Headers', new Headers({ 'X-One': '1' })],
    ['an array of pairs', [['X-One', '1']]],
  ])('a call accepts headers as %s', async (_title, headers) => {
    const client = createClient(await serve(reply));
    await expect(client.request('GET /x', {}, { headers })).resolves.toMatchObject({
      headers: { 'x-one': '1' },
    });
  });
});

describe('unknown options', () => {
  const secret = 'a secret';
  const repository = { owner: 'a', repo: 'b' };
  const list = () => new HostingClient({ baseUrl }).pulls.list(repository);
  test.each<[string, () => unknown, string]>([
    ['toArray', () => Reflect.apply(list().toArray, list(), [{ limits: 3 }]), 'limits'],
    [
      'parseDelivery',
      receive(parseDelivery, { headers: {}, body: '', secrets: secret }),
      'secrets',
    ],
    ['verifySignature', receive(verifySignature, { body: '', secret, algo: 1 }), 'algo'],
    ['hosting auth', make(HostingClient, { baseUrl, auth: { ...token, place: 'query' } }), 'place'],
    ['support auth', make(SupportClient, { baseUrl, auth: { ...session, token: 'd' } }), 'token'],
    [
      'console auth',
      make(ConsoleClient, { baseUrl, auth: { licenseMd5: '0'.repeat(32), place: 1 } }),
      'place',
    ],
  ])(
    'an unknown option for %s causes an error that lists the known options',
    async (_name, run, unknown) => {
      const error = await rejectionOf((async () => run())());
      expect(String(error)).toMatch(`unknown option '${unknown}'. `);
      expect(String(error)).toContain(' Known options: ');
    },
  );
});

describe('request() and paginate()', () => {
  test('ConsoleClient.paginate() follows Link headers', async () => {
    const server = await serve((request, response) =>
      request.url.includes('page=2')
        ? sendJson(response, [3])
        : sendJson(response, [1, 2], 200, { link: '</list?page=2>; rel="next"' }),
    );
    await using appliance = new ConsoleClient({
      baseUrl: server.origin,
      auth: { licenseMd5: '0'.repeat(32) },
    });
    const list = appliance.paginate('GET /list', {}, { schema: z.number() });
    await expect(list.toArray()).resolves.toEqual([1, 2, 3]);
  });
});

const headers = { 'X-Gateway-Key': 'hush-gateway-99', 'X-Team': 'rockets' };
const sent = { 'x-gateway-key': 'hush-gateway-99', 'x-team': 'rockets' };

describe('the headers option', () => {
  test('the client sends its configured headers with every request, unless a call overrides them', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const hosting = createClient(server, { headers });
    await hosting.request('GET x');
    await hosting.request('GET x', {}, { headers: { 'x-team': 'planes', 'x-more': '1' } });
    await hosting.paginate('GET x').toArray();
    const shared = { baseUrl: server.origin, headers };
    await using support = new SupportClient({ ...shared, auth: { accessToken: 'hush-support' } });
    await support.request('GET /x');
    await using appliance = new ConsoleClient({ ...shared, auth: { licenseMd5: '0'.repeat(32) } });
    await appliance.request('GET x');
    const application = { clientId: '0'.repeat(20), clientSecret: '1'.repeat(40) };
    const flow = new OAuthWebFlow({ authUrl: server.origin, headers, ...application });
    onTestFinished(() => flow.close());
    await rejectionOf(flow.exchangeCode({ code: 'hush-code' }));
    expect(server.requests.map((each) => each.headers)).toMatchObject([
      sent,
      { ...sent, 'x-team': 'planes', 'x-more': '1' },
      sent,
      sent,
      sent,
      sent,
    ]);
  });

  test('the client sends its configured headers only to trusted origins', async () => {
    const foreign = await serve((_request, response) => sendJson(response, []));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${foreign.origin}/y` }).end(),
    );
    await createClient(server, { headers }).request('GET x');
    await createClient(server, { headers, trustedOrigins: [foreign.origin] }).request('GET x');
    expect(foreign.requests[0]?.headers).not.toHaveProperty('x-gateway-key');
    expect(foreign.requests[0]?.headers).not.toHaveProperty('x-team');
    expect(foreign.requests[1]?.headers).toMatchObject(sent);
  });
});

test('the API versions v3 and beta appear in the media type of the Accept header', async () => {
  const server = await serve((_request, response) => sendJson(response, []));
  for (const apiVersion of ['v3', 'beta'] as const) {
    await createClient(server, { apiVersion }).request('GET x');
  }
  expect(server.requests.map(({ headers: { accept } }) => accept)).toEqual([
    'application/vnd.service.v3+json',
    'application/vnd.service.beta+json',
  ]);
});

describe('dated API versions', () => {
  test('the client sends a dated API version as X-GitHub-Api-Version, not in the media type', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const options = { vendor: 'github', apiVersion: '2022-11-28' } as const;
    const hosting = createClient(server, options);
    const place = { owner: 'a', repo: 'b' };
    await hosting.pulls.list(place).toArray();
    await hosting.commitComments.list({ ...place, mediaType: 'html' }).toArray();
    await hosting.request('GET x', {}, { headers: { 'X-GitHub-Api-Version': '2026-03-10' } });
    expect(server.requests.map((each) => each.headers)).toMatchObject([
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      { accept: 'application/vnd.github-commitcomment.html+json' },
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2026-03-10' },
    ]);
  });
});

/** Values that can't be converted to text or JSON, or that throw when they are inspected. */
function strangeValues(): [string, unknown][] {
  const hostile = {
    toString: () => {
      throw new Error('no text');
    },
    toJSON: () => {
      throw new Error('no JSON');
    },
  };
  return [
    ['a bigint', 10n],
    ['a symbol', Symbol('s')],
    ['an object without a prototype', Object.create(null)],
    ['an object whose toString throws', hostile],
    ['a function', () => undefined],
  ];
}

/** Creates a client with unchecked options. Returns the error if the constructor throws. */
function construct(options: Readonly<Record<string, unknown>>): unknown {
  try {
    return Reflect.construct(HostingClient, [{ baseUrl, ...options }]);
  } catch (error) {
    return error;
  }
}

for (const [name, value] of strangeValues())
  describe(name, () => {
    it.each([
      ['baseUrl', { baseUrl: value }],
      ['trustedOrigins', { trustedOrigins: value }],
      ['trustedOrigins', { trustedOrigins: [value] }],
      ['userAgent', { userAgent: value }],
      ['dispatcher', { dispatcher: value }],
      ['timeout', { timeout: value }],
      ['timeout.total', { timeout: { total: value } }],
      ['retry', { retry: value }],
      ['retry.limit', { retry: { limit: value } }],
      ['validation', { validation: value }],
      ['maxRedirects', { maxRedirects: value }],
      ['maxResponseBytes', { maxResponseBytes: value }],
      ['maxConcurrency', { maxConcurrency: value }],
      ['concurrency', { concurrency: value }],
      ['rateLimit', { rateLimit: value }],
      ['rateLimit.onLimit', { rateLimit: { onLimit: value } }],
      ['rateLimit.maxWait', { rateLimit: { maxWait: value } }],
      ['rateLimit.shared', { rateLimit: { shared: value } }],
      ['cache', { cache: value }],
      ['cache.store', { cache: { store: value } }],
      ['proxy', { proxy: value }],
      ['tls', { tls: value }],
      ['tls.ca', { tls: { ca: value } }],
      ['tls.servername', { tls: { servername: value } }],
    ])(
      `the option %s accepts ${name} or rejects it with a ConfigurationError`,
      (_option, options) => {
        const created = construct(options);
        if (created instanceof HostingClient) return;
        expect(created, String(Reflect.get(Object(created), 'stack'))).toMatchObject({
          code: 'configuration',
        });
      },
    );

    it(`the client rejects ${name} as an input or call option`, async () => {
      const server = await serve((_request, response) => sendJson(response, []));
      const client = createClient(server);
      const repo = { owner: 'o', repo: 'r' };
      // `as`: JavaScript callers may pass anything.
      const call = (part: unknown) => part as never;
      const calls: (() => PromiseLike<unknown>)[] = [
        () => client.pulls.get({ ...repo, number: call(value) }),
        () => client.pulls.get({ owner: call(value), repo: 'r', number: 1 }),
        () => client.pulls.list({ ...repo, state: call(value) }).first(),
        () => client.pulls.get({ ...repo, number: 1 }, { validation: call(value) }),
        () => client.pulls.get({ ...repo, number: 1 }, { retry: { limit: call(value) } }),
        () =>
          client.contents.getArchive(
            { ...repo, archive_format: 'tarball', ref: 'main' },
            { as: call(value) },
          ),
        () => client.request('GET /x/{y}', { y: call(value) }),
        () => client.request('GET /x', { y: call(value) }),
        () => client.pulls.list(repo, { from: call(value) }).first(),
        () => client.pulls.list(repo).toArray({ limit: call(value) }),
      ];
      for (const each of calls) {
        const error = await rejectionOf((async () => await each())());
        expect(isTriforgeError(error), `${each}: ${Reflect.get(Object(error), 'stack')}`).toBe(
          true,
        );
      }
      expect(server.log).toEqual([]);
    });
  });
