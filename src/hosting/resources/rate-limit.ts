import type { RateLimit } from '../../response-info.js';
import { fits } from '../../schema/model.js';
import type { JsonCall } from '../../transport/call.js';
import { endpoint, jsonMapped, unspecified } from '../../transport/request/endpoint.js';
import { RateLimitBucket, RateLimitStatus } from '../models/index.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** What `rateLimit.get()` gives: the budget of each kind of request, by its name. */
export interface RateLimitBudgets {
  /** Everything that has no budget of its own. */
  readonly core?: RateLimit | undefined;
  /** Searches. */
  readonly search?: RateLimit | undefined;
  /** Other kinds, on newer servers. */
  readonly [resource: string]: RateLimit | undefined;
}

/** Budgets as answers tell of them: the end of a window is a `Date`. Servers before 2014 know `rate` alone. */
function toBudgets(status: RateLimitStatus): RateLimitBudgets {
  // The interface doesn't specify this response, so the value may be anything.
  const { resources, rate } = status ?? {};
  const budgets: Record<string, RateLimit> = {};
  for (const [resource, bucket] of Object.entries(resources ?? { core: rate })) {
    if (!fits(RateLimitBucket, bucket)) continue;
    const { limit, remaining, reset } = bucket;
    budgets[resource] = {
      limit,
      remaining,
      reset: typeof reset === 'number' ? new Date(reset * 1000) : undefined,
      resource,
    };
  }
  return budgets;
}

const getRateLimit = endpoint<object>('GET /rate_limit')({
  operation: 'rateLimit.get',
  input: {},
  exemptFromLimits: true,
  answer: unspecified(jsonMapped(RateLimitStatus, toBudgets)),
});

/** The caller's budget. */
export class RateLimits extends HostingResource {
  /** The budget as the last answers told, without asking; undefined before the first. */
  get current(): RateLimit | undefined {
    return this.api.rateLimit;
  }

  /**
   * `GET /rate_limit`
   *
   * Asks the server for the budgets of all kinds of requests. It costs nothing, and is let through when
   * the budget is used up.
   * @throws {NotFoundError} a server that has no rate limits.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example const { core } = await hosting.rateLimit.get();
   */
  get(options?: HostingRequestOptions): JsonCall<RateLimitBudgets> {
    return this.api.call(getRateLimit, {}, options);
  }
}
