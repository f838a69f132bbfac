import type { RateLimiter } from './limits/rate-limiter.js';
import type { ConditionalCache } from './policies/cache.js';
import type { Policy } from './policies/pipeline.js';
import type { TransportSettings } from './settings.js';

/** Parts that a client has only if one of its options sets a store. */
interface OpenStores {
  readonly cache: ConditionalCache | undefined;
  readonly policy: Policy | undefined;
}

/**
 * Loads the store modules on demand, so that clients without a store start faster.
 * @param limiter limiter that starts to share its limits if `rateLimit.shared` is set.
 */
export async function openStores(
  settings: TransportSettings,
  limiter: RateLimiter,
): Promise<OpenStores> {
  const { cache: store, shared, base, publish, clock: now, fleetConcurrency: capacity } = settings;
  if (shared) {
    const { FleetLimits } = await import('./fleet/fleet-limits.js');
    const fleet = { ...settings, shared, scope: base.origin + base.prefix, capacity, now };
    limiter.join((budgets, calls) => new FleetLimits(fleet, budgets, calls));
  }
  if (!store) return { cache: undefined, policy: undefined };
  const { ConditionalCache, cacheResponses } = await import('./policies/cache.js');
  const cache = new ConditionalCache(store, publish);
  return { cache, policy: cacheResponses(cache, settings) };
}
