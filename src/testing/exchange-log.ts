/** What was sent, with its secrets; it is not enumerable, so that printing a record shows none. */
export interface SentRequest {
  /** Path and query as they came in. */
  readonly target: string;
  readonly headers: Headers;
  /** The body's text, where it was JSON or a form of at most 1 MiB. */
  readonly body: string | undefined;
}

/** One request that the emulator received, and how it answered. Credentials are masked. */
export interface LoggedRequest {
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

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);
const secretNames =
  /^(?:access_token|client_secret|license(?:_md5)?|password|bind_dn|api_?key|token|secret|hub\.secret|code|otp|admin_password|.*_secret)$/i;
const tokenInPath = /(\/applications\/[^/]+\/tokens\/)[^/?]+/;

/** Everything received since the start, or since it was cleared. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];
  readonly #most: number;
  #received = 0;

  /** @param most how many are kept; the oldest are forgotten. */
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

  /** Adds a request, in the order of arrival. @returns what to call with the status of its answer. */
  add(method: string, sent: SentRequest): (status: number) => void {
    const { target, headers } = sent;
    const [path = '', ...rest] = target.split('?');
    const pairs = [...new URLSearchParams(rest.join('?'))];
    const query = Object.fromEntries(pairs.map(([name, value]) => [name, maskValue(name, value)]));
    const search = target.slice(path.length).replace(/([?&])([^=&]+)=([^&]*)/g, maskPair);
    const entry = {
      method,
      path: path.replace(tokenInPath, '$1***') + search,
      query,
      headers: Object.fromEntries(
        [...headers].map(([name, value]) => [name, maskHeader(name, value)]),
      ),
      body: maskDeep(parseBody(headers, sent.body)),
      status: 0,
      sent,
    };
    Object.defineProperty(entry, 'sent', { value: sent, enumerable: false });
    this.#received++;
    this.#entries.push(entry);
    if (this.#entries.length > this.#most) this.#entries.shift();
    return (status) => {
      entry.status = status;
    };
  }

  clear(): void {
    this.#entries.length = 0;
    this.#received = 0;
  }

  /** One line a request: status, method, path. */
  print(): string {
    return this.#entries
      .map(({ status, method, path }) => `${status} ${method.padEnd(6)} ${path}`)
      .join('\n');
  }
}

function maskPair(whole: string, before: string, name: string): string {
  return secretNames.test(name) ? `${before}${name}=***` : whole;
}

function maskValue(name: string, value: string): string {
  return secretNames.test(name) ? '***' : value;
}

function maskHeader(name: string, value: string): string {
  if (name.endsWith('-otp')) return '***';
  if (!secretHeaders.has(name)) return value;
  const space = value.indexOf(' ');
  return space > 0 ? `${value.slice(0, space)} ***` : '***';
}

function parseBody(headers: Headers, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if ((headers.get('content-type') ?? '').includes('x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    return JSON.parse(text);
  } catch {
    return text; // sent as JSON, and none: what came is what a test wants to see
  }
}

function maskDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      secretNames.test(name) ? '***' : maskDeep(each),
    ]),
  );
}
