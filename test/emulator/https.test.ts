import { type RequestOptions, request } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient, SupportClient } from '../../src/index.js';
import {
  createEmulator,
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
    [{ kind: 'malformed' }, 'HPE_INVALID_HEADER_TOKEN'],
    [{ kind: 'refuse', ms: 1 }, 'ECONNRESET'],
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

  it("emulator.listen() rejects a key that doesn't belong to the certificate", async () => {
    const key = privateKey.replace('MIGH', 'MIGG');
    await expect(createEmulator({ tls: { cert: certificate, key } }).listen()).rejects.toThrow();
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
