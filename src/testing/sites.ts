import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { httpError } from './reply.js';

/** Path of the emulator's pages and control API, which the real service doesn't have. */
export const controlPath = '/_emulator';

/** Returns whether a path is the control path or below it. */
export function isControlPath(path: string): boolean {
  return path === controlPath || path.startsWith(`${controlPath}/`);
}

/** Public address of a listening emulator, and the hosts and origins that it accepts. */
export interface SiteOptions {
  /**
   * Accepted names in `Host`, such as `code.test`, in addition to `localhost`, 127.0.0.1 and [::1].
   */
  readonly allowHosts?: readonly string[] | undefined;
  /**
   * Accepted origins of web pages, such as `https://app.test`, in addition to this machine's
   * origins. Pages from these origins can also read responses (CORS).
   */
  readonly allowOrigins?: readonly string[] | undefined;
  /**
   * Public origin of the emulator, such as `https://code.test` behind a proxy that terminates TLS.
   * URLs in responses start with this origin, and requests to its host are accepted. Default: the
   * scheme and `Host` of the request.
   */
  readonly origin?: string | undefined;
  /** Certificate and key for HTTPS. Default: plain HTTP. */
  readonly tls?: EmulatorTlsOptions | undefined;
}

/** Certificate and key for HTTPS. */
export interface EmulatorTlsOptions {
  /** Certificate chain in PEM format. */
  readonly cert: string | Buffer;
  /** Private key in PEM format, without a passphrase. */
  readonly key: string | Buffer;
}

/**
 * Validates the `origin` option and removes a trailing slash.
 * @throws {RangeError} if it is not an HTTP or HTTPS origin.
 */
export function parseOrigin(origin: string, option = 'origin'): string {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
  throw new RangeError(
    `${option}: must be an http or https origin, such as 'https://code.test' (got ${origin})`,
  );
}

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Protects the emulator from pages of other sites. Requests from forms and scripts have an `Origin`
 * header. Requests from images, script elements and frames have a `Sec-Fetch-Site` header. If
 * accepted, these requests would be recorded and use up rate limits. A DNS rebinding attack sends a
 * foreign `Host`.
 * @throws {HttpError} 400 or 403 if the request is rejected.
 */
export function checkSite(
  headers: IncomingHttpHeaders,
  { allowHosts = [], allowOrigins = [] }: SiteOptions,
): void {
  const { host, origin } = headers;
  const hosts = allowHosts.map((each) => each.toLowerCase());
  const ours = (name: string) => loopback.test(name) || hosts.includes(name);
  // HTTP/1.0 clients can omit `Host`, but browsers always send it.
  if (host !== undefined) {
    const [, name] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(host) ?? [];
    if (name === undefined) {
      throw httpError(400, 'emulator: the Host header must be a host name, optionally with a port');
    }
    if (!ours(name.toLowerCase())) {
      const how = `allowHosts: ['${name}'], or --allow-host ${name}`;
      throw httpError(403, `emulator: requests with Host ${host} are not allowed. Set ${how}.`);
    }
  }
  if (origin === undefined) {
    const embedded =
      headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-dest'] !== 'document';
    if (!embedded) return;
    throw httpError(403, 'emulator: pages from other sites must not embed the emulator');
  }
  if (allowOrigins.includes(origin)) return;
  if (URL.canParse(origin) && ours(new URL(origin).hostname)) return;
  const how = `allowOrigins: ['${origin}'], or --allow-origin ${origin}`;
  throw httpError(403, `emulator: pages from ${origin} must not send requests. Set ${how}.`);
}

/**
 * Lets pages from `allowOrigins` read the response (CORS).
 * @returns true if the request is a preflight, which needs no other response.
 */
export function allowReading(
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
  { allowOrigins = [] }: SiteOptions,
): boolean {
  const { origin } = headers;
  if (origin === undefined || !allowOrigins.includes(origin)) return false;
  outgoing.setHeader('Access-Control-Allow-Origin', origin);
  outgoing.setHeader('Access-Control-Expose-Headers', '*');
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || wanted === undefined) return false;
  outgoing.setHeader('Access-Control-Allow-Methods', wanted);
  const names = headers['access-control-request-headers'];
  if (names !== undefined) outgoing.setHeader('Access-Control-Allow-Headers', names);
  outgoing.writeHead(204).end();
  return true;
}
