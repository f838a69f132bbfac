import { Agent, type Dispatcher } from 'undici';
import { ConsoleClient, type ConsoleClientOptions } from '../console/index.js';
import { HostingClient, type HostingClientOptions, InvalidRequestError } from '../hosting/index.js';
import { showValue } from '../schema/unknown-values.js';
import { SupportClient, type SupportClientOptions } from '../support/index.js';
import { callEndpoints, listReadings } from './endpoints.js';
import { collectFindings, type DoctorReport, type Fact, type FamilyReport } from './report.js';
import { chooseRepository } from './repository.js';
import { RequestGuard } from './request-guard.js';
import { Samples } from './samples.js';
import {
  budgetFacts,
  collectResponseFacts,
  detectVendor,
  type FirstResponse,
  requestOnce,
} from './server.js';
import { tlsFacts } from './tls.js';

/** Progress of an examination. */
export interface DoctorProgress {
  /** Number of endpoints called so far, across all APIs. */
  readonly done: number;
  /** Number of endpoints to call. */
  readonly total: number;
  /** Operation that is being called. */
  readonly operation: string;
}

/** Options for an examination. At least one of the three APIs is required. */
export interface ExamineOptions {
  /**
   * Access to the hosting API. If `vendor` is omitted, it is detected from the server's responses.
   * Default: the API isn't examined.
   */
  readonly hosting?:
    | Pick<HostingClientOptions, 'baseUrl' | 'auth' | 'vendor' | 'dispatcher'>
    | undefined;
  /** Access to the support API. Default: the API isn't examined. */
  readonly support?: Pick<SupportClientOptions, 'baseUrl' | 'auth' | 'dispatcher'> | undefined;
  /** Access to the Management Console API. Default: the API isn't examined. */
  readonly console?:
    | Pick<ConsoleClientOptions, 'baseUrl' | 'auth' | 'vendor' | 'dispatcher'>
    | undefined;
  /**
   * Repository to examine, for example `acme/rocket`. Default: the most active repository that the
   * user can see.
   */
  readonly repository?: string | undefined;
  /** Maximum wait for a response in ms. Default: 30000. */
  readonly timeout?: number | undefined;
  /** Maximum time in ms to examine each API. Default: 300000 (5 minutes). */
  readonly maxTime?: number | undefined;
  /** Callback that runs before each endpoint call. Default: none. */
  readonly onProgress?: ((progress: DoctorProgress) => void) | undefined;
}

/** Path of the hosting API on an installed appliance. */
const apiPath = '/api/v3/';

/**
 * Examines servers without changing anything. Checks connections, clocks and limits, calls the GET
 * endpoints, and compares the responses with the models. The report contains no response data,
 * addresses or credentials.
 * @throws {ConfigurationError} if an address or credentials are invalid.
 * @throws {InvalidRequestError} if there is nothing to examine, or the repository name is invalid.
 * @example const { healthy, families } = await examine({ hosting: { baseUrl, auth: { type: 'token', token } } });
 */
export async function examine(options: ExamineOptions): Promise<DoctorReport> {
  const { hosting, support, console: appliance, repository } = options;
  if (!hosting && !support && !appliance) {
    throw new InvalidRequestError(
      'hosting: is required unless support or console is set. Set at least one of them.',
      {
        field: 'hosting',
      },
    );
  }
  if (repository !== undefined && !/^[^/]+\/[^/]+$/.test(repository)) {
    throw new InvalidRequestError(
      `repository: must have the form owner/name (got ${showValue(repository)})`,
      { field: 'repository' },
    );
  }
  const examined = hosting && new Examination(options, hosting.dispatcher);
  const families = [
    ...(hosting && examined ? [await examined.hosting(hosting)] : []),
    ...(support ? [await new Examination(options, support.dispatcher).support(support)] : []),
    ...(appliance ? [await new Examination(options, appliance.dispatcher).console(appliance)] : []),
  ];
  const healthy = collectFindings(families).length === 0;
  return { healthy, node: process.version, repository: examined?.repository, families };
}

