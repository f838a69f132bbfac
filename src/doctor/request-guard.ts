import type { Dispatcher } from 'undici';
import { containsSecret } from '../masks/nested-secrets.js';

/**
 * Maximum number of requests per endpoint. A list or redirect chain that needs more is treated as
 * endless.
 */
const maxRequestsPerEndpoint = 10;

/**
 * Wraps a dispatcher so that an examination can only read and always ends. The guard rejects
 * methods that write (except to open a support session), an endpoint's 11th request, and every
 * request after the time limit. It also records the sent credentials so that the report can omit
 * credentials that a server echoes.
 */
export class RequestGuard {
  readonly dispatcher: Dispatcher;
  readonly #endsAt: number;
  #secrets: readonly string[] = [];
  #sent = 0;
  #stopped: string | undefined;

  constructor(over: Dispatcher, maxTime: number) {
    this.#endsAt = performance.now() + maxTime;
    this.dispatcher = over.compose((dispatch) => (options, handler) => {
      this.#check(options);
      const fresh = collectRequestSecrets(options).filter(
        (secret) => !this.#secrets.includes(secret),
      );
      if (fresh.length > 0) this.#secrets = [...this.#secrets, ...fresh];
      return dispatch(options, handler);
    });
  }

  /** Starts counting the requests of the next endpoint. */
  begin(): void {
    this.#sent = 0;
    this.#stopped = undefined;
  }

  /**
   * Reason why one of the endpoint's requests was not sent. Undefined if all requests were sent.
   */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Returns whether a string contains none of the sent credentials, encoded or not. */
  isHarmless(text: string): boolean {
    const lower = text.toLowerCase();
    return (
      !this.#secrets.some((secret) => lower.includes(secret.toLowerCase())) &&
      !containsSecret(text, this.#secrets)
    );
  }

  #check({ method, path }: Dispatcher.DispatchOptions): void {
    const reads = method === 'GET' || method === 'HEAD';
    // The support API opens a session with a POST.
    if (!reads && !/\/authenticate(?:\?|$)/.test(path)) {
      throw new Error(
        `triforge-doctor sends only GET and HEAD requests, so this ${method} request was not sent`,
      );
    }
    if (performance.now() > this.#endsAt)
      this.#stop('the time limit for the examination was reached');
    this.#sent++;
    if (this.#sent > maxRequestsPerEndpoint) {
      this.#stop(`the endpoint needs more than ${maxRequestsPerEndpoint} requests`);
    }
  }

  #stop(reason: string): never {
    this.#stopped = reason;
    throw new Error(reason);
  }
}

/** Minimum length of a value treated as secret. Shorter values also occur in ordinary words. */
const minSecretLength = 4;

/**
 * Returns the credentials in a request's `Authorization` header (decoded if Basic), query and form.
 */
function collectRequestSecrets({ headers, path, body }: Dispatcher.DispatchOptions): string[] {
  const fields = Array.isArray(headers) ? headers : Object.entries(headers ?? {}).flat();
  const at = fields.findIndex((name) => String(name).toLowerCase() === 'authorization');
  const authorization = at < 0 ? '' : String(fields[at + 1]);
  const [scheme = '', value = ''] = authorization.split(' ');
  const basic = /^basic$/i.test(scheme) ? Buffer.from(value, 'base64').toString('utf8') : '';
  const query = new URLSearchParams(path.includes('?') ? path.slice(path.indexOf('?') + 1) : '');
  const credentials = [...query].filter(([name]) => /token|secret|md5|client_id/i.test(name));
  const form = typeof body === 'string' ? new URLSearchParams(body) : [];
  const values = [...credentials, ...form].map(([, each]) => each);
  return [value, ...basic.split(':'), ...values].filter(({ length }) => length >= minSecretLength);
}
