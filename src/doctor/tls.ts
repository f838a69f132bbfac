import { once } from 'node:events';
import { connect } from 'node:tls';
import { formatCount, isError } from '../schema/unknown-values.js';
import type { Fact } from './report.js';

/** Minimum number of days that a certificate should remain valid. */
const fewDays = 14;

/** Returns facts about TLS: its version, the certificate, and whether this machine trusts it. */
export async function tlsFacts(url: URL, now: number, timeout: number): Promise<Fact[]> {
  if (url.protocol !== 'https:') {
    const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    const problem = local ? undefined : 'the client sends credentials unencrypted. Use https.';
    return [{ name: 'TLS', value: 'none', problem }];
  }
  try {
    return await handshake(url, now, timeout);
  } catch (error) {
    const isTimeout = isError(error) && error.name === 'AbortError';
    const code =
      !isTimeout && isError(error) && 'code' in error
        ? String(error.code)
        : 'the TLS handshake timed out';
    return [{ name: 'TLS', value: code, problem: 'a TLS connection could not be established' }];
  }
}

async function handshake(url: URL, now: number, timeout: number): Promise<Fact[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Accepts any certificate, because no request is sent over this connection.
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    rejectUnauthorized: false,
  });
  // An error after the handshake doesn't affect the report.
  socket.on('error', () => undefined);
  try {
    // The timer of `socket.setTimeout` would restart with every byte.
    const signal = AbortSignal.timeout(timeout);
    await once(socket, 'secureConnect', { signal });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / 86_400_000);
    return [
      { name: 'TLS', value: String(socket.getProtocol()) },
      {
        name: 'certificate',
        value: days < 0 ? 'expired' : `${formatCount(days, 'day')} left`,
        problem: days < fewDays ? 'the certificate must be renewed' : undefined,
      },
      {
        name: 'trust',
        value: socket.authorized
          ? 'this machine trusts the certificate'
          : String(socket.authorizationError),
        problem: socket.authorized
          ? undefined
          : "this machine does not trust the certificate. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the path of the authority's certificate.",
      },
    ];
  } finally {
    socket.destroy();
  }
}
