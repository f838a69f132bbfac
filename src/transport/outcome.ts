import { AnswerInfo } from './answer-info.js';
import { type FailureContext, failureError, interruptionError } from './failure.js';
import type { Followed } from './follow.js';
import type { Interrupt } from './interrupt.js';
import { type Job, reads } from './job.js';
import type { RawResponse } from './raw-response.js';
import { scrub, showUrl, stripParameters } from './redact.js';
import { describe, type Target, urlOf } from './request-spec.js';

/** The facts of an answer, as users see them. */
export function answerOf<T>(
  job: Job<T>,
  followed: Followed,
  raw: RawResponse,
  attempts: number,
): AnswerInfo {
  const { target, trusted, secrets } = followed;
  const { queryNames } = job.authorizer;
  return new AnswerInfo({
    status: raw.status,
    statusText: raw.statusText,
    headers: raw.headers,
    // A foreign URL may be signed: its query is masked.
    url: () =>
      trusted
        ? scrub(stripParameters(urlOf(target), queryNames), job.spec.secrets)
        : showUrl(urlOf(target), secrets),
    fromCache: followed.fromCache === true,
    attempts,
    credentialNames: queryNames,
    secrets,
  });
}

/** What is known of a call that brought no answer. */
export interface Trouble {
  /** Any attempt may have been executed. */
  readonly mayHaveActed: boolean;
  /** Most bytes of a body, for messages. */
  readonly maxBytes: number;
  readonly secrets?: readonly string[] | undefined;
  readonly target?: Target | undefined;
}

/** The error of a call whose last attempt failed, or that was stopped. */
export function failedError<T>(
  job: Job<T>,
  followed: Followed,
  interrupt: Interrupt,
  trouble: Trouble,
): unknown {
  const { outcome, secrets, target } = followed;
  if (interrupt.interruption) return interruptedError(job, interrupt, { ...trouble, secrets });
  if (!outcome.failed) return new TypeError('an answer is no failure');
  return failureError(outcome, failureContext(job, { ...trouble, secrets, target }));
}

/** The error of a call that its caller or its total timeout has stopped. */
export function interruptedError<T>(job: Job<T>, interrupt: Interrupt, trouble: Trouble): unknown {
  const { interruption } = interrupt;
  if (!interruption) return new TypeError('nothing interrupted the call');
  return interruptionError(interruption, failureContext(job, trouble));
}

/** What the errors of a call are made from. */
export function failureContext<T>(job: Job<T>, trouble: Trouble): FailureContext {
  const { secrets = [], target, mayHaveActed, maxBytes } = trouble;
  return {
    request: describe(job.spec, secrets, target),
    timeouts: job.timeouts,
    maxBytes,
    mayHaveActed,
    reads: reads(job.spec),
    secrets,
  };
}
