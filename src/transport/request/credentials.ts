import { createHash } from 'node:crypto';
import type { RawHeaders } from '../http/header-fields.js';

/** What proves to the server who asks. Attached to requests to trusted origins only. */
export interface Credentials {
  /** Header fields to add, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters to add, already encoded (`a=b&c=d`), or an empty string. */
  readonly parameters: string;
  /** Parameters go into the body of a form request, and into the query otherwise; `query`: always there. */
  readonly parametersIn: 'query' | 'form_or_query';
  /** Values that must never be shown, wherever they turn up. */
  readonly secrets: readonly string[];
  /** Tells one credential from another without revealing it: the key of budgets and cached answers. */
  readonly fingerprint: string;
  /**
   * The credentials come from a store, so the server may have rejected them already: a 401 renews them
   * even if they are the result of a renewal. Default: false.
   */
  readonly mayBeStale?: boolean | undefined;
  /** Whether {@link Authorizer.renew} may replace them after a 401. Default: false. */
  readonly isRenewable?: boolean | undefined;
  /** Whether the headers contain a one-time password. Default: false. */
  readonly hasOtp?: boolean | undefined;
}

/** An answer of 401, as far as an {@link Authorizer} needs it. */
export interface Challenge {
  readonly status: number;
  readonly statusText: string;
  readonly headers: RawHeaders;
}

/** A family's way to credentials: fixed, from a user's function, or from a session that renews itself. */
export interface Authorizer {
  /** Query parameters that carry credentials: stripped from every URL that is shown, stored or followed. */
  readonly credentialParameters: ReadonlySet<string>;
  /** What a 401 means for this kind of credentials, for the error's message. */
  readonly unauthorizedHint?: string | undefined;
  /**
   * The credentials of one request; undefined sends it without.
   * @param requirement the scheme that the endpoint insists on, in the family's own words.
   * @throws {ConfigurationError} the endpoint does not accept the scheme that is set up.
   */
  credentials(
    requirement: string | undefined,
    signal: AbortSignal | undefined,
  ): Credentials | undefined | Promise<Credentials | undefined>;
  /**
   * Returns new credentials after the server rejected renewable ones with 401. The request is repeated
   * with them, once, or twice if the first ones may be stale. Undefined: the call fails.
   */
  renew?(
    rejected: Credentials | undefined,
    challenge: Challenge,
    signal: AbortSignal | undefined,
  ): Promise<Credentials | undefined>;
}

/** No credentials at all. */
export const anonymous: Authorizer = {
  credentialParameters: new Set(),
  credentials: () => undefined,
};

/** Tells credentials apart without revealing them: keys of budgets and cached answers. */
export function fingerprintOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** The value of a Basic `Authorization` header (RFC 7617, UTF-8). */
export function basicValue(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
