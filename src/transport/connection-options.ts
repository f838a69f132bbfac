import { isIPv6 } from 'node:net';
import { ConfigurationError } from '../errors/index.js';
import { checkOptions, invalidOption, optionNames } from '../option-names.js';
import { errorMessage } from '../schema/unknown-values.js';
import type { Proxies, TlsSettings } from './dispatch/dispatcher.js';
import { formatBasicAuth } from './request/credentials.js';

/**
 * TLS settings for connections to the server. Certificates and keys are in PEM format, as text or
 * bytes.
 */
export interface TlsOptions {
  /**
   * Certificates to trust instead of Node's, such as a private certificate authority's certificate
   * or the server's self-signed certificate. To also trust Node's certificates, pass
   * `[...rootCertificates, certificate]`, with `rootCertificates` from `node:tls`. Default: Node's
   * certificates.
   */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  /**
   * Client certificate in PEM format, followed by any intermediate certificates. Requires `key`.
   * The client presents the certificate only to `baseUrl` and `trustedOrigins`. Default: none.
   */
  readonly cert?: string | Uint8Array | undefined;
  /** Unencrypted private key for `cert`, in PEM format. Default: none. */
  readonly key?: string | Uint8Array | undefined;
  /**
   * Whether to verify the server's certificate. **With `false`, anyone on the network path can read
   * your credentials and all other data, and impersonate you.** Use `ca` instead. Default: true.
   */
  readonly rejectUnauthorized?: boolean | undefined;
  /** Host name that the certificate of `baseUrl` must match. Default: the host of `baseUrl`. */
  readonly servername?: string | undefined;
}

const tlsNames = optionNames<TlsOptions>()('ca cert key rejectUnauthorized servername');

/**
 * Checks and copies the `tls` option. Node reads the values for each connection, so a later change
 * to the caller's objects would change the certificate but not its fingerprint.
 * @throws {ConfigurationError} if a setting is invalid. The message never contains a key.
 */
export function resolveTls(given: TlsOptions | undefined): TlsSettings {
  if (given === undefined) return {};
  const { ca, cert, key, rejectUnauthorized, servername } = checkOptions(given, tlsNames, 'tls');
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'cert' : 'key';
    throw invalidOption(`tls.${missing}`, 'is required. Pass both cert and key, or neither.');
  }
  try {
    // Omit unset options, because an explicit undefined would disable Node's default.
    const tls: TlsSettings = {
      ...(ca !== undefined && { ca: [ca].flat().map(readPem) }),
      ...(cert !== undefined && { cert: readPem(cert) }),
      ...(key !== undefined && { key: readPem(key) }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
      ...(servername !== undefined && { servername }),
    };
    // Load the module on demand, because most clients don't set TLS options.
    process.getBuiltinModule('node:tls').createSecureContext(tls);
    return tls;
  } catch (error) {
    throw invalidOption('tls', errorMessage(error));
  }
}

/** Converts PEM to text. Node itself ignores text that isn't PEM, such as a path. */
function readPem(given: string | Uint8Array): string {
  const text = typeof given === 'string' ? given : Buffer.from(given).toString();
  if (text.includes('-----BEGIN ')) return text;
  throw new Error('ca, cert and key must be the content of a PEM file, not its path');
}

/**
 * Checks the `proxy` option.
 * @param given a URL, or `'env'` to read environment variables.
 * @throws {ConfigurationError} if a proxy's URL is invalid. The message doesn't contain the URL.
 */
export function resolveProxies(given: string | URL | undefined): Proxies | undefined {
  if (given === undefined) return undefined;
  if (given !== 'env') {
    const url = parseProxyUrl('proxy', given);
    return { http: url, https: url, none: [] };
  }
  return {
    http: parseProxyVariable('HTTP_PROXY'),
    https: parseProxyVariable('HTTPS_PROXY'),
    none: readNoProxy(),
  };
}

/** Reads the entries of `NO_PROXY`. Formats IPv6 addresses as in URLs. */
function readNoProxy(): string[] {
  return (readVariable('NO_PROXY') ?? '')
    .split(/[,\s]+/)
    .filter((host) => host !== '')
    .map((host) => (isIPv6(host) ? new URL(`http://[${host}]`).hostname : host));
}

function parseProxyVariable(name: string): URL | undefined {
  const value = readVariable(name);
  if (!value) return undefined;
  // Accept a host without a scheme, as other programs do.
  return parseProxyUrl(name, value.includes('://') ? value : `http://${value}`);
}

/** Reads a variable by its lowercase name or, if unset, by its uppercase name. */
function readVariable(name: string): string | undefined {
  return process.env[name.toLowerCase()] || process.env[name];
}

/** @param what name of the option or environment variable that contains the URL. */
function parseProxyUrl(what: string, given: string | URL): URL {
  try {
    const url = new URL(given);
    const [username, password] = parseUserInfo(url);
    if (/^https?:$/.test(url.protocol) && (username === '') === (password === '')) return url;
  } catch {
    // The text isn't a URL, or the username or password isn't percent-encoded.
  }
  throw new ConfigurationError(
    `${what}: must be an http or https URL, such as http://user:password@proxy.example.com:3128. Pass both the username and the password, percent-encoded, or neither.`,
    { option: 'proxy' },
  );
}

function parseUserInfo({ username, password }: URL): readonly [user: string, password: string] {
  return [decodeURIComponent(username), decodeURIComponent(password)];
}

/** Returns the proxy passwords in every encoding that is sent or logged, for masking. */
export function collectProxySecrets(proxies: Proxies | undefined): readonly string[] {
  return [proxies?.http, proxies?.https].flatMap((url) => {
    if (!url || url.password === '') return [];
    const [user, password] = parseUserInfo(url);
    return [password, url.password, formatBasicAuth(user, password).slice('Basic '.length)];
  });
}
