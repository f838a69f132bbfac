import { request as sendRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient, SupportClient } from '../../src/index.js';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { certificate, privateKey } from '../socket/console-certificate.js';

const tls = { cert: certificate, key: privateKey };

async function listening(options: EmulatorOptions) {
  const emulator = createEmulator(options);
  const address = await emulator.listen();
  onTestFinished(() => emulator.close());
  return { emulator, ...address };
}

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a GET over TLS and trusts the test certificate. */
const get = (port: number, path: string, options: RequestOptions = {}) =>
  new Promise<Received>((resolve, reject) => {
    const headers = { 'user-agent': 'test', ...options.headers };
    const target = { host: '127.0.0.1', port, path, agent: false, ca: certificate };
    const sent = request(
      { ...target, servername: 'localhost', ...options, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode, headers: response.headers, text });
        });
      },
    );
    sent.once('error', reject).end();
  });

describe('an emulator with a TLS certificate', () => {
  it("an emulator with a TLS certificate serves HTTPS at the certificate's host name", async () => {
    const { url, port, hostingUrl, supportUrl } = await listening({ tls });
    expect(url).toBe(`https://localhost:${port}`);
    await using hosting = new HostingClient({
      baseUrl: hostingUrl,
      auth: { type: 'token', token: seeded.token },
      tls: { ca: certificate },
    });
    const { owner, repo } = seeded;
    const pulls = await hosting.pulls.list({ owner, repo, state: 'all', per_page: 100 }).toArray();
    expect(pulls).toHaveLength(250);
    expect(pulls[0]?.url).toBe(`${url}/api/v3/repos/acme/rocket/pulls/250`);
    await using support = new SupportClient({
      baseUrl: supportUrl,
      auth: supportSeed,
      tls: { ca: certificate },
    });
    expect((await support.contacts.get({ contact_id: 1 })).id).toBe(1);
  });

  it.each([
    [{ kind: 'reset' }, 'ECONNRESET'],
    [{ kind: 'truncate', bytes: 5 }, 'ECONNRESET'],
  ] as const)(
    'an emulator with a TLS certificate breaks the connection for the fault %j',
    async (fault, code) => {
      const { emulator, port } = await listening({ tls });
      emulator.fail({}, fault);
      await expect(get(port, '/api/v3/rate_limit')).rejects.toMatchObject({ code });
      await expect
        .poll(() => get(port, '/api/v3/rate_limit').then(({ status }) => status, String))
        .toBe(200);
    },
  );

  it('an emulator with a TLS certificate rejects plain HTTP, foreign hosts and foreign origins', async () => {
    const { port, emulator } = await listening({ tls });
    await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
    const path = '/api/v3/rate_limit';
    expect((await get(port, path, { headers: { host: 'evil.test' } })).status).toBe(403);
    expect((await get(port, path, { headers: { origin: 'https://evil.test' } })).status).toBe(403);
    expect(emulator.requests).toEqual([]);
  });
});

describe('origin option', () => {
  const origin = 'https://code.test';

  it('the origin option sets the origin of response URLs, regardless of the Host header', async () => {
    const { emulator, ...at } = await listening({ origin: `${origin}/`, tls });
    expect(at).toMatchObject({
      port: at.port,
      url: origin,
      hostingUrl: `${origin}/api/v3/`,
      supportUrl: `${origin}/api/v2/`,
      consoleUrl: `${origin}/`,
      webUrl: origin,
    });
    emulator.hosting.renameRepo('acme/secret', 'open');
    const authorization = `token ${seeded.token}`;
    for (const host of ['localhost:1', 'code.test', `127.0.0.1:${at.port}`]) {
      const headers = { host, authorization };
      const list = await get(at.port, '/api/v3/repos/acme/rocket/pulls?per_page=2', { headers });
      expect(list.headers.link).toContain(`<${origin}/api/v3/repos/acme/rocket/pulls?`);
      expect(JSON.parse(list.text)[0].url).toBe(`${origin}/api/v3/repos/acme/rocket/pulls/250`);
      const moved = await get(at.port, '/api/v3/repos/acme/secret', { headers });
      expect(moved.headers.location).toBe(`${origin}/api/v3/repos/acme/open`);
      expect(moved.text + list.text).not.toContain(host === 'code.test' ? 'http://' : host);
    }
  });

  it('a listening emulator accepts its configured origin in the Origin header', async () => {
    const { port } = await listening({ origin, tls });
    const own = await get(port, '/api/v3/rate_limit', { headers: { origin } });
    expect(own.status).toBe(200);
    const other = await get(port, '/api/v3/rate_limit', {
      headers: { origin: 'https://app.test' },
    });
    expect(other.status).toBe(403);
  });

  it.each(['code.test', 'https://code.test/api', 'ftp://code.test', 'https://a:b@code.test', ''])(
    'the origin option rejects the value %j',
    (wrong) => {
      expect(() => createEmulator({ origin: wrong })).toThrow(
        `origin: must be an http or https origin, such as 'https://code.test' (got ${wrong})`,
      );
    },
  );
});

