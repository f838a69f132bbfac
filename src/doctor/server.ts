import { type Call, isApiError, isTriforgeError, type ResponseInfo } from '../hosting/index.js';
import { formatCount, isError } from '../schema/unknown-values.js';
import type { Fact } from './report.js';

/** Maximum clock skew in ms. A larger skew affects rate-limit waits and certificates. */
const maxSkew = 60_000;

/**
 * Result of the first request to a server: a response with any status, or the reason why there was
 * no response.
 */
export interface FirstResponse {
  readonly response: ResponseInfo | undefined;
  /** Status or code of the error. Undefined if the response was successful. */
  readonly trouble: string | undefined;
  /** Server's clock minus the local clock in ms. Undefined if the response has no date. */
  readonly skew: number | undefined;
}

/** Sends the first request to a server and compares its clock with the local clock. */
export async function requestOnce(
  call: () => Call<unknown>,
  now: () => number,
): Promise<FirstResponse> {
  const sentAt = now();
  const { response, trouble } = await getFirstResponse(call);
  const date = Date.parse(response?.headers.date ?? '');
  // The `Date` header is rounded down to whole seconds, so add half a second and compare with the
  // middle of the round trip.
  const skew = Number.isNaN(date) ? undefined : date + 500 - (sentAt + now()) / 2;
  return { response, trouble, skew };
}

async function getFirstResponse(call: () => Call<unknown>): Promise<Omit<FirstResponse, 'skew'>> {
  try {
    return { response: (await call().withResponse()).response, trouble: undefined };
  } catch (error) {
    if (isApiError(error)) return { response: error.response, trouble: String(error.status) };
    if (!isTriforgeError(error)) throw error;
    const response = 'response' in error ? error.response : undefined;
    return { response, trouble: describeCode(error) };
  }
}

/**
 * Returns the cause's code, such as `ECONNREFUSED`, or the error's code if the cause has none.
 * Unlike the error's message, a code doesn't contain an address.
 */
function describeCode(error: Error & { readonly code: string }): string {
  const { cause } = error;
  const code = isError(cause) && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : error.code;
}

/** Returns whether text chosen by the server contains none of the credentials. */
export type IsHarmless = (text: string) => boolean;

/**
 * Returns the vendor name in `X-<Vendor>-Media-Type` or `X-<Vendor>-Request-Id`. Undefined if the
 * response has neither header.
 */
export function detectVendor(
  { headers }: ResponseInfo,
  isHarmless: IsHarmless = () => true,
): string | undefined {
  const named = (field: string) =>
    Object.keys(headers).find((name) => name.startsWith('x-') && name.endsWith(`-${field}`));
  for (const field of ['media-type', 'request-id']) {
    const word = named(field)?.slice('x-'.length, -`-${field}`.length);
    if (word !== undefined && /^[a-z][a-z0-9]{0,19}$/.test(word) && isHarmless(word)) return word;
  }
  return undefined;
}

/**
 * Returns facts from the first response: whether the server is reachable, accepts the credentials
 * and has an accurate clock.
 */
export function collectResponseFacts({ response, trouble, skew }: FirstResponse): Fact[] {
  if (!response) {
    const problem = 'the server did not respond. Check the URL and the network path to the server.';
    return [{ name: 'reachable', value: trouble ?? 'no', problem }];
  }
  const refused = response.status === 401 || response.status === 403;
  return [
    { name: 'reachable', value: `yes, ${response.status}` },
    ...(refused
      ? [{ name: 'credentials', value: 'rejected', problem: 'the server rejects the credentials' }]
      : []),
    clockFact(skew),
  ];
}

function clockFact(skew: number | undefined): Fact {
  if (skew === undefined)
    return { name: 'clock', value: 'unknown, because the response has no Date header' };
  if (Math.abs(skew) <= maxSkew) return { name: 'clock', value: 'in sync' };
  const duration = formatDuration(Math.abs(skew));
  return {
    name: 'clock',
    value: `${duration} ${skew > 0 ? 'ahead' : 'behind'}`,
    problem: `the server's clock is ${duration} ${skew > 0 ? 'ahead of' : 'behind'} this machine's clock. Set whichever clock is wrong.`,
  };
}

const units = [
  ['year', 365 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/**
 * Formats a duration in its largest unit and the next smaller unit, for example `2 hours 5
 * minutes`.
 */
function formatDuration(ms: number): string {
  const parts: string[] = [];
  let rest = Math.round(ms / 1000) * 1000;
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest %= size;
    if (count > 0) parts.push(formatCount(count, unit));
    // Show only adjacent units, to keep the duration easy to read.
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}

/** Matches a scope name. Other words in the header are counted but not shown. */
const scopeShape = /^(?=.{1,40}$)[a-z]+(?:[_:][a-z]+)*$/;

/** Returns facts about the scopes and the rate limit, which the hosting API reports in headers. */
export function budgetFacts({ scopes, rateLimit }: ResponseInfo, isHarmless: IsHarmless): Fact[] {
  const low = rateLimit !== undefined && rateLimit.remaining < Math.min(100, rateLimit.limit / 10);
  return [
    { name: 'scopes', value: formatScopes(scopes.granted, isHarmless) },
    {
      name: 'limit',
      value:
        rateLimit === undefined
          ? 'not reported'
          : `${rateLimit.remaining} of ${rateLimit.limit} left`,
      problem: low ? 'the hourly rate limit is nearly used up' : undefined,
    },
  ];
}

function formatScopes(granted: readonly string[] | undefined, isHarmless: IsHarmless): string {
  if (granted === undefined) return 'not reported';
  const shown = granted.filter((scope) => scopeShape.test(scope) && isHarmless(scope)).slice(0, 40);
  const others = granted.length - shown.length;
  const parts = others === 0 ? shown : [...shown, `${others} with unusual names`];
  return parts.join(', ') || 'none';
}
