import type { ApiError } from '../errors/index.js';
import type { Deadline } from './dispatch/deadline.js';
import type { Failure, RawResponse } from './http/raw-response.js';
import type { Rejected } from './policy/budgets.js';
import type { FollowedResponse } from './policy/redirects.js';
import type { PreparedCall } from './prepared-call.js';
import { declinedAhead } from './request/ahead.js';
import { describe, reads, type Target } from './request/request-spec.js';
import type { AnswerInfo } from './response/answer-info.js';
import { classify } from './response/classify.js';
import {
  type FailureContext,
  failureError,
  interruptionError,
  rejectedError,
} from './response/failure.js';
import type { TransportSettings } from './settings.js';

/** What is known of a call that brought no answer. */
export interface FailureFacts
  extends Pick<FailureContext, 'mayHaveActed' | 'maxBytes' | 'attempts' | 'proxy' | 'isQueued'> {
  readonly secrets?: readonly string[] | undefined;
  readonly target?: Target | undefined;
}

/** The error of a call whose last attempt failed, or that was stopped. */
export function failedError<T>(
  prepared: PreparedCall<T>,
  followed: FollowedResponse,
  deadline: Deadline,
  trouble: FailureFacts,
): unknown {
  const { outcome, secrets, target } = followed;
  if (deadline.interruption) return interruptedError(prepared, deadline, { ...trouble, secrets });
  if (!outcome.failed) return new TypeError('an answer is no failure');
  return failureError(outcome, failureContext(prepared, { ...trouble, secrets, target }));
}

/** The error of a call that its caller or its total timeout has stopped. */
export function interruptedError<T>(
  prepared: PreparedCall<T>,
  deadline: Deadline,
  trouble: FailureFacts,
): unknown {
  const { interruption } = deadline;
  if (!interruption) return new TypeError('nothing interrupted the call');
  return interruptionError(interruption, failureContext(prepared, trouble));
}

/** A response that ended the attempts of a call. */
export interface SettledCall {
  readonly raw: RawResponse;
  readonly response: AnswerInfo;
  readonly secrets: readonly string[];
  /** Whether any attempt may have been executed. */
  readonly mayHaveActed: boolean;
  /** Whether the rejected request contained a one-time password. */
  readonly sentOtp: boolean | undefined;
}

/** The error of a call whose response is not a success. */
export function refusedError<T>(
  { spec, authorizer, retry }: PreparedCall<T>,
  { raw, response, secrets, mayHaveActed, sentOtp }: SettledCall,
  settings: TransportSettings,
): ApiError {
  const body = raw.body instanceof Buffer ? raw.body : Buffer.alloc(0);
  return classify(
    { ...raw, body },
    {
      request: describe(spec, secrets),
      response,
      secrets,
      mayHaveActed,
      now: settings.now(),
      authNote: authorizer.refusalNote,
      sentOtp,
      maxWait: budgetWait(settings),
      maxRetryAfter: retry.maxRetryAfter,
    },
  );
}

/** Longest wait of a call for the hourly budget, in ms; undefined if calls don't wait for it. */
export function budgetWait({
  onLimit,
  maxWait,
}: Pick<TransportSettings, 'onLimit' | 'maxWait'>): number | undefined {
  return onLimit === 'wait' ? maxWait : undefined;
}

/** The error of a call that the limiter rejected. */
export function notSentError<T>(
  { spec, authorizer }: PreparedCall<T>,
  entry: Rejected | 'declined',
  settings: TransportSettings,
  mayHaveActed: boolean,
): Error {
  if (entry === 'declined') return declinedAhead;
  const { limit, until } = entry;
  return rejectedError({
    spec,
    credentialNames: authorizer.queryNames,
    mayHaveActed,
    limit,
    wait: until - settings.clock(),
    maxWait: limit ? budgetWait(settings) : settings.maxWait,
    now: settings.now(),
  });
}

/** Returns a function that creates the error of a broken response stream. */
export function streamErrors(
  prepared: PreparedCall<unknown>,
  maxBytes: number,
  secrets: readonly string[],
): (failure: Failure) => Error {
  return (failure) =>
    failureError(failure, failureContext(prepared, { mayHaveActed: true, maxBytes, secrets }));
}

/**
 * Awaits the result of the caller's own schema, or the files of a request, which may never settle.
 * Throws the call's error if it is interrupted.
 */
export async function untilInterrupted<T>(
  prepared: PreparedCall<unknown>,
  deadline: Deadline,
  secrets: readonly string[],
  coming: Promise<T>,
  mayHaveActed = true,
): Promise<T> {
  const settled = await deadline.until(coming);
  if (deadline.interruption) {
    throw interruptedError(prepared, deadline, { mayHaveActed, maxBytes: 0, secrets });
  }
  // `as`: it is undefined without an interruption only if the promise resolved to that.
  return settled as T;
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
