import { gzipSync } from 'node:zlib';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  ConfigurationError,
  ConnectionError,
  ResponseBodyError,
  TimeoutError,
} from '../../src/errors/index.js';
import type { HostingClientOptions } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { nobody, sendJson, serve, serveRaw } from '../support/server.js';

const auth = { type: 'token', token: 'x'.repeat(40) } as const;
const fetching: Partial<HostingClientOptions> = { fetch: globalThis.fetch, auth };

describe('the fetch option', () => {
  it('sends the same credentials and default headers as undici, and returns the same result', async () => {
    const server = await serve((_request, response) => sendJson(response, { id: 1 }));
    for (const options of [fetching, { auth }]) {
      const client = createClient(server, options);
      expect(await client.request('GET /user')).toEqual({ id: 1 });
    }
    const [first, second] = server.requests.map(({ headers }) => headers);
    for (const name of ['authorization', 'user-agent', 'accept', 'accept-encoding']) {
      expect(first?.[name], name).toBe(second?.[name]);
    }
  });

  it('decodes a compressed body only once', async () => {
    const body = gzipSync('{"id":7}');
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(body);
    });
    const client = createClient(server, fetching);
    expect(await client.request('GET /user')).toEqual({ id: 7 });
  });

  it('follows redirects without sending the credentials to another origin', async () => {
    const other = await serve((_request, response) => sendJson(response, { id: 2 }));
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: `${other.origin}/moved` }).end();
    });
    const client = createClient(server, fetching);
    expect(await client.request('GET /user')).toEqual({ id: 2 });
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });
  it('retries a GET after a reset connection', async () => {
    const server = await serveRaw((socket, index) => {
      if (index === 0) socket.resetAndDestroy();
      else
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
        );
    });
    const client = createClient(server, fetching);
    expect(await client.request('GET /user')).toEqual({});
  });

  it('sends a write only once if its connection is reset, and sets mayHaveActed', async () => {
    const server = await serveRaw((socket) => socket.resetAndDestroy());
    const client = createClient(server, fetching);
    const error = await rejectionOf(client.request('POST /items', { name: 'x' }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ mayHaveActed: true });
    expect(server.requests).toHaveLength(1);
  });

  it('reports why the connection failed', async () => {
    const client = createClient(await nobody(), { ...fetching, retry: false });
    expect(String(await rejectionOf(client.request('GET /user')))).toContain('ECONNREFUSED');
  });

  it('rejects a truncated body', async () => {
    const heads = [
      'content-length: 20\r\n\r\n{"id":1}',
      'transfer-encoding: chunked\r\n\r\n8\r\n{"id":1}',
    ];
    for (const head of heads) {
      const server = await serveRaw((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}`),
      );
      const client = createClient(server, { ...fetching, retry: false });
      const error = await rejectionOf(client.request('GET /user'));
      expect(error).toBeInstanceOf(ResponseBodyError);
      expect(error).toMatchObject({ reason: 'truncated' });
    }
  });

  it('rejects a call whose response headers or body take too long', async () => {
    const server = await serve(({ url }, response) => {
      if (url.endsWith('/body')) response.writeHead(200).write('{');
    });
    const client = createClient(server, { ...fetching, retry: false });
    for (const reason of ['headers', 'body'] as const) {
      const timeout = { [reason]: 50 };
      const error = await rejectionOf(client.request(`GET /${reason}`, {}, { timeout }));
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({ reason });
    }
  });

  it('ends a request whose signal is aborted, and rejects with the abort reason', async () => {
    const closed: unknown[] = [];
    const server = await serve(({ url }, response) =>
      response.once('close', () => closed.push(url)),
    );
    const client = createClient(server, fetching);
    const controller = new AbortController();
    const call = client.request('GET /user', {}, { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort('enough');
    expect(await rejectionOf(call)).toBe('enough');
    await expect.poll(() => closed).toHaveLength(1);
  });

  it('sends an upload with its length', async () => {
    const size = 3 * 1024 * 1024;
    const server = await serve(({ headers, body }, response) =>
      sendJson(response, { length: headers['content-length'], received: body.length }),
    );
    const client = createClient(server, fetching);
    const bytes = Buffer.alloc(size, 'a');
    const result = await client.releases
      .uploadAsset({
        upload_url: `${server.origin}/api/v3/upload{?name,label}`,
        name: 'a.txt',
        data: bytes,
        content_type: 'text/plain',
      })
      .as({ '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } });
    expect(result).toEqual({ length: String(size), received: size });
  });

  it('must be a function and cannot be combined with dispatcher, tls or proxy', () => {
    const server = { origin: 'https://code.example.com' };
    const cases: [Partial<HostingClientOptions>, string][] = [
      [{ dispatcher: { dispatch: () => true } }, 'fetch: must not be combined with dispatcher'],
      [{ tls: {} }, 'tls: must not be combined with fetch'],
      [{ proxy: 'env' }, 'proxy: must not be combined with fetch'],
      // @ts-expect-error: not a function.
      [{ fetch: 'undici' }, 'fetch: must be a function (got a string)'],
    ];
    for (const [options, message] of cases) {
      const create = () => createClient(server, { fetch: globalThis.fetch, ...options });
      expect(create).toThrow(ConfigurationError);
      expect(create).toThrow(message);
    }
  });
});

// Runs each row of the table of mocking libraries in docs/testing.md. No server listens at `origin`.
const origin = 'http://127.0.0.1:1';
const place = { origin };
const user = { login: 'mona' };

/** Calls `globalThis.fetch`, which mocking libraries may replace after the client is created. */
const lateFetch: typeof fetch = (...request) => fetch(...request);

afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

/** Creates undici's mock of `GET /api/v3/user`. */
function createMockAgent(): MockAgent {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get(origin)
    .intercept({ path: '/api/v3/user' })
    .reply(200, user, { headers: { 'content-type': 'application/json' } });
  onTestFinished(() => agent.close());
  return agent;
}

describe('mocking libraries', () => {
  it("a client works with undici's MockAgent as its dispatcher", async () => {
    const client = createClient(place, { dispatcher: createMockAgent() });
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('msw serves a client that sends requests with fetch', async () => {
    const client = createClient(place, { fetch: lateFetch });
    const server = setupServer(http.get(`${origin}/api/v3/user`, () => HttpResponse.json(user)));
    server.listen({ onUnhandledRequest: 'error' });
    onTestFinished(() => server.close());
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('nock serves a client that sends requests with fetch', async () => {
    const client = createClient(place, { fetch: lateFetch });
    if (!nock.isActive()) nock.activate();
    nock(origin).get('/api/v3/user').reply(200, user);
    expect(await client.request('GET /user')).toEqual(user);
  });

  it('a client ignores the global dispatcher of undici', async () => {
    const before = getGlobalDispatcher();
    setGlobalDispatcher(createMockAgent());
    onTestFinished(() => setGlobalDispatcher(before));
    const client = createClient(place, { retry: false });
    expect(await rejectionOf(client.request('GET /user'))).toBeInstanceOf(ConnectionError);
  });
});
