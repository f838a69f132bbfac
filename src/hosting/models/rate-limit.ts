import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, ref } from '../../schema/model.js';

/** Rate-limit quota for one kind of request. */
export interface RateLimitBucket {
  /** Number of requests allowed per window. A window is one hour, or one minute for searches. */
  limit: number;
  /** Number of requests left in the current window. */
  remaining: number;
  /** End of the window as a Unix timestamp in seconds. Absent on 2012-era servers. */
  reset?: number | null | undefined;
  /** Number of requests made in the current window. Sent by newer servers. */
  used?: number | null | undefined;
}

/** Rate-limit quotas by kind of request. */
export interface RateLimitResources {
  /** Quota for all requests that have no separate quota. */
  core: RateLimitBucket;
  /** Quota for searches. */
  search?: RateLimitBucket | null | undefined;
  /** Quotas for other kinds of requests, on newer servers. Each is a {@link RateLimitBucket}. */
  [kind: string]: unknown;
}

/** The caller's rate limits. Requesting them doesn't count against a quota. */
export interface RateLimitStatus {
  /** Quotas by kind of request. Absent on servers before 2014. */
  resources?: RateLimitResources | null | undefined;
  /**
   * Quota for core requests.
   * @deprecated Use `resources.core`.
   */
  rate?: RateLimitBucket | null | undefined;
}

export const RateLimitBucket = model<RateLimitBucket>()('RateLimitBucket', () => ({
  ...fields(z.int, 'limit remaining'),
  ...fields(nullish(z.int), 'reset used'),
}));

export const RateLimitResources = model<RateLimitResources>('open')('RateLimitResources', () => ({
  core: ref(RateLimitBucket),
  search: z.nullish(ref(RateLimitBucket)),
}));

export const RateLimitStatus = model<RateLimitStatus>()('RateLimitStatus', () => ({
  resources: z.nullish(ref(RateLimitResources)),
  rate: z.nullish(ref(RateLimitBucket)),
}));
