import { type OutgoingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
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

/** Sends a GET with headers that `fetch` doesn't allow, by default over TLS. */
const get = (port: number, path: string, sent: OutgoingHttpHeaders = {}, send = secureRequest) =>
  new Promise<Received>((resolve, reject) => {
    const headers = { 'user-agent': 'test', ...sent };
    const tls = { servername: 'localhost', ca: certificate };
    const target = { host: '127.0.0.1', port, path, agent: false, ...tls, headers };
    const outgoing = send(target, async (response) => {
      const { statusCode: status, headers } = response;
      text(response).then((text) => resolve({ status, headers, text }), reject);
    });
    outgoing.once('error', reject).end();
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
      const list = await get(at.port, '/api/v3/repos/acme/rocket/pulls?per_page=2', headers);
      expect(list.headers.link).toContain(`<${origin}/api/v3/repos/acme/rocket/pulls?`);
      expect(JSON.parse(list.text)[0].url).toBe(`${origin}/api/v3/repos/acme/rocket/pulls/250`);
      const moved = await get(at.port, '/api/v3/repos/acme/secret', headers);
      expect(moved.headers.location).toBe(`${origin}/api/v3/repos/acme/open`);
      expect(moved.text + list.text).not.toContain(host === 'code.test' ? 'http://' : host);
    }
  });

  it('a listening emulator accepts its configured origin in the Origin header', async () => {
    const { port } = await listening({ origin, tls });
    const own = await get(port, '/api/v3/rate_limit', { origin });
    expect(own.status).toBe(200);
    const other = await get(port, '/api/v3/rate_limit', { origin: 'https://app.test' });
    expect(other.status).toBe(403);
  });

  it.each(['code.test', 'https://code.test/api', 'ftp://code.test', ''])(
    'the origin option rejects the value %j',
    (wrong) => {
      expect(() => createEmulator({ origin: wrong })).toThrow(
        `origin: must be an http or https origin, such as 'https://code.test' (got ${wrong})`,
      );
    },
  );
});

let emulator: Emulator | undefined;

async function sendRaw(headers: OutgoingHttpHeaders, options: EmulatorOptions = {}) {
  emulator = createEmulator(options);
  const { port } = await emulator.listen();
  return await get(port, '/api/v3/rate_limit', headers, plainRequest);
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
    ...['image', 'iframe', 'empty', ''].map((dest): [Record<string, string>, number] => [
      from('cross-site', dest),
      403,
    ]),
  ])('rejects the header %j with a %i', async (headers, status) => {
    const response = await sendRaw(headers);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.text).message).toMatch(/^emulator: /);
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
    emulator = createEmulator({ allowOrigins: ['https://app.test/'] });
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

