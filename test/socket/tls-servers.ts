import { createServer as createHttpServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { connect, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { listening } from '../support/server.js';
import { authority, serverCertificate, serverKey } from './private-authority.js';

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
