import type { RetrySettings } from '../../../src/transport/options.js';
import type { Outcome } from '../../../src/transport/raw-response.js';
import { decideRetry, type RetryDecision, type RetryFacts } from '../../../src/transport/retry.js';

const settings = { limit: 3, baseDelay: 100, maxDelay: 1000, maxRetryAfter: 60_000 };

/** When the answer came. */
export const now = Date.UTC(2024, 0, 1, 12);

/** What is decided about a GET that failed for the first time, or how a call differs from one. */
export function decide(
  outcome: Outcome,
  facts: Partial<RetryFacts> = {},
  changed: Partial<RetrySettings> = {},
): RetryDecision | undefined {
  const usual: RetryFacts = {
    outcome,
    method: 'GET',
    replayable: false,
    done: false,
    bodyReplayable: true,
    limited: undefined,
    window: undefined,
    failures: 1,
    staleSockets: 0,
    now,
    random: 1,
  };
  return decideRetry({ ...usual, ...facts }, { ...settings, ...changed });
}
