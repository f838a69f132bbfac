import { describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, OAuthWebFlow, type RequestOptions } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';

const baseUrl = 'http://127.0.0.1:1/';
const session = { userName: 'u', apiKey: 'k', password: 'p' };
const application = { clientId: 'i'.repeat(20), clientSecret: 's'.repeat(40) };

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
    ['retry options', make(HostingClient, { baseUrl, retry: { limits: 3 } }), 'retry.limits'],
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
});

const reply: Handler = (request, response) =>
  sendJson(response, { url: request.url, body: request.body, headers: request.headers });

describe('call options', () => {
  test.each<[unknown, string]>([
    [{ timeOut: 5 }, 'timeOut'],
    [{ timeout: -1 }, 'timeout.total'],
    [{ validation: 'lax' }, 'validation'],
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

describe('dated API versions', () => {
  test('the client sends a dated API version as X-GitHub-Api-Version, not in the media type', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const options = { vendor: 'github', apiVersion: '2022-11-28' } as const;
    const headers = { 'X-GitHub-Api-Version': '2021-01-01' };
    const hosting = createClient(server, { ...options, headers });
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