describe('listen()', () => {
  it("an emulator's server stops at the end of an `await using` block", async () => {
    let address: string;
    {
      await using server = await createEmulator().listen();
      address = server.url;
      expect((await fetch(address)).status).toBe(404);
    }
    await expect(fetch(address)).rejects.toThrow('fetch failed');
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

describe('connections', () => {
  const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };

  const ended: (() => unknown)[] = [];

  let emulator: Emulator;

  beforeEach(() => {
    emulator = createEmulator();
  });

  afterEach(async () => {
    await emulator.close();
    for (const end of ended.splice(0)) await end();
  });

  describe('a listening emulator', () => {
    async function started() {
      const address = await emulator.listen();
      const agent = new Agent();
      ended.push(() => agent.close());
      return { ...address, agent, readme: `${address.hostingUrl}repos/acme/rocket/readme` };
    }

    it('emulator.listen() returns a URL for each API', async () => {
      const { url, port, hostingUrl, supportUrl, consoleUrl, webUrl } = await started();
      expect(url).toBe(`http://127.0.0.1:${port}`);
      expect([hostingUrl, supportUrl, consoleUrl, webUrl]).toEqual([
        `${url}/api/v3/`,
        `${url}/api/v2/`,
        `${url}/`,
        url,
      ]);
    });

    it('keeps responding after a client disconnects during a slow response', async () => {
      const { agent, readme: target } = await started();
      emulator.fail({}, { kind: 'slow', bytes: 10, ms: 5 });
      const { body } = await request(target, { dispatcher: agent, headers: auth });
      for await (const _piece of body) break;
      const next = await request(target, { dispatcher: agent, headers: auth });
      expect(next.statusCode).toBe(200);
      await next.body.dump();
    });

    it('supports repeated headers, reason phrases and large responses', async () => {
      const { agent, url } = await started();
      emulator.hosting.route('GET /large', () => ({ body: 'x'.repeat(5_000_000) }));
      const large = await request(`${url}/api/v3/large`, { dispatcher: agent, headers: auth });
      expect((await large.body.text()).length).toBe(5_000_000);
      const twice = { ...auth, accept: ['text/html', 'text/plain'], cookie: ['a=1', 'b=2'] };
      await (
        await request(`${url}/api/v3/user`, { dispatcher: agent, headers: twice })
      ).body.dump();
      expect(emulator.requests.at(-1)?.sent.headers.get('accept')).toBe('text/html, text/plain');
      expect(emulator.requests.at(-1)?.sent.headers.get('cookie')).toMatch(/^a=1[;,] b=2$/);
      const refused = await request(`${url}/api/v2/contact/1`, { dispatcher: agent });
      expect([refused.statusCode, refused.statusText]).toEqual([
        401,
        expect.stringContaining('token'),
      ]);
      await refused.body.dump();
    });
  });

  describe('raw sockets', () => {
    // Reads raw bytes, because HTTP clients would normalize them.

    let port: number;

    beforeEach(async () => {
      ({ port } = await emulator.listen());
    });

    const user = `authorization: token ${seeded.token}\r\nuser-agent: test\r\n`;

    function opened(): Socket {
      const socket = connect(port, '127.0.0.1');
      // A reset emits an `error` event. The tests check the data that was received before the reset.
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      return socket;
    }

    /** Sends `text` and returns everything that the server sends before the connection closes. */
    async function sendRaw(text: string): Promise<string> {
      const socket = opened();
      let output = '';
      socket.on('data', (piece) => {
        output += piece;
      });
      socket.write(text);
      await new Promise((resolve) => socket.once('close', resolve));
      return output;
    }

    const last = 'connection: close\r\n\r\n';

    it('the emulator responds with JSON to a foreign Host and an internal error', async () => {
      const refused = await sendRaw(`GET / HTTP/1.1\r\nhost: evil.test\r\n${last}`);
      expect(refused).toMatch(/^HTTP\/1\.1 403 .*\r\nContent-Type: application\/json/s);
      emulator.hosting.route('GET /broken', () => Promise.reject(new Error('broken')));
      const failed = await sendRaw(
        `GET /api/v3/broken HTTP/1.1\r\nhost: localhost\r\n${user}${last}`,
      );
      expect(failed).toMatch(/^HTTP\/1\.1 500 .*\r\nContent-Type: application\/json/s);
      expect(failed).toContain('the emulator failed: Error: broken');
    });

    const route = 'POST /api/v3/repos/acme/rocket/releases';

    it.each<[string, string, number, boolean]>([
      ['a JSON upload because of a fault', 'application/json', 3_000_000, true],
      ['a JSON upload that is too large', 'application/json', 9_000_000, false],
    ])(
      'the emulator keeps the connection open after it rejects %s',
      async (_name, type, size, fault) => {
        if (fault) emulator.fail({}, { kind: 'response', status: 413, body: '' });
        const socket = opened();
        const output: string[] = [];
        const over = new Promise<void>((resolve) => {
          socket.on('data', (piece) => {
            for (const [line] of String(piece).matchAll(/HTTP\/1\.1 \d+/g))
              output.push(line.slice(9));
            if (output.length === 2) resolve();
          });
          socket.on('close', () => resolve());
        });
        const head = `host: localhost\r\n${user}content-type: ${type}\r\ncontent-length: ${size}\r\n\r\n`;
        socket.write(`${route} HTTP/1.1\r\n${head}`);
        socket.write(Buffer.alloc(size, 32));
        socket.write(`GET /api/v3/user HTTP/1.1\r\nhost: localhost\r\n${user}\r\n`);
        await over;
        expect(output).toEqual(['413', '200']);
      },
    );

    it('a `refuse` fault rejects all connections until the emulator closes', async () => {
      emulator.fail({ method: 'PUT' }, { kind: 'refuse', ms: 60_000 });
      const star = '/api/v3/user/starred/acme/rocket';
      expect(await sendRaw(`PUT ${star} HTTP/1.1\r\nhost: localhost\r\n${user}${last}`)).toBe('');
      await expect(request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
      await emulator.close();
      await emulator.listen(port);
      const starred = await sendRaw(`GET ${star} HTTP/1.1\r\nhost: localhost\r\n${user}${last}`);
      expect(starred, 'the request was not executed').toMatch(/^HTTP\/1\.1 404 /);
    });

    describe('raw header names', () => {
      /** Returns a response's header names in alphabetical order. */
      const getNames = (output: string) =>
        (output.split('\r\n\r\n')[0] ?? '')
          .split('\r\n')
          .slice(1)
          .map((line) => line.slice(0, line.indexOf(':')))
          .sort();
      const lastUser = `${user}${last}`;

      it('the emulator capitalizes response header names like real hosting servers', async () => {
        const path = '/api/v3/repos/acme/rocket/pulls?per_page=5';
        const output = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n${lastUser}`);
        expect(getNames(output)).toEqual([
          'Cache-Control',
          'Connection',
          'Content-Length',
          'Content-Type',
          'Date',
          'ETag',
          'Link',
          'Status',
          'Vary',
          'X-Accepted-OAuth-Scopes',
          'X-OAuth-Scopes',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'X-Service-Media-Type',
          'X-Service-Request-Id',
        ]);
      });

      it('the emulator spells the vendor github as GitHub in header names', async () => {
        await emulator.close();
        emulator = createEmulator({ vendor: 'github' });
        emulator.hosting.addUser('ada', { password: 'pw', otp: '123456' });
        ({ port } = await emulator.listen());
        const authorization = `authorization: Basic ${btoa('ada:pw')}\r\nuser-agent: test\r\n`;
        const output = await sendRaw(
          `GET /api/v3/user HTTP/1.1\r\nhost: localhost\r\n${authorization}${last}`,
        );
        expect(getNames(output)).toEqual(
          expect.arrayContaining(['X-GitHub-Media-Type', 'X-GitHub-OTP', 'X-GitHub-Request-Id']),
        );
      });
    });
  });
});
