/** One request that the emulator received, and how it answered. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query as they came in, with credentials masked. */
  readonly path: string;
  /** Header fields, names in lower case, credentials masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** Status of the answer; 0 where the connection was broken instead. */
  readonly status: number;
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);
const secretParameters = /([?&](?:access_token|client_secret|license_md5|password|apiKey)=)[^&]*/g;

/** Everything received since the start, or since it was cleared. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  add(method: string, path: string, headers: Headers, status: number): void {
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      shown[name] = secretHeaders.has(name) || name.endsWith('-otp') ? '***' : value;
    }
    const masked = path.replace(secretParameters, '$1***');
    this.#entries.push({ method, path: masked, headers: shown, status });
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** One line a request: status, method, path. */
  print(): string {
    return this.#entries
      .map(({ status, method, path }) => `${status} ${method.padEnd(6)} ${path}`)
      .join('\n');
  }
}
