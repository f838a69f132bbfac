import {
  decideRetry,
  type RetryDecision,
  type RetryFacts,
  type RetrySettings,
} from '../../../../src/transport/decisions/retry-decision.js';

import type { HttpResponse } from '../../../../src/transport/http/raw-response.js';

const settings = { limit: 3, baseDelay: 100, maxDelay: 1000, maxRetryAfter: 60_000 };

/** Arrival time of the response. */
export const now = Date.UTC(2024, 0, 1, 12);

/** Response headers for an exhausted quota that resets in 9 seconds. */
export const usedUp = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${now / 1000 + 9}`,
};

/**
 * Decides on a retry after the first failure of a GET. `facts` and `changed` override the defaults.
 */
export function decide(
  outcome: HttpResponse,
  facts: Partial<RetryFacts> = {},
  changed: Partial<RetrySettings> = {},
): RetryDecision | undefined {
  const usual: RetryFacts = {
    outcome,
    rule: 'safe',
    executed: false,
    body: undefined,
    limited: undefined,
    maxWait: undefined,
    limitedFor: 0,
    maxTotalWait: 3_600_000,
    failures: 1,
    staleSockets: 0,
    now,
    random: 1,
  };
  return decideRetry({ ...usual, ...facts }, { ...settings, ...changed });
}
