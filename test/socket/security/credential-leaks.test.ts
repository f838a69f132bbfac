import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../../src/console/client.js';
import { endpoint, optional, rule } from '../../../src/extend/index.js';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';
import { SupportClient } from '../../../src/support/client.js';
import type { CacheEntry } from '../../../src/transport/stores/cache-entry.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { type Handler, sendJson, serve, type TestServer } from '../../support/server.js';
import { shown, watchEvents } from './planted.js';

const token = 'pl4nted-tok3n/9';
const inQuery: HostingAuth = { type: 'token', token, in: 'query' };
const encode = encodeURIComponent;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const hex = (text: string) => Buffer.from(text).toString('hex');

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
    ['in a double-encoded path segment', (url) => `/x/../y/${encode(encode(url))}`],
    [
      'both as a parameter and in a nested URL',
      (url) => `/x?access_token=${encode(token)}&rd=${encode(encode(url))}`,
    ],
  ])('finds credentials %s', async (_way, target) => {
    const { home, stranger } = await gateway(target);
    const error = await rejectionOf(createClient(home, { auth: inQuery }).request({ path: '/x' }));
    expect(error).toMatchObject({ reason: 'contains_secret', mayHaveActed: false });
    for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    expect(stranger.requests).toEqual([]);
  });

  it.each([
    ['without a scheme', (origin: string) => origin.replace('http:', '')],
    ['with backslashes', (origin: string) => origin.replace('http://', 'http:\\\\')],
    ['in upper case', (origin: string) => origin.replace('http:', 'HTTP:')],
    ['with a username', (origin: string) => origin.replace('//', '//jo:pw@')],
  ])('finds credentials if the origin is written %s', async (_way, write) => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    const { home } = await gateway((url) => `${write(stranger.origin)}/?rd=${encode(encode(url))}`);
    const error = await rejectionOf(createClient(home, { auth: inQuery }).request({ path: '/x' }));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  it('finds credentials after a retry and a same-origin redirect', async () => {
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
    const client = createClient(home, { auth: { type: 'token', token } });
    for (const call of [
      () => client.request({ path: '/x' }),
      () => client.request({ method: 'HEAD', path: '/x' }),
      () => client.request({ method: 'POST', path: '/x', json: { a: 1 } }),
      () => client.releases.downloadAsset({ owner: 'o', repo: 'r', id: 1 }),
      () => client.withAuth(inQuery).request({ path: '/x' }),
    ]) {
      expect(await rejectionOf(call())).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it('finds license hashes and renewed session tokens', async () => {
    const { home, stranger } = await gateway((_url, all) => `/x?s=${base64url(all)}`);
    const licenses = [
      { licenseMd5: 'deadbeef5ec2e7deadbeef5ec2e71234' },
      { licenseMd5: 'deadbeef5ec2e7deadbeef5ec2e71234', in: 'query' as const },
      { license: Buffer.from('a license') },
    ];
    for (const auth of licenses) {
      const client = new ConsoleClient({ baseUrl: home.origin, auth });
      onTestFinished(() => client.close());
      const error = await rejectionOf(client.request({ path: '/setup/api/settings' }));
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
      response.writeHead(302, { location: `${stranger.origin}/x?s=${encode(base64(url))}` }).end();
    });
    const auth = { userName: 'jo', apiKey: 'an-api-key', password: 'pa55word' };
    const client = new SupportClient({ baseUrl: support.origin, auth });
    onTestFinished(() => client.close());
    expect(await rejectionOf(client.me())).toMatchObject({ reason: 'contains_secret' });
    expect(opened).toBe(2);
    expect(stranger.requests).toEqual([]);
  });

  it.each([
    '=archive@',
    ':archive@',
    '=archive)',
    '=archive}',
    '=archive|x',
    '=archive<',
    '=archive]',
  ])('finds a common-word password that forms a complete value (%s)', async (text) => {
    const { home, stranger } = await gateway(() => `/login?rd=${encode(`http://x/?p${text}`)}`);
    const auth = { type: 'basic', username: 'jo', password: 'archive' } as const;
    const error = await rejectionOf(createClient(home, { auth }).request({ path: '/x' }));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  it.each(['call', 'list', 'download'])(
    'finds credentials that the auth function has since replaced (%s)',
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
      const folder = await mkdtemp(join(tmpdir(), 'triforge-attack-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const to = join(folder, 'asset');
      for (const place of ['query', 'header'] as const) {
        let calls = 0;
        const auth = () => ({ type: 'token', token: `${token}-${++calls}`, in: place }) as const;
        const client = createClient(home, { auth });
        home.requests.length = 0;
        if (kind === 'call') await client.request({ path: '/x' });
        const error = await rejectionOf(
          kind === 'download'
            ? client.releases.downloadAsset({ owner: 'o', repo: 'r', id: 1 }, { to })
            : client.paginate({ path: '/x' }).toArray(),
        );
        expect(error).toMatchObject({ reason: 'contains_secret' });
        for (const each of shown(error)) expect(each).not.toContain('pl4nted');
      }
      let isFirst = true;
      const auth = () => {
        const passed = isFirst ? inQuery : ({ type: 'none' } as const);
        isFirst = false;
        return passed;
      };
      const client = createClient(home, { auth });
      home.requests.length = 0;
      await client.request({ path: '/x' }).then(undefined, () => undefined);
      const error = await rejectionOf(client.request({ path: '/x' }));
      expect(error).toMatchObject({ reason: 'contains_secret' });
      expect(stranger.requests).toEqual([]);
    },
  );

  it('finds credentials in URLs passed to follow() and request()', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    const client = createClient(
      { origin: 'http://127.0.0.1:1' },
      { headers: { 'x-gateway-key': token }, auth: { type: 'token', token: 'another-token' } },
    );
    const path = `${stranger.origin}/x?k=${base64url(`key=${token}`)}`;
    const calls = [client.follow({ path }), client.withAuth({ type: 'none' }).request({ path })];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(error).toMatchObject({ code: 'invalid_request', field: 'path' });
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
  ])('keeps %s unchanged, even if short words are secrets', async (_what, target) => {
    const { home, stranger } = await gateway(() => target);
    for (const password of ['zip', 'main', '1', '1234', 'archive', 'token', 'https']) {
      const auth = { type: 'basic', username: 'main', password } as const;
      const client = createClient(home, { auth });
      expect(await client.request({ path: '/x', query: { code: 1 } })).toEqual({ ok: true });
    }
    expect(new Set(stranger.log)).toEqual(new Set([`GET ${target}`]));
  });

  it('drops secret parameters, even with short values', async () => {
    const { home, stranger } = await gateway((url) => `/x?a=1&${new URL(url).searchParams}`);
    await createClient(home, { auth: { type: 'token', token: 'abc', in: 'query' } }).request({
      path: '/x',
      query: { otp: '1234', b: '1234' },
    });
    expect(stranger.log).toEqual(['GET /x?a=1&b=1234']);
  });
});

describe('redirects', () => {
  /** Selects a handler by the last segment of the path. */
  const routes = (routes: Readonly<Record<string, Handler>>): Handler => {
    return (request, response, index) => {
      const name = request.url.split(/[/?]/).filter(Boolean).at(-1) ?? '';
      const route = routes[name];
      return route ? route(request, response, index) : sendJson(response, { at: name });
    };
  };
  const to =
    (location: () => string, status = 302): Handler =>
    (_request, response) =>
      response.writeHead(status, { location: location() }).end();

  it('sends no credentials after an untrusted origin in the chain', async () => {
    const partner: TestServer = await serve(
      routes({ a: to(() => `${stranger.origin}/b`), c: to(() => `${home.origin}/d`, 301) }),
    );
    const home: TestServer = await serve(
      routes({ from: to(() => `${partner.origin}/a`), d: to(() => '/e', 308) }),
    );
    const stranger: TestServer = await serve(routes({ b: to(() => `${partner.origin}/c`, 307) }));
    const client = createClient(home, {
      auth: { type: 'token', token },
      headers: { 'x-private': 'mine' },
      trustedOrigins: [partner.origin],
      cache: true,
    });
    for (let round = 0; round < 2; round++) {
      expect(await client.request({ path: '/from' })).toEqual({ at: 'e' });
    }
    const has = ({ requests }: TestServer) =>
      requests.map(({ headers }) => Boolean(headers.authorization ?? headers['x-private']));
    expect(has(home)).toEqual([true, false, false, true, false, false]);
    expect(has(partner)).toEqual([true, false, true, false]);
    expect(has(stranger)).toEqual([false, false]);
  });

  it('restarts after a failure at an untrusted origin without pausing later calls', async () => {
    let failures = 0;
    const stranger = await serve((_request, response) =>
      failures++ === 0
        ? response.writeHead(503).end()
        : response
            .writeHead(429, {
              'retry-after': '3600',
              'x-ratelimit-remaining': '0',
              'x-ratelimit-limit': '9',
            })
            .end(),
    );
    const home: TestServer = await serve(routes({ from: to(() => `${stranger.origin}/s`) }));
    const client = createClient(home, { auth: { type: 'token', token } });
    await rejectionOf(client.request({ path: '/from' }));
    expect(stranger.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    expect(home.requests.map(({ headers }) => headers.authorization)).toEqual([
      `token ${token}`,
      `token ${token}`,
    ]);
    expect(await client.request({ path: '/other' })).toEqual({ at: 'other' });
  });

  it('sends a GET without credentials after a 303 to an untrusted origin and back', async () => {
    const stranger: TestServer = await serve(
      routes({ s: to(() => `${home.origin}/api/v3/other`, 307) }),
    );
    const home: TestServer = await serve(routes({ from: to(() => `${stranger.origin}/s`, 303) }));
    const client = createClient(home, { auth: { type: 'token', token } });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      await client.request({
        method,
        path: '/from',
        ...(method !== 'DELETE' && { json: { a: 1 } }),
      });
    }
    const back = home.requests.filter(({ url }) => url.endsWith('/other'));
    expect(back).toHaveLength(4);
    for (const { method, headers, body } of back) {
      expect([method, headers.authorization, headers['content-type'], body]).toEqual([
        'GET',
        undefined,
        undefined,
        '',
      ]);
    }
  });

  it('applies a permanent redirect to one credential only', async () => {
    const home: TestServer = await serve((request, response) =>
      request.url.endsWith('/from') && request.headers.authorization?.includes('one')
        ? response.writeHead(301, { location: '/api/v3/of-one' }).end()
        : sendJson(response, { at: request.url }),
    );
    const client = createClient(home, { auth: { type: 'token', token: 'token-one' } });
    const others = [
      client.withAuth({ type: 'token', token: 'token-two' }),
      client.withAuth({ type: 'none' }),
      client.withAuth({ type: 'basic', username: 'jo', password: 'token-1' }),
    ];
    for (let round = 0; round < 2; round++) {
      expect(await client.request({ path: '/from' })).toEqual({ at: '/api/v3/of-one' });
      for (const other of others) {
        expect(await other.request({ path: '/from' })).toEqual({ at: '/api/v3/from' });
      }
    }
  });
});

it('a cache store never receives a redirect URL that contains credentials', async () => {
  const entries: CacheEntry[] = [];
  const store = {
    get: async () => undefined,
    set: async (_key: string, entry: CacheEntry) => void entries.push(entry),
    delete: async () => undefined,
  };
  const home: TestServer = await serve((request, response) =>
    request.url.includes('/from')
      ? response.writeHead(302, { location: `/api/v3/to?rd=${encode(request.url)}` }).end()
      : sendJson(response, { ok: true }, 200, { etag: '"a"' }),
  );
  const client = createClient(home, { auth: inQuery, cache: { store } });
  await client.request({ path: '/from' });
  await client.request({ path: '/plain' });
  await client.close();
  expect(entries.map(({ url }) => url)).toEqual([`${home.origin}/api/v3/plain`]);
});

describe('secret masking', () => {
  const echo = () =>
    serve(({ url, headers, body }, response) => {
      const all = `${url} ${JSON.stringify(headers)} ${body}`;
      sendJson(
        response,
        {
          message: all,
          errors: [{ message: all }],
          documentation_url: `http://x/?${encode(encode(all))}`,
        },
        422,
      );
    });
  const planted = 'pl4nted-value';

  it.each([
    'x-authorization',
    'x-forwarded-auth',
    'x-jwt-assertion',
    'x-service-otp',
    'x-passphrase',
    'x-passcode',
    'x-session-cookie',
    'x-bearer',
  ])('masks the header %s', async (name) => {
    const server = await echo();
    const headers = { [name]: planted };
    const calls = [
      createClient(server, { headers }).request({ path: '/x' }),
      createClient(server).request({ path: '/x' }, { headers }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    }
  });

  it.each([
    ['Bearer pl4nted-value', 'pl4nted-value'],
    ['token  pl4nted-value', 'pl4nted-value'],
    [`Basic ${base64('jo:pl4nted-value:x')}`, 'pl4nted-value:x'],
    ['sid=pl4nted-value; path=/', 'pl4nted-value'],
    ['Signature keyId="jo",signature="pl4nted+/value="', 'pl4nted+/value='],
  ])('masks a secret in the header value "%s"', async (value, secret) => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const home = await serve((request, response) =>
      request.url.endsWith('/from')
        ? response
            .writeHead(302, { location: `${stranger.origin}/?t=${encode(`x=${secret}`)}` })
            .end()
        : sendJson(response, { message: `no session ${secret} here` }, 422),
    );
    for (const name of ['x-authorization', 'x-session-cookie', 'x-token']) {
      const headers = { [name]: value };
      const call = createClient(home).request({ path: '/x' }, { headers });
      for (const each of shown(await rejectionOf(call))) expect(each).not.toContain('pl4nted');
      const redirected = createClient(home, { headers }).request({ path: '/from' });
      expect(await rejectionOf(redirected)).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it.each([
    [{ json: { passphrase: planted } }],
    [{ json: { passcode: planted, a: [{ PassPhrase: planted }] } }],
    [{ form: { otp_code: planted } }],
    [{ json: { token: new URL(`http://x/${planted}`) } }],
    [{ json: { token: { toJSON: () => ({ inner: planted }) } } }],
    [{ path: '/x/{token}', variables: { token: planted } }],
    [{ path: '/x{/secret*}', variables: { secret: [planted, 'b'] } }],
  ])('masks a secret in the request options %o', async (parts) => {
    const events = watchEvents();
    const call = createClient(await echo()).request({ method: 'POST', path: '/x', ...parts });
    for (const each of [...shown(await rejectionOf(call)), ...events]) {
      expect(each).not.toContain('pl4nted');
    }
  });

  it('masks a secret that only toJSON returns', async () => {
    const anything = optional(rule('anything', (each): each is unknown => each !== null));
    const vault = {
      store: endpoint({
        method: 'POST',
        path: '/v',
        input: { value: anything },
        secret: ['value'],
      }),
    };
    const client = createClient(await echo()).extend({ vault });
    class Hidden {
      readonly #value = planted;
      toJSON() {
        return { value: this.#value };
      }
    }
    const values = [
      new URL(`http://x/${planted}`),
      new Hidden(),
      [new Hidden()],
      new String(planted),
    ];
    for (const value of values) {
      const error = await rejectionOf(client.vault.store({ value }));
      for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    }
  });

  it.each(['paßword-ς-1', 'ϐίος-ΐ-word-1', 'Å-Ω-ϴ-word-1', 'ıİ-ŉ-word-123'])(
    'masks other letter cases and percent-encodings (%s)',
    async (password) => {
      const lower = password.toLowerCase();
      const upper = password.toUpperCase();
      const texts = [lower, upper, upper.toLowerCase(), lower.toUpperCase()];
      const message = texts.flatMap((each) => [each, encode(each), encode(encode(each))]).join(' ');
      const server = await serve((_request, response) => sendJson(response, { message }, 422));
      const auth = { type: 'basic', username: 'jo', password } as const;
      const error = await rejectionOf(createClient(server, { auth }).request({ path: '/x' }));
      for (const each of shown(error)) expect(each).not.toMatch(/-1/);
    },
  );

  it('masks a secret in documentationUrl', async () => {
    const pages: readonly (readonly [string, string | undefined])[] = [
      [`https://docs.test/x?u=${base64url(base64url(`?tt=${token}`))}`, undefined],
      [`https://docs.test/x?u=${base64url(`???${token}`)}`, 'https://docs.test/x?u=Pz8_***'],
      ['javascript:alert(1)', undefined],
      ['https://docs.test/\u001b[31m\u202ex', 'https://docs.test/%1B[31m%E2%80%AEx'],
      [`https://jo:${token.split('/')[0]}@docs.test/x`, 'https://docs.test/x'],
      [
        `https://${Buffer.from(token).toString('hex').replace(/.{9}/g, '$&.')}.docs.test/x`,
        undefined,
      ],
    ];
    for (const [documentation_url, shownAs] of pages) {
      const server = await serve((_request, response) =>
        sendJson(response, { message: 'no', documentation_url }, 422),
      );
      const client = createClient(server, { auth: { type: 'token', token } });
      const error = await rejectionOf(client.request({ path: '/x' }));
      expect(Reflect.get(Object(error), 'documentationUrl')).toBe(shownAs);
    }
  });

  it('masks credentials of an earlier attempt', async () => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const sent: string[] = [];
    const home: TestServer = await serve((request, response) => {
      sent.push(request.url);
      if (sent.length === 1) return sendJson(response, {}, 503);
      const location = `${stranger.origin}/login?rd=${encode(`${home.origin}${sent[0]}`)}`;
      return response.writeHead(302, { location }).end();
    });
    let calls = 0;
    const auth = () => {
      calls++;
      return { type: 'token', token: `${token}-${calls}`, in: 'query' } as const;
    };
    const client = createClient(home, { auth, retry: { baseDelay: 1 } });
    const error = await rejectionOf(client.request({ path: '/x' }));
    expect(calls).toBe(2);
    expect(error).toMatchObject({ reason: 'contains_secret' });
    for (const each of shown(error)) expect(each).not.toContain('pl4nted');
    expect(stranger.requests).toEqual([]);
  });

  it('masks a secret in the path of a redirect target', async () => {
    const events = watchEvents();
    const home: TestServer = await serve((request, response) =>
      request.url.includes('/login/')
        ? sendJson(response, {}, 404)
        : response.writeHead(302, { location: `/login/${base64url(request.url)}` }).end(),
    );
    const error = await rejectionOf(createClient(home, { auth: inQuery }).request({ path: '/x' }));
    const nested = base64url(`/api/v3/x?access_token=${encode(token)}`).slice(24);
    for (const each of [...shown(error), ...events]) expect(each).not.toContain(nested);
  });
});
