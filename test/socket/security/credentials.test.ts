import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';
import { HostingClient } from '../../../src/hosting/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import {
  type Handler,
  listening,
  type Seen,
  sendJson,
  serve,
  type TestServer,
} from '../../support/server.js';
import { authority, keys } from '../private-authority.js';

const token = 'tok-5ecret';
const clientSecret = 'ap9-secret'.repeat(4);
const secrets = [token, 'pa55word', 'hunter-two', 'ap9-secret'];
const schemes: readonly [name: string, auth: HostingAuth][] = [
  ['a token', { type: 'token', token }],
  ['a token in the query', { type: 'token', token, in: 'query' }],
  ['a password', { type: 'basic', username: 'jo', password: 'pa55word', otp: 'hunter-two' }],
  ['an application', { type: 'application', clientId: 'app-id-of-20-letters', clientSecret }],
  ['a function', async () => ({ type: 'token', token })],
];

/** Returns the parts of a request that could contain a credential. */
function whole({ url, headers, body }: Seen): string {
  const basic = /Basic (\S+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  return decodeURIComponent(
    `${url} ${JSON.stringify(headers)} ${body} ${Buffer.from(basic, 'base64').toString()}`,
  );
}

function expectNoSecret(server: TestServer): void {
  for (const request of server.requests) {
    for (const secret of secrets) expect(whole(request)).not.toContain(secret);
    expect(request.headers.authorization).toBeUndefined();
    expect(request.headers['x-private']).toBeUndefined();
    expect(Object.keys(request.headers).filter((name) => name.endsWith('-otp'))).toEqual([]);
  }
}

const ways: readonly [string, (stranger: TestServer, server: () => TestServer) => Handler][] = [
  ...[301, 302, 303, 307, 308].map((status): (typeof ways)[number] => [
    `a redirect with status ${status}`,
    (stranger) => (_request, response) =>
      response.writeHead(status, { location: `${stranger.origin}/taken` }).end(),
  ]),
  [
    'a redirect whose target contains credentials',
    (stranger) => (request, response) => {
      const query = request.url.split('?')[1] ?? '';
      const held = /^token (.*)/.exec(request.headers.authorization ?? '')?.[1] ?? 'none';
      const host = stranger.origin.replace('//', `//jo:pa55word@`);
      response.writeHead(302, { location: `${host}/taken?x=1&a=${held}&${query}` }).end();
    },
  ],
  [
    'a redirect that follows a same-origin redirect',
    (stranger) => (request, response) =>
      response
        .writeHead(302, {
          location: request.url.includes('step') ? `${stranger.origin}/taken` : '/step',
        })
        .end(),
  ],
];

describe('untrusted origins', () => {
  for (const [way, handler] of ways) {
    for (const [scheme, auth] of schemes) {
      it(`the client doesn't send credentials to an untrusted origin through ${way} if auth is ${scheme}`, async () => {
        const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
        const server: TestServer = await serve(handler(stranger, () => server));
        const client = createClient(server, { auth });
        const call = client.request('GET /x', {}, { headers: { 'x-private': 'mine' } });
        const isRejected =
          /query|application/.test(scheme) || (/target/.test(way) && scheme !== 'a password');
        if (isRejected) {
          expect(await rejectionOf(call)).toMatchObject({ reason: 'contains_secret' });
          expect(stranger.requests).toEqual([]);
          return;
        }
        expect(await call).toEqual({ ok: true });
        expect(stranger.requests).toHaveLength(1);
        expectNoSecret(stranger);
        expect(server.requests[0] && whole(server.requests[0])).toContain('mine');
        const { response } = await call.withResponse();
        for (const secret of secrets) expect(response.url).not.toContain(secret);
      });
    }
  }

  for (const [scheme, auth] of schemes) {
    it(`the client sends no credentials to an absolute URL on an untrusted origin if auth is ${scheme}`, async () => {
      const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
      const client = createClient({ origin: 'http://127.0.0.1:1' }, { auth });
      const options = { headers: { 'x-private': 'mine' } };
      await client.request(`GET ${stranger.origin}/a`, {}, options);
      await client.request(`GET ${stranger.origin}/a{?b}`, { b: '1' }, options);
      await client.withAuth(auth).request(`GET ${stranger.origin}/a`, {}, { ...options, auth });
      expect(stranger.log).toEqual(['GET /a', 'GET /a?b=1', 'GET /a']);
      expectNoSecret(stranger);
    });

    it(`request() removes credentials from a URL on an untrusted origin if auth is ${scheme}`, async () => {
      const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
      const client = createClient({ origin: 'http://127.0.0.1:1' }, { auth });
      await client.request(
        `GET ${stranger.origin}/a?b=1&access_token=${token}&client_secret=ap9-secret`,
      );
      expect(stranger.log).toEqual(['GET /a?b=1']);
    });

    it(`the client rejects a next page and an upload on an untrusted origin if auth is ${scheme}`, async () => {
      const stranger = await serve((_request, response) => sendJson(response, []));
      const server = await serve((_request, response) =>
        sendJson(response, [1], 200, { link: `<${stranger.origin}/p>; rel="next"` }),
      );
      const client = createClient(server, { auth });
      expect(await rejectionOf(client.paginate('GET /x').toArray())).toMatchObject({
        code: 'response_shape',
      });
      const upload = client.releases.uploadAsset({
        upload_url: `${stranger.origin}/assets{?name}`,
        name: 'a.zip',
        content_type: 'application/zip',
        data: Buffer.from('x'),
      });
      expect(await rejectionOf(upload)).toMatchObject({
        code: 'configuration',
        option: 'trustedOrigins',
      });
      expect(stranger.requests).toEqual([]);
    });
  }
});

describe('credentials in the query', () => {
  const auth: HostingAuth = { type: 'token', token, in: 'query' };

  it('the client removes query credentials from cursors, links and response URLs', async () => {
    const server: TestServer = await serve((request, response) => {
      const next = `${server.origin}${request.url.split('?')[0]}?page=2&access_token=${token}`;
      const more = request.url.includes('page=2') ? {} : { link: `<${next}>; rel="next"` };
      sendJson(response, [request.url], 200, more);
    });
    const client = createClient(server, { auth });
    const pages = [];
    for await (const page of client.paginate('GET /x').pages()) pages.push(page);
    expect(server.log).toEqual([
      `GET /api/v3/x?access_token=${token}`,
      `GET /api/v3/x?page=2&access_token=${token}`,
    ]);
    expect(pages[0]?.cursor).toBe(`${server.origin}/api/v3/x?page=2`);
    expect(pages[0]?.links.next).toBe(`${server.origin}/api/v3/x?page=2`);
    expect(pages[1]?.response.url).toBe(`${server.origin}/api/v3/x?page=2`);
  });

  it("request() replaces old credentials in an absolute URL's query", async () => {
    const server = await serve((_request, response) => sendJson(response, { ok: true }));
    const client = createClient(server, { auth });
    const { response } = await client
      .request(`GET ${server.origin}/api/v3/x?access_token=old&a=1`)
      .withResponse();
    expect(server.log).toEqual([`GET /api/v3/x?a=1&access_token=${token}`]);
    expect(response.url).toBe(`${server.origin}/api/v3/x?a=1`);
  });

  it('the client replaces the credentials in the query of a same-origin redirect target', async () => {
    const server = await serve((request, response) =>
      request.url.startsWith('/api/v3/x')
        ? response.writeHead(302, { location: `/y?access_token=${token}&b=2` }).end()
        : sendJson(response, { ok: true }),
    );
    await createClient(server, { auth }).request('GET /x');
    expect(server.log[1]).toBe(`GET /y?b=2&access_token=${token}`);
  });
});

/**
 * Creates a client for an HTTPS API and an HTTP origin that the client trusts. `respond` handles
 * the API's requests.
 */
async function world(respond: (origins: { http: string; https: string }) => RequestListener) {
  const plain = await serve((_request, response) => sendJson(response, []));
  let listener: RequestListener = () => undefined;
  const server = createServer(keys, (request, response) => listener(request, response));
  const { port } = await listening(server);
  const home = `https://localhost:${port}`;
  listener = respond({ http: plain.origin, https: home });
  const client = new HostingClient({
    baseUrl: home,
    auth: { type: 'token', token },
    headers: { 'x-private': 'mine' },
    trustedOrigins: [plain.origin],
    tls: { ca: authority },
    retry: false,
  });
  onTestFinished(() => client.close());
  return { plain, client };
}

describe('plain http URLs from an https server', () => {
  it('paginate() rejects an http URL as the next page, even if its origin is trusted', async () => {
    const { plain, client } = await world(({ http }) => (_request, response) => {
      sendJson(response, [1], 200, { link: `<${http}/p2>; rel="next"` });
    });
    const items: unknown[] = [];
    const walk = async () => {
      for await (const item of client.paginate('GET /x')) items.push(item);
    };
    const error = await rejectionOf(walk());
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).toContain('uses http instead of https');
    expect(items).toEqual([1]);
    expect(plain.requests).toEqual([]);
  });

  it('request(), paginate() and uploadAsset() reject an http URL', async () => {
    const { plain, client } = await world(() => (_request, response) => sendJson(response, {}));
    const stranger = await serve((_request, response) => sendJson(response, {}));
    for (const { origin } of [plain, stranger]) {
      const route = `GET ${origin}/x{?a}` as const;
      for (const call of [client.request(route), client.paginate(route).toArray()]) {
        const error = await rejectionOf(call);
        expect(error).toMatchObject({ code: 'invalid_request', field: 'route' });
      }
    }
    const data = Buffer.from('x');
    const upload = { upload_url: `${plain.origin}/{?name}`, name: 'a', content_type: 'a/b', data };
    const error = await rejectionOf(client.releases.uploadAsset(upload));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'upload_url' });
    expect([...plain.requests, ...stranger.requests]).toEqual([]);
  });

  it('the client rejects a redirect from https to http, even to a trusted origin', async () => {
    const { plain, client } = await world(({ http }) => (_request, response) => {
      response.writeHead(302, { location: `${http}/x` }).end();
    });
    const inRepo = { owner: 'o', repo: 'r' };
    for (const send of [
      () => client.request('GET /x'),
      () => client.releases.downloadAsset({ ...inRepo, id: 1 }),
      () => client.contents.getArchive({ ...inRepo, archive_format: 'zipball', ref: 'main' }),
    ]) {
      expect(await rejectionOf(send())).toMatchObject({ reason: 'insecure' });
    }
    expect(plain.requests).toEqual([]);
  });
});
