import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';
import { SupportClient } from '../../../src/support/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve, type TestServer } from '../../support/server.js';
import { base64, encode } from './encodings.js';
import { application, basic, inQuery, password, token } from './redirect-credentials.js';

const byOctets = (text: string) =>
  [...Buffer.from(text)].map((each) => `%${each.toString(16).padStart(2, '0')}`).join('');

/** Redirect targets of a gateway that requires a login. `url` is the requested URL. */
const gateways: Readonly<Record<string, (url: string) => string>> = {
  unencoded: (url) => `/login?rd=${url.replaceAll('&', '%26')}`,
  encoded: (url) => `/login?rd=${encode(url)}`,
  'in the path': (url) => `/login/${encode(url)}/x`,
  'in a path parameter': (url) => `/login;rd=${encode(url)};a=1`,
  'as the name of a parameter': (url) => `/login?${encode(url)}`,
  'with every byte encoded': (url) => `/login?rd=${byOctets(url)}`,
};

/** Starts a trusted server that redirects its callers to a target on an untrusted server. */
async function gateway(target: (seen: { url: string; headers: object; body: string }) => string) {
  const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
  const home: TestServer = await serve((request, response) =>
    response.writeHead(302, { location: `${stranger.origin}${target(request)}` }).end(),
  );
  return { stranger, home };
}

