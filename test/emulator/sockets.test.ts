import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { listen } from '../../src/testing/node-server.js';

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
    await (await request(`${url}/api/v3/user`, { dispatcher: agent, headers: twice })).body.dump();
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

  let emulator: Emulator;

  let port: number;

  beforeEach(async () => {
    emulator = createEmulator();
    ({ port } = await emulator.listen());
  });

  afterEach(() => emulator.close());

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

  it('the emulator responds to TRACE with a 405 and Content-Length 0', async () => {
    const refused = await sendRaw(`TRACE / HTTP/1.1\r\nhost: localhost\r\n${last}`);
    expect(refused).toMatch(/^HTTP\/1\.1 405 .*\r\nContent-Length: 0\r\n/s);
    expect(refused).not.toMatch(/transfer-encoding/i);
  });

  it('the emulator uses 127.0.0.1 in URLs if the request has no Host header', async () => {
    const response = await sendRaw(`GET /api/v3/repos/acme/rocket HTTP/1.0\r\n${user}\r\n`);
    expect(response).toContain('"url":"http://127.0.0.1/api/v3/repos/acme/rocket"');
  });

  it.each([
    ['404', 'a request target that starts with //', 'GET //elsewhere/api/v3/user HTTP/1.1', user],
    ['404', 'a path that contains ..', 'GET /api/v3/user/../rate_limit HTTP/1.1', user],
  ])('the emulator responds with %s to %s', async (status, _request, line, credentials) => {
    const host = line.endsWith('1.1') ? 'host: localhost\r\n' : 'user-agent: test\r\n';
    const response = await sendRaw(`${line}\r\n${host}${credentials}${last}`);
    expect(response.slice(9, 12)).toBe(status);
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

  const has6 = Object.values(networkInterfaces())
    .flat()
    .some((each) => each?.address === '::1');

  it.skipIf(!has6)('listen() returns a URL with brackets for an IPv6 address', async () => {
    const server = await listen(async () => new Response('x'), 0, '::1');
    onTestFinished(() => server.close());
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect(await (await request(server.url)).body.text()).toBe('x');
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

    it('the emulator capitalizes header names from a custom route or a fault', async () => {
      emulator.hosting.route('GET /own', () => ({
        status: 200,
        body: {},
        headers: { 'x-own-thing': '1', 'www-authenticate': 'Basic' },
      }));
      const own = await sendRaw(`GET /api/v3/own HTTP/1.1\r\nhost: localhost\r\n${lastUser}`);
      expect(getNames(own)).toEqual(expect.arrayContaining(['WWW-Authenticate', 'X-Own-Thing']));
      emulator.fail({}, { kind: 'response', status: 503, headers: { 'retry-after': '1' } });
      const failed = await sendRaw(`GET /api/v3/own HTTP/1.1\r\nhost: localhost\r\n${lastUser}`);
      expect(getNames(failed)).toContain('Retry-After');
    });
  });
});
