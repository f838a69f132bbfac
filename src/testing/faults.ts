import { checkNames } from './known-names.js';

/** What goes wrong, instead of or after the real answer. Milliseconds are real time, not the emulator's. */
export type Fault =
  /** Answers with this instead. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** A string goes out as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  /** Breaks the connection before anything is answered; with `executed`, after the request was carried out. */
  | { readonly kind: 'reset'; readonly executed?: boolean | undefined }
  /** Promises the whole body, sends the first `bytes` of it (default half), and breaks the connection. */
  | { readonly kind: 'truncate'; readonly bytes?: number | undefined }
  /** Sends the body in pieces of `bytes` (default 1024), each after `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly bytes?: number | undefined; readonly ms: number }
  /** Sends this text instead of an answer (default: a header field without a colon), and ends the connection. */
  | { readonly kind: 'malformed'; readonly raw?: string | undefined }
  /** Answers after so many milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Breaks the connection, and refuses new ones for so many milliseconds: a server that restarts. */
  | { readonly kind: 'refuse'; readonly ms: number };

/** Which requests a fault is for. What is left out matches every request. */
export interface FaultMatcher {
  /** Only requests of this HTTP method. */
  readonly method?: string | undefined;
  /** The path (as sent, without query) contains this, or matches it. */
  readonly path?: string | RegExp | undefined;
  /** Query parameters that must have these values: `{ page: '2' }`. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** How often a fault happens. */
export interface FaultOptions {
  /** How many requests it meets; `Infinity` for all. Default 1. */
  readonly times?: number | undefined;
  /** How many matching requests it lets pass first. Default 0. */
  readonly after?: number | undefined;
}

/** What a fault of each kind may say of itself, besides its kind. */
const fieldsOf = {
  answer: ['status', 'headers', 'body'],
  reset: ['executed'],
  truncate: ['bytes'],
  slow: ['bytes', 'ms'],
  malformed: ['raw'],
  delay: ['ms'],
  hang: [],
  refuse: ['ms'],
} as const satisfies {
  [K in Fault['kind']]: readonly Exclude<keyof Extract<Fault, { kind: K }>, 'kind'>[];
};

interface PlannedFault {
  readonly matcher: FaultMatcher;
  readonly fault: Fault;
  left: number;
  pass: number;
}

/** Faults that were asked for; each is used up by the requests it meets. */
export class FaultPlan {
  readonly #planned: PlannedFault[] = [];

  /** @throws {TypeError} an unknown name @throws {RangeError} a value out of its range */
  add(matcher: FaultMatcher, fault: Fault, options: FaultOptions = {}): void {
    checkNames('fail: matcher', matcher, ['method', 'path', 'query']);
    checkFault(fault);
    checkNames('fail: options', options, ['times', 'after']);
    const { times = 1, after = 0 } = options;
    if (times !== Number.POSITIVE_INFINITY) checkWhole('times', times, 1);
    checkWhole('after', after, 0);
    this.#planned.push({ matcher, fault, left: times, pass: after });
  }

  /** Those that will still meet a request. */
  get planned(): readonly Readonly<PlannedFault>[] {
    return this.#planned.filter(({ left }) => left > 0);
  }

  /** The fault for a request, which uses it up once. */
  take(method: string, path: string, query: URLSearchParams): Fault | undefined {
    for (const planned of this.#planned) {
      if (planned.left <= 0 || !matches(planned.matcher, method, path, query)) continue;
      if (planned.pass > 0) {
        planned.pass--;
        continue;
      }
      planned.left--;
      return planned.fault;
    }
    return undefined;
  }

  clear(): void {
    this.#planned.length = 0;
  }
}

function checkFault(fault: Fault): void {
  if (!Object.hasOwn(fieldsOf, fault.kind)) {
    const kinds = Object.keys(fieldsOf).join(', ');
    throw new TypeError(`fail: unknown kind '${String(fault.kind)}'; known are: ${kinds}`);
  }
  checkNames(`fail: a fault of the kind '${fault.kind}'`, fault, ['kind', ...fieldsOf[fault.kind]]);
  if ('ms' in fault) checkWhole('ms', fault.ms, 0);
  if ('bytes' in fault && fault.bytes !== undefined) checkWhole('bytes', fault.bytes, 0);
  if (fault.kind !== 'answer') return;
  checkWhole('status', fault.status, 200, 599);
  try {
    new Headers(fault.headers);
  } catch (cause) {
    throw new TypeError('fail: headers: expected field names and values that HTTP can carry', {
      cause,
    });
  }
}

function checkWhole(name: string, value: number, least: number, most?: number): void {
  if (Number.isInteger(value) && value >= least && value <= (most ?? value)) return;
  const range = most === undefined ? `${least} on` : `${least} to ${most}`;
  throw new RangeError(`fail: ${name}: expected a whole number from ${range}, got ${value}`);
}

function matches(
  matcher: FaultMatcher,
  method: string,
  path: string,
  query: URLSearchParams,
): boolean {
  if (matcher.method !== undefined && matcher.method !== method) return false;
  const asked = Object.entries(matcher.query ?? {});
  if (asked.some(([name, value]) => query.get(name) !== value)) return false;
  const { path: part = '' } = matcher;
  // A pattern with the flag `g` remembers where it stopped: search() does not.
  return typeof part === 'string' ? path.includes(part) : path.search(part) >= 0;
}
