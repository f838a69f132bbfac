import { isTriforgeError } from '../errors/index.js';
import type { FollowedResponse } from './policy/follow.js';
import { publish } from './request/diagnostics.js';
import { describe, type RequestSpec } from './request/request-spec.js';

/** One attempt, as its events tell of it. */
export interface AttemptFacts {
  readonly spec: RequestSpec;
  readonly attempt: number;
  /** By `performance.now()`. */
  readonly startedAt: number;
}

/** Tells how an attempt ended. */
export function reportEnd(facts: AttemptFacts, followed: FollowedResponse): void {
  const { outcome, secrets, target } = followed;
  const { spec, attempt, startedAt } = facts;
  const told = () => ({
    request: describe(spec, secrets, target),
    attempt,
    duration: performance.now() - startedAt,
  });
  if (outcome.failed) {
    publish('triforge:request:error', () => ({ ...told(), kind: outcome.kind }));
    return;
  }
  // On the wire it was a 304.
  const status = followed.fromCache ? 304 : outcome.status;
  publish('triforge:request:end', () => ({ ...told(), status }));
  if (followed.fromCache) publish('triforge:cache:hit', () => ({ request: told().request }));
}

/** Tells that an attempt was given up: a redirect that is refused, a source that can't be opened. */
export function reportThrown(
  { spec, attempt, startedAt }: AttemptFacts,
  error: unknown,
  secrets: readonly string[] | undefined,
): void {
  publish('triforge:request:error', () => ({
    request: describe(spec, secrets),
    attempt,
    duration: performance.now() - startedAt,
    kind: isTriforgeError(error) ? error.code : 'unknown',
  }));
}
