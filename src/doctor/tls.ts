import { connect } from 'node:tls';
import type { Fact } from './report.js';

/** Fewer days than this are told as a problem: a certificate wants to be renewed before. */
const fewDays = 14;

/** What TLS says of a server: its version, its certificate, and whether this machine trusts it. */
export async function tlsFacts(url: URL, now: number, timeout: number): Promise<Fact[]> {
  if (url.protocol !== 'https:') {
    const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    const problem = local ? undefined : 'credentials go over the network in clear text: use https';
    return [{ name: 'TLS', value: 'none', problem }];
  }
  try {
    return await handshake(url, now, timeout);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no handshake';
    return [{ name: 'TLS', value: code, problem: 'no TLS connection can be made' }];
  }
}

async function handshake(url: URL, now: number, timeout: number): Promise<Fact[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Looked at, not used: nothing is sent over a connection that is not trusted.
  const socket = connect({
    host,
    port: Number(url.port || 443),
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    rejectUnauthorized: false,
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject);
      socket.setTimeout(timeout, () => reject(new Error('no handshake in time')));
    });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / 86_400_000);
    return [
      { name: 'TLS', value: String(socket.getProtocol()) },
      {
        name: 'certificate',
        value: days < 0 ? 'expired' : `${days} days left`,
        problem: days < fewDays ? 'the certificate is to be renewed' : undefined,
      },
      {
        name: 'trust',
        value: socket.authorized
          ? 'this machine trusts the certificate'
          : String(socket.authorizationError),
        problem: socket.authorized
          ? undefined
          : 'this machine does not trust the certificate: for a private authority, name its file in NODE_EXTRA_CA_CERTS',
      },
    ];
  } finally {
    socket.destroy();
  }
}
