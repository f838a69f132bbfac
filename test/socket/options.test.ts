import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, OAuthWebFlow, type RequestOptions } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import {
  createFetchHandler,
  createNodeListener,
  parseDelivery,
  signDelivery,
  verifySignature,
} from '../../src/webhooks/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';
import { world as supportWorld } from './support-world.js';

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
    [
      'hosting options, even with the value undefined',
      make(HostingClient, { baseUrl, token: undefined }),
      'token',
    ],
    [
      'hosting options, even if only its case is wrong',
      make(HostingClient, { baseUrl, timeOut: 5 }),
      'timeOut',
    ],
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
    ['console tls options', make(ConsoleClient, { baseUrl, tls: { crt: '' } }), 'tls.crt'],
    [
      'OAuth options',
      make(OAuthWebFlow, { authUrl: baseUrl, ...application, scope: 'a' }),
      'scope',
    ],
    [
      'createFetchHandler options',
      receive(createFetchHandler, { secret: 's', onPush: () => {} }),
      'onPush',
    ],
    [
      'createNodeListener handlers',
      receive(createNodeListener, { secret: 's', handlers: { pul_request: () => {} } }),
      'handlers.pul_request',
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
    ['rateLimit', 'wait'],
    ['trustedOrigins', 'https://uploads.example.com'],
    ['retry', null],
    ['timeout', null],
    ['cache', null],
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
    [{ token: 'mine' }, 'token'],
    [{ from: 'cursor of a list' }, 'from'],
    [{ retry: { limits: 3 } }, 'retry.limits'],
    [{ timeout: { totl: 1 } }, 'timeout.totl'],
    [{ timeout: -1 }, 'timeout.total'],
    [{ retry: 5 }, 'retry'],
    [{ validation: 'lax' }, 'validation'],
    [{ auth: { type: 'tokn' } }, 'auth'],
    [{ headers: null }, 'headers'],
    [{ headers: 'x: y' }, 'headers'],
    [{ headers: [['a']] }, 'headers'],
    [{ headers: [1] }, 'headers'],
    [{ signal: {} }, 'signal'],
    [null, 'options'],
    ['retry', 'options'],
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
    [{ cursor: 'x' }, 'cursor'],
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
    ['a Map', new Map([['X-One', '1']])],
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
    ['signDelivery', receive(signDelivery, { event: 'push', payload: {}, form: true }), 'form'],
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

describe('raw request parameters', () => {
  const bad = [{ a: 1 }, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), [{}], 1n, () => 1];
  test.each(bad)('request() rejects the value %o in a query or a form', async (value) => {
    const server = await serve(reply);
    const client = createClient(server);
    for (const route of ['GET /x', 'POST /x'] as const) {
      const call = client.request(route, { a: value }, { encoding: 'form' });
      expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'a' });
    }
    expect(server.log).toEqual([]);
  });

  test.each([null, 'a=b', 5])('request() rejects %j as inputs', async (inputs) => {
    const client = createClient({ origin: 'http://127.0.0.1:1' });
    const call = Reflect.apply(client.request, client, ['GET /x', inputs]);
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'inputs' });
  });
});

describe('401 errors', () => {
  test.each([undefined, { type: 'none' } as const])(
    'the error for a 401 mentions missing credentials if auth is %j',
    async (auth) => {
      const server = await serve((_request, response) => sendJson(response, {}, 401));
      const error = await rejectionOf(createClient(server, { auth }).request('GET /x'));
      expect(error).toMatchObject({
        code: 'authentication',
        message: expect.stringContaining('no credentials are set'),
      });
    },
  );

  test("the error for a 401 doesn't mention missing credentials if a token is set", async () => {
    const server = await serve((_request, response) => sendJson(response, {}, 401));
    const error = await rejectionOf(createClient(server, { auth: token }).request('GET /x'));
    expect(String(error)).not.toContain('no credentials');
  });
});

describe('request() and paginate()', () => {
  test('SupportClient supports HEAD with request() and index pagination with paginate()', async () => {
    const { client, server } = await supportWorld({
      respond(request, response) {
        const index = Number(new URL(request.url, baseUrl).searchParams.get('index') ?? 0);
        const results = [1, 2, 3, 4, 5].slice(index, index + 2).map((id) => ({ id }));
        response.end(JSON.stringify({ success: true, total: 5, results }));
      },
    });
    const route = 'GET /thing';
    const schema = z.object({ id: z.number() });
    const ids = (await client.paginate(route, { count: 2 }, { schema }).toArray()).map(
      ({ id }) => id,
    );
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    const later = client.paginate(route, { index: 3 }, { schema });
    expect(await later.toArray()).toEqual([{ id: 4 }, { id: 5 }]);
    const bad = client.paginate(route, { count: 2 }, { schema: z.object({ id: z.string() }) });
    expect(await rejectionOf(bad.toArray())).toMatchObject({ code: 'response_shape' });
    expect(await rejectionOf(client.paginate('GET ').toArray())).toMatchObject({
      code: 'invalid_request',
    });
    const head = await client.request('HEAD /thing').withResponse();
    expect(head).toMatchObject({ data: undefined, response: { status: 200 } });
    expect(server.log.at(-1)).toContain('HEAD /api/v2/thing');
  });

  test('request() and paginate() reject a support response with `success: false`', async () => {
    const { client } = await supportWorld({
      respond: (_request, response) =>
        response.end(JSON.stringify({ success: false, statusMessage: 'no such thing' })),
    });
    const error = await rejectionOf(client.request('GET /thing'));
    expect(error).toMatchObject({ code: 'operation_failed', statusMessage: 'no such thing' });
    const paged = await rejectionOf(client.paginate('GET /thing').toArray());
    expect(paged).toMatchObject({ code: 'operation_failed' });
  });

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
