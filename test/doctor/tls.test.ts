import dns from 'node:dns';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tlsFacts } from '../../src/doctor/facts.js';
import { serverCertificate, serverKey } from '../socket/private-authority.js';
import { listening } from '../support/server.js';

/** Starts a TLS server that records the server names of handshakes. */
async function handshakes(host: string) {
  const names: string[] = [];
  const server = createServer({
    cert: serverCertificate,
    key: serverKey,
    SNICallback: (name, done) => {
      names.push(name);
      done(null);
    },
  });
  server.on('tlsClientError', () => undefined);
  return { ...(await listening(server, { host })), names };
}

describe('tlsFacts()', () => {
  it.each<[string, string, string[]]>([
    ['localhost', '127.0.0.1', ['localhost']],
    // An IP address isn't sent as a server name (RFC 6066, section 3).
    ['127.0.0.1', '127.0.0.1', []],
    ['[::1]', '::1', []],
    ['1st.code.test', '127.0.0.1', ['1st.code.test']],
    ['code.test2', '127.0.0.1', ['code.test2']],
  ])('sends the server names $2 for the host %s', async (host, at, named) => {
    const seen = await handshakes(at);
    if (host.includes('code')) {
      const lookup: unknown = (_host: string, _options: object, done: (...of: unknown[]) => void) =>
        done(null, [{ address: at, family: 4 }]);
      // `as`: sockets call only this overload.
      vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
      onTestFinished(() => void vi.restoreAllMocks());
    }
    const [first] = await tlsFacts(new URL(`https://${host}:${seen.port}/`), undefined, 2000);
    expect(first).toEqual({ name: 'TLS', value: 'TLSv1.3' });
    expect(seen.names).toEqual(named);
    await expect.poll(() => [...seen.sockets].map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

it.each(['http://local.localhost.example/', 'http://notlocalhost/', 'http://localhost.example/'])(
  'tlsFacts() reports a problem with plain HTTP to %s',
  async (url) => {
    const facts = await tlsFacts(new URL(url), undefined, 2000);
    expect(facts).toEqual([{ name: 'TLS', value: 'none', problem: expect.any(String) }]);
  },
);
