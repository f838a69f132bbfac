import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, ref } from '../../schema/model.js';

/**
 * The budget of one kind of request.
 * @remarks Known from the public v3 documentation.
 */
export interface RateLimitBucket {
  /** Requests allowed in a window of one hour (of one minute for searches). */
  limit: number;
  /** Requests left in this window. */
  remaining: number;
  /** When the window ends, in seconds since 1970 UTC. Absent on servers of 2012. */
  reset?: number | null | undefined;
  /** Requests made in this window, on newer servers. */
  used?: number | null | undefined;
}

/**
 * Budgets by kind of request.
 * @remarks Known from the public v3 documentation.
 */
export interface RateLimitResources {
  /** Everything that has no budget of its own. */
  core: RateLimitBucket;
  /** Searches. */
  search?: RateLimitBucket | null | undefined;
  /** Other kinds, on newer servers; each looks like a {@link RateLimitBucket}. */
  [kind: string]: unknown;
}

/**
 * The caller's rate limits. Asking for them costs nothing.
 * @remarks Known from the public v3 documentation.
 */
export interface RateLimitStatus {
  /** Budgets by kind of request. Absent on servers before 2014. */
  resources?: RateLimitResources | null | undefined;
  /**
   * The budget of requests.
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
