import { ConsoleClient, type ConsoleClientOptions } from '../console/index.js';
import { HostingClient, type HostingClientOptions, InvalidRequestError } from '../hosting/index.js';
import { SupportClient, type SupportClientOptions } from '../support/index.js';
import { version } from '../version.js';
import {
  type ConnectionOptions,
  connectionFacts,
  detectVendor,
  hostingFacts,
  type Probe,
  probe,
  responseFacts,
} from './facts.js';
import { collectFindings, type DoctorReport, type Fact, type FamilyReport } from './report.js';

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
  const healthy = collectFindings(families).length === 0;
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

/** Path of the hosting API on an installed appliance. */
const apiPath = '/api/v3/';

async function examineHosting(given: HostingClientOptions, timeout: number): Promise<FamilyReport> {
  const send = async (changed: Partial<HostingClientOptions> = {}) => {
    await using client = new HostingClient({ ...given, ...changed, ...hasty(timeout) });
    return await probe(() => client.request('GET /rate_limit'));
  };
  let seen = await send();
  if (!seen.response) return await report('hosting', given, timeout, seen);
  let place: Fact = { name: 'API', value: 'found' };
  let baseUrl = new URL(given.baseUrl);
  if (!isApi(seen)) {
    baseUrl = new URL(baseUrl.pathname.includes('/api/v3') ? '/' : apiPath, baseUrl);
    const other = await send({ baseUrl });
    const problem = isApi(other)
      ? `the API is at ${baseUrl.pathname}. Use this path in baseUrl.`
      : 'no hosting API responds at this URL. Check baseUrl.';
    place = { name: 'API', value: 'not found', problem };
    if (!isApi(other)) return await report('hosting', given, timeout, seen, [place]);
    seen = other;
  }
  const vendor = seen.response && detectVendor(seen.response);
  // Servers reject media types with another vendor's name.
  if (seen.trouble === '415' && vendor !== undefined) seen = await send({ baseUrl, vendor });
  const { auth = {} } = given;
  const values: unknown[] = typeof auth === 'string' ? [auth] : Object.values(auth);
  const secrets = values.filter((each) => typeof each === 'string');
  const facts = seen.response ? hostingFacts(seen.response, given.vendor, secrets) : [];
  return await report('hosting', given, timeout, seen, [place, ...facts]);
}

/** Returns whether a response is from the hosting API. Recognizes rejections too. */
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
  // If this isn't the hosting API, a different kind of server responded.
  const reachable = seen.response !== undefined && (family !== 'hosting' || isApi(seen));
  return { family, reachable, facts: [...connection, ...own, ...facts] };
}
