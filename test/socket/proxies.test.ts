import { createHash } from 'node:crypto';
import { createServer as createTlsServer, type Server } from 'node:https';
import { inspect } from 'node:util';
import { ProxyAgent } from 'undici';
import timersOfUndici from 'undici/lib/util/timers.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf, turns, until } from '../support/client.js';
import { type ForwardProxy, missing, startProxy } from '../support/forward-proxy.js';
import { sendJson, serve, serveRaw } from '../support/server.js';
import {
  authority,
  clientCertificate,
  keys,
  serverCertificate,
  serverKey,
  serveTls,
  serveTunnels,
} from './private-authority.js';

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

describe.skipIf(missing)(`squid${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let proxy: ForwardProxy;
  beforeAll(async () => {
    proxy = await startProxy();
  });
  afterAll(() => proxy.close());

  it('the proxy forwards https requests through a tunnel', async () => {
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

  it('the proxy forwards http requests without a tunnel', async () => {
    const plain = await serve((_request, response) => sendJson(response, [1]));
    const hosting = createHosting({ baseUrl: plain.origin, proxy: proxy.url });
    await expect(hosting.request('GET x', { page: 2 })).resolves.toEqual([1]);
    expect(plain.requests).toMatchObject([{ url: '/x?page=2', headers: { via: /^1\.1 / } }]);
    expect(plain.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('the error names a proxy that rejects the password', async () => {
    const password = 'wrong-hush-98';
    const wrong = new URL(proxy.url);
    wrong.password = password;
    const hosting = createHosting({ proxy: wrong });
    const error = await rejectionOf(hosting.request('POST x', { a: 1 }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(String(error)).toContain(
      `the connection failed: the proxy ${proxy.origin} responded with 407. Pass a valid username`,
    );
    expect(shown(error)).not.toContain(password);
    expect(shown(error)).not.toContain(Buffer.from(`ann:${password}`).toString('base64'));
  });

  it('the proxy forwards requests from the support and console clients', async () => {
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

  it("the client recognizes a refusal by the proxy of undici's ProxyAgent", async () => {
    const proxy = await serveRaw((socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const dispatcher = new ProxyAgent(proxy.origin);
    onTestFinished(() => dispatcher.close());
    const client = clientAt(baseUrl, { dispatcher });
    const error = await rejectionOf(client.request('POST x', { a: 1 }));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(String(error)).toContain('the proxy responded with 403');
    expect(proxy.log).toHaveLength(1);
  });
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

  test('the client bypasses the proxy for hosts in NO_PROXY', async () => {
    const proxy = await refusing();
    const server = await serve((_request, response) => sendJson(response, [1]));
    const client = clientWithin({ http_proxy: proxy.origin, NO_PROXY: '127.0.0.1' }, server.origin);
    await expect(client.request('GET x')).resolves.toEqual([1]);
    expect(proxy.log).toEqual([]);
  });

  test('a 407 without a proxy is the response of the server', async () => {
    const server = await refusing();
    const error = await rejectionOf(clientAt(server.origin, {}).request('POST x'));
    expect(error).toMatchObject({ status: 407, mayHaveActed: false });
    expect(server.log).toEqual(['POST /x']);
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
