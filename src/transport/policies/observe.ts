import { isTriforgeError } from '../../errors/index.js';
import type { HttpResponse } from '../http/raw-response.js';
import type { Publish } from '../request/diagnostics.js';
import { describe, type RequestSpec, type Target } from '../request/request-spec.js';
import type { Policy } from './pipeline.js';

/** What the events of an attempt report. */
export interface ObservedAttempt {
  readonly request: RequestSpec;
  readonly attempt: number;
  readonly startedAt: number | undefined;
  readonly target: Target;
  readonly secrets: readonly string[];
  readonly fromCache: boolean;
}

/**
 * Reports the start of an attempt. `retry` reports the end, because it knows whether a 401 ended the
 * attempt or was repeated, and it awaits the response anyway.
 */
export function observe(publish: Publish): Policy {
  return (next) =>
    function reportStart(request, context) {
      if (context.startedAt === undefined) {
        context.startedAt = performance.now();
        publish('triforge:request:start', () => ({
          request: describe(request, context.secrets),
          attempt: context.attempt,
        }));
      }
      return next(request, context);
    };
}

/** Reports how an attempt ended. */
export function reportEnd(
  publish: Publish,
  attempt: ObservedAttempt,
  response: HttpResponse,
): void {
  if (response.failed) {
    publish('triforge:request:error', () => ({ ...describeAttempt(attempt), kind: response.kind }));
    return;
  }
  // The wire had a 304.
  const status = attempt.fromCache ? 304 : response.status;
  publish('triforge:request:end', () => ({ ...describeAttempt(attempt), status }));
  if (attempt.fromCache) {
    publish('triforge:cache:hit', () => ({ request: describeAttempt(attempt).request }));
  }
}

/** Reports that an attempt was given up: its redirect was rejected, or its body can't be opened. */
export function reportThrown(publish: Publish, attempt: ObservedAttempt, error: unknown): void {
  if (attempt.startedAt === undefined) return;
  publish('triforge:request:error', () => ({
    ...describeAttempt(attempt),
    request: describe(attempt.request, attempt.secrets),
    kind: isTriforgeError(error) ? error.code : 'unknown',
  }));
}

function describeAttempt({ request, attempt, startedAt, target, secrets }: ObservedAttempt) {
  const now = performance.now();
  return {
    request: describe(request, secrets, target),
    attempt,
    duration: now - (startedAt ?? now),
  };
}
