import { budgetWait, notSentError } from './call-errors.js';
import type { Deadline } from './dispatch/deadline.js';
import type { AdmissionRequest } from './policy/budgets.js';
import type { RateLimiter } from './policy/rate-limiter.js';
import type { FollowedResponse } from './policy/redirects.js';
import { decideRetry, limitWait, type RetryDecision, type RetryFacts } from './policy/retry.js';
import type { PreparedCall } from './prepared-call.js';
import type { Challenge, Credentials } from './request/credentials.js';
import type { Publish } from './request/diagnostics.js';
import { describe, type RequestSpec } from './request/request-spec.js';
import { limitKind } from './response/refusal.js';
import type { TransportSettings } from './settings.js';

/** The next step after a failed attempt. */
interface NextStep {
  /** Undefined if the call is not sent again. */
  readonly decision: RetryDecision | undefined;
  /** Whether the wait counts against the total timeout. Waits for a rate limit don't. */
  readonly counts: boolean;
}

/** Decides what follows an error response or a failure. A secondary limit pauses the whole client. */
export function decideNext(
  { spec, retry }: PreparedCall<unknown>,
  { outcome, trusted, executed }: FollowedResponse,
  limiter: RateLimiter,
  attempts: Pick<RetryFacts, 'failures' | 'staleSockets'>,
  settings: TransportSettings,
): NextStep {
  const { now, clock, random } = settings;
  // The limits of an untrusted origin are not this service's.
  const limited = outcome.failed || !trusted ? undefined : limitKind(outcome);
  if (limited === 'secondary' && !outcome.failed) {
    limiter.pauseUntil(clock() + limitWait(outcome, limited, now()));
  }
  const decision = decideRetry(
    {
      ...attempts,
      outcome,
      rule: spec.retry,
      executed,
      body: spec.body,
      limited,
      maxWait: budgetWait(settings),
      now: now(),
      random: random(),
    },
    retry,
  );
  return { decision, counts: decision?.waits === 'call' && limited === undefined };
}

/** Reports that a call is sent again, and why. */
export function reportRetry(
  publish: Publish,
  spec: RequestSpec,
  { outcome, secrets }: FollowedResponse,
  attempt: number,
  delay: number,
): void {
  publish('triforge:retry', () => ({
    request: describe(spec, secrets),
    attempt,
    delay,
    reason: outcome.failed ? outcome.kind : String(outcome.status),
  }));
}

/**
 * Renews rejected credentials without holding a slot: it may take a call, or a person who types a code.
 * @returns the new credentials; undefined if there are none, or the call has ended.
 * @throws {RateLimitError} if the budget of the new credentials is used up.
 */
export async function renewOutsideLimits(
  prepared: PreparedCall<unknown>,
  admission: AdmissionRequest,
  limiter: RateLimiter,
  settings: TransportSettings,
  deadline: Deadline,
  mayHaveActed: boolean,
  [rejected, challenge, signal]: readonly [
    Credentials | undefined,
    Challenge,
    AbortSignal | undefined,
  ],
): Promise<Credentials | undefined> {
  limiter.leave(admission, undefined);
  admission.isAhead = undefined; // it was sent already
  const renewing = prepared.authorizer.renew?.(rejected, challenge, signal);
  const fresh = await deadline.until(Promise.resolve(renewing));
  // The prompt may be answered after the call has ended: no one would free a slot taken then.
  if (!fresh || deadline.interruption) return undefined;
  const entry = (await limiter.enter(admission, deadline)) ?? 'admitted';
  if (entry === 'interrupted') return undefined;
  if (entry === 'admitted') return fresh;
  throw notSentError(prepared, entry, settings, mayHaveActed);
}
