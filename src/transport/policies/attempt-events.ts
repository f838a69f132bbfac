import { isTriforgeError } from '../../errors/index.js';
import type { HttpResponse } from '../http/raw-response.js';
import type { Publish } from '../request/diagnostics.js';
import { describeRequest, type Target } from '../request/request-spec.js';
import type { CallContext } from './context.js';

/** Data that an attempt's events report. */
export type ObservedAttempt = Pick<
  CallContext,
  'request' | 'attempt' | 'startedAt' | 'target' | 'secrets' | 'fromCache'
>;

export function reportStart(publish: Publish, context: CallContext, target: Target): void {
  publish('triforge:request:start', () => ({
    request: context.describe(target),
    attempt: context.attempt,
  }));
}

export function reportRetry(context: CallContext, response: HttpResponse, delay: number): void {
  context.settings.publish('triforge:retry', () => ({
    request: context.describe(),
    attempt: context.attempt,
    delay,
    reason: response.failed ? response.kind : String(response.status),
  }));
}

export function reportEnd(
  publish: Publish,
  attempt: ObservedAttempt,
  response: HttpResponse,
): void {
  if (response.failed) {
    publish('triforge:request:error', () => ({ ...describeAttempt(attempt), kind: response.kind }));
    return;
  }
  // If `response` comes from the cache, the server responded with 304.
  const status = attempt.fromCache ? 304 : response.status;
  publish('triforge:request:end', () => ({ ...describeAttempt(attempt), status }));
  if (attempt.fromCache) {
    publish('triforge:cache:hit', () => ({ request: describeAttempt(attempt).request }));
  }
}

/**
 * Reports that the client abandoned an attempt, because its redirect was rejected or its body can't
 * be opened.
 */
export function reportThrown(publish: Publish, attempt: ObservedAttempt, error: unknown): void {
  if (attempt.startedAt === undefined) return;
  publish('triforge:request:error', () => ({
    ...describeAttempt(attempt),
    request: describeRequest(attempt.request, attempt.secrets),
    kind: isTriforgeError(error) ? error.code : 'unknown',
  }));
}

function describeAttempt({ request, attempt, startedAt, target, secrets }: ObservedAttempt) {
  const now = performance.now();
  return {
    request: describeRequest(request, secrets, target),
    attempt,
    duration: now - (startedAt ?? now),
  };
}
