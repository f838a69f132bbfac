import { isTriforgeError } from '../../errors/index.js';
import type { HttpResponse } from '../http/raw-response.js';
import type { Publish } from '../request/diagnostics.js';
import { describeRequest, type Target } from '../request/request-spec.js';
import type { CallContext } from './context.js';

/** Data that an attempt's events report. */
export type ObservedCall = Pick<CallContext, 'request' | 'attempt' | 'secrets'>;

export function reportStart(publish: Publish, context: CallContext, target: Target): void {
  publish('triforge:request:start', () => ({
    request: context.describe(target),
    attempt: context.attempt.number,
  }));
}

export function reportRetry(context: CallContext, response: HttpResponse, delay: number): void {
  context.settings.publish('triforge:retry', () => ({
    request: context.describe(),
    attempt: context.attempt.number,
    delay,
    reason: response.failed ? response.kind : String(response.status),
  }));
}

export function reportEnd(publish: Publish, call: ObservedCall, response: HttpResponse): void {
  if (response.failed) {
    publish('triforge:request:error', () => ({ ...describeAttempt(call), kind: response.kind }));
    return;
  }
  // If `response` comes from the cache, the server responded with 304.
  const { fromCache } = call.attempt;
  const status = fromCache ? 304 : response.status;
  publish('triforge:request:end', () => ({ ...describeAttempt(call), status }));
  if (fromCache) publish('triforge:cache:hit', () => ({ request: describeAttempt(call).request }));
}

/**
 * Reports that the client abandoned an attempt, because its redirect was rejected or its body can't
 * be opened.
 */
export function reportThrown(publish: Publish, call: ObservedCall, error: unknown): void {
  if (call.attempt.startedAt === undefined) return;
  publish('triforge:request:error', () => ({
    ...describeAttempt(call),
    request: describeRequest(call.request, call.secrets),
    kind: isTriforgeError(error) ? error.code : 'unknown',
  }));
}

function describeAttempt({ request, attempt, secrets }: ObservedCall) {
  const { number, startedAt, target } = attempt;
  const now = performance.now();
  return {
    request: describeRequest(request, secrets, target),
    attempt: number,
    duration: now - (startedAt ?? now),
  };
}
