import { Readable } from 'node:stream';
import { type ApiError, RateLimitError } from '../../errors/index.js';
import { maskUrl, stripParameters } from '../../masks/secrets.js';
import { formatRateLimit } from '../http/headers.js';
import type { Failure, RawResponse } from '../http/raw-response.js';
import type { Refusal } from '../limits/rate-limiter.js';
import { formatUrl, isReadOnly, type Target } from '../request/request-spec.js';
import { classify } from '../response/classify.js';
import {
  createFailureError,
  createInterruptionError,
  type FailureContext,
  formatMessage,
} from '../response/failure.js';
import { ResponseDetails } from '../response/response-details.js';
import type { CallContext, PolicySettings } from './context.js';

/** Creates the error for a call whose last attempt got no complete response. */
export function createCallFailureError(context: CallContext, failure: Failure): unknown {
  if (context.deadline.interruption) return createInterruptedError(context);
  return createFailureError(failure, createFailureContext(context, context.attempt.target));
}

/** Creates the error for a call that the caller, the total timeout or `close()` stopped. */
export function createInterruptedError(context: CallContext): unknown {
  const { interruption } = context.deadline;
  if (!interruption) return new TypeError('nothing interrupted the call');
  return createInterruptionError(interruption, createFailureContext(context));
}

/** Creates the error for a call whose response's status isn't 2xx. */
export function createRejectedError(context: CallContext, raw: RawResponse): ApiError {
  const { attempt, call, response, secrets, settings } = context;
  const isUntrusted = attempt.credentials !== undefined && !attempt.trusted;
  const body = raw.body instanceof Readable ? [] : raw.body;
  return classify(
    { ...raw, body },
    {
      request: context.describe(),
      response,
      secrets,
      mayHaveActed: context.mayHaveActed,
      now: settings.now(),
      accept: context.accept,
      explainBaseUrl: settings.explainBaseUrl,
      unauthorizedHint: call.authorizer.unauthorizedHint,
      untrustedOrigin: isUntrusted ? attempt.target.origin : undefined,
      maxWait: getMaxQuotaWait(settings),
      maxRetryAfter: call.retry.maxRetryAfter,
    },
  );
}

/**
 * Returns the longest time in ms that a call waits for the hourly quota. Undefined if calls don't
 * wait for it.
 */
export function getMaxQuotaWait({
  onLimit,
  maxWait,
}: Pick<PolicySettings, 'onLimit' | 'maxWait'>): number | undefined {
  return onLimit === 'wait' ? maxWait : undefined;
}

/**
 * Creates the error for a call that wasn't sent because it would have waited too long for a rate
 * limit, a pause or the write interval.
 */
export function createNotSentError(context: CallContext, refusal: Refusal): Error {
  const { attempt, credentialParameters, mayHaveActed, secrets, settings } = context;
  const { bound, limit, reason, until } = refusal;
  const request = context.describe();
  const retryAfter = Math.max(0, Math.ceil(until - settings.clock()));
  const resetAt = new Date(settings.now() + retryAfter);
  const response = new ResponseDetails({
    status: limit ? 403 : 429,
    statusText: 'not sent',
    headers: limit ? formatRateLimit(limit) : {},
    url: maskUrl(stripParameters(formatUrl(context.request.target), credentialParameters), secrets),
    fromCache: false,
    attempts: attempt.startedAt === undefined ? attempt.number - 1 : attempt.number,
    credentialParameters,
    secrets,
  });
  const why = {
    quota: 'the rate limit is exhausted',
    pause: 'a secondary rate limit pauses these credentials',
    pace: 'calls start slowly after a secondary rate limit',
    write_interval: 'writes start one interval apart',
    slot: 'too many requests are in flight',
  }[reason];
  const hint =
    reason === 'quota' && settings.onLimit === 'throw'
      ? "To wait instead, set rateLimit: { onLimit: 'wait' }."
      : `The wait exceeds ${bound}.`;
  const what = response.attempts > 0 ? 'retry' : 'request';
  const problem = `the ${what} was not sent, because ${why}, until ${resetAt.toISOString()}`;
  return new RateLimitError(formatMessage(request, problem, hint), {
    request,
    response,
    mayHaveActed,
    reason: limit ? 'primary' : 'secondary',
    retryAfter,
    resetAt,
  });
}

export function createStreamError(context: CallContext, failure: Failure): Error {
  return createFailureError(failure, { ...createFailureContext(context), mayHaveActed: true });
}

/**
 * Awaits a promise that may never settle, such as validation by the caller's schema. Throws the
 * call's error if the call is interrupted.
 */
export async function waitUnlessInterrupted<T>(
  context: CallContext,
  pending: Promise<T>,
): Promise<T> {
  const settled = await context.deadline.waitFor(pending);
  if (context.deadline.interruption) throw createInterruptedError(context);
  // `as`: without an interruption, the result is undefined only if the promise resolved to
  // undefined.
  return settled as T;
}

/** @param target target of the failed request. Undefined if no request failed. */
function createFailureContext(context: CallContext, target?: Target): FailureContext {
  const { call, request, settings, secrets } = context;
  return {
    request: context.describe(target),
    timeouts: call.timeouts,
    baseUrlOption: settings.baseUrlOption,
    attempts: context.attempt.number,
    mayHaveActed: context.mayHaveActed,
    reads: isReadOnly(request),
    secrets,
    proxy: target && settings.dispatchers.getProxy(target.origin),
  };
}
