import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, type TestServer } from '../../support/server.js';
import { folder } from '../download-world.js';
import { base64, base64url, encode, hex, inQuery, queryToken, shown } from './planted.js';

/**
 * Starts a trusted server that redirects every request to an untrusted server. `target` derives the
 * location from the request.
 */
async function gateway(target: (url: string, all: string) => string, status = 302) {
  const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
  const home: TestServer = await serve(({ url, headers, body }, response) => {
    const all = `${url} ${JSON.stringify(headers)} ${body}`;
    const location = target(`${home.origin}${url}`, all);
    response.writeHead(status, {
      location: location.startsWith('/') ? `${stranger.origin}${location}` : location,
    });
    response.end();
  });
  return { home, stranger };
}

const jwt = (url: string) =>
  ['{"alg":"none"}', JSON.stringify({ exp: 1, rd: url })].map(base64url).join('.');
const lines = (text: string) => text.replace(/.{20}/g, '$&\r\n');

describe('credential detection', () => {
  it.each<[string, (url: string) => string]>([
    ['in a JWT claim', (url) => `/login?state=${jwt(url)}.c2ln`],
    ['in a JWT claim in a path', (url) => `/login/${jwt(url)}/x`],
    ['in multiline Base64', (url) => `/login?s=${encode(lines(base64(url)))}`],
    ['in a Base64-encoded form', (url) => `/login?s=${base64url(`a=1&rd=${encode(url)}`)}`],
    [
      'in Base64-encoded HTML',
      (url) => `/login?s=${base64url(`<a href="${url.replace(/&/g, '&amp;')}">`)}`,
    ],
    ['in hex-encoded Base64', (url) => `/login?s=${hex(base64(url))}`],
    ['in Base64-encoded hex', (url) => `/login?s=${base64url(hex(url))}`],
    [
      'in Base64-encoded PHP data',
      (url) => `/login?s=${base64url(`a:1:{s:2:"rd";s:${url.length}:"${url}";}`)}`,
    ],
    [
      'after binary bytes in Base64',
      (url) =>
        `/login?s=${Buffer.concat([Buffer.from([0x82, 0xa2, 0xff, 0xd9]), Buffer.from(url)]).toString('base64url')}`,
    ],
    ['after an encoded fragment', (url) => `/login?rd=${encode(`/#/x?u=${encode(url)}`)}`],
    ['in a list of URLs', (url) => `/login?u=a,b,${encode(url)},c`],
    [
      'in JSON within JSON',
      (url) =>
        `/login?s=${encode(JSON.stringify({ s: JSON.stringify({ url: url.replaceAll('/', '\\/') }) }))}`,
    ],
    [
      'both as a parameter and in a nested URL',
      (url) => `/x?access_token=${encode(queryToken)}&rd=${encode(encode(url))}`,
    ],
  ])('the client finds credentials in a redirect target %s', async (_way, target) => {
    const { home, stranger } = await gateway(target);
    const error = await rejectionOf(createClient(home, { auth: inQuery }).request('GET /x'));
    expect(error).toMatchObject({ reason: 'contains_secret', mayHaveActed: false });
    for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    expect(stranger.requests).toEqual([]);
  });

  it.each([
    ['without a scheme', (origin: string) => origin.replace('http:', '')],
    ['with backslashes', (origin: string) => origin.replace('http://', 'http:\\\\')],
    ['in upper case', (origin: string) => origin.replace('http:', 'HTTP:')],
    ['with a username', (origin: string) => origin.replace('//', '//jo:pw@')],
  ])(
    'the client finds credentials in a redirect target whose origin is written %s',
    async (_way, write) => {
      const stranger = await serve((_request, response) => sendJson(response, {}));
      const { home } = await gateway(
        (url) => `${write(stranger.origin)}/?rd=${encode(encode(url))}`,
      );
      const error = await rejectionOf(createClient(home, { auth: inQuery }).request('GET /x'));
      expect(error).toMatchObject({ reason: 'contains_secret' });
      expect(stranger.requests).toEqual([]);
    },
  );

  it('the client finds credentials in a redirect target after a retry and a same-origin redirect', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    let count = 0;
    const home: TestServer = await serve((request, response) => {
      if (++count === 1) {
        response.writeHead(503).end();
        return;
      }
      const isHop = !request.url.includes('hop');
      const nested = encode(encode(`${request.url} ${request.headers.authorization}`));
      response.writeHead(request.method === 'POST' ? 303 : 302, {
        location: isHop ? `/api/v3/hop?a=${nested}` : `${stranger.origin}/?rd=${nested}`,
      });
      response.end();
    });
    const client = createClient(home, { auth: { type: 'token', token: queryToken } });
    for (const call of [
      () => client.request('GET /x'),
      () => client.request('HEAD /x'),
      () => client.request('POST /x', { a: 1 }),
      () => client.releases.downloadAsset({ owner: 'o', repo: 'r', id: 1 }),
      () => client.withAuth(inQuery).request('GET /x'),
    ]) {
      expect(await rejectionOf(call())).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it('the client finds license hashes and replaced session tokens in a redirect target', async () => {
    const { home, stranger } = await gateway((_url, all) => `/x?s=${encode(all)}`);
    const licenses = [
      { licenseMd5: 'deadbeef5ec2e7deadbeef5ec2e71234' },
      { licenseMd5: 'deadbeef5ec2e7deadbeef5ec2e71234', in: 'query' as const },
      { license: Buffer.from('a license') },
    ];
    for (const auth of licenses) {
      const client = new ConsoleClient({ baseUrl: home.origin, auth });
      onTestFinished(() => client.close());
      const error = await rejectionOf(client.request('GET /setup/api/settings'));
      expect(error).toMatchObject({ reason: 'contains_secret' });
    }
    let opened = 0;
    const support: TestServer = await serve((request, response) => {
      const { url } = request;
      if (url.includes('/authenticate')) {
        const expires = '2099-01-01T00:00:00+0000';
        return sendJson(response, {
          success: true,
          access_token: `session-${++opened}-of-jo`,
          expires,
        });
      }
      if (url.includes('session-1')) return sendJson(response, {}, 401);
      response.writeHead(302, { location: `${stranger.origin}/x?s=${encode(url)}` }).end();
    });
    const auth = { userName: 'jo', apiKey: 'an-api-key', password: 'pa55word' };
    const client = new SupportClient({ baseUrl: support.origin, auth });
    onTestFinished(() => client.close());
    expect(await rejectionOf(client.me())).toMatchObject({ reason: 'contains_secret' });
    expect(opened).toBe(2);
    expect(stranger.requests).toEqual([]);
  });

  it.each(['call', 'list', 'download'])(
    'the client finds credentials in a redirect target that the auth function has since replaced (%s)',
    async (kind) => {
      const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
      const home: TestServer = await serve((_request, response, index) => {
        const [first] = home.requests;
        if (index > 0) {
          const nested = encode(`${first?.url} ${first?.headers.authorization}`);
          response.writeHead(302, { location: `${stranger.origin}/login?rd=${nested}` }).end();
        } else if (kind === 'download') {
          response.writeHead(200, { 'content-length': 9, etag: '"a"', 'accept-ranges': 'bytes' });
          response.write('abc', () => response.destroy());
        } else sendJson(response, [1], 200, { link: `<${home.origin}/x?page=2>; rel="next"` });
      });
      const to = join((await folder()).path, 'asset');
      for (const place of ['query', 'header'] as const) {
        let calls = 0;
        const auth = () =>
          ({ type: 'token', token: `${queryToken}-${++calls}`, in: place }) as const;
        const client = createClient(home, { auth });
        home.requests.length = 0;
        if (kind === 'call') await client.request('GET /x');
        const error = await rejectionOf(
          kind === 'download'
            ? client.releases.downloadAsset({ owner: 'o', repo: 'r', id: 1 }, { to })
            : client.paginate('GET /x').toArray(),
        );
        expect(error).toMatchObject({ reason: 'contains_secret' });
        for (const each of shown(error)) expect(each).not.toContain('pl4nted');
      }
      expect(stranger.requests).toEqual([]);
    },
  );

  it('the client finds credentials in URLs passed to follow() and request()', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    const client = createClient(
      { origin: 'http://127.0.0.1:1' },
      { headers: { 'x-gateway-key': queryToken }, auth: { type: 'token', token: 'another-token' } },
    );
    const path = `${stranger.origin}/x?k=${encode(`key=${queryToken}`)}`;
    const calls = [client.follow(path), client.withAuth({ type: 'none' }).request(`GET ${path}`)];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(error).toMatchObject({ code: 'invalid_request', field: 'route' });
    }
    expect(stranger.requests).toEqual([]);
  });
});

describe('harmless redirects to an untrusted origin', () => {
  const signature = Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 7919) % 251));
  const signed = `X-Amz-Security-Token=${encode(signature.toString('base64'))}&X-Amz-Signature=${signature.toString('hex').slice(0, 64)}`;
  it.each([
    ['a signature', `/a.zip?${signed}`],
    ['a double-encoded URL', `/a.zip?u=${encode(encode(`https://cdn.test/a?${signed}`))}`],
    ['a URL as base64url', `/a.zip?u=${base64url(`https://cdn.test/a?${signed}`)}`],
    ['short parameters', `/a.zip?format=zip&ref=main&page=1&id=1234&${signed}`],
    [
      'a file name',
      `/zip/main/1234/archive-1.zip?response-content-disposition=${encode('attachment; filename="zip main.zip"')}`,
    ],
  ])(
    'the client keeps %s in a redirect target unchanged, even if short words are secrets',
    async (_what, target) => {
      const { home, stranger } = await gateway(() => target);
      for (const password of ['zip', 'main', '1', '1234', 'archive', 'token', 'https']) {
        const auth = { type: 'basic', username: 'main', password } as const;
        const client = createClient(home, { auth });
        expect(await client.request('GET /x', { code: 1 })).toEqual({ ok: true });
      }
      expect(new Set(stranger.log)).toEqual(new Set([`GET ${target}`]));
    },
  );
});
