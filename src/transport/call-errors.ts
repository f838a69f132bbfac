import type { AbortScope } from './dispatch/abort-scope.js';
import type { FollowedResponse } from './policy/redirects.js';
import type { PreparedCall } from './prepared-call.js';
import { describe, reads, type Target } from './request/request-spec.js';
import { type FailureContext, failureError, interruptionError } from './response/failure.js';

/** What is known of a call that brought no answer. */
export interface FailureFacts {
  /** Any attempt may have been executed. */
  readonly mayHaveActed: boolean;
  /** Most bytes of a body, for messages. */
  readonly maxBytes: number;
  /** How often the request was sent, or tried to be. */
  readonly attempts?: number | undefined;
  readonly secrets?: readonly string[] | undefined;
  readonly target?: Target | undefined;
  /** The proxy on the way there, as it may be shown. */
  readonly proxy?: string | undefined;
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
  const { secrets = [], target, mayHaveActed, maxBytes, attempts, proxy } = trouble;
  return {
    request: describe(prepared.spec, secrets, target),
    timeouts: prepared.timeouts,
    maxBytes,
    attempts,
    mayHaveActed,
    reads: reads(prepared.spec),
    secrets,
    proxy,
  };
}
