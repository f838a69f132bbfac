import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { ConsoleClient, type ConsoleClientOptions } from '../console/index.js';
import {
  type Call,
  HostingClient,
  type HostingClientOptions,
  InvalidRequestError,
  isApiError,
  isTriforgeError,
  type ResponseInfo,
} from '../hosting/index.js';
import { formatCount, getMember, isError } from '../schema/unknown-values.js';
import { SupportClient, type SupportClientOptions } from '../support/index.js';
import { resolveTls, type TlsOptions } from '../transport/connection-options.js';
import { version } from '../version.js';

/** Options for an examination. At least one of the three APIs is required. */
export interface ExamineOptions {
  /** Client options for the hosting API. Default: the API isn't examined. */
  readonly hosting?: HostingClientOptions | undefined;
  /** Client options for the support API. Default: the API isn't examined. */
  readonly support?: SupportClientOptions | undefined;
  /** Client options for the Management Console API. Default: the API isn't examined. */
  readonly console?: ConsoleClientOptions | undefined;
  /** Maximum time in ms for a request or a TLS handshake. Default: 30000 ms. */
  readonly timeout?: number | undefined;
}

/**
 * Examines servers without changing anything. Checks proxies, DNS, TLS, clocks, credentials, scopes
 * and limits, with a few requests per API. The report contains no addresses or credentials.
 * @throws {ConfigurationError} if a client option is invalid.
 * @throws {InvalidRequestError} if there is nothing to examine.
 * @example const { healthy, families } = await examine({ hosting: { baseUrl, auth: { type: 'token', token } } });
 */
export async function examine({
  hosting,
  support,
  console: appliance,
  timeout = 30_000,
}: ExamineOptions): Promise<DoctorReport> {
  if (!hosting && !support && !appliance) {
    throw new InvalidRequestError(
      'hosting: is required unless support or console is set. Set at least one of them.',
      { field: 'hosting' },
    );
  }
  const families = await Promise.all([
    ...(hosting ? [examineHosting(hosting, timeout)] : []),
    ...(support ? [examineSupport(support, timeout)] : []),
    ...(appliance ? [examineConsole(appliance, timeout)] : []),
  ]);
  const healthy = listProblems(families).length === 0;
  return { healthy, version, node: process.version, families };
}

/** Client options that make every call end quickly. */
const hasty = (timeout: number) => ({ retry: false, rateLimit: { maxWait: 0 }, timeout }) as const;

async function examineSupport(given: SupportClientOptions, timeout: number): Promise<FamilyReport> {
  await using client = new SupportClient({ ...given, ...hasty(timeout) });
  return await report('support', given, timeout, await probe(() => client.me()));
}

async function examineConsole(given: ConsoleClientOptions, timeout: number): Promise<FamilyReport> {
  await using client = new ConsoleClient({ ...given, ...hasty(timeout) });
  return await report('console', given, timeout, await probe(() => client.configCheck()));
}

async function examineHosting(given: HostingClientOptions, timeout: number): Promise<FamilyReport> {
  const send = async (vendor = given.vendor) => {
    await using client = new HostingClient({ ...given, vendor, ...hasty(timeout) });
    return await probe(() => client.request('GET /rate_limit'));
  };
  let seen = await send();
  if (!seen.response) return await report('hosting', given, timeout, seen);
  if (!isApi(seen)) {
    const problem =
      'no hosting API responds at this URL. Check baseUrl. On an appliance, its path is /api/v3/.';
    const place = { name: 'API', value: 'not found', problem };
    return await report('hosting', given, timeout, seen, [place]);
  }
  // Servers reject media types with another vendor's name.
  if (seen.trouble === '415') seen = await send(detectVendor(seen.response));
  const { auth = {} } = given;
  const values: unknown[] = typeof auth === 'string' ? [auth] : Object.values(auth);
  const secrets = values.filter((each) => typeof each === 'string');
  const facts = seen.response ? hostingFacts(seen.response, given.vendor, secrets) : [];
  return await report('hosting', given, timeout, seen, [{ name: 'API', value: 'found' }, ...facts]);
}

