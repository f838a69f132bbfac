import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import {
  ConsoleClient,
  type ExtraInputs,
  HostingClient,
  type Route,
  SupportClient,
} from '../../src/index.js';
import { rejectionOf } from '../support/client.js';
import { type Handler, serve } from '../support/server.js';

async function world(handler: Handler) {
  const server = await serve(handler);
  const auth = { type: 'token', token: 'the-token' } as const;
  const hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, auth, retry: false });
  return { server, hosting, [Symbol.asyncDispose]: () => hosting.close() };
}

const echo: Handler = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      url: request.url,
      body: request.body,
      type: request.headers['content-type'],
      accept: request.headers.accept,
    }),
  );
};

describe('request()', () => {
  const raw = (data: string | Buffer, contentType: string) => ({ body: { data, contentType } });
  test.each<[string, Route, object, object, object]>([
    [
      'a path with variables',
      'GET /repos/{owner}/{repo}/labels{?page}',
      { owner: 'a b', repo: 'c/d', page: 2 },
      {},
      { url: '/api/v3/repos/a%20b/c%2Fd/labels?page=2' },
    ],
    [
      'other inputs of a GET in the query',
      'GET search/{kind}?q=x',
      { kind: 'issues', sort: 'stars', topic: ['a', 'b'], none: undefined },
      {},
      { url: '/api/v3/search/issues?q=x&sort=stars&topic=a&topic=b' },
    ],
    [
      'a form',
      'POST /x',
      { 'hub.mode': 'subscribe', n: 1 },
      { encoding: 'form' },
      { body: 'hub.mode=subscribe&n=1', type: 'application/x-www-form-urlencoded' },
    ],
    [
      'bytes, with the inputs in the query',
      'PATCH /x',
      { name: 'a' },
      raw(Buffer.from('hi'), 'a/b'),
      { url: '/api/v3/x?name=a', body: 'hi', type: 'a/b' },
    ],
  ])('request() sends %s', async (_name, route, inputs, options, expected) => {
    await using place = await world(echo);
    await expect(place.hosting.request(route, { ...inputs }, options)).resolves.toMatchObject(
      expected,
    );
  });

  test('request() supports HEAD, text, bytes and streams', async () => {
    await using place = await world((_request, response) => response.end('bytes'));
    const { hosting } = place;
    await expect(hosting.request('HEAD /x')).resolves.toBeUndefined();
    await expect(hosting.request('GET /x', {}, { responseType: 'text' })).resolves.toBe('bytes');
    await expect(hosting.request('GET /x', {}, { responseType: 'bytes' })).resolves.toEqual(
      Buffer.from('bytes'),
    );
    const stream = await hosting.request('GET /x', {}, { responseType: 'stream' });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(text).toBe('bytes');
  });
});

describe('follow()', () => {
  test("follow() expands a URL template, and sends the token only to the server's origin", async () => {
    await using stranger = await world(echo);
    const headers: unknown[] = [];
    await using place = await world((request, response) => {
      headers.push(request.headers.authorization);
      echo(request, response, 0);
    });
    const template = (origin: string) => `${origin}/users/ada/starred{/owner}{/repo}`;
    await place.hosting.follow(template(place.server.origin), { owner: 'acme' });
    expect(place.server.log).toEqual(['GET /users/ada/starred/acme']);
    expect(headers).toEqual(['token the-token']);
    await place.hosting.follow(template(stranger.server.origin));
    expect(stranger.server.requests[0]?.headers.authorization).toBeUndefined();
    const followed = place.hosting.follow(
      `${place.server.origin}/users/ada`,
      {},
      { schema: z.object({ url: z.string() }) },
    );
    await expect(followed).resolves.toEqual({ url: '/users/ada' });
  });
});

const repository = { owner: 'acme', repo: 'rocket' };

/** Creates clients for all APIs and a server that sends empty responses. */
async function createClients() {
  const server = await serve(({ method, url }, response) => {
    const isList = method === 'GET' && /keys|stargazers/.test(url);
    response.setHeader('content-type', 'application/json');
    if (url.endsWith('/stargazers?color=red')) {
      response.setHeader('link', `<${server.origin}/next?color=red&page=2>; rel="next"`);
    }
    response.end(isList || url.startsWith('/next') ? '[]' : '{"items":[]}');
  });
  const common = { baseUrl: server.origin, validation: 'off' } as const;
  const hosting = new HostingClient({ ...common, auth: { type: 'token', token: 'secrettoken' } });
  const support = new SupportClient({ ...common, auth: { accessToken: 'secrettoken' } });
  const appliance = new ConsoleClient({ ...common, auth: { licenseMd5: '0'.repeat(32) } });
  return { server, hosting, support, appliance };
}

