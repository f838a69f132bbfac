import { RedirectError, type RedirectReason } from '../../errors/index.js';
import { revealsSecret, showUrl } from '../../masks/secrets.js';
import { formatCount } from '../../schema/unknown-values.js';
import { getHeader, getUrlHeader } from '../http/headers.js';
import type { RawResponse } from '../http/raw-response.js';
import type { RequestBody } from '../request/body.js';
import type { Method } from '../request/endpoint.js';
import {
  describeRequest,
  formatUrl,
  isReadOnly,
  type OriginTrust,
  type RequestSpec,
  resolveNamedUrl,
  type Target,
  urlProblems,
} from '../request/request-spec.js';

import { isReplayable } from './retry-decision.js';

/**
 * Returns whether a redirect may be remembered. The redirect must be permanent, and its headers
 * must allow reuse for later requests and other users.
 */
function isMemorable({ headers, status }: RawResponse): boolean {
  if (status !== 301 && status !== 308) return false;
  const control = getHeader(headers, 'cache-control') ?? '';
  const vary = getHeader(headers, 'vary') ?? '';
  return (
    !/\b(?:no-store|private)\b/i.test(control) &&
    !/(?:^|,)\s*(?:authorization\s*(?:,|$)|\*)/i.test(vary)
  );
}

/** Returns the `Location` header, which some proxies repeat. Undefined if its values differ. */
function findLocation({ headers }: RawResponse): string | undefined {
  const values = new Set([headers.location].flat());
  return values.size === 1 ? getUrlHeader({ location: [...values][0] }, 'location') : undefined;
}

/** Target of a redirect that the client may follow. */
export interface RedirectTarget {
  readonly target: Target;
  readonly method: Method;
  readonly body: RequestBody | undefined;
  /** Whether the client sends credentials and the caller's headers to the target. */
  readonly trusted: boolean;
  /** Whether to remember the redirect for later requests. */
  readonly permanent: boolean;
}

export interface RedirectState extends OriginTrust, Omit<RedirectTarget, 'permanent'> {
  readonly spec: RequestSpec;
  /** Every `METHOD url` requested so far. */
  readonly visited: ReadonlySet<string>;
  readonly maxRedirects: number;
  readonly secrets: readonly string[];
  /** Whether the request's query contains credentials, which servers may repeat in `Location`. */
  readonly hasCredentialsInUrl: boolean;
  /** Whether the server may have executed an earlier attempt. */
  readonly mayHaveActed: boolean;
}

/**
 * Checks a redirect and returns its target (RFC 9110 section 15.4). After a 301, 302, 307 or 308,
 * the same request is sent again. After a 303, a GET is sent, or a HEAD if the request was a HEAD.
 * Pure function.
 * @throws {RedirectError} if the redirect must not be followed.
 */
export function resolveRedirect(response: RawResponse, state: RedirectState): RedirectTarget {
  const { spec, secrets } = state;
  const from = state.target.origin;
  const location = findLocation(response);
  const createError = (reason: RedirectReason, why: string) => {
    const shown = location === undefined ? undefined : showUrl(location, secrets);
    const to = shown === undefined ? '' : ` to ${shown}`;
    const request = describeRequest(spec, secrets, state.target);
    return new RedirectError(
      `${spec.operation}: the ${response.status} redirect${to} was not followed: ${why} [${state.method} ${request.url}]`,
      {
        request,
        reason,
        location: shown,
        mayHaveActed:
          !isReadOnly(spec) &&
          (state.mayHaveActed || response.status === 303 || state.method !== spec.method),
      },
    );
  };
  if (spec.redirects === 'none') {
    throw createError('not_allowed', 'the response is accepted only from the requested URL');
  }
  const base = formatUrl(state.target);
  if (location === undefined || !URL.canParse(location, base)) {
    throw createError(
      'bad_location',
      'the Location header is missing, is not a URL, or has several values',
    );
  }
  const named = resolveNamedUrl(new URL(location, base), { ...state, origin: from }, state);
  if (typeof named === 'string') {
    const why = `the URL ${urlProblems[named]}`;
    throw createError(named === 'insecure' ? 'insecure' : 'bad_location', why);
  }
  const { target, trusted } = named;
  const isSameOrigin = target.origin === from;
  const seeOther = response.status === 303 && state.method !== 'HEAD';
  const method = seeOther ? 'GET' : state.method;
  const body = seeOther ? undefined : state.body;
  if (!trusted && !isSameOrigin) {
    if (spec.redirects === 'trusted') {
      throw createError('not_allowed', 'the response is accepted only from trusted origins');
    }
    if (body)
      throw createError('cross_origin_body', 'the client sends bodies only to trusted origins');
    if (method !== 'GET' && method !== 'HEAD') {
      throw createError(
        'cross_origin_write',
        `the client sends a ${method} only to trusted origins`,
      );
    }
    if (state.hasCredentialsInUrl) {
      const why = 'the request has credentials in its URL, and the origin is not in trustedOrigins';
      throw createError('contains_secret', why);
    }
    // An origin may repeat a secret in its own URLs, because it already knows the secret.
    if (revealsSecret(formatUrl(target), secrets)) {
      const why =
        'the URL contains credentials or a secret input, but its origin is not in trustedOrigins';
      throw createError('contains_secret', why);
    }
  }
  if (!isReplayable(body)) {
    throw createError('not_replayable', 'the request body is a stream that can be read only once');
  }
  if (state.visited.has(`${method} ${formatUrl(target)}`))
    throw createError('loop', 'the redirects form a loop');
  if (state.visited.size > state.maxRedirects) {
    const why = `the limit of ${formatCount(state.maxRedirects, 'redirect')} is exceeded`;
    throw createError('too_many', why);
  }
  // After a redirect from an untrusted origin, requests have no credentials, even to a trusted
  // origin. Requests with credentials must not reuse such a redirect.
  const isKnown = trusted || (isSameOrigin && !state.trustedOrigins.has(from));
  return { target, method, body, trusted, permanent: isKnown && isMemorable(response) };
}
