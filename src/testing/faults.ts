import * as z from 'zod/mini';
import { inEnglish } from './checks.js';
import { checkNames } from './known-names.js';

/**
 * Fault that replaces or changes a response. Times are in ms, measured in real time rather than on
 * the emulator's clock.
 */
export type Fault =
  /** Sends the specified response instead of the real response. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** Body. A string is sent unchanged, and any other value as JSON. */
      readonly body?: unknown;
    }
  /** Resets the connection without a response. With `executed`, carries out the request first. */
  | { readonly kind: 'reset'; readonly executed?: boolean | undefined }
  /**
   * Announces the body's full length, sends only the first `bytes` (default: half), and closes the
   * connection.
   */
  | { readonly kind: 'truncate'; readonly bytes?: number | undefined }
  /** Sends the body in chunks of `bytes` (default: 1024), each after `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly bytes?: number | undefined; readonly ms: number }
  /**
   * Sends `raw` instead of a response and ends the connection. Default: a response that has a header
   * without a colon.
   */
  | { readonly kind: 'malformed'; readonly raw?: string | undefined }
  /** Responds after `ms` milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Accepts the request and never responds. */
  | { readonly kind: 'hang' }
  /**
   * Closes all connections and refuses new connections for `ms` milliseconds, like a restarting
   * server.
   */
  | { readonly kind: 'refuse'; readonly ms: number }
  /**
   * Applies a secondary rate limit. If more than `requests` requests arrive within `per` ms, the
   * excess requests get a 403 with `Retry-After`. `times` limits the number of rejections. Default:
   * no limit.
   */
  | {
      readonly kind: 'secondaryLimit';
      /** Number of requests that the limit accepts within `per`. */
      readonly requests: number;
      /** Length of the window in ms. */
      readonly per: number;
      /** `Retry-After` in ms, rounded up to whole seconds. */
      readonly pause: number;
      /** Whether to count and reject only requests other than GET and HEAD. Default: false. */
      readonly writes?: boolean | undefined;
    };

/** Requests that a fault applies to. Omitted fields match every request. */
export interface FaultMatcher {
  /** HTTP method, in any letter case. */
  readonly method?: string | undefined;
  /** Substring or pattern of the path, as sent and without the query. */
  readonly path?: string | RegExp | undefined;
  /** Values that query parameters must have, such as `{ page: '2' }`. */
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** How many matching requests fail, and how many succeed first. */
export interface FaultOptions {
  /** Number of requests that fail. `Infinity` for all. Default: 1, or `Infinity` for `secondaryLimit`. */
  readonly times?: number | undefined;
  /** Number of matching requests that succeed first. Default: 0. */
  readonly after?: number | undefined;
}

const wholeRule = (min: number) => `must be a whole number of at least ${min}`;
const whole = (min: number) => z.int(wholeRule(min)).check(z.minimum(min, wholeRule(min)));
/** Longest time that a timer supports, in ms. */
const longest = 2 ** 31 - 1;
const duration = (min: number) =>
  whole(min).check(z.maximum(longest, `must be a whole number of at most ${longest}`));
const statusRule = 'must be a whole number from 200 to 599';
const status = z.int(statusRule).check(z.minimum(200, statusRule), z.maximum(599, statusRule));
const flag = z.optional(z.boolean('must be true or false'));

/** Fields of each kind of fault, in addition to `kind`. */
export const faultFields = {
  response: {
    status,
    headers: z.optional(z.record(z.string(), z.string())),
    body: z.optional(z.unknown()),
  },
  reset: { executed: flag },
  truncate: { bytes: z.optional(whole(0)) },
  slow: { bytes: z.optional(whole(0)), ms: duration(0) },
  malformed: { raw: z.optional(z.string()) },
  delay: { ms: duration(0) },
  hang: {},
  refuse: { ms: duration(0) },
  secondaryLimit: { requests: whole(1), per: duration(1), pause: duration(1), writes: flag },
} as const satisfies {
  [K in Fault['kind']]: {
    [N in keyof Omit<Extract<Fault, { kind: K }>, 'kind'>]: z.core.$ZodType;
  };
};

const queryValue = z.union([z.string(), z.number(), z.boolean()], 'must contain strings');
const matcherFields = {
  method: z.optional(z.string('must be a string')),
  path: z.optional(z.union([z.string(), z.instanceof(RegExp)], 'must be a string or a RegExp')),
  query: z.optional(z.record(z.string(), queryValue, 'must be an object')),
};

const timesFields = {
  times: z.optional(z.union([z.literal(Number.POSITIVE_INFINITY), whole(1)], wholeRule(1))),
  after: z.optional(whole(0)),
};

interface PlannedFault {
  readonly matcher: FaultMatcher;
  readonly fault: Fault;
  left: number;
  pass: number;
  /** Times at which the secondary limit accepted requests, as returned by `performance.now()`. */
  accepted: number[];
}

/** Planned faults. Each fault applies to at most `times` requests. */
export class FaultPlan {
  readonly #planned: PlannedFault[] = [];

