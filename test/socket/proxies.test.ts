import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import timersOfUndici from 'undici/lib/util/timers.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { isTriforgeError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createClient, rejectionOf, turns, until } from '../support/client.js';
import { type ForwardProxy, missing, startProxy } from '../support/forward-proxy.js';
import { listening, sendJson, serve, serveRaw, type TestServer } from '../support/server.js';
import { connection, fails, fine, type Place, testFaults } from './faults/fault-table.js';
import { authority, clientCertificate, serverCertificate, serverKey } from './private-authority.js';
import { keys, serveTls, serveTunnels } from './tls-servers.js';

/** A request received by the server behind the proxy. */
interface Seen {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

let server: Server;
let baseUrl: string;
const seen: Seen[] = [];
const tls = { ca: authority };

beforeAll(async () => {
  server = createTlsServer({ cert: serverCertificate, key: serverKey }, (request, response) => {
    const hash = createHash('sha256');
    request.on('data', (chunk: Buffer) => hash.update(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      seen.push({ url, headers, hash: hash.digest('hex') });
      sendJson(response, { logged_in: true, success: true }, request.method === 'POST' ? 201 : 200);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  baseUrl = `https://localhost:${typeof address === 'object' ? address?.port : ''}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function createHosting(options: Partial<HostingClientOptions>): HostingClient {
  const client = new HostingClient({ baseUrl, tls, retry: { baseDelay: 0 }, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Returns all of an error's printed forms. */
const shown = (error: unknown) =>
  `${error}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`;

describe.each(['tinyproxy', 'squid'] as const)('%s', (name) => {
  const why = missing(name);
  let proxy: ForwardProxy;
  beforeAll(async () => {
    if (why === undefined) proxy = await startProxy(name);
  });
  afterAll(() => proxy?.close());

  it(`the proxy forwards https requests through a tunnel${why ? ` (skipped: ${why})` : ''}`, async ({
    skip,
  }) => {
    if (why) skip(why);
    const token = 'hush-hosting-token';
    const hosting = createHosting({ proxy: proxy.url, auth: { type: 'token', token } });
    await Promise.all([1, 2, 3].map((page) => hosting.request('GET x', { page })));
    const { url, headers } = seen.at(-1) ?? {};
    expect(url).toMatch(/^\/x\?page=/);
    expect(headers).toMatchObject({ authorization: `token ${token}`, host: new URL(baseUrl).host });
    expect(headers).not.toHaveProperty('proxy-authorization');
    await hosting.close();
    await expect.poll(() => proxy.log(), { timeout: 20_000 }).toMatch(/CONNECT localhost:/);
    expect(proxy.log()).not.toContain(token);
  });

  it('the proxy forwards http requests without a tunnel', async ({ skip }) => {
    if (why) skip(why);
    const plain = await serve((_request, response) => sendJson(response, [1]));
    const hosting = createHosting({ baseUrl: plain.origin, proxy: proxy.url });
    await expect(hosting.request('GET x', { page: 2 })).resolves.toEqual([1]);
    expect(plain.requests).toMatchObject([{ url: '/x?page=2', headers: { via: /^1\.1 / } }]);
    expect(plain.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('the error names a proxy that rejects the password', async ({ skip }) => {
    if (why) skip(why);
    const password = 'wrong-hush-98';
    const wrong = new URL(proxy.url);
    wrong.password = password;
    const hosting = createHosting({ proxy: wrong });
    const error = await rejectionOf(hosting.request('POST x', { a: 1 }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    const refusal = name === 'squid' ? 407 : 401;
    expect(String(error)).toContain(
      `the connection failed: the proxy ${proxy.origin} responded with ${refusal}. Pass a valid username`,
    );
    expect(shown(error)).not.toContain(password);
    expect(shown(error)).not.toContain(Buffer.from(`ann:${password}`).toString('base64'));
  });

  it('the error names a proxy that requires a password', async ({ skip }) => {
    if (why) skip(why);
    const plain = await serve((_request, response) => sendJson(response, [1]));
    for (const each of [baseUrl, plain.origin]) {
      const hosting = createHosting({ baseUrl: each, proxy: proxy.origin });
      const error = await rejectionOf(hosting.request('POST x', { a: 1 }));
      expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
      const output = `the connection failed: the proxy ${proxy.origin} responded with 407. Pass a valid user`;
      expect(String(error)).toContain(output);
    }
    expect(plain.log).toEqual([]);
  });

  it("the proxy receives requests if the option `proxy` is 'env'", async ({ skip }) => {
    if (why) skip(why);
    vi.stubEnv('https_proxy', undefined);
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('http://', ''));
    vi.stubEnv('no_proxy', 'elsewhere.example, .other.example');
    const before = proxy.log().length;
    const hosting = createHosting({ proxy: 'env' });
    vi.unstubAllEnvs();
    await hosting.request('GET env');
    await hosting.close();
    const readLog = () => proxy.log().slice(before);
    await expect.poll(readLog, { timeout: 20_000 }).toMatch(/CONNECT localhost:/);
  });

  it('the proxy forwards requests from the support and console clients', async ({ skip }) => {
    if (why) skip(why);
    const shared = { baseUrl, tls, proxy: proxy.url };
    await using support = new SupportClient({ ...shared, auth: { accessToken: 'hush-support' } });
    await expect(support.me()).resolves.toMatchObject({ logged_in: true });
    await using appliance = new ConsoleClient({ ...shared, auth: { licenseMd5: '0'.repeat(32) } });
    await expect(appliance.request('GET x')).resolves.toMatchObject({ success: true });
  });
});

describe('failing proxies', () => {
  /** URL of an unreachable proxy. */
  const dead = 'http://ann:hush-dead-99@127.0.0.1:1';

  it.each([['https'], ['http']])(
    'the error names an unreachable proxy for the URL scheme %s',
    async (scheme) => {
      const hosting = createHosting({
        baseUrl: `${scheme}://localhost:2/`,
        proxy: dead,
        retry: false,
      });
      const error = await rejectionOf(hosting.request('GET x'));
      expect(error).toMatchObject({ code: 'connection' });
      expect(String(error)).toContain('the proxy http://127.0.0.1:1: connect ECONNREFUSED');
      expect(shown(error)).not.toContain('hush-dead-99');
    },
  );

  it('the client bypasses the proxy for hosts in NO_PROXY or no_proxy', async () => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      vi.stubEnv('HTTPS_PROXY', dead);
      vi.stubEnv('http_proxy', dead);
      vi.stubEnv('no_proxy', undefined);
      vi.stubEnv(name, 'localhost,elsewhere.example');
      const hosting = createHosting({ proxy: 'env', retry: false });
      const elsewhere = createHosting({
        baseUrl: 'https://code.example.com/',
        proxy: 'env',
        retry: false,
      });
      vi.unstubAllEnvs();
      await expect(hosting.request('GET x')).resolves.toMatchObject({ success: true });
      await expect(elsewhere.request('GET x')).rejects.toThrow('the proxy http://127.0.0.1:1');
    }
  });

