import { createServer as createTlsServer } from 'node:https';
import timersOfUndici from 'undici/lib/util/timers.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HostingClient, type HostingClientOptions } from '../../src/hosting/index.js';
import { emptyJson, rejectionOf, turns, until } from '../support/client.js';
import { sendJson, serve, serveRaw } from '../support/server.js';
import { authority, clientCertificate } from './private-authority.js';
import { keys, serveTls, serveTunnels } from './tls-servers.js';

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

  test('a proxy that closes the connection causes an ECONNRESET', async () => {
    const proxy = await serveRaw((socket) => socket.end());
    const client = clientAt('https://localhost:2/', { proxy: proxy.origin, retry: false });
    const error = await rejectionOf(client.request('GET x'));
    expect(error).toMatchObject({ code: 'connection', cause: { code: 'ECONNRESET' } });
  });

  test("a proxy that doesn't open a tunnel in time causes a connect timeout", async () => {
    const proxy = await serveRaw(() => undefined);
    const client = clientAt('https://localhost:2/', { proxy: proxy.origin, retry: false });
    const ending = rejectionOf(client.request('POST x', {}, emptyJson));
    await until('a tunnel was requested', () => proxy.log.length > 0);
    await turns(5);
    timersOfUndici.tick(0);
    timersOfUndici.tick(20_000);
    expect(await ending).toMatchObject({ code: 'timeout', reason: 'connect', mayHaveActed: false });
  });
});