/** Returns whether a response is from the hosting API. Also recognizes error responses. */
function isApi({ response, trouble }: Probe): boolean {
  if (!response || !/[/+]json/.test(response.headers['content-type'] ?? '')) return false;
  return trouble === undefined || (detectVendor(response) ?? response.rateLimit) !== undefined;
}

async function report(
  family: FamilyReport['family'],
  given: ConnectionOptions & { readonly auth?: object | string | undefined },
  timeout: number,
  seen: Probe,
  facts: readonly Fact[] = [],
): Promise<FamilyReport> {
  const connection = await connectionFacts(given, timeout);
  const own = responseFacts(seen, given.auth !== undefined);
  // For the hosting API, a response from another kind of server doesn't count.
  const reachable = seen.response !== undefined && (family !== 'hosting' || isApi(seen));
  return { family, reachable, facts: [...connection, ...own, ...facts] };
}

/** Minimum number of days that a certificate should remain valid. */
const fewDays = 14;

/** Options that determine how a client connects. */
type ConnectionOptions = Pick<
  HostingClientOptions,
  'baseUrl' | 'proxy' | 'dispatcher' | 'fetch' | 'tls'
>;

/** Returns facts about the path to a server: proxy, DNS, and TLS. */
async function connectionFacts(
  { baseUrl, proxy, dispatcher, fetch, tls }: ConnectionOptions,
  timeout: number,
): Promise<Fact[]> {
  // A direct connection would bypass the dispatcher, `fetch` or proxy.
  const own = dispatcher ? 'dispatcher' : fetch && 'fetch';
  if (own) return [{ name: 'proxy', value: `unknown, because the option ${own} is set` }];
  if (proxy !== undefined) {
    const value = proxy === 'env' ? 'as HTTPS_PROXY, HTTP_PROXY and NO_PROXY specify' : 'set';
    return [{ name: 'proxy', value }];
  }
  const url = new URL(baseUrl);
  const variable = ['HTTPS_PROXY', 'HTTP_PROXY'].find(
    (name) => process.env[name] || process.env[name.toLowerCase()],
  );
  const hint = `, ${variable} is not used. To use it, set proxy: 'env' or TRIFORGE_PROXY=env.`;
  const proxyFact = { name: 'proxy', value: `none${variable === undefined ? '' : hint}` };
  return [proxyFact, await dnsFact(url), ...(await tlsFacts(url, tls, timeout))];
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
  const code = getMember(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns facts about TLS: the version, the certificate, and whether the certificate is trusted.
 */
export async function tlsFacts(
  url: URL,
  tls: TlsOptions | undefined,
  timeout: number,
): Promise<Fact[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:') {
    const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
    const problem = isLocal ? undefined : 'the client sends credentials unencrypted. Use https.';
    return [{ name: 'TLS', value: 'none', problem }];
  }
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
    // A timer set by `socket.setTimeout` would restart with every byte.
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeout) });
    return certificateFacts(socket);
  } catch (error) {
    const isTimeout = isError(error) && error.name === 'AbortError';
    const value = isTimeout ? 'the TLS handshake timed out' : (codeOf(error) ?? 'failed');
    return [{ name: 'TLS', value, problem: 'a TLS connection could not be established' }];
  } finally {
    socket.destroy();
  }
}

function certificateFacts(socket: TLSSocket): Fact[] {
  const end = Date.parse(socket.getPeerCertificate().valid_to);
  const days = Math.floor((end - Date.now()) / 86_400_000);
  const untrusted =
    "the certificate is not trusted. For a private certificate authority, pass its certificate in tls: { ca }, or set NODE_EXTRA_CA_CERTS to the certificate's path.";
  return [
    { name: 'TLS', value: String(socket.getProtocol()) },
    {
      name: 'certificate',
      value: days < 0 ? 'expired' : `${formatCount(days, 'day')} left`,
      problem: days < fewDays ? 'the certificate must be renewed' : undefined,
    },
    {
      name: 'trust',
      value: socket.authorized ? 'the certificate is trusted' : String(socket.authorizationError),
      problem: socket.authorized ? undefined : untrusted,
    },
  ];
}

