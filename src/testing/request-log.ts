import { parseJson } from './bodies.js';
import { isForm, maskBody, maskHeader, maskTarget } from './secret-names.js';

/** Request as sent, with its secrets. */
export interface SentRequest {
  /** Path and query as sent. */
  readonly target: string;
  /** Headers as sent. */
  readonly headers: Headers;
  /** Text of the body if it is JSON or a form of at most 1 MiB. Otherwise undefined. */
  readonly body: string | undefined;
}

/** Request that the emulator received, with the status of its response. Credentials are masked. */
export interface LoggedRequest {
  /** Sequence number of the request, starting at 1. A reset restarts the numbering. */
  readonly id: number;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as sent, with credentials masked. */
  readonly path: string;
  /** Decoded query. Contains only the last value of a repeated parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers with lowercase names. Credentials are masked except for their scheme. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Value of a JSON body (its text if the JSON is invalid), or the fields of a form as an object.
   * Undefined for other bodies, and for the oldest bodies if all bodies together exceed 64 MiB.
   */
  readonly body: unknown;
  /** Time of arrival on the emulator's clock, in ISO 8601. */
  readonly time: string;
  /** Status of the response. 0 if there is no response. */
  readonly status: number;
  /** Size of the response's body in bytes. */
  readonly size: number;
  /**
   * Request with its secrets, for assertions. The property isn't enumerable, so printing the record
   * doesn't show it.
   */
  readonly sent: SentRequest;
}

/** Maximum length of all bodies in a log, in characters. */
const mostOfBodies = 64 * 1_048_576;

/** A sent request whose body the log may discard. */
type Kept = SentRequest & { body: string | undefined };

/** Log of the requests since the start or the last `clear`. */
export class RequestLog {
  readonly #entries: (LoggedRequest & { readonly sent: Kept })[] = [];
  #received = 0;
  /** Length of all bodies in characters. */
  #bodies = 0;
  readonly #most: number;

  /** @param most maximum number of entries. The oldest are discarded first. Default: 10,000. */
  constructor(most = 10_000) {
    if (!(most >= 0)) {
      throw new RangeError(`keepRequests: must be 0 or greater (got ${most})`);
    }
    this.#most = most;
  }

  /** Entries in arrival order, without discarded entries. */
  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Number of requests received, including discarded requests. */
  get received(): number {
    return this.#received;
  }

  /**
   * Adds a request in arrival order.
   * @returns a function to call with the response, or without an argument if there was no response.
   */
  add(method: string, time: Date, sent: Kept): (response?: Response) => LoggedRequest {
    const path = maskTarget(sent.target);
    this.#received++;
    const entry = {
      id: this.#received,
      method,
      path,
      // Parses only when read, because data takes many times the memory of its text.
      get query() {
        return readFields(path.replace(/^[^?]*/, ''));
      },
      get headers() {
        const headers = [...sent.headers];
        return Object.fromEntries(headers.map(([name, value]) => [name, maskHeader(name, value)]));
      },
      get body() {
        return readMaskedBody(sent);
      },
      time: time.toISOString(),
      status: 0,
      size: 0,
      sent,
    };
    Object.defineProperty(entry, 'sent', { value: sent, enumerable: false });
    this.#entries.push(entry);
    this.#bodies += sent.body?.length ?? 0;
    const discarded = this.#entries.length > this.#most ? this.#entries.shift() : undefined;
    this.#bodies -= discarded?.sent.body?.length ?? 0;
    for (const { sent: oldest } of this.#entries) {
      if (this.#bodies <= mostOfBodies) break;
      this.#bodies -= oldest.body?.length ?? 0;
      oldest.body = undefined;
    }
    return (response) => {
      entry.status = response?.status ?? 0;
      entry.size = response?.body ? Number(response.headers.get('content-length') ?? 0) : 0;
      return entry;
    };
  }

  clear(): void {
    this.#entries.length = 0;
    this.#received = 0;
    this.#bodies = 0;
  }

  /** Formats the log, one line per request: status, method, path. */
  print(): string {
    return this.#entries
      .map(({ status, method, path }) => `${status} ${method.padEnd(6)} ${path}`)
      .join('\n');
  }
}

function readMaskedBody({ headers, body }: SentRequest): unknown {
  if (!body) return undefined;
  const type = headers.get('content-type') ?? '';
  const text = maskBody(type, body);
  // Keeps the text of invalid JSON for test output.
  return isForm(type, body) ? readFields(text) : (parseJson(text) ?? text);
}

function readFields(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(text));
}
