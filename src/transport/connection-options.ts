import { types } from 'node:util';
import { ConfigurationError } from '../errors/index.js';
import { copyOptions, invalidOption, optionNames } from '../option-names.js';
import { describeKind, errorMessage, formatGot, showValue } from '../schema/unknown-values.js';
import type { Proxies, TlsSettings } from './dispatch/dispatcher.js';
import { computeFingerprint, formatBasicAuth } from './request/credentials.js';

/** TLS settings for connections to the server. Certificates and keys are PEM, as text or bytes. */
export interface TlsOptions {
  /**
   * Certificates to trust instead of Node's: certificates of a certificate authority, or the
   * server's self-signed certificate. To also trust Node's certificates, pass
   * `[...rootCertificates, certificate]`, with `rootCertificates` from `node:tls`. Default:
   * Node's certificates.
   */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  /**
   * Client certificate in PEM format, with any intermediate certificates. Requires `key`. The
   * client presents the certificate only to `baseUrl` and `trustedOrigins`. Default: none.
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
 * @throws {ConfigurationError} if a setting is invalid. The message names the setting, but never
 * contains a key.
 */
export function resolveTls(given: TlsOptions | undefined): TlsSettings {
  if (given === undefined) return {};
  const tls = copyOptions(given, tlsNames, 'tls');
  const { ca, cert, key, rejectUnauthorized, servername } = tls;
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'cert' : 'key';
    throw invalidOption(`tls.${missing}`, 'is required. Pass both cert and key, or neither.');
  }
  if (rejectUnauthorized !== undefined && typeof rejectUnauthorized !== 'boolean') {
    throw invalidOption(
      'tls.rejectUnauthorized',
      `must be true or false (got ${showValue(rejectUnauthorized)})`,
    );
  }
  if (servername !== undefined && (typeof servername !== 'string' || servername === '')) {
    throw invalidOption('tls.servername', `must be a host name (got ${describeKind(servername)})`);
  }
  // Omit unset options, because an explicit undefined would disable Node's default.
  const checked: TlsSettings = {
    ...(ca !== undefined && {
      ca: [ca].flat().map((each) => readPem('tls.ca', each, 'certificate')),
    }),
    ...(cert !== undefined && { cert: readPem('tls.cert', cert, 'certificate') }),
    ...(key !== undefined && { key: readPem('tls.key', key, 'key') }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    ...(servername !== undefined && { servername }),
  };
  try {
    // Load the module on demand, because most clients don't set TLS options.
    process.getBuiltinModule('node:tls').createSecureContext(checked);
  } catch (error) {
    const why = errorMessage(error);
    throw invalidOption('tls', `must contain valid certificates and a matching key (${why})`);
  }
  return checked;
}

/**
 * Returns a fingerprint that identifies the client's certificate without revealing it. Empty if
 * there is no certificate.
 */
export function computeCertificateFingerprint({ cert }: TlsSettings): string {
  return cert === undefined ? '' : computeFingerprint('certificate', cert.trim());
}

/** Matches a block that the option must contain. Node silently ignores other blocks. */
const pemBlocks = {
  certificate: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/,
  // An encrypted key has another label, or a `Proc-Type` line.
  key: /-----BEGIN (?!ENCRYPTED)[A-Z ]*PRIVATE KEY-----\r?\n(?!Proc-Type: 4,ENCRYPTED)/,
};

/** Converts a PEM option to text. @throws {ConfigurationError} if the value isn't PEM. */
function readPem(option: string, given: unknown, block: keyof typeof pemBlocks): string {
  const text = types.isUint8Array(given) ? Buffer.from(given).toString() : given;
  if (typeof text === 'string' && pemBlocks[block].test(text)) return text;
  const what = block === 'key' ? 'an unencrypted private key' : 'a certificate';
  throw invalidOption(
    option,
    `must be ${what} in PEM format${formatGot(text, 'string')}. Pass the content of the file, not its path. Convert other formats with openssl.`,
  );
}

/**
 * Checks the `proxy` option.
 * @param given a URL, or `'env'` to read environment variables.
 * @throws {ConfigurationError} if a proxy's URL is invalid. The message doesn't contain the URL.
 */
export function resolveProxies(given: string | URL | undefined): Proxies | undefined {
  if (given === undefined) return undefined;
  if (given === 'env') {
    return {
      http: parseProxyVariable('http_proxy'),
      https: parseProxyVariable('https_proxy'),
      none: bracketIpv6Hosts(readVariable('no_proxy')?.[1] ?? ''),
    };
  }
  if (typeof given !== 'string' && !(given instanceof URL)) {
    throw invalidOption('proxy', `must be a URL or 'env' (got ${describeKind(given)})`);
  }
  const url = parseProxyUrl('proxy', String(given));
  return { http: url, https: url, none: '' };
}

/**
 * Adds brackets to IPv6 addresses in `NO_PROXY`, because undici reads the end of `::1` as a port.
 */
function bracketIpv6Hosts(hosts: string): string {
  const address = (text: string) => `[${text.replace(/^\[|\]$/g, '')}]`;
  return hosts
    .split(/[,\s]+/)
    .map((entry) => {
      const [, inner, port = ''] = /^(\[.*\])(:\d+)?$/.exec(entry) ?? [undefined, entry];
      const url = `http://${address(inner)}`;
      return inner.includes(':') && URL.canParse(url) ? new URL(url).hostname + port : entry;
    })
    .join(',');
}

function parseProxyVariable(name: string): URL | undefined {
  const found = readVariable(name);
  if (!found) return undefined;
  const [called, value] = found;
  // Accept a host without a scheme, as other programs do.
  return parseProxyUrl(called, value.includes('://') ? value : `http://${value}`);
}

/**
 * Reads a variable by its lowercase name or, if unset, its uppercase name, as other programs do.
 */
function readVariable(lower: string): readonly [name: string, value: string] | undefined {
  for (const name of [lower, lower.toUpperCase()]) {
    const value = process.env[name];
    if (value) return [name, value];
  }
  return undefined;
}

/** @param what name of the option or environment variable that contains the URL. */
function parseProxyUrl(what: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && isProxyUrl(url)) return url;
  throw new ConfigurationError(
    `${what}: must be an http or https URL without a path or query, such as http://user:password@proxy.example.com:3128. Pass both the username and the password, percent-encoded, or neither.`,
    { option: 'proxy' },
  );
}

function isProxyUrl(url: URL): boolean {
  try {
    parseUserInfo(url);
  } catch {
    return false;
  }
  const isPlain = url.pathname === '/' && url.search === '' && url.hash === '';
  const isPaired = (url.username === '') === (url.password === '');
  return /^https?:$/.test(url.protocol) && isPlain && isPaired;
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
