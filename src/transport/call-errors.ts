import type { AbortScope } from './dispatch/abort-scope.js';
import type { FollowedResponse } from './policy/redirects.js';
import type { PreparedCall } from './prepared-call.js';
import { describe, reads, type Target } from './request/request-spec.js';
import { type FailureContext, failureError, interruptionError } from './response/failure.js';

/** What is known of a call that brought no answer. */
export interface FailureFacts
  extends Pick<FailureContext, 'mayHaveActed' | 'maxBytes' | 'attempts' | 'proxy'> {
  readonly secrets?: readonly string[] | undefined;
  readonly target?: Target | undefined;
}

/** The error of a call whose last attempt failed, or that was stopped. */
export function failedError<T>(
  prepared: PreparedCall<T>,
  followed: FollowedResponse,
  scope: AbortScope,
  trouble: FailureFacts,
): unknown {
  const { outcome, secrets, target } = followed;
  if (scope.interruption) return interruptedError(prepared, scope, { ...trouble, secrets });
  if (!outcome.failed) return new TypeError('an answer is no failure');
  return failureError(outcome, failureContext(prepared, { ...trouble, secrets, target }));
}

/** The error of a call that its caller or its total timeout has stopped. */
export function interruptedError<T>(
  prepared: PreparedCall<T>,
  scope: AbortScope,
  trouble: FailureFacts,
): unknown {
  const { interruption } = scope;
  if (!interruption) return new TypeError('nothing interrupted the call');
  return interruptionError(interruption, failureContext(prepared, trouble));
}

/** What the errors of a call are made from. */
export function failureContext<T>(
  prepared: PreparedCall<T>,
  trouble: FailureFacts,
): FailureContext {
  const { secrets = [], target, ...facts } = trouble;
  const { spec, timeouts } = prepared;
  const request = describe(spec, secrets, target);
  return { ...facts, request, timeouts, reads: reads(spec), secrets };
}
