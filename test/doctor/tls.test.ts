import dns from 'node:dns';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tlsFacts } from '../../src/doctor/tls.js';
import { serverCertificate, serverKey } from '../socket/private-authority.js';
import { listening } from '../support/server.js';

/** What a server on this machine sees of a handshake. */
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

describe('the handshake', () => {
  it.each<[string, string, string[]]>([
    ['localhost', '127.0.0.1', ['localhost']],
    // A server that is asked for by its address is told no name (RFC 6066, 3).
    ['127.0.0.1', '127.0.0.1', []],
    ['[::1]', '::1', []],
    ['1st.code.test', '127.0.0.1', ['1st.code.test']],
    ['code.test2', '127.0.0.1', ['code.test2']],
  ])('with %s names it only where it is a name, and is left at once', async (host, at, named) => {
    const seen = await handshakes(at);
    if (host.includes('code')) {
      const lookup: unknown = (_host: string, _options: object, done: (...of: unknown[]) => void) =>
        done(null, [{ address: at, family: 4 }]);
      // `as`: of its overloads, the one that sockets call.
      vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
      onTestFinished(() => void vi.restoreAllMocks());
    }
    const [first] = await tlsFacts(new URL(`https://${host}:${seen.port}/`), Date.now(), 2000);
    expect(first).toEqual({ name: 'TLS', value: 'TLSv1.3' });
    expect(seen.names).toEqual(named);
    await expect.poll(() => [...seen.sockets].map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

it.each(['http://local.localhost.example/', 'http://notlocalhost/', 'http://localhost.example/'])(
  'clear text to %s is told: it only looks like this machine',
  async (url) => {
    const facts = await tlsFacts(new URL(url), Date.now(), 2000);
    expect(facts).toEqual([{ name: 'TLS', value: 'none', problem: expect.any(String) }]);
  },
);
