import { createHash } from 'node:crypto';
import type { ResponseHead } from '../http/raw-response.js';

/** Credentials for a request. Sent to trusted origins only. */
export interface Credentials {
  /** Headers to add, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Encoded parameters to add, such as `a=b&c=d`. Empty if there are none. */
  readonly parameters: string;
  /**
   * Where to add the parameters. `form_or_query`: to a form body if there is one, otherwise to the
   * query. `query`: always to the query. Default: `query`.
   */
  readonly parametersIn?: 'query' | 'form_or_query' | undefined;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
  /** Identifier of the credential in quota keys and cache keys. Doesn't reveal the credential. */
  readonly fingerprint: string;
  /** Whether {@link Authorizer.renew} may replace the credentials after a 401. Default: false. */
  readonly isRenewable?: boolean | undefined;
}

/**
 * Source of credentials: fixed credentials, a user's function, or an automatically renewed session.
 */
export interface Authorizer {
  /**
   * Query parameters that contain credentials. Removed from URLs that are shown, stored or
   * followed.
   */
  readonly credentialParameters: ReadonlySet<string>;
  /** Text for the error message after a 401, specific to this kind of credentials. */
  readonly unauthorizedHint?: string | undefined;
  /**
   * Credentials that never change, for endpoints that require no particular scheme. Default: each
   * request calls {@link credentials}.
   */
  readonly fixed?: Credentials | undefined;
  /**
   * Returns the credentials for one request, or undefined to send none.
   * @param requirement the authentication scheme that the endpoint requires.
   * @throws {ConfigurationError} if the endpoint doesn't accept the configured scheme.
   */
  credentials(
    requirement: string | undefined,
    signal: AbortSignal | undefined,
  ): Credentials | undefined | Promise<Credentials | undefined>;
  /**
   * Returns new credentials after the server rejected renewable credentials with a 401. The client
   * repeats the request once with the new credentials. If the result is undefined, the call fails.
   */
  renew?(
    rejected: Credentials | undefined,
    challenge: ResponseHead,
    signal: AbortSignal | undefined,
  ): Promise<Credentials | undefined>;
}

/** Authorizer that sends no credentials. */
export const anonymous: Authorizer = {
  credentialParameters: new Set(),
  credentials: () => undefined,
};

/** Computes a fingerprint that identifies credentials without revealing them. */
export function computeFingerprint(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** Returns the value of a Basic `Authorization` header (RFC 7617, UTF-8). */
export function formatBasicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