  /**
   * Plans a fault.
   * @throws {TypeError} if the fault's kind or a property name is unknown.
   * @throws {RangeError} if a value is out of range.
   */
  add(matcher: FaultMatcher, fault: Fault, options: FaultOptions = {}): void {
    checkNames('fail: matcher', matcher, Object.keys(matcherFields));
    checkValues(matcher, matcherFields);
    checkFault(fault);
    checkNames('fail: options', options, Object.keys(timesFields));
    checkValues(options, timesFields);
    const { times = fault.kind === 'secondaryLimit' ? Number.POSITIVE_INFINITY : 1, after = 0 } =
      options;
    this.#planned.push({ matcher, fault, left: times, pass: after, accepted: [] });
  }

  /** Faults that will still be applied. */
  get pending(): readonly Readonly<PlannedFault>[] {
    return this.#planned.filter(({ left }) => left > 0);
  }

  /** Returns the fault for a request and counts it as applied. */
  take(method: string, path: string, query: URLSearchParams): Fault | undefined {
    for (const planned of this.#planned) {
      if (planned.left <= 0 || !matchesFault(planned.matcher, method, path, query)) continue;
      if (planned.pass > 0) {
        planned.pass--;
        continue;
      }
      const fault = applyLimit(planned, method);
      if (!fault) continue;
      planned.left--;
      return fault;
    }
    return undefined;
  }

  clear(): void {
    this.#planned.length = 0;
  }
}

/**
 * Returns the fault to apply. For a secondary limit, returns a 403 response, or undefined if the
 * limit accepts the request.
 */
function applyLimit(planned: PlannedFault, method: string): Fault | undefined {
  const { fault } = planned;
  if (fault.kind !== 'secondaryLimit') return fault;
  if (fault.writes && (method === 'GET' || method === 'HEAD')) return undefined;
  const now = performance.now();
  planned.accepted = planned.accepted.filter((at) => at > now - fault.per);
  if (planned.accepted.length < fault.requests) {
    planned.accepted.push(now);
    return undefined;
  }
  const message = 'You have exceeded a secondary rate limit. Please wait before you try again.';
  const headers = { 'retry-after': String(Math.ceil(fault.pause / 1000)) };
  return { kind: 'response', status: 403, headers, body: { message } };
}

function checkFault(fault: Fault): void {
  // JavaScript callers can omit the fault.
  const kind: unknown = Object(fault).kind;
  if (!Object.hasOwn(faultFields, String(kind))) {
    const kinds = Object.keys(faultFields).join(', ');
    throw new TypeError(`fail: unknown kind '${String(kind)}'. Known kinds: ${kinds}.`);
  }
  const fields = faultFields[fault.kind];
  checkNames(`fail: ${fault.kind}`, fault, ['kind', ...Object.keys(fields)]);
  checkValues(fault, fields);
  // Throws a TypeError if a name or value is invalid.
  if (fault.kind === 'response') new Headers(fault.headers);
}

/**
 * Checks values against their schemas.
 * @throws {RangeError} if a value is invalid. The message names the first invalid value.
 */
function checkValues(given: object, schemas: Readonly<Record<string, z.core.$ZodType>>): void {
  const values = new Map<string, unknown>(Object.entries(given));
  for (const [name, schema] of Object.entries(schemas)) {
    const [issue] = z.safeParse(schema, values.get(name), inEnglish).error?.issues ?? [];
    if (!issue) continue;
    throw new RangeError(`fail: ${name}: ${issue.message} (got ${String(values.get(name))})`);
  }
}

function matchesFault(
  matcher: FaultMatcher,
  method: string,
  path: string,
  query: URLSearchParams,
): boolean {
  const expectedMethod = matcher.method ?? method;
  if (expectedMethod.toUpperCase() !== method.toUpperCase()) return false;
  const expected = Object.entries(matcher.query ?? {});
  if (expected.some(([name, value]) => query.get(name) !== String(value))) return false;
  const { path: part = '' } = matcher;
  // Unlike `test`, `search` ignores the `lastIndex` of a pattern with the `g` flag.
  return typeof part === 'string' ? path.includes(part) : path.search(part) >= 0;
}
