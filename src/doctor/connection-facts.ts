import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:tls';
import type { HostingClientOptions } from '../hosting/index.js';
import { formatCount, isError } from '../schema/unknown-values.js';
import { resolveTls, type TlsOptions } from '../transport/connection-options.js';
import type { Fact } from './report.js';

/** Minimum number of days that a certificate should remain valid. */
const fewDays = 14;

/** Options that determine how a client connects. */
export type ConnectionOptions = Pick<
  HostingClientOptions,
  'baseUrl' | 'proxy' | 'dispatcher' | 'tls'
>;

/** Returns facts about the path to a server: proxy, DNS, and TLS. */
export async function connectionFacts(
  { baseUrl, proxy, dispatcher, tls }: ConnectionOptions,
  timeout: number,
): Promise<Fact[]> {
  // A separate connection would not take the path of requests through a dispatcher or a proxy.
  if (dispatcher) return [{ name: 'proxy', value: 'unknown, because a dispatcher is set' }];
  if (proxy !== undefined) {
    const value = proxy === 'env' ? 'as HTTPS_PROXY, HTTP_PROXY and NO_PROXY specify' : 'set';
    return [{ name: 'proxy', value }];
  }
  const url = new URL(baseUrl);
  return [proxyFact(), await dnsFact(url), ...(await tlsFacts(url, tls, timeout))];
}

function proxyFact(): Fact {
  const isSet = (name: string) => process.env[name] || process.env[name.toLowerCase()];
  const name = ['HTTPS_PROXY', 'HTTP_PROXY'].find(isSet);
  if (name === undefined) return { name: 'proxy', value: 'none' };
  const value = `none, ${name} is not used. To use it, set proxy: 'env' or TRIFORGE_PROXY=env.`;
  return { name: 'proxy', value };
}

async function dnsFact({ hostname }: URL): Promise<Fact> {
  try {
    const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
    return { name: 'DNS', value: found.length === 1 ? '1 address' : `${found.length} addresses` };
  } catch (error) {
    const problem = 'the host name in baseUrl cannot be resolved. Check baseUrl and the network.';
    return { name: 'DNS', value: codeOf(error) ?? 'failed', problem };
  }
}

function codeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error ? String(error.code) : undefined;
}

/** Returns facts about TLS: its version, the certificate, and whether it is trusted. */
export async function tlsFacts(
  url: URL,
  tls: TlsOptions | undefined,
  timeout: number,
): Promise<Fact[]> {
  if (url.protocol !== 'https:') {
    const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    const problem = local ? undefined : 'the client sends credentials unencrypted. Use https.';
    return [{ name: 'TLS', value: 'none', problem }];
  }
  try {
    return await handshake(url, tls, timeout);
  } catch (error) {
    const isTimeout = isError(error) && error.name === 'AbortError';
    const value = isTimeout ? 'the TLS handshake timed out' : (codeOf(error) ?? 'failed');
    return [{ name: 'TLS', value, problem: 'a TLS connection could not be established' }];
  }
}

async function handshake(url: URL, tls: TlsOptions | undefined, timeout: number): Promise<Fact[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    // An IP address isn't sent as a server name (RFC 6066 section 3).
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    ...resolveTls(tls),
    host,
    port: Number(url.port || 443),
    // Accepts any certificate, because no request is sent over this connection.
    rejectUnauthorized: false,
  });
  // An error after the handshake doesn't affect the report.
  socket.on('error', () => undefined);
  try {
    // The timer of `socket.setTimeout` would restart with every byte.
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeout) });
    const end = Date.parse(socket.getPeerCertificate().valid_to);
    const days = Math.floor((end - Date.now()) / 86_400_000);
    return [
      { name: 'TLS', value: String(socket.getProtocol()) },
      {
        name: 'certificate',
        value: days < 0 ? 'expired' : `${formatCount(days, 'day')} left`,
        problem: days < fewDays ? 'the certificate must be renewed' : undefined,
      },
      socket.authorized
        ? { name: 'trust', value: 'the certificate is trusted' }
        : {
            name: 'trust',
            value: String(socket.authorizationError),
            problem:
              "the certificate is not trusted. For a private certificate authority, pass its certificate in tls: { ca }, or set NODE_EXTRA_CA_CERTS to the certificate's path.",
          },
    ];
  } finally {
    socket.destroy();
  }
}