/** Maximum clock skew in ms. A larger skew affects rate-limit waits and certificate checks. */
const maxSkew = 60_000;

type Probe = Awaited<ReturnType<typeof probe>>;

/**
 * Sends a request and compares the server's clock with the local clock.
 * @returns `response`: the response, even if it is an error response. Undefined if there was none.
 * `trouble`: status or code of the error. Undefined if the call succeeded. `skew`: the server's
 * clock minus the local clock in ms. Undefined if the response has no date.
 */
async function probe(call: () => Call<unknown>) {
  const sentAt = Date.now();
  let response: ResponseInfo | undefined;
  let trouble: string | undefined;
  try {
    ({ response } = await call().withResponse());
  } catch (error) {
    if (!isTriforgeError(error)) throw error;
    response = 'response' in error ? error.response : undefined;
    // The code of the cause, such as `ECONNREFUSED`, contains no address.
    trouble = isApiError(error) ? String(error.status) : (codeOf(error.cause) ?? error.code);
  }
  const date = Date.parse(response?.headers.date ?? '');
  // The `Date` header is rounded down to whole seconds, so half a second is added. The local time
  // is the middle of the round trip.
  const skew = Number.isNaN(date) ? undefined : date + 500 - (sentAt + Date.now()) / 2;
  return { response, trouble, skew };
}

/** Returns facts from a response: whether the server responds, the credentials, and the clock. */
function responseFacts({ response, trouble, skew }: Probe, hasAuth: boolean): Fact[] {
  if (!response) {
    const problem = 'the server did not respond. Check baseUrl and the network path to the server.';
    return [{ name: 'reachable', value: trouble ?? 'no', problem }];
  }
  const { status } = response;
  const failure = status >= 500 ? 'the server failed. Check the server, and try again.' : undefined;
  const isRejected = status === 401 || status === 403;
  const problem = isRejected ? 'the server rejects the credentials. Check auth.' : undefined;
  // A valid token gets a 404 if the server doesn't limit rates.
  const answer = status < 400 || status === 404 ? 'accepted' : 'unknown';
  const value = isRejected ? 'rejected' : hasAuth ? answer : 'none set';
  return [
    { name: 'reachable', value: `yes, ${status}`, problem: failure },
    { name: 'credentials', value, problem },
    clockFact(skew),
  ];
}

function clockFact(skew: number | undefined): Fact {
  if (skew === undefined) return { name: 'clock', value: 'unknown' };
  if (Math.abs(skew) <= maxSkew) return { name: 'clock', value: 'in sync' };
  const minutes = formatCount(Math.round(Math.abs(skew) / 60_000), 'minute');
  const value = `${minutes} ${skew > 0 ? 'ahead' : 'behind'}`;
  const problem = `the server's clock is ${value}${skew > 0 ? ' of' : ''} this machine's clock. Set whichever clock is wrong.`;
  return { name: 'clock', value, problem };
}

/**
 * Returns the vendor name in `X-<Vendor>-Media-Type` or `X-<Vendor>-Request-Id`. Undefined if the
 * response has neither header.
 */
function detectVendor({ headers }: ResponseInfo): string | undefined {
  const names = Object.keys(headers);
  const find = (field: string) => {
    const shape = new RegExp(`^x-([a-z][a-z0-9]{0,19})-${field}$`);
    return names.flatMap((name) => shape.exec(name)?.[1] ?? [])[0];
  };
  return find('media-type') ?? find('request-id');
}

/**
 * Returns facts that the hosting API reports in headers: vendor, version, scopes and limit.
 * @param secrets credentials, which a server might echo.
 */