describe('redirects to another origin', () => {
  for (const [way, target] of Object.entries(gateways)) {
    it.each([
      ['a token in the query', inQuery],
      ['application credentials', application],
    ])(
      `the client rejects a redirect target that contains the requested URL ${way} (auth: %s)`,
      async (_name, auth) => {
        const { stranger, home } = await gateway(({ url }) => target(`${home.origin}${url}`));
        const call = createClient(home, { auth }).request('GET /x');
        const error = await rejectionOf(call);
        expect(error).toMatchObject({ code: 'redirect', reason: 'contains_secret' });
        expect(stranger.requests).toEqual([]);
        expect(String(error)).not.toMatch(/5ecret|ap9-secret/i);
      },
    );
  }

  it.each([['unencoded bytes', `/x/${Buffer.from('ünïcode-passwörd').toString('latin1')}`]])(
    'the client rejects a redirect target that contains a password in several encodings (%s)',
    async (_name, target) => {
      const auth = { type: 'basic', username: 'jo', password: 'ünïcode-passwörd' } as const;
      const { stranger, home } = await gateway(() => target);
      const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
      expect(error).toMatchObject({ reason: 'contains_secret' });
      expect(stranger.requests).toEqual([]);
      expect(Reflect.get(Object(error), 'location')).not.toMatch(/code-|assw/);
    },
  );

  it('the client rejects a redirect target that contains a support token', async () => {
    const { stranger, home } = await gateway(({ url }) => `/login?rd=${encode(encode(url))}`);
    const client = new SupportClient({ baseUrl: home.origin, auth: { accessToken: token } });
    onTestFinished(() => client.close());
    expect(await rejectionOf(client.me())).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  const header = ({ headers }: { headers: object }) =>
    String(Reflect.get(headers, 'authorization'));
  it.each<[string, HostingAuth, (value: string) => string]>([
    [
      'the Authorization header of a token',
      { type: 'token', token },
      (value) => `/x?auth=${encode(value)}`,
    ],
    [
      'the Authorization header of a token, encoded twice',
      { type: 'token', token },
      (value) => `/x?a=${encode(encode(value))}`,
    ],
    ['a Basic Authorization header', basic, (value) => `/x?auth=${encode(value)}`],
    [
      'a Basic Authorization header, unencoded',
      basic,
      (value) => `/x?auth=${value.replace(' ', '%20')}`,
    ],
    ['a Basic Authorization header in Base64', basic, (value) => `/x?auth=${base64(value)}`],
    [
      'the decoded value of a Basic Authorization header',
      basic,
      (value) => `/x?auth=${encode(Buffer.from(value.slice(6), 'base64').toString())}`,
    ],
    [
      'a form-encoded password',
      basic,
      () => `/x?a=1;b=${encode(password).replaceAll('%20', '+')};c`,
    ],
    ['a one-time password', basic, () => '/login/hunter-two/x'],
  ])('the client rejects a redirect target that contains %s', async (_name, auth, target) => {
    const { stranger, home } = await gateway((seen) => target(header(seen)));
    const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  it.each([['first label of the host', (secret: string) => `http://${secret}.localhost`]])(
    'the client rejects a redirect target that contains a token as the %s',
    async (_name, origin) => {
      const secret = 'abc123def456ghi789';
      const home = await serve((_request, response) =>
        response.writeHead(302, { location: `${origin(secret)}:1/x` }).end(),
      );
      const auth = { type: 'token', token: secret } as const;
      const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
      expect(error).toMatchObject({ reason: 'contains_secret' });
      expect(String(error)).not.toMatch(/123def/);
      expect(Reflect.get(Object(error), 'location')).not.toMatch(/123def/);
    },
  );

  it('the client rejects a redirect target with credentials from a call, a header or an input', async () => {
    const { stranger, home } = await gateway(
      ({ url, headers, body }) => `/x?all=${encode(`${url} ${JSON.stringify(headers)} ${body}`)}`,
    );
    const client = createClient(home);
    const calls = [
      client.withAuth({ type: 'token', token }).request('GET /x'),
      client.request('GET /x', {}, { auth: basic }),
      client.request('GET /x', {}, { headers: { 'x-gatewaykey': token } }),
      client.request('GET /x', { api_key: token }),
      client.request('GET /x', {}, { auth: async () => inQuery }),
      client.request('GET /x', { code: 123456789 }),
      client.request('GET /x', {}, { headers: [['x_gateway_key', token]] }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(error).toMatchObject({ reason: 'contains_secret' });
    }
    expect(stranger.requests).toEqual([]);
  });

  it('the client rejects a redirect target that contains a one-time password sent after a 401', async () => {
    const stranger = await serve((_request, response) => sendJson(response, {}));
    const home = await serve((request, response) => {
      const code = request.headers['x-service-otp'];
      if (code === undefined) {
        sendJson(response, {}, 401, { 'x-service-otp': 'required; app' });
      } else {
        response.writeHead(302, { location: `${stranger.origin}/x?rd=${encode(`?c=${code}`)}` });
        response.end();
      }
    });
    const otp = () => 'c0de-of-now';
    const auth = { type: 'basic', username: 'jo', password, otp } as const;
    const error = await rejectionOf(createClient(home, { auth }).request('GET /x'));
    expect(error).toMatchObject({ reason: 'contains_secret' });
    expect(stranger.requests).toEqual([]);
  });

  it('the client accepts a redirect target that contains a common word that is also the password', async () => {
    const targets = [
      '/rocket/archive/main.zip?sig=abc%2Fdef&expires=123456789',
      '/releases/rocket-1/hunter?x=rockets&page=2',
      `/${encode('https://cdn.test/rocket?x=1')}/${base64('nothing of interest in here')}`,
    ];
    for (const target of targets) {
      const { stranger, home } = await gateway(() => target);
      for (const secret of ['rocket', 'archive', 'hunter', 'http', 'x']) {
        const auth = { type: 'basic', username: 'rocket', password: secret } as const;
        expect(await createClient(home, { auth }).request('GET /x')).toEqual({ ok: true });
      }
      expect(new Set(stranger.log)).toEqual(new Set([`GET ${target}`]));
    }
  });

  it('the client accepts credentials in a redirect target on a trusted origin', async () => {
    const { stranger, home } = await gateway(({ url }) => `/x?rd=${encode(url)}`);
    const client = createClient(home, { auth: inQuery, trustedOrigins: [stranger.origin] });
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });
});

describe('server-provided URLs on another origin', () => {
  for (const [way, target] of Object.entries(gateways)) {
    it(`the client rejects a URL on an untrusted origin that contains credentials ${way}`, async () => {
      const stranger = await serve((_request, response) => sendJson(response, {}));
      const client = createClient({ origin: 'http://127.0.0.1:1' }, { auth: inQuery });
      const named = target(`http://127.0.0.1:1/?access_token=${encode(token)}`);
      const path = `${stranger.origin}${named.replace(/[{}\\"]/g, encode)}`;
      for (const send of [
        () => client.follow(path),
        () => client.request(`GET ${path}`),
        () => client.paginate(`GET ${path}`).toArray(),
      ]) {
        const error = await rejectionOf(send());
        expect(error).toMatchObject({ code: 'invalid_request', field: 'route' });
        expect(String(error)).not.toMatch(/5ecret/i);
      }
      expect(stranger.requests).toEqual([]);
    });
  }

  it("follow() keeps a URL's own signature, even in a parameter named token", async () => {
    const stranger = await serve((_request, response) => sendJson(response, { ok: true }));
    const client = createClient(
      { origin: 'http://127.0.0.1:1' },
      { auth: { type: 'token', token } },
    );
    const path = `${stranger.origin}/a?token=signature-of-theirs`;
    expect(await client.follow(path)).toEqual({ ok: true });
    expect(stranger.log).toEqual(['GET /a?token=signature-of-theirs']);
  });
});
