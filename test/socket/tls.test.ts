import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient, type HostingClientOptions, OAuthWebFlow } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf } from '../support/client.js';
import { authority, clientCertificate, clientKey } from './private-authority.js';
import { serveTls, serveTunnels, type Visitor } from './tls-servers.js';

const identity = { ca: authority, cert: clientCertificate, key: clientKey };

/** Returns the names on the client certificates. */
const names = (seen: readonly Visitor[]) => seen.map(({ certificate }) => certificate);

function createClient(port: number, options: Partial<HostingClientOptions>, host = 'localhost') {
  const baseUrl = `https://${host}:${port}/`;
  const client = new HostingClient({ baseUrl, retry: { baseDelay: 0 }, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('server certificates', () => {
  test('the client trusts a CA that `ca` contains as a string, as bytes or in an array', async () => {
    const { port } = await serveTls();
    for (const ca of [authority, Buffer.from(authority), [clientCertificate, authority]]) {
      const client = createClient(port, { tls: { ca } });
      await expect(client.request('GET x')).resolves.toEqual([]);
    }
  });

  test.each([
    ['`ca` is missing', undefined],
    ['`ca` contains another CA', { ca: clientCertificate }],
  ])('the client suggests `ca` in the error if %s', async (_name, tls) => {
    const { port, seen } = await serveTls();
    const error = await rejectionOf(createClient(port, { tls }).request('GET x'));
    expect(error).toMatchObject({ code: 'connection', mayHaveActed: false });
    expect(String(error)).toMatch(
      /\([A-Z_]+\). If you trust the certificate authority, pass its certificate in tls: \{ ca \}\. \[GET/,
    );
    expect(String(error)).not.toContain('attempts');
    expect(seen).toEqual([]);
  });

  test('the client checks the certificate against `servername` instead of the host name', async () => {
    const { port } = await serveTls();
    const tls = { ca: authority };
    const error = await rejectionOf(createClient(port, { tls }, '127.0.0.1').request('GET x'));
    expect(error).toMatchObject({ code: 'connection' });
    const named = createClient(port, { tls: { ...tls, servername: 'localhost' } }, '127.0.0.1');
    await expect(named.request('GET x')).resolves.toEqual([]);
  });

  test('the client connects to a server with an untrusted certificate only if `rejectUnauthorized` is false', async () => {
    const { port, seen } = await serveTls();
    const open = createClient(port, { tls: { rejectUnauthorized: false } });
    await expect(open.request('GET x')).resolves.toEqual([]);
    const strict = createClient(port, { tls: { rejectUnauthorized: true } });
    const error = await rejectionOf(strict.request('GET x'));
    expect(error).toMatchObject({ code: 'connection' });
    expect(seen).toHaveLength(1);
  });

  test('the client ignores the servername option for the target of a redirect', async () => {
    const other = await serveTls();
    const { port, seen } = await serveTls({}, `https://localhost:${other.port}/y`);
    const tls = { ca: authority, servername: 'code.example.com' };
    await createClient(port, { tls }).request('GET x');
    expect(seen).toMatchObject([{ servername: 'code.example.com' }]);
    expect(other.seen).toMatchObject([{ servername: 'localhost' }]);
  });
});

describe('client certificates', () => {
  test('the client presents its certificate to a server, directly and through a proxy', async () => {
    const { port, seen } = await serveTls({ requestCert: true });
    await createClient(port, { tls: identity }).request('GET x');
    const proxy = await serveTunnels();
    const proxied = createClient(port, { tls: identity, proxy: `http://127.0.0.1:${proxy.port}` });
    await proxied.request('GET x');
    expect(names(seen)).toEqual(['A client', 'A client']);
    expect(proxy.requests).toEqual([`localhost:${port}`]);
    const error = await rejectionOf(
      createClient(port, { tls: { ca: authority } }).request('GET x'),
    );
    expect(error).toMatchObject({ code: 'connection' });
  });

  test.each([['directly'], ['through a proxy']])(
    'the client presents its certificate only to trusted origins (%s)',
    async (way) => {
      const pending = { requestCert: true, rejectUnauthorized: false };
      const other = await serveTls(pending);
      const elsewhere = `https://localhost:${other.port}`;
      const { port, seen } = await serveTls(pending, `${elsewhere}/y`);
      const proxy =
        way === 'directly' ? undefined : `http://127.0.0.1:${(await serveTunnels()).port}`;
      // `servername` applies to the first server only.
      const tls = { ...identity, servername: 'code.example.com' };
      await createClient(port, { tls, proxy }).request('GET x');
      const trustedOrigins = [elsewhere];
      await createClient(port, { tls, proxy, trustedOrigins }).request('GET x');
      expect(names(seen)).toEqual(['A client', 'A client']);
      expect(names(other.seen)).toEqual([undefined, 'A client']);
    },
  );
});

describe('the dispatcher option', () => {
  const baseUrl = 'https://code.example.com';
  test.each([
    ['tls', { ca: authority }],
    ['proxy', 'http://127.0.0.1:1'],
  ])('the clients reject a dispatcher combined with the option %s', (option, value) => {
    const both = { baseUrl, dispatcher: new Agent(), [option]: value };
    const refused = expect.objectContaining({
      code: 'configuration',
      option,
      message: `${option}: must not be combined with dispatcher. Configure the dispatcher instead.`,
    });
    expect(() => new HostingClient(both)).toThrow(refused);
    const accessToken = 'hush-support';
    expect(() => new SupportClient({ ...both, auth: { accessToken } })).toThrow(refused);
    expect(() => new ConsoleClient(both)).toThrow(refused);
    const { baseUrl: authUrl, ...others } = both;
    const application = { clientId: '0'.repeat(20), clientSecret: '1'.repeat(40) };
    expect(() => new OAuthWebFlow({ authUrl, ...others, ...application })).toThrow(refused);
  });
});
