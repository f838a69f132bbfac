/** What goes wrong, instead of or after the real answer. */
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
  /** Answers after so many milliseconds of real time. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Which requests a fault is for. */
export interface FaultMatcher {
  readonly method?: string | undefined;
  /** The path (without query) contains this, or matches it. */
  readonly path?: string | RegExp | undefined;
}

interface PlannedFault {
  readonly matcher: FaultMatcher;
  readonly fault: Fault;
  left: number;
}

/** Faults that were asked for; each is used up by the requests it meets. */
export class FaultPlan {
  readonly #planned: PlannedFault[] = [];

  /** @param times how many requests it meets. Default 1. */
  add(matcher: FaultMatcher, fault: Fault, times = 1): void {
    this.#planned.push({ matcher, fault, left: times });
  }

  /** The fault for a request, which uses it up once. */
  take(method: string, path: string): Fault | undefined {
    const planned = this.#planned.find(
      (each) => each.left > 0 && matches(each.matcher, method, path),
    );
    if (planned) planned.left--;
    return planned?.fault;
  }

  clear(): void {
    this.#planned.length = 0;
  }
}

function matches(matcher: FaultMatcher, method: string, path: string): boolean {
  if (matcher.method !== undefined && matcher.method !== method) return false;
  if (matcher.path === undefined) return true;
  return typeof matcher.path === 'string' ? path.includes(matcher.path) : matcher.path.test(path);
}

/** What a `Response` can't say, for the adapters that can do it. */
export type WireFault = Extract<Fault, { kind: 'reset' | 'truncate' }>;

const wireFaults = new WeakMap<Response, WireFault>();

/** Marks an answer to be broken on the wire. */
export function breakOnWire(response: Response, fault: WireFault): Response {
  wireFaults.set(response, fault);
  return response;
}

/** How an answer is to be broken, if it is. */
export function wireFaultOf(response: Response): WireFault | undefined {
  return wireFaults.get(response);
}