describe('the extra option', () => {
  it('adds query parameters to reads and lists', async () => {
    const { server, hosting, support } = await createClients();
    await hosting.pulls.get({ ...repository, number: 1 }, { extra: { query: { color: 'red' } } });
    await hosting.starring
      .listStargazers(repository, { extra: { query: { color: 'red' } } })
      .toArray();
    await support.contacts
      .search({ count: 2 }, { extra: { query: { color: ['a', 'b'] } } })
      .first();
    expect(server.log).toEqual([
      'GET /repos/acme/rocket/pulls/1?color=red',
      'GET /repos/acme/rocket/stargazers?color=red',
      'GET /next?color=red&page=2',
      'GET /contact?count=2&color=a&color=b&access_token=secrettoken',
    ]);
  });

  it("adds query and body parameters to a write's own inputs", async () => {
    const { server, hosting, support, appliance } = await createClients();
    const extra = { query: { q: 1 }, body: { make_latest: 'legacy' } };
    await hosting.releases.create({ ...repository, tag_name: 'v1' }, { extra });
    await support.contacts.create({ name: 'Mona' }, { extra });
    await appliance.settings.update({ enterprise: { private_mode: true } }, { extra });
    await appliance.upgrade({ license: Buffer.from('a license') }, { extra });
    const bodies = server.requests.map(({ body }) => body);
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ tag_name: 'v1', make_latest: 'legacy' });
    expect(bodies[1]).toBe('name=Mona&make_latest=legacy&access_token=secrettoken');
    expect(new URLSearchParams(bodies[2]).get('make_latest')).toBe('legacy');
    expect(bodies[3]).toMatch(/name="make_latest"\r\n\r\nlegacy\r\n/);
    expect(server.requests.map(({ url }) => url.replace(/^.*\?/, ''))).toEqual([
      'q=1',
      'q=1',
      'q=1',
      'q=1',
    ]);
  });

  it('adds a body to a bodiless write only if extra.body is set', async () => {
    const { server } = await createClients();
    const hosting = new HostingClient({ baseUrl: server.origin, validation: 'off', cache: true });
    await hosting.hooks.ping({ ...repository, id: 1 }, { extra: { body: { deliver: true } } });
    expect(server.requests.at(-1)?.body).toBe('{"deliver":true}');
    await hosting.hooks.ping({ ...repository, id: 1 }, { extra: { query: { q: 1 } } });
    expect(server.requests.at(-1)?.body, 'no body without extra.body').toBe('');
  });

  const getUpload = ({ origin }: { readonly origin: string }) => ({
    upload_url: `${origin}/assets{?name}`,
    name: 'a.bin',
    content_type: 'application/octet-stream',
    data: Buffer.from('bytes'),
  });

  it("repeats an upload's query parameter for each array item", async () => {
    const { server, hosting } = await createClients();
    const extra = { query: { color: ['a', 'b'] } };
    await hosting.releases.uploadAsset(getUpload(server), { extra });
    expect(server.log).toEqual(['POST /assets?name=a.bin&color=a&color=b']);
  });

  it.each<[string, ExtraInputs, string]>([
    ['an input that the method already has', { body: { tag_name: 'v2' } }, 'extra.body.tag_name'],
    ['a path variable', { query: { owner: 'other' } }, 'extra.query.owner'],
    ['a credential', { query: { access_token: 'x' } }, 'extra.query.access_token'],
    ['an unknown property', JSON.parse('{ "header": {} }'), 'extra.header'],
    ['a string as the query', JSON.parse('{ "query": "color=red" }'), 'extra.query'],
    ["a value that JSON can't express", { body: { color: 1n } }, 'body'],
    ["a value that a query can't express", { query: { color: Number.NaN } }, 'extra.query.color'],
  ])('rejects %s', async (_what, extra, field) => {
    const { server, hosting } = await createClients();
    const create = hosting.releases.create({ ...repository, tag_name: 'v1' }, { extra });
    expect(await rejectionOf(create)).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it('the client rejects extra.body for a read, and the extra option for a raw request', async () => {
    const { server, hosting } = await createClients();
    const get = hosting.pulls.get({ ...repository, number: 1 }, { extra: { body: { a: 1 } } });
    expect(await rejectionOf(get)).toMatchObject({ field: 'extra.body' });
    const reading = { extra: { body: { a: undefined } } };
    expect(await hosting.pulls.get({ ...repository, number: 1 }, reading)).toEqual({ items: [] });
    const raw = Reflect.apply(hosting.request, hosting, ['GET /x', {}, { extra: {} }]);
    expect(await rejectionOf(raw)).toMatchObject({ field: 'extra' });
    expect(server.log).toEqual(['GET /repos/acme/rocket/pulls/1']);
  });

  it.each<[string, object]>([
    ['an object', { config: { url: 'a', secret: 'hunter22hunter22' } }],
    ['a list of objects', { keys: [{ a: 1 }, { deeper: [{ password: 'hunter22hunter22' }] }] }],
  ])('the client masks a secret in %s (in extra and raw JSON)', async (_where, body) => {
    const server = await serve((request, response) =>
      response.writeHead(422).end(JSON.stringify({ message: `refused: ${request.body}` })),
    );
    const hosting = new HostingClient({ baseUrl: server.origin });
    const input = { ...repository, tag_name: 'v1' };
    const calls = [
      hosting.releases.create(input, { extra: { body: { ...body } } }),
      hosting.request('POST /x', { ...body }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(String(error)).toContain('refused: ');
      expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain('hunter22');
    }
    expect(server.requests[0]?.body).toContain('hunter22hunter22');
  });

  it('the error for an unknown input suggests the extra option', async () => {
    const { hosting } = await createClients();
    const input = { ...repository, tag_name: 'v1', make_latest: 'true' };
    const refused = await rejectionOf(hosting.releases.create(input));
    expect(String(refused)).toContain('extra: { query, body }');
  });

  it('rejects the parameter hub.mode of hub.subscribe()', async () => {
    const { server, hosting } = await createClients();
    const auth = { type: 'basic', username: 'u', password: 'pass-word' } as const;
    const input = {
      'hub.topic': `${server.origin}/o/r/events/push`,
      'hub.callback': 'https://example.com/',
    };
    for (const part of ['query', 'body'] as const) {
      const extra = { [part]: { 'hub.mode': 'unsubscribe' } };
      const call = hosting.withAuth(auth).hub.subscribe(input, { extra });
      expect(await rejectionOf(call), part).toMatchObject({
        code: 'invalid_request',
        field: `extra.${part}.hub.mode`,
      });
    }
    expect(server.log).toEqual([]);
  });

  it('rejects a name that the call also sets in `attributes`', async () => {
    const { server, support } = await createClients();
    const input = { name: 'Mona', attributes: { plan: 'gold' } };
    const call = support.contacts.create(input, { extra: { body: { plan: 'free' } } });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.plan' });
    expect(server.log).toEqual([]);
  });

  it('rejects the parameter `maintenance` of maintenance.set()', async () => {
    const { server, appliance } = await createClients();
    const extra = { body: { maintenance: '{"enabled":true,"when":"now"}' } };
    const call = appliance.maintenance.set({ enabled: false }, { extra });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.maintenance' });
    expect(server.log).toEqual([]);
  });
});

type Call = (hosting: HostingClient, value: string) => Promise<unknown>;

const place = { owner: 'acme', repo: 'rocket' };

const names = [
  'a#b?.md',
  '50% off.txt',
  'with space',
  '🚀.md',
  '%2e%2e',
  'a+b&c=d',
  "it's (1)*!",
  'é/è/ê',
  '...',
];

describe('path inputs', () => {
  const slashes: readonly (readonly [string, string, Call])[] = [
    ['contents.get', '/contents/', (h, v) => h.contents.get({ ...place, path: v })],
    [
      'contents.create',
      '/contents/',
      (h, v) => h.contents.create({ ...place, path: v, message: 'm', content: { text: 'h' } }),
    ],
    ['releases.getByTag', '/releases/tags/', (h, v) => h.releases.getByTag({ ...place, tag: v })],
    [
      'contents.getArchive',
      '/tarball/',
      (h, v) => h.contents.getArchive({ ...place, archive_format: 'tarball', ref: v }),
    ],
  ];

  test.each(slashes)(
    'the client keeps special characters in the path of %s',
    async (_name, marker, call) => {
      const server = await serve((_request, response) => response.writeHead(404).end('{}'));
      await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
      for (const name of names) await call(hosting, `docs/${name}`).catch(() => undefined);
      const arrived = server.requests.map((request) => {
        const { pathname, search, hash } = new URL(request.url, server.origin);
        expect(search + hash).toBe('');
        const rest = pathname.slice(pathname.indexOf(marker) + marker.length);
        return rest.split('/').map(decodeURIComponent).join('/');
      });
      expect(arrived).toEqual(names.map((name) => `docs/${name}`));
    },
  );

  test('the client keeps special characters in a single path segment and in a query parameter', async () => {
    const server = await serve((_request, response) => response.writeHead(404).end('{}'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3`, retry: false });
    for (const name of names) {
      await hosting.starring
        .listStarredBy({ username: name })
        .first()
        .catch(() => undefined);
      await hosting.contents.getReadme({ ...place, ref: name }).catch(() => undefined);
    }
    const arrived = server.requests.map((request) => {
      const url = new URL(request.url, server.origin);
      return url.searchParams.get('ref') ?? decodeURIComponent(url.pathname.split('/')[4] ?? '');
    });
    expect(arrived).toEqual(names.flatMap((name) => [name, name]));
  });

  test('contents.get() reads the root folder if the path is empty', async () => {
    const server = await serve((_request, response) => response.end('[]'));
    await using hosting = new HostingClient({ baseUrl: `${server.origin}/api/v3` });
    await expect(hosting.contents.get({ ...place, path: '' })).resolves.toEqual([]);
    expect(server.log).toEqual(['GET /api/v3/repos/acme/rocket/contents']);
  });
});