let emulator: Emulator | undefined;

/** Sends a request with headers that `fetch` doesn't allow. */
async function sendRaw(headers: Record<string, string>, options: EmulatorOptions = {}) {
  emulator = createEmulator(options);
  const { port } = await emulator.listen();
  return await new Promise<{ status: number | undefined; message: string }>((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: '/api/v3/rate_limit', agent: false };
    const sent = sendRequest(
      { ...target, headers: { 'user-agent': 'test', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => {
          const { message }: { message: string } = JSON.parse(text);
          resolve({ status: response.statusCode, message });
        });
      },
    );
    sent.on('error', reject).end();
  });
}

afterEach(() => emulator?.close());

/** Headers that only browsers set. */
const from = (site: string, dest: string) => ({ 'sec-fetch-site': site, 'sec-fetch-dest': dest });

describe('a listening emulator', () => {
  it.each<Record<string, string>>([
    { host: 'localhost:4010' },
    { host: 'code.localhost' },
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1' },
    from('cross-site', 'document'),
    from('same-origin', 'empty'),
    from('none', 'document'),
    { ...from('cross-site', 'empty'), origin: 'http://localhost:5173' },
  ])('accepts the header %j', async (headers) => {
    expect((await sendRaw(headers)).status).toBe(200);
  });

  it.each<[Record<string, string>, number]>([
    [{ host: 'a@b' }, 400],
    [{ host: 'rebound.example.com' }, 403],
    [{ host: 'localhost.example.com' }, 403],
    [{ host: '127.0.0.1.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'nonsense' }, 403],
    ...['image', 'script', 'iframe', 'empty', 'style', ''].map(
      (dest): [Record<string, string>, number] => [from('cross-site', dest), 403],
    ),
  ])('rejects the header %j with a %i', async (headers, status) => {
    const response = await sendRaw(headers);
    expect(response.status).toBe(status);
    expect(response.message).toMatch(/^emulator: /);
    expect(emulator?.requests).toHaveLength(0);
  });

  it('accepts the hosts in allowHosts and the origins in allowOrigins', async () => {
    const options = { allowHosts: ['Code.test'], allowOrigins: ['https://app.test'] };
    expect((await sendRaw({ host: 'code.test:80' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://app.test' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://other.test' }, options)).status).toBe(403);
  });

  it('lets only pages from allowed origins read responses', async () => {
    emulator = createEmulator({ allowOrigins: ['https://app.test'] });
    const { url } = await emulator.listen();
    const ask = async (origin: string, method = 'GET') => {
      const preflight = { 'access-control-request-method': 'GET' };
      const sent = { origin, ...(method === 'OPTIONS' && preflight) };
      const { status, headers } = await fetch(`${url}/api/v3/`, { method, headers: sent });
      return [status, headers.get('access-control-allow-origin')];
    };
    expect(await ask('https://app.test')).toEqual([200, 'https://app.test']);
    expect(await ask('https://app.test', 'OPTIONS')).toEqual([204, 'https://app.test']);
    expect(await ask('https://other.test', 'OPTIONS')).toEqual([403, null]);
  });
});

/** Returns the error that `fetch` reports for a server after the server's `await using` block. */
async function afterBlock(listen: () => Promise<AsyncDisposable & { readonly url: string }>) {
  let address: string;
  {
    await using server = await listen();
    address = server.url;
    await (await fetch(address)).arrayBuffer();
  }
  return await fetch(address).then(
    () => 'a response',
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
}

describe('listen()', () => {
  it("an emulator's server stops at the end of an `await using` block", async () => {
    const emulator = createEmulator();
    expect(await afterBlock(() => emulator.listen())).toContain('ECONNREFUSED');
    expect(await afterBlock(() => emulator.listen())).toContain('ECONNREFUSED');
  });

  it('an emulator that is starting to listen rejects a second call, and close() stops it', async () => {
    const emulator = createEmulator();
    const first = emulator.listen();
    await expect(emulator.listen()).rejects.toThrow('already listening');
    await emulator.close();
    const { url, port } = await first;
    await expect(fetch(url)).rejects.toThrow();
    await using taken = await createEmulator().listen(port);
    await expect(emulator.listen(taken.port)).rejects.toThrow('port: must be free');
    await using again = await emulator.listen();
    expect((await fetch(again.url)).status).toBe(404);
  });
});