class Examination {
  readonly #options: ExamineOptions;
  readonly #timeout: number;
  /**
   * Agent to use if no dispatcher was passed. Clients don't close it, because they close only
   * dispatchers that they create.
   */
  readonly #agent = new Agent();
  readonly #guard: RequestGuard;
  /** Repository whose endpoints are called, as `owner/name`. */
  repository: string | undefined;

  constructor(options: ExamineOptions, dispatcher: Dispatcher | undefined) {
    this.#options = options;
    this.#timeout = options.timeout ?? 30_000;
    this.#guard = new RequestGuard(dispatcher ?? this.#agent, options.maxTime ?? 300_000);
  }

  async hosting(given: NonNullable<ExamineOptions['hosting']>): Promise<FamilyReport> {
    const found = await this.#findHosting(given);
    const { baseUrl, seen } = found;
    const { response } = seen;
    const isHarmless = (text: string) => this.#guard.isHarmless(text);
    const detected = response && detectVendor(response, isHarmless);
    const facts = [
      ...found.facts,
      ...(response
        ? [vendorFact(detected, given.vendor), ...budgetFacts(response, isHarmless)]
        : []),
    ];
    const vendor = given.vendor ?? detected;
    const client = new HostingClient({ ...this.#client(given), baseUrl, vendor });
    const report = await this.#family('hosting', client, seen, facts, () =>
      this.#repository(client),
    );
    if (this.#options.repository === undefined || !isRepositoryMissing(report)) return report;
    return { ...report, facts: [...report.facts, missingRepository] };
  }

  async support(given: NonNullable<ExamineOptions['support']>): Promise<FamilyReport> {
    const client = new SupportClient({ ...this.#client(given), auth: given.auth });
    const seen = await requestOnce(() => client.me(), Date.now);
    const facts = [...(await this.#tls(given.baseUrl, given)), ...collectResponseFacts(seen)];
    return await this.#family('support', client, seen, facts);
  }

  async console(given: NonNullable<ExamineOptions['console']>): Promise<FamilyReport> {
    const client = new ConsoleClient(this.#client(given));
    const seen = await requestOnce(() => client.configCheck(), Date.now);
    const facts = [...(await this.#tls(given.baseUrl, given)), ...collectResponseFacts(seen)];
    return await this.#family('console', client, seen, facts);
  }

  /** Finds the API's base URL. Tries the passed URL, then `/api/v3/` or `/` on the same host. */
  async #findHosting(given: NonNullable<ExamineOptions['hosting']>) {
    const base = new URL(given.baseUrl);
    const elsewhere = new URL(base.pathname.includes(apiPath.slice(0, -1)) ? '/' : apiPath, base);
    const seenAt = async (baseUrl: URL) => {
      const client = new HostingClient({ ...this.#client(given), baseUrl });
      const call = requestOnce(() => client.request({ path: '/rate_limit' }), Date.now);
      return await call.finally(() => client.close());
    };
    const seen = await seenAt(base);
    const tls = await this.#tls(base, given);
    const facts = [...tls, ...collectResponseFacts(seen)];
    if (!seen.response) return { baseUrl: base, seen, facts };
    if (isApi(seen)) return { baseUrl: base, seen, facts: [...facts, pathFact(base)] };
    const other = await seenAt(elsewhere);
    if (isApi(other)) {
      const problem = `the API is at ${elsewhere.pathname}. Use this path in the URL.`;
      const otherFacts = [
        ...tls,
        ...collectResponseFacts(other),
        { ...pathFact(elsewhere), problem },
      ];
      return { baseUrl: elsewhere, seen: other, facts: otherFacts };
    }
    const none = { name: 'API', value: 'none', problem: 'no hosting API responds at this URL' };
    return { baseUrl: base, seen: { ...seen, response: undefined }, facts: [...facts, none] };
  }

  async #family(
    family: FamilyReport['family'],
    client: AsyncDisposable,
    { response }: FirstResponse,
    facts: readonly Fact[],
    samples = async () => new Samples(),
  ): Promise<FamilyReport> {
    const reachable = response !== undefined;
    try {
      // Fifty requests with rejected credentials could lock the user out.
      if (!reachable || response.status === 401) return { family, reachable, facts, endpoints: [] };
      const readings = listReadings(client);
      const seen = new Set<string>();
      const onEndpoint = (operation: string) => {
        const done = seen.add(operation).size;
        const progress = { done, total: readings.length, operation: `${family} ${operation}` };
        const returned: unknown = this.#options.onProgress?.(progress);
        // A rejected promise from an async callback must not end the process.
        Promise.resolve(returned).then(
          () => undefined,
          () => undefined,
        );
      };
      const endpoints = await callEndpoints(readings, await samples(), onEndpoint, this.#guard);
      return { family, reachable, facts, endpoints };
    } finally {
      await client[Symbol.asyncDispose]();
      await this.#agent.destroy();
    }
  }

  async #repository(client: HostingClient): Promise<Samples> {
    const samples = new Samples();
    this.#guard.begin();
    this.repository =
      this.#options.repository ??
      (await chooseRepository(client, (name) => this.#guard.isHarmless(name)));
    if (this.repository === undefined) return samples;
    this.#guard.begin();
    const [owner = '', repo = ''] = this.repository.split('/');
    const branch: unknown = await client
      .request<unknown>({ path: '/repos/{owner}/{repo}', variables: { owner, repo } })
      .then((each) => Object(each).default_branch)
      // Some servers don't have this endpoint.
      .catch(() => undefined);
    samples.useRepository(owner, repo, typeof branch === 'string' ? branch : 'master');
    return samples;
  }

  #client<Given extends Pick<HostingClientOptions, 'baseUrl' | 'dispatcher'>>(given: Given) {
    return {
      ...given,
      dispatcher: this.#guard.dispatcher,
      retry: false,
      // Fail the call if the rate limit is exhausted, because a wait could take an hour.
      rateLimit: { maxWait: 0 },
      timeout: this.#timeout,
    } as const;
  }

  async #tls(
    baseUrl: string | URL,
    { dispatcher }: Pick<HostingClientOptions, 'dispatcher'>,
  ): Promise<Fact[]> {
    // A separate connection would not take the same path as requests through a custom dispatcher.
    if (dispatcher) return [];
    return await tlsFacts(new URL(baseUrl), Date.now(), this.#timeout);
  }
}

/** Returns whether a response is from the hosting API, even if the response is a rejection. */
function isApi({ response, trouble }: FirstResponse): boolean {
  if (!response || !/[/+]json/.test(response.headers['content-type'] ?? '')) return false;
  return trouble === undefined || (detectVendor(response) ?? response.rateLimit) !== undefined;
}

/** Returns whether even endpoints that exist in every repository responded with a 404. */
function isRepositoryMissing({ endpoints }: FamilyReport): boolean {
  return ['pulls.list', 'releases.list'].every((name) =>
    endpoints.some(({ operation, outcome }) => operation === name && outcome === 'absent'),
  );
}

const missingRepository: Fact = {
  name: 'repository',
  value: 'not found',
  problem: 'the repository is missing, or hidden from these credentials',
};

function pathFact({ pathname }: URL): Fact {
  const below = `${pathname.replace(/\/+$/, '')}/`.endsWith(apiPath);
  return { name: 'API', value: below ? `below ${apiPath}` : `not below ${apiPath}` };
}

function vendorFact(detected: string | undefined, given: string | undefined): Fact {
  if (detected === undefined) return { name: 'vendor', value: 'unknown' };
  const problem =
    given === undefined || given === detected
      ? undefined
      : `the server uses '${detected}', but the vendor is set to '${given}'. Set vendor: '${detected}'.`;
  return { name: 'vendor', value: detected, problem };
}
