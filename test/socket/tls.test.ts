import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { Agent } from 'undici';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import type { LimitFacts } from '../../src/transport/limits/credential-limits.js';
import { rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';
import {
  authority,
  clientCertificate,
  clientKey,
  keys,
  serverCertificate,
  serverKey,
  serveTls,
  serveTunnels,
  type Visitor,
} from './private-authority.js';

const identity = { ca: authority, cert: clientCertificate, key: clientKey };

/** Returns the names on the client certificates. */
const names = (seen: readonly Visitor[]) => seen.map(({ certificate }) => certificate);

function createClient(port: number, options: Partial<HostingClientOptions>, host = 'localhost') {
  const baseUrl = `https://${host}:${port}/`;
  const client = new HostingClient({ baseUrl, retry: { baseDelay: 0 }, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('server certificates', () => {
  test('the client trusts a CA that `ca` contains as a string, as bytes or in an array', async () => {
    const { port } = await serveTls();
    for (const ca of [authority, Buffer.from(authority), [clientCertificate, authority]]) {
      const client = createClient(port, { tls: { ca } });
      await expect(client.request('GET x')).resolves.toEqual([]);
    }
  });

  test('the client suggests `ca` in the error if `ca` is missing', async () => {
    const { port, seen } = await serveTls();
    const error = await rejectionOf(createClient(port, {}).request('GET x'));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(String(error)).toMatch(
      /\([A-Z_]+\). If you trust the certificate authority, pass its certificate in tls: \{ ca \}\. \[GET/,
    );
    expect(String(error)).not.toContain('attempts');
    expect(seen).toEqual([]);
  });

  test('the client checks the certificate against `servername` instead of the host name', async () => {
    const { port } = await serveTls();
    const tls = { ca: authority };
    const error = await rejectionOf(createClient(port, { tls }, '127.0.0.1').request('GET x'));
    expect(error).toMatchObject({ code: 'connection' });
    const named = createClient(port, { tls: { ...tls, servername: 'localhost' } }, '127.0.0.1');
    await expect(named.request('GET x')).resolves.toEqual([]);
  });

  test('the client connects to a server with an untrusted certificate only if `rejectUnauthorized` is false', async () => {
    const { port, seen } = await serveTls();
    const open = createClient(port, { tls: { rejectUnauthorized: false } });
    await expect(open.request('GET x')).resolves.toEqual([]);
    const strict = createClient(port, { tls: { rejectUnauthorized: true } });
    const error = await rejectionOf(strict.request('GET x'));
    expect(error).toMatchObject({ code: 'connection' });
    expect(seen).toHaveLength(1);
  });

  test('the client ignores the servername option for the target of a redirect', async () => {
    const other = await serveTls();
    const { port, seen } = await serveTls({}, `https://localhost:${other.port}/y`);
    const tls = { ca: authority, servername: 'code.example.com' };
    await createClient(port, { tls }).request('GET x');
    expect(seen).toMatchObject([{ servername: 'code.example.com' }]);
    expect(other.seen).toMatchObject([{ servername: 'localhost' }]);
  });
});

describe('client certificates', () => {
  test('the client presents its certificate to a server, directly and through a proxy', async () => {
    const { port, seen } = await serveTls({ requestCert: true });
    await createClient(port, { tls: identity }).request('GET x');
    const proxy = await serveTunnels();
    const proxied = createClient(port, { tls: identity, proxy: `http://127.0.0.1:${proxy.port}` });
    await proxied.request('GET x');
    expect(names(seen)).toEqual(['A client', 'A client']);
    expect(proxy.requests).toEqual([`localhost:${port}`]);
    const error = await rejectionOf(
      createClient(port, { tls: { ca: authority } }).request('GET x'),
    );
    expect(error).toMatchObject({ code: 'connection' });
  });

  test.each([['directly'], ['through a proxy']])(
    'the client presents its certificate only to trusted origins (%s)',
    async (way) => {
      const pending = { requestCert: true, rejectUnauthorized: false };
      const other = await serveTls(pending);
      const elsewhere = `https://localhost:${other.port}`;
      const { port, seen } = await serveTls(pending, `${elsewhere}/y`);
      const proxy =
        way === 'directly' ? undefined : `http://127.0.0.1:${(await serveTunnels()).port}`;
      // `servername` applies to the first server only.
      const tls = { ...identity, servername: 'code.example.com' };
      await createClient(port, { tls, proxy }).request('GET x');
      const trustedOrigins = [elsewhere];
      await createClient(port, { tls, proxy, trustedOrigins }).request('GET x');
      expect(names(seen)).toEqual(['A client', 'A client']);
      expect(names(other.seen)).toEqual([undefined, 'A client']);
    },
  );
});

describe('the dispatcher option', () => {
  const baseUrl = 'https://code.example.com';
  test.each([
    ['tls', { ca: authority }],
    ['proxy', 'http://127.0.0.1:1'],
  ])('HostingClient rejects a dispatcher combined with the option %s', (option, value) => {
    const both = { baseUrl, dispatcher: new Agent(), [option]: value };
    const refused = expect.objectContaining({
      code: 'configuration',
      option,
      message: `${option}: must not be combined with dispatcher. Configure the dispatcher instead.`,
    });
    expect(() => new HostingClient(both)).toThrow(refused);
  });
});

const bob = { ca: authority, cert: serverCertificate, key: serverKey };
const anonymous = { ca: authority };

/**
 * Starts a server that identifies callers by certificate. All responses have the same ETag, and
 * `/from` redirects to `to`.
 */
async function serveByCertificate(to?: string) {
  const seen: string[] = [];
  const options = { ...keys, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    const socket = request.socket as TLSSocket; // `as`: an https server has only TLS sockets.
    const name = String(socket.getPeerCertificate()?.subject?.CN ?? 'nobody');
    seen.push(`${request.url} ${name}`);
    if (request.url === '/from' && to !== undefined) {
      response.writeHead(302, { location: to }).end();
    } else if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify({ name }));
  });
  const { port } = await listening(server);
  return { seen, origin: `https://localhost:${port}` };
}

function createClientFor(origin: string, options: Partial<HostingClientOptions>): HostingClient {
  const client = new HostingClient({ baseUrl: origin, retry: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Sends one request with a new client. */
async function requestOnce(origin: string, options: Partial<HostingClientOptions>) {
  const client = createClientFor(origin, options);
  const { data, response } = await client.request('GET /x').withResponse();
  await client.close();
  return { data, fromCache: response.fromCache };
}

describe('client certificates with a shared store', () => {
  it('a client never receives cached responses for another certificate', async () => {
    const { origin } = await serveByCertificate();
    const store = new Map<string, string>();
    const auth = { type: 'token', token: 'of-both' } as const;
    for (const credentials of [{}, { auth }]) {
      for (const fromCache of [false, true]) {
        for (const [tls, name] of [
          [identity, 'A client'],
          [bob, 'localhost'],
          [anonymous, 'nobody'],
        ] as const) {
          const response = await requestOnce(origin, { tls, cache: { store }, ...credentials });
          expect(response).toEqual({ data: { name }, fromCache });
        }
      }
    }
    expect(store.size).toBe(6);
  });

  it('clients with different certificates use separate quotas', async () => {
    const { origin } = await serveByCertificate();
    const credentials = new Set<string>();
    const shared = {
      exchangeLimits: async (credential: string, _bucket: string, facts: LimitFacts) => {
        credentials.add(credential);
        return facts;
      },
    };
    for (const tls of [identity, bob, anonymous, identity]) {
      await requestOnce(origin, { tls, rateLimit: { shared } });
    }
    expect(credentials.size).toBe(3);
  });
});

it("a client doesn't present its certificate after a redirect through an untrusted origin", async () => {
  const home = await serveByCertificate();
  const stranger = await serveByCertificate(`${home.origin}/to`);
  const start = await serveByCertificate(`${stranger.origin}/from`);
  const trustedOrigins = [home.origin];
  await createClientFor(start.origin, { tls: identity, trustedOrigins }).request('GET /from');
  expect(start.seen).toEqual(['/from A client']);
  expect(stranger.seen).toEqual(['/from nobody']);
  expect(home.seen).toEqual(['/to nobody']);
});
