import { createServer as createHttpServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { listening } from '../support/server.js';

// A private CA with certificates for a server ("localhost", "code.example.com") and a client. All
// certificates are valid from 2020 to 2120, and only tests use them.

export const authority = `-----BEGIN CERTIFICATE-----
MIIBgTCCASigAwIBAgIUR0IwIm83H0e4OfPXY4+wqNh+IaIwCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTQSBwcml2YXRlIGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBa
GA8yMTIwMDEwMTAwMDAwMFowHjEcMBoGA1UEAwwTQSBwcml2YXRlIGF1dGhvcml0
eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGR85/NN8a1YJ4S6W4eMIhmTgb9l
sYFHqhpX0lheSs1Lf1Xqmjqqcw6xvFx+oyUmVHP3h4TrrUYOY+vK6arne5qjQjBA
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBSwQE9R
kHMIs43lOGI+jDX+6n+47zAKBggqhkjOPQQDAgNHADBEAiAP8FxFDbOX7p5ywDjg
ADvLDzQRBScDfylEap7V4saTLgIgZXq/Pf/q6vjx50WP8TwFOkqOlGaa1Pw/rCKZ
4+zuKJ0=
-----END CERTIFICATE-----
`;

export const serverCertificate = `-----BEGIN CERTIFICATE-----
MIIBtDCCAVugAwIBAgIUM7T/BHXFGRxtX9aHmjHfgNMzNRMwCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTQSBwcml2YXRlIGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBa
GA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE/Xux6qixYP2t2WYd8oUP5b6rsGvmc2HaUEyVdFzC
HfckkcYCDD6fjTwAJqlUjDQRUfYR/yo4foM7nXUbUdmUs6N/MH0wJgYDVR0RBB8w
HYIJbG9jYWxob3N0ghBjb2RlLmV4YW1wbGUuY29tMBMGA1UdJQQMMAoGCCsGAQUF
BwMBMB0GA1UdDgQWBBQQlf/XG220BZplumjfuJpEzj9n2jAfBgNVHSMEGDAWgBSw
QE9RkHMIs43lOGI+jDX+6n+47zAKBggqhkjOPQQDAgNHADBEAiBQPEKOrrDxVh1t
eLVjzO3zHzDXUIe+3709Q+zKLTasOgIgFzWuhpsY6QVjJ5Zz6uf8zoBBd0uBgglE
Rhzo1e0uS5A=
-----END CERTIFICATE-----
`;

export const serverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgF7yu+OSW7gMpyL06
+QlFO1wEsdtjHaSzoLqaE97DExmhRANCAAT9e7HqqLFg/a3ZZh3yhQ/lvquwa+Zz
YdpQTJV0XMId9ySRxgIMPp+NPAAmqVSMNBFR9hH/Kjh+gzuddRtR2ZSz
-----END PRIVATE KEY-----
`;

export const clientCertificate = `-----BEGIN CERTIFICATE-----
MIIBjDCCATKgAwIBAgIUasf7metvTNKDRnwUx1aPGu5EdpswCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTQSBwcml2YXRlIGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBa
GA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UEAwwIQSBjbGllbnQwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAAQTJUNzoxotPAdJuYV3nf8gsV7gixeP1arG28S9eQjE
fvcFSSLaJ16n0zAYFbzx73qGZjCNyTTISFY/Hgs154sao1cwVTATBgNVHSUEDDAK
BggrBgEFBQcDAjAdBgNVHQ4EFgQUikGmDUVQGK06ON9yIWIjo7mUH5IwHwYDVR0j
BBgwFoAUsEBPUZBzCLON5ThiPow1/up/uO8wCgYIKoZIzj0EAwIDSAAwRQIhAIpR
C+Zp6McUh93P9PNhBwku3Yjc+RFjXszLdNG4m0z7AiB5PcxHgCmOd25uYMur8yJ2
eqxq00Gq7sTasokZcjhNfA==
-----END CERTIFICATE-----
`;

export const clientKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwFLw849cFYQkTR4m
lGiRvG0T4GQbbh77cMRVuz8Z/6KhRANCAAQTJUNzoxotPAdJuYV3nf8gsV7gixeP
1arG28S9eQjEfvcFSSLaJ16n0zAYFbzx73qGZjCNyTTISFY/Hgs154sa
-----END PRIVATE KEY-----
`;

/** The servers' key and certificate, and the private CA that signed the certificate. */
export const keys = { cert: serverCertificate, key: serverKey, ca: authority };

/** Client data that an HTTPS server recorded. */
export interface Visitor {
  /** Requested server name. False if none was sent. */
  readonly servername: unknown;
  /** Name on the client's certificate. */
  readonly certificate: string | undefined;
}

/**
 * Starts an HTTPS server with a certificate from the private CA. The server records its clients,
 * and redirects them to `location` if it is set.
 */
export async function serveTls(options: ServerOptions = {}, location?: string) {
  const seen: Visitor[] = [];
  const server = createServer({ ...keys, ...options }, ({ socket }, response) => {
    const tls = socket as TLSSocket; // `as`: an https server has only TLS sockets.
    const certificate = tls.getPeerCertificate()?.subject?.CN?.toString();
    seen.push({ servername: Reflect.get(tls, 'servername'), certificate });
    if (location === undefined) response.end('[]');
    else response.writeHead(302, { location }).end();
  });
  const { port } = await listening(server);
  return { seen, port };
}

/** Starts a forward proxy that opens tunnels to this machine. */
export async function serveTunnels(proxy: Server = createHttpServer()) {
  const requests: string[] = [];
  proxy.on('connect', ({ url = '' }, near: Socket) => {
    requests.push(url);
    const far = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    for (const each of [near, far]) each.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const { port } = await listening(proxy);
  return { requests, port };
}
