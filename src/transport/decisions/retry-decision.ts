import type { RateLimitReason } from '../../errors/index.js';
import { getMember } from '../../schema/unknown-values.js';
import { parseProxyRejection } from '../dispatch/failure-kind.js';
import { computeTimeToReset, parseReset, parseRetryAfter } from '../http/headers.js';
import type { Failure, HttpResponse, RawResponse } from '../http/raw-response.js';
import type { RequestBody } from '../request/body.js';
import type { RetryRule } from '../request/endpoint.js';

/** Retry settings with all defaults filled in. */
export interface RetrySettings {
  readonly limit: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  readonly maxRetryAfter: number;
}

/** Facts that determine whether a call is retried. */
export interface RetryFacts {
  readonly outcome: HttpResponse;
  readonly rule: RetryRule;
  /** Whether a 303 reported success, but the result couldn't be fetched. */
  readonly executed: boolean;
  readonly body: RequestBody | undefined;
  /** Rate limit that rejected the call. Undefined if no limit rejected it. */
  readonly limited: RateLimitReason | undefined;
  /** Longest wait for the hourly quota in ms. Undefined if calls don't wait for it. */
  readonly maxWait: number | undefined;
  /** Time in ms since a rate limit first rejected the call. 0 before the first rejection. */
  readonly limitedFor: number;
  /** Longest time in ms that a call may wait for rate limits, across all its attempts. */
  readonly maxTotalWait: number;
  /**
   * Number of failures so far, including the current failure. Excludes failures that led to a free
   * retry.
   */
  readonly failures: number;
  readonly now: number;
  /** Random number from 0 to 1. */
  readonly random: number;
}

export interface RetryDecision {
  /** Milliseconds to wait. */
  readonly delay: number;
  /** Whether the retry is excluded from the retry limit. */
  readonly free: boolean;
}

/** Wait in ms after a rate limit rejected a call, if the server specifies no wait. */
const defaultLimitWait = 60_000;

/**
 * Shortest wait in ms after which a retry is excluded from the retry limit. Without this minimum, a
 * server that requests no wait could cause endless retries.
 */
const minFreeWait = 1000;

/**
 * Decides whether and how to retry a call. Returns undefined if the call must not be retried. Pure
 * function.
 */
export function decideRetry(facts: RetryFacts, settings: RetrySettings): RetryDecision | undefined {
  const { outcome } = facts;
  if (facts.executed && !isRepeatable(facts)) return undefined;
  if (settings.limit === 0 || !isReplayable(facts.body)) return undefined;
  if (outcome.failed) return decideAfterFailure(outcome, facts, settings);
  return decideAfterResponse(outcome, facts, settings);
}

function isRepeatable({ rule }: RetryFacts): boolean {
  return rule === 'safe' || rule === 'idempotent';
}

/** Returns whether the body, if there is one, can be sent again. */
export function isReplayable(body: RequestBody | undefined): boolean {
  return body?.kind !== 'stream' || body.replayable;
}

function decideAfterFailure(
  failure: Failure,
  facts: RetryFacts,
  settings: RetrySettings,
): RetryDecision | undefined {
  switch (failure.kind) {
    case 'interrupted':
    case 'invalid_body':
    case 'too_large':
    case 'undecodable':
      return undefined;
    default:
  }
  if (failure.sent && !isRepeatable(facts)) return undefined;
  if (facts.failures > settings.limit || isPermanent(failure.cause)) return undefined;
  return { delay: computeBackoff(facts, settings), free: false };
}

function decideAfterResponse(
  response: RawResponse,
  facts: RetryFacts,
  settings: RetrySettings,
): RetryDecision | undefined {
  const { rule, limited, maxWait, now } = facts;
  if (rule === 'unsent') return undefined;
  if (limited) {
    const delay = computeLimitWait(response, limited, now);
    const maxDelay = limited === 'primary' ? maxWait : settings.maxRetryAfter;
    if (maxDelay === undefined || delay > maxDelay) return undefined;
    const free = delay >= minFreeWait;
    const isOver = free
      ? facts.limitedFor + delay > facts.maxTotalWait
      : facts.failures > settings.limit;
    return isOver ? undefined : { delay, free };
  }
  if (facts.failures > settings.limit) return undefined;
  const failed = response.status >= 500 && response.status !== 501;
  if (!failed || !isRepeatable(facts)) return undefined;
  const requestedWait = parseRetryAfter(response.headers, now);
  if (requestedWait !== undefined && requestedWait > settings.maxRetryAfter) return undefined;
  return { delay: requestedWait ?? computeBackoff(facts, settings), free: false };
}

/**
 * Returns whether the server may have executed the request in this attempt. True even for a 503
 * with `Retry-After`, because a proxy can send this response for any failure of the server behind it.
 */
export function isPossiblyExecuted(outcome: HttpResponse): boolean {
  if (!outcome.failed) return outcome.status >= 500;
  // The status is reliable even if the response body was truncated. A 4xx means that the server
  // rejected the request.
  const { sent, status = 0, kind } = outcome;
  // If sending the request body failed, the server never received a complete request.
  return sent && kind !== 'invalid_body' && (status < 400 || status > 499);
}

/**
 * Returns the wait in ms after a limit rejected a call. If the hourly quota is exhausted and its
 * reset time is known, the wait lasts until the window ends. Otherwise, it lasts as long as
 * `Retry-After` specifies, or one minute by default.
 */
export function computeLimitWait(
  { headers }: RawResponse,
  kind: RateLimitReason,
  now: number,
): number {
  const reset = kind === 'primary' ? parseReset(headers) : undefined;
  if (reset) return computeTimeToReset(reset, headers, now);
  return parseRetryAfter(headers, now) ?? defaultLimitWait;
}

/** Returns an exponential backoff with full jitter, in ms. */
export function computeBackoff(
  { failures, random }: Pick<RetryFacts, 'failures' | 'random'>,
  { baseDelay, maxDelay }: RetrySettings,
): number {
  return Math.round(Math.min(maxDelay, baseDelay * 2 ** (failures - 1)) * random);
}

/** Returns whether a retry would fail in the same way, for example after a rejected certificate. */
function isPermanent(cause: unknown): boolean {
  const refusal = parseProxyRejection(cause);
  if (refusal !== undefined) return refusal < 500;
  const code = getMember(cause, 'code');
  return (
    typeof code === 'string' &&
    /^(?:ERR_TLS_|ERR_SSL_TLSV13_ALERT_|UND_ERR_PRX_TLS|CERT_|CRL_|ERROR_IN_C|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_DESTROYED|UND_ERR_CLOSED|UND_ERR_HEADERS_OVERFLOW|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)/.test(
      code,
    )
  );
}