  it.each<[string, string, number]>([
    ['once if it responds with a 403', 'HTTP/1.1 403 Forbidden\r\n\r\n', 1],
    ['again if it responds with a 503', 'HTTP/1.1 503 Busy\r\n\r\n', 3],
    ['again if it closes the connection', '', 3],
    ["again if it doesn't speak HTTP", 'SSH-2.0-x\r\n', 3],
  ])('the client tries a proxy %s', async (_name, response, times) => {
    const proxy = await serveRaw((socket) => socket.end(response));
    const hosting = createHosting({ proxy: proxy.origin, retry: { limit: 2, baseDelay: 0 } });
    const error = await rejectionOf(hosting.request('POST x', { a: 1 }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    if (response.startsWith('HTTP')) expect(String(error)).toContain(`the proxy ${proxy.origin}`);
    expect(proxy.log).toHaveLength(times);
    expect(proxy.log[0]).toBe(`CONNECT ${new URL(baseUrl).host}`);
  });

  it("a hanging proxy doesn't delay the rejection of an aborted call", async () => {
    const proxy = await serveRaw(() => undefined);
    const hosting = createHosting({ proxy: proxy.origin });
    const controller = new AbortController();
    const call = hosting.request('GET x', {}, { signal: controller.signal });
    const failed = expect(call).rejects.toThrow('enough');
    await expect.poll(() => proxy.log.length, { timeout: 20_000 }).toBe(1);
    controller.abort(new Error('enough'));
    await failed;
  });
});

it.each([
  ['through a proxy', (origin: string) => ({ proxy: origin })],
  ['directly', (origin: string) => ({ baseUrl: `${origin}/` })],
])('a client closed before its first request never connects %s', async (_, to) => {
  const server = await serveRaw(() => undefined);
  const hosting = createHosting({ ...to(server.origin), retry: false, timeout: 20_000 });
  await hosting.close();
  const error = await rejectionOf(hosting.request('GET x'));
  expect(isTriforgeError(error)).toBe(true);
  expect(server.sockets.size).toBe(0);
});

function clientAt(baseUrl: string, options: Partial<HostingClientOptions>) {
  const client = new HostingClient({ baseUrl, retry: { limit: 2, baseDelay: 0 }, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('proxies', () => {
  const both = ['http_proxy', 'https_proxy', 'no_proxy'];

  /** Creates a client with only the specified proxy variables in the environment. */
  function clientWithin(variables: Readonly<Record<string, string>>, baseUrl: string) {
    for (const name of [...both, ...both.map((each) => each.toUpperCase())]) {
      vi.stubEnv(name, variables[name]);
    }
    const client = clientAt(baseUrl, { proxy: 'env' });
    vi.unstubAllEnvs();
    return client;
  }

  const refusing = () =>
    serveRaw((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'));

  test('the client selects a proxy from the environment by scheme', async () => {
    const [plain, secure] = [await refusing(), await refusing()];
    const variables = { http_proxy: plain.origin, https_proxy: secure.origin };
    for (const [scheme, proxy, other] of [
      ['http', plain, secure],
      ['https', secure, plain],
    ] as const) {
      const client = clientWithin(variables, `${scheme}://localhost:2/`);
      const error = await rejectionOf(client.request('GET x'));
      expect(error).toMatchObject({ code: 'connection' });
      expect(String(error)).toContain(`${proxy.origin} `);
      expect(String(error)).not.toContain(other.origin);
      expect([proxy.log.length, other.log.length]).toEqual([1, scheme === 'http' ? 0 : 1]);
    }
  });

  test('a 407 without a proxy is the response of the server', async () => {
    const server = await refusing();
    const error = await rejectionOf(clientAt(server.origin, {}).request('POST x'));
    expect(error).toMatchObject({ status: 407, mayHaveActed: false });
    expect(server.log).toEqual(['POST /x']);
  });

  test('the client uses HTTP_PROXY for https requests if HTTPS_PROXY is not set', async () => {
    const proxy = await refusing();
    const client = clientWithin({ HTTP_PROXY: proxy.origin }, 'https://localhost:2/');
    const error = await rejectionOf(client.request('GET x'));
    expect(String(error)).toContain(`${proxy.origin} `);
    expect(proxy.log).toEqual(['CONNECT localhost:2']);
  });

  test('the client ignores HTTPS_PROXY for http requests', async () => {
    const proxy = await refusing();
    const server = await serve((_request, response) => sendJson(response, [1]));
    const client = clientWithin({ HTTPS_PROXY: proxy.origin }, server.origin);
    await expect(client.request('GET x')).resolves.toEqual([1]);
    expect(proxy.log).toEqual([]);
  });

  test('the client connects to a TLS proxy if `ca` contains its CA', async () => {
    const { port } = await serveTls();
    const proxy = await serveTunnels(createTlsServer(keys));
    const through = { proxy: `https://localhost:${proxy.port}` };
    const base = `https://localhost:${port}/`;
    const client = clientAt(base, { ...through, tls: { ca: authority } });
    await expect(client.request('GET x')).resolves.toEqual([]);
    expect(proxy.requests).toEqual([`localhost:${port}`]);
    const stranger = clientAt(base, { ...through, tls: { ca: clientCertificate } });
    expect(await rejectionOf(stranger.request('GET x'))).toMatchObject({
      code: 'connection',
    });
    expect(proxy.requests).toHaveLength(1);
  });

  test('a proxy receives only one tunnel request for a server with an invalid certificate', async () => {
    const { port, seen } = await serveTls();
    const proxy = await serveTunnels(createTlsServer(keys));
    // The server's certificate is for other names.
    const client = clientAt(`https://127.0.0.1:${port}/`, {
      proxy: `https://localhost:${proxy.port}`,
      tls: { ca: authority },
    });
    const error = await rejectionOf(client.request('GET x'));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(proxy.requests).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  test("a proxy that doesn't open a tunnel in time causes a connect timeout", async () => {
    const proxy = await serveRaw(() => undefined);
    const client = clientAt('https://localhost:2/', { proxy: proxy.origin, retry: false });
    const ending = rejectionOf(client.request('POST x', { a: 1 }));
    await until('a tunnel was requested', () => proxy.log.length > 0);
    await turns(5);
    timersOfUndici.tick(0);
    timersOfUndici.tick(20_000);
    expect(await ending).toMatchObject({ code: 'timeout', reason: 'connect', mayHaveActed: false });
  });
});

/** A proxy's behavior. */
type Policy = 'requires a password' | 'responds with a 502' | 'never responds';

/** Starts a proxy that opens no tunnel and forwards no request. */
async function serveProxy(policy: Policy) {
  const authorizations: (string | undefined)[] = [];
  const status = policy === 'requires a password' ? 407 : 502;
  const server = createServer((_incoming, response) => {
    if (policy !== 'never responds') response.writeHead(status).end('<html>proxy</html>');
  });
  server.on('connect', ({ headers }, socket: Socket) => {
    socket.on('error', () => undefined);
    authorizations.push(headers['proxy-authorization']);
    if (policy !== 'never responds') socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
  });
  const { origin } = await listening(server);
  return { url: origin, authorizations };
}

const ways: Readonly<Record<string, (url: string) => Dispatcher>> = {
  'ProxyAgent with CONNECT': (uri) => new ProxyAgent({ uri, proxyTunnel: true }),
  'ProxyAgent without CONNECT': (uri) => new ProxyAgent({ uri, proxyTunnel: false }),
  EnvHttpProxyAgent: (url) =>
    new EnvHttpProxyAgent({ httpProxy: url, httpsProxy: url, noProxy: '' }),
};

function behind(policy: Policy, way: (url: string) => Dispatcher): () => Promise<Place> {
  return async () => {
    const proxy = await serveProxy(policy);
    const server = await serve(fine);
    const { origin, requests } = server;
    return { origin, requests, options: { dispatcher: way(proxy.url) } };
  };
}

for (const [name, way] of Object.entries(ways)) {
  testFaults(name, 'a proxy', [
    {
      name: 'that never responds',
      place: behind('never responds', way),
      call: { timeout: 100 },
      ends: fails({ name: 'TimeoutError', reason: 'total' }, { requests: 0 }),
    },
    {
      name: "that isn't running",
      place: async () => ({
        origin: 'http://127.0.0.1:2',
        options: { dispatcher: way('http://127.0.0.1:1') },
      }),
      ends: {
        GET: { error: connection(false, 'ECONNREFUSED'), attempts: 3 },
        POST: { error: connection(false, 'ECONNREFUSED'), attempts: 3 },
      },
    },
  ]);
}

for (const policy of ['requires a password', 'responds with a 502'] as const) {
  const tunnel = ways['ProxyAgent with CONNECT'];
  const plain = ways['ProxyAgent without CONNECT'];
  if (!tunnel || !plain) throw new Error('no ProxyAgent');
  testFaults('refusing proxies', `a proxy that ${policy}`, [
    {
      name: 'instead of opening a tunnel',
      place: behind(policy, tunnel),
      // A 407 isn't retried, because a retry would send the same credentials.
      ends: {
        GET: {
          error: connection(false),
          attempts: policy === 'requires a password' ? 1 : 3,
          requests: 0,
        },
        POST: {
          error: connection(false),
          attempts: policy === 'requires a password' ? 1 : 3,
          requests: 0,
        },
      },
    },
    {
      name: 'instead of forwarding the request',
      place: behind(policy, plain),
      ends:
        policy === 'requires a password'
          ? {
              GET: { error: connection(false), requests: 0 },
              POST: { error: connection(false), requests: 0 },
            }
          : {
              GET: { error: { name: 'ServerError', status: 502 }, attempts: 3, requests: 0 },
              POST: { error: { status: 502, mayHaveActed: true }, requests: 0 },
            },
    },
  ]);
}

describe('proxy agents', () => {
  const token = 'tok-planted-1';
  const call = async (server: TestServer, dispatcher: Dispatcher) => {
    const client = createClient(server, { dispatcher, auth: { type: 'token', token } });
    onTestFinished(() => dispatcher.destroy());
    return await client.request('GET /x');
  };

  it("ProxyAgent sends the proxy's password, and the error hides the password", async () => {
    const proxy = await serveProxy('requires a password');
    const server = await serve(fine);
    const uri = proxy.url.replace('//', '//jo:pr0xy-secret@');
    const dispatcher = new ProxyAgent({ uri, proxyTunnel: true });
    const error = await rejectionOf(call(server, dispatcher));
    expect(proxy.authorizations[0]).toBe(
      `Basic ${Buffer.from('jo:pr0xy-secret').toString('base64')}`,
    );
    expect(String(error)).not.toContain('pr0xy-secret');
  });
});
