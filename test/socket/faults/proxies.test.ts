import { createServer, request as sendRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf } from '../../support/client.js';
import { listening, serve, type TestServer } from '../../support/server.js';
import { connection, fails, fine, ok, type Place, testFaults } from './fault-table.js';

/** A proxy's behavior. */
type Policy =
  | 'passes'
  | 'requires a password'
  | 'responds with a 502'
  | 'hangs up'
  | 'never responds';

interface Proxy {
  readonly url: string;
  readonly log: string[];
  readonly authorizations: (string | undefined)[];
}

async function serveProxy(policy: Policy): Promise<Proxy> {
  const log: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const status = policy === 'requires a password' ? 407 : 502;
  const server = createServer((incoming, response) => {
    log.push(`${incoming.method} ${incoming.url}`);
    authorizations.push(incoming.headers['proxy-authorization']);
    if (policy === 'hangs up') return incoming.socket.destroy();
    if (policy === 'never responds') return undefined;
    if (policy !== 'passes') return response.writeHead(status).end('<html>proxy</html>');
    const { method, headers } = incoming;
    const onward = sendRequest(incoming.url ?? '', { method, headers }, (result) => {
      response.writeHead(result.statusCode ?? 500, result.headers);
      result.pipe(response);
    });
    onward.on('error', () => response.destroy());
    return incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket: Socket) => {
    socket.on('error', () => undefined);
    log.push(`CONNECT ${incoming.url}`);
    authorizations.push(incoming.headers['proxy-authorization']);
    if (policy === 'hangs up') return socket.destroy();
    if (policy === 'never responds') return undefined;
    if (policy !== 'passes') return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host = '', port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    socket.on('close', () => onward.destroy());
    return onward.on('error', () => socket.destroy());
  });
  const { origin } = await listening(server);
  return { url: origin, log, authorizations };
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
      name: 'that forwards the request',
      place: behind('passes', way),
      ends: { GET: { result: ok }, POST: { result: ok } },
    },
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
  if (!tunnel || !plain) throw new Error('the ways of above');
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

  it('ProxyAgent sends only a CONNECT request to the proxy, and the token only to the server', async () => {
    const proxy = await serveProxy('passes');
    const server = await serve(fine);
    await call(server, new ProxyAgent({ uri: proxy.url, proxyTunnel: true }));
    expect(proxy.log).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
    expect(server.requests[0]?.headers.authorization).toBe(`token ${token}`);
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

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

  it('EnvHttpProxyAgent bypasses the proxy only for hosts in NO_PROXY', async () => {
    const proxy = await serveProxy('passes');
    const server = await serve(fine);
    const agent = (noProxy: string) =>
      new EnvHttpProxyAgent({ httpProxy: proxy.url, httpsProxy: proxy.url, noProxy });
    expect(await call(server, agent('127.0.0.1'))).toEqual(ok);
    expect(proxy.log).toEqual([]);
    expect(await call(server, agent('example.com'))).toEqual(ok);
    expect(proxy.log).toHaveLength(1);
  });
});