function hostingFacts(
  response: ResponseInfo,
  vendor: string | undefined,
  secrets: readonly string[],
): Fact[] {
  const detected = detectVendor(response);
  const { headers, scopes, rateLimit } = response;
  // A server can send any text in a header, such as an echoed credential.
  const isEcho = (text: string) =>
    secrets.some((secret) => text.toLowerCase().includes(secret.toLowerCase()));
  const show = (text = '') => (/^[\w.:-]{1,40}$/.test(text) && !isEcho(text) ? text : undefined);
  const name = show(detected);
  const isWrong = name !== undefined && name !== (vendor ?? 'service');
  const version =
    headers[`x-${detected}-enterprise-version`] ??
    headers[`x-${detected}-api-version-selected`] ??
    headers[`x-${detected}-media-type`]?.replace(/^\w+\.|;.*/g, '');
  const shown = scopes.granted?.map((scope) => show(scope) ?? '(not shown)').slice(0, 40);
  const isLow = rateLimit && rateLimit.remaining < Math.min(100, rateLimit.limit / 10);
  return [
    {
      name: 'vendor',
      value: name ?? 'unknown',
      problem: isWrong
        ? `the server uses '${name}', but the client uses '${vendor ?? 'service'}'. Set vendor: '${name}' or TRIFORGE_VENDOR=${name}.`
        : undefined,
    },
    { name: 'version', value: show(version) ?? 'unknown' },
    { name: 'scopes', value: shown ? shown.join(', ') || 'none' : 'not reported' },
    {
      name: 'limit',
      value: rateLimit ? `${rateLimit.remaining} of ${rateLimit.limit} left` : 'not reported',
      problem: isLow ? 'the hourly rate limit is nearly used up' : undefined,
    },
  ];
}

/** Fact about a server, or about the connection to it. */
export interface Fact {
  /** Subject of the fact, for example `TLS` or `clock`. */
  readonly name: string;
  /** Value that was found. Contains no secret and no address. */
  readonly value: string;
  /** Description of the problem and its solution. Undefined if there is no problem. */
  readonly problem?: string | undefined;
}

/** Results for one API. */
export interface FamilyReport {
  /** Name of the API. */
  readonly family: 'hosting' | 'support' | 'console';
  /** Whether the API responded. */
  readonly reachable: boolean;
  /** Facts about the connection, the credentials, limits and the server. */
  readonly facts: readonly Fact[];
}

/** Result of `examine`. */
export interface DoctorReport {
  /** Whether the examination found no problems. */
  readonly healthy: boolean;
  /** Version of triforge. */
  readonly version: string;
  /** Version of Node.js. */
  readonly node: string;
  /** Results for each examined API. */
  readonly families: readonly FamilyReport[];
}

const titles = {
  hosting: 'Hosting API',
  support: 'Support API',
  console: 'Management Console API',
} as const;

/** Formats a report for a terminal, with a table for each API. */
export function formatReport(report: DoctorReport): string {
  const tables = report.families.map(({ family, facts }) => {
    const [first, second] = [
      Math.max(...facts.map(({ name }) => name.length)),
      Math.max(...facts.map(({ value }) => value.length)),
    ];
    const lines = facts.map(({ name, value, problem = '' }) =>
      `  ${name.padEnd(first)}  ${value.padEnd(second)}  ${problem}`.trimEnd(),
    );
    return `${titles[family]}\n${lines.join('\n')}\n`;
  });
  const { length } = listProblems(report.families);
  const summary = length === 0 ? 'No problems found.' : `${formatCount(length, 'problem')} found.`;
  return `${tables.join('\n')}\n${summary}\n`;
}

/** Returns the descriptions of all problems. */
function listProblems(families: readonly FamilyReport[]): string[] {
  return families.flatMap(({ facts }) => facts.flatMap(({ problem }) => problem ?? []));
}
