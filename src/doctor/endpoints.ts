import { Readable } from 'node:stream';
import {
  InvalidRequestError,
  isApiError,
  isTriforgeError,
  ResponseShapeError,
} from '../hosting/index.js';
import { collectDrift, findDifferences } from './differences.js';
import type { EndpointOutcome, EndpointReport } from './report.js';
import type { RequestGuard } from './request-guard.js';
import type { SampleInputs, Samples } from './samples.js';

/** Read-only client method. */
export interface ReadOperation {
  /** Name of the operation, for example `pulls.list`. */
  readonly operation: string;
  readonly call: (input: SampleInputs) => unknown;
}

/**
 * Matches the names of read-only methods. `test/doctor` checks the pattern against the endpoint
 * declarations.
 */
const reads =
  /^(?:(?:get(?!OrCreate)|list|is|has|check|download)(?:[A-Z]\w*)?|search|me|configCheck)$/;

/** Lists the read-only methods of a client and its resources. */
export function listReadings(client: object): ReadOperation[] {
  return [
    ...listMethods('', client),
    ...Object.entries(client).flatMap(([name, resource]: [string, unknown]) =>
      typeof resource === 'object' && resource !== null ? listMethods(`${name}.`, resource) : [],
    ),
  ];
}

function listMethods(prefix: string, target: object): ReadOperation[] {
  const prototype: object = Object.getPrototypeOf(target);
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    typeof value === 'function' && reads.test(name)
      ? [{ operation: prefix + name, call: (input) => Reflect.apply(value, target, [input]) }]
      : [],
  );
}

/** Callback that runs before each endpoint call. */
export type OnEndpoint = (operation: string) => void;

/**
 * Calls every endpoint. Endpoints with missing inputs are tried again until the other endpoints'
 * responses provide no new inputs.
 */
export async function callEndpoints(
  readings: readonly ReadOperation[],
  samples: Samples,
  onEndpoint: OnEndpoint,
  guard?: RequestGuard,
): Promise<EndpointReport[]> {
  const reports = new Map<string, EndpointReport>();
  let waiting = readings;
  for (let before = -1; waiting.length !== before; ) {
    before = waiting.length;
    const lacking: ReadOperation[] = [];
    for (const reading of waiting) {
      const report = await callEndpoint(reading, samples, onEndpoint, guard);
      reports.set(reading.operation, report);
      if (report.outcome === 'untried') lacking.push(reading);
    }
    waiting = lacking;
  }
  return readings.flatMap(({ operation }) => reports.get(operation) ?? []);
}

async function callEndpoint(
  { operation, call }: ReadOperation,
  samples: Samples,
  onEndpoint: OnEndpoint,
  guard: RequestGuard | undefined,
): Promise<EndpointReport> {
  guard?.begin();
  const input: Record<string, unknown> = {};
  for (;;) {
    try {
      onEndpoint(operation);
      const differences = await collectDrift(operation, harmlessBy(guard), async () =>
        samples.learnFrom(operation, await resolveResult(call({ ...input }))),
      );
      return { operation, outcome: differences.length > 0 ? 'differs' : 'works', differences };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) {
        if (guard?.stopped !== undefined)
          return { operation, ...reportOutcome('fails', guard.stopped) };
        const listed = Object.keys(input).some((name) => samples.isListed(operation, name));
        return { operation, ...classifyOutcome(error, listed, guard) };
      }
      // The client rejected the input before it sent a request. The error names the missing input.
      const sample = samples.of(operation, error.field);
      if (sample === undefined || error.field in input) {
        return { operation, ...reportOutcome('untried', `no ${error.field} was found`) };
      }
      input[error.field] = sample;
    }
  }
}

/** Returns a list's first item. For other calls, returns the response. Destroys a streamed response. */
async function resolveResult(called: unknown): Promise<unknown> {
  if (typeof called === 'object' && called !== null && 'first' in called) {
    return typeof called.first === 'function' ? await called.first() : undefined;
  }
  const result = await called;
  // Only the headers are needed, and an archive's body may contain gigabytes.
  if (result instanceof Readable) result.destroy();
  return result;
}

function harmlessBy(guard: RequestGuard | undefined) {
  return guard && ((text: string) => guard.isHarmless(text));
}

function reportOutcome(outcome: EndpointOutcome, detail: string) {
  return { outcome, detail, differences: [] };
}

function classifyOutcome(
  error: unknown,
  listed: boolean,
  guard: RequestGuard | undefined,
): Omit<EndpointReport, 'operation'> {
  if (error instanceof ResponseShapeError) {
    return { outcome: 'differs', differences: findDifferences(error, harmlessBy(guard)) };
  }
  if (!isTriforgeError(error)) throw error;
  // The client rejects the call if the endpoint requires other credentials.
  if (error.code === 'configuration') return reportOutcome('untried', 'requires other credentials');
  if (error.code === 'rate_limit') return reportOutcome('untried', 'the rate limit is exhausted');
  if (error.code === 'response_body') return reportOutcome('differs', bodies[error.reason]);
  if (isApiError(error)) {
    const { status } = error;
    if (status === 401 || status === 403) return reportOutcome('rejected', String(status));
    if (status !== 404) return reportOutcome('fails', `the server responded with ${status}`);
    return listed
      ? reportOutcome('fails', 'the server responded with a 404 for an item that it had listed')
      : reportOutcome('absent', '404');
  }
  if (error.code === 'redirect')
    return reportOutcome('fails', `the redirect cannot be followed: ${error.reason}`);
  if (error.code === 'timeout')
    return reportOutcome('fails', `the server did not respond in time (${error.reason})`);
  if (error.code === 'operation_failed')
    return reportOutcome('fails', 'the server reported success: false');
  return reportOutcome('fails', error.code === 'connection' ? 'the connection failed' : error.code);
}

const bodies = {
  truncated: 'the body is truncated',
  invalid_json: 'the body is not JSON',
  too_large: 'the body is too large',
  empty: 'the body is empty',
  unexpected_type: 'the body has an unexpected type',
  undecodable: 'the body cannot be decoded',
} as const;
