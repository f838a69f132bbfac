import { type Call, isApiError, isTriforgeError, type ResponseInfo } from '../hosting/index.js';
import type { Fact } from './report.js';

/** A clock that is off by more makes waits for limits and certificates go wrong. */
const mostSkew = 60_000;

/** The first answer of a server, whatever it says; or why there was none. */
export interface FirstLook {
  readonly response: ResponseInfo | undefined;
  /** What the error said, without addresses; undefined where the answer was good. */
  readonly trouble: string | undefined;
  /** Server's clock less our own in ms; undefined where it has none. */
  readonly skew: number | undefined;
}

/** Looks at a server once. */
export async function look(call: () => Call<unknown>, now: () => number): Promise<FirstLook> {
  const asked = now();
  const { response, trouble } = await firstAnswer(call);
  const date = Date.parse(response?.headers.date ?? '');
  // Half of the way there and back; the field knows no more than seconds.
  const skew = Number.isNaN(date) ? undefined : date + 500 - (asked + now()) / 2;
  return { response, trouble, skew };
}

async function firstAnswer(call: () => Call<unknown>): Promise<Omit<FirstLook, 'skew'>> {
  try {
    return { response: (await call().withResponse()).response, trouble: undefined };
  } catch (error) {
    if (isApiError(error)) return { response: error.response, trouble: String(error.status) };
    if (!isTriforgeError(error)) throw error;
    const response = 'response' in error ? error.response : undefined;
    return { response, trouble: codeOf(error) };
  }
}

/** The code of the failure below, as `ECONNREFUSED`; it names no address. */
function codeOf(error: Error & { readonly code: string }): string {
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : error.code;
}

/** The word in `X-<Vendor>-Media-Type` and `X-<Vendor>-Request-Id`; undefined where none is sent. */
export function vendorOf({ headers }: ResponseInfo): string | undefined {
  const named = (field: string) =>
    Object.keys(headers).find((name) => name.startsWith('x-') && name.endsWith(`-${field}`));
  for (const field of ['media-type', 'request-id']) {
    const word = named(field)?.slice('x-'.length, -`-${field}`.length);
    if (word !== undefined && /^[a-z][a-z0-9]*$/.test(word)) return word;
  }
  return undefined;
}

/** What every family's first answer says. */
export function answerFacts({ response, trouble, skew }: FirstLook): Fact[] {
  if (!response) {
    const problem = 'no answer came: is the address right, and is the way there open?';
    return [{ name: 'reachable', value: trouble ?? 'no', problem }];
  }
  const refused = response.status === 401 || response.status === 403;
  return [
    { name: 'reachable', value: `yes, ${response.status}` },
    ...(refused
      ? [{ name: 'credentials', value: 'refused', problem: 'the server refuses the credentials' }]
      : []),
    clockFact(skew),
  ];
}

function clockFact(skew: number | undefined): Fact {
  if (skew === undefined) return { name: 'clock', value: 'the server tells no time' };
  const seconds = Math.round(Math.abs(skew) / 1000);
  const problem =
    Math.abs(skew) > mostSkew
      ? `the clocks of server and machine differ by ${seconds} s: one of them is wrong`
      : undefined;
  return { name: 'clock', value: problem === undefined ? 'as ours' : `${seconds} s off`, problem };
}

/** Scopes and budget, which the hosting API tells in header fields. */
export function budgetFacts({ scopes, rateLimit }: ResponseInfo): Fact[] {
  const granted = scopes.granted?.join(', ');
  const low = rateLimit !== undefined && rateLimit.remaining < Math.min(100, rateLimit.limit / 10);
  return [
    { name: 'scopes', value: granted === undefined ? 'none told' : granted || 'none' },
    {
      name: 'limit',
      value:
        rateLimit === undefined ? 'none told' : `${rateLimit.remaining} of ${rateLimit.limit} left`,
      problem: low ? 'the hourly budget is nearly used up' : undefined,
    },
  ];
}
