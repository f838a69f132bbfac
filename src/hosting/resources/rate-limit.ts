import type { RateLimit } from '../../response-info.js';
import { fits } from '../../schema/model.js';
import type { JsonCall } from '../../transport/api-client.js';
import { defineEndpoint, jsonMapped, unspecified } from '../../transport/request/endpoint.js';
import { RateLimitBucket, RateLimitStatus } from '../models/index.js';
import { type HostingRequestOptions, HostingResource } from './common.js';

/** Rate-limit quotas by kind of request, as returned by `rateLimit.get()`. */
export interface RateLimitBudgets {
  /** Quota for all requests without a separate quota. */
  readonly core?: RateLimit | undefined;
  /** Quota for searches. */
  readonly search?: RateLimit | undefined;
  /** Quotas for other kinds of requests, on newer servers. */
  readonly [resource: string]: RateLimit | undefined;
}

/**
 * Converts the response to quotas, with `reset` as a `Date`. Servers from before 2014 send only
 * `rate`.
 */
function toBudgets(status: RateLimitStatus): RateLimitBudgets {
  // The API doesn't specify the response body, so the value can have any type.
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

const getRateLimit = defineEndpoint<object>('GET /rate_limit')({
  operation: 'rateLimit.get',
  input: {},
  exemptFromLimits: true,
  response: unspecified(jsonMapped(RateLimitStatus, toBudgets)),
});

/** The caller's rate-limit quota. */
export class RateLimits extends HostingResource {
  /**
   * Core quota that the latest responses reported. Reading this property doesn't send a request.
   * Undefined until a response reports a quota.
   */
  get current(): RateLimit | undefined {
    return this.api.rateLimit;
  }

  /**
   * `GET /rate_limit`
   *
   * Fetches the caller's quotas for all kinds of requests. This call doesn't count toward a quota,
   * and the client sends it even if the quota is exhausted.
   * @throws {NotFoundError} if the server has no rate limits.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const { core } = await hosting.rateLimit.get();
   */
  get(options?: HostingRequestOptions): JsonCall<RateLimitBudgets> {
    return this.api.call(getRateLimit, {}, options);
  }
}
