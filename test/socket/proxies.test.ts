import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { isTriforgeError } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { emptyJson, rejectionOf } from '../support/client.js';
import { type ForwardProxy, missing, startProxy } from '../support/forward-proxy.js';
import { listening, sendJson, serve, serveRaw } from '../support/server.js';
import { authority, serverCertificate, serverKey } from './private-authority.js';
import { keys, serveTunnels } from './tls-servers.js';

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
  server = createServer({ cert: serverCertificate, key: serverKey }, (request, response) => {
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

  it('the proxy forwards an upload unchanged', async ({ skip }) => {
    if (why) skip(why);
    const hosting = createHosting({ proxy: proxy.url });
    const bytes = Buffer.alloc(3_000_000, 'upload ');
    await hosting.request(
      'POST y',
      {},
      { body: { data: bytes, contentType: 'application/octet-stream' } },
    );
    expect(seen.at(-1)?.hash).toBe(createHash('sha256').update(bytes).digest('hex'));
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
    const error = await rejectionOf(hosting.request('POST x', {}, emptyJson));
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
      const error = await rejectionOf(hosting.request('POST x', {}, emptyJson));
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

  it.each(['*', 'a,*', ' * '])(
    'the client bypasses the proxy for all hosts if NO_PROXY is %j',
    async (value) => {
      vi.stubEnv('HTTPS_PROXY', dead);
      vi.stubEnv('http_proxy', dead);
      vi.stubEnv('no_proxy', undefined);
      vi.stubEnv('NO_PROXY', value);
      const hosting = createHosting({ proxy: 'env', retry: false });
      vi.unstubAllEnvs();
      await expect(hosting.request('GET x')).resolves.toMatchObject({ success: true });
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
    const error = await rejectionOf(hosting.request('POST x', {}, emptyJson));
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
    // The client can't close before the tunnel request ends, so the proxy is closed first.
    await proxy.close();
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

const program = `
  import { HostingClient } from './src/hosting/index.ts';
  const [baseUrl, proxy] = process.argv.slice(1);
  const tls = { rejectUnauthorized: false };
  const client = new HostingClient({ baseUrl, proxy, tls, retry: false });
  const answer = await client.request('GET x');
  await client.close();
  console.log(JSON.stringify(answer));`;

// The program runs in its own process, because this process has already loaded all of undici.
it("a program's first call loads the proxy code and uses the proxy", async () => {
  const server = createServer(keys, (_request, response) => response.end('[1]'));
  const { port } = await listening(server);
  const proxy = await serveTunnels();
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program,
    '--',
    `https://localhost:${port}/`,
    `http://127.0.0.1:${proxy.port}`,
  ]);
  expect(JSON.parse(stdout)).toEqual([1]);
  expect(proxy.requests).toEqual([`localhost:${port}`]);
});
