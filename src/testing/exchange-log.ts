import { parseJson } from './bodies.js';
import { isSecretField, mask, maskHeader, maskTarget } from './secret-names.js';

/** What was sent, with its secrets; it is not enumerable, so that printing a record shows none. */
export interface SentRequest {
  /** Path and query as they came in. */
  readonly target: string;
  /** Header fields as they were sent. */
  readonly headers: Headers;
  /** The body's text, where it was JSON or a form of at most 1 MiB. */
  readonly body: string | undefined;
}

/** One request that the emulator received, and how it answered. Credentials are masked. */
export interface LoggedRequest {
  /** Counts from 1 since the start or the last reset. */
  readonly id: number;
  /** HTTP method. */
  readonly method: string;
  /** Path and query as they came in, credentials masked. */
  readonly path: string;
  /** The decoded query; of a repeated parameter the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** Header fields, names in lower case; of credentials the scheme is shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON body as its value, a form as an object of its fields; undefined for anything else. */
  readonly body: unknown;
  /** Status of the answer; 0 where there was none. */
  readonly status: number;
  /** The same with its secrets, for assertions on them. Not shown when the record is printed. */
  readonly sent: SentRequest;
}

/** So much memory the record may take, roughly. */
const mostBytes = 16 * 1_048_576;
/** What the objects of an entry take besides its text. */
const overhead = 2048;

/** Everything received since the start, or since it was cleared. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];
  readonly #most: number;
  readonly #sizes: number[] = [];
  #size = 0;
  #received = 0;

  /** @param most how many are kept, of at most 16 MiB; the oldest are forgotten. */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  /** How many there were, kept or not. */
  get received(): number {
    return this.#received;
  }

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Adds a request, in the order of arrival. @returns what to call when it was answered: with the status, 0 for none. */
  add(method: string, sent: SentRequest): (status: number) => LoggedRequest {
    const { target, headers } = sent;
    const [, ...rest] = target.split('?');
    this.#received++;
    const entry = {
      id: this.#received,
      method,
      path: maskTarget(target),
      query: masked(Object.fromEntries(new URLSearchParams(rest.join('?')))),
      headers: Object.fromEntries(
        [...headers].map(([name, value]) => [name, maskHeader(name, value)]),
      ),
      body: sent.body ? masked(parseBody(headers, sent.body)) : undefined,
      status: 0,
      sent,
    };
    Object.defineProperty(entry, 'sent', { value: sent, enumerable: false });
    this.#entries.push(entry);
    this.#sizes.push(sizeOf(sent));
    this.#size += sizeOf(sent);
    while (this.#entries.length > this.#most || this.#size > mostBytes) {
      this.#entries.shift();
      this.#size -= this.#sizes.shift() ?? 0;
    }
    return (status) => {
      entry.status = status;
      return entry;
    };
  }

  clear(): void {
    this.#entries.length = 0;
    this.#sizes.length = 0;
    this.#size = 0;
    this.#received = 0;
  }

  /** One line a request: status, method, path. */
  print(): string {
    return this.#entries
      .map(({ status, method, path }) => `${status} ${method.padEnd(6)} ${path}`)
      .join('\n');
  }
}

function sizeOf({ target, headers, body = '' }: SentRequest): number {
  const fields = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  // All of it is there twice, as it was sent and masked; a character can take two bytes.
  return overhead + 4 * (target.length + fields + body.length);
}

function parseBody(headers: Headers, text: string): unknown {
  if ((headers.get('content-type') ?? '').includes('x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  // Sent as JSON, and none: what came is what a test wants to see.
  return parseJson(text) ?? text;
}

/** A copy of plain data without the secrets in it. */
function masked<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (name, each) => (isSecretField(name) ? mask : each));
}
