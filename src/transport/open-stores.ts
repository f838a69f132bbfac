import type { ConditionalCache } from './policy/cache.js';
import type { RateLimiter } from './policy/rate-limiter.js';
import type { TransportSettings } from './settings.js';

/**
 * Loads what works with a store, where a client has one: the others start sooner without it.
 * @param limiter joins those of other processes.
 */
export async function openStores(
  settings: TransportSettings,
  limiter: RateLimiter,
): Promise<ConditionalCache | undefined> {
  const { cache, shared, base, publish, clock: now, fleetConcurrency: capacity } = settings;
  if (shared) {
    const { FleetLimits } = await import('./policy/fleet-limits.js');
    const fleet = { ...settings, shared, scope: base.origin + base.prefix, capacity, now };
    limiter.join((budgets, calls) => new FleetLimits(fleet, budgets, calls));
  }
  if (!cache) return undefined;
  const { ConditionalCache } = await import('./policy/cache.js');
  return new ConditionalCache(cache, publish);
}
