import { forOneCall } from '../option-names.js';
import type { RateLimit } from '../response-info.js';
import { InFlight } from './dispatch/deadline.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { type CloseOptions, resolveGracePeriod } from './options.js';
import { authenticate } from './policies/authenticate.js';
import type { ConditionalCache } from './policies/cache.js';
import { createLimitKey } from './policies/context.js';
import { limitRate } from './policies/limit-rate.js';
import { compose, type Policy, type Send } from './policies/pipeline.js';
import { redirect } from './policies/redirect.js';
import { retry } from './policies/retry.js';
import { sendRequests } from './policies/send.js';
import { createUserPolicies } from './policies/user-policies.js';
import type { TransportSettings } from './settings.js';

/**
 * Sends requests through a client's policies. Clients created by `withAuth` share the transport.
 */
export class Transport {
  readonly #limiter: RateLimiter;
  readonly #inner: Send;
  #opening: Promise<Send> | undefined;
  #cache: ConditionalCache | undefined;
  #closing: Promise<void> | undefined;
  readonly inFlight = new InFlight();
  /** Sends a request through the policies. Opens the stores first, if there are any. */
  send: Send;

  constructor(readonly settings: TransportSettings) {
    const { publish, options } = settings;
    this.#limiter = new RateLimiter({
      ...settings,
      onWait: (delay, { operation }, reason) =>
        publish('triforge:wait', () => ({ operation, delay, reason })),
    });
    this.#inner = compose(
      [
        ...createUserPolicies(options.policies),
        // `redirect` runs inside the user's policies, so credentials never reach an untrusted
        // origin that a policy sets.
        redirect(settings),
      ],
      sendRequests(settings, options.policies !== undefined),
    );
    this.send =
      settings.cache || settings.shared
        ? async (request, context) => {
            this.#opening ??= this.#openStores();
            return (await this.#opening)(request, context);
          }
        : this.#compose(undefined);
  }

  /** Composes the outer policies. The first policy is the outermost. */
  #compose(cacheResponses: Policy | undefined): Send {
    return compose(
      [
        retry(this.#limiter),
        authenticate(this.#limiter),
        limitRate(this.#limiter, this.settings.clock),
        // The cache runs inside `limitRate`, because `limitRate` may replace the credentials, and
        // each credential has separate cache entries.
        cacheResponses,
      ],
      this.#inner,
    );
  }

  /** Loads the store modules only if the client uses a store, to keep startup fast. */
  async #openStores(): Promise<Send> {
    const { settings } = this;
    const { cache, shared, base, publish, clock: now, fleetConcurrency: capacity } = settings;
    if (shared) {
      const { FleetLimits } = await import('./fleet/fleet-limits.js');
      const fleet = { ...settings, shared, scope: base.origin + base.prefix, capacity, now };
      this.#limiter.join((budgets, calls) => new FleetLimits(fleet, budgets, calls));
    }
    if (cache) {
      const { ConditionalCache, cacheResponses } = await import('./policies/cache.js');
      this.#cache = new ConditionalCache(cache, publish);
      this.send = this.#compose(cacheResponses(this.#cache, settings));
    } else {
      this.send = this.#compose(undefined);
    }
    return this.send;
  }

  /** Returns the last quota that the server reported for a credential. */
  rateLimit(fingerprint: string): RateLimit | undefined {
    return this.#limiter.rateLimit(createLimitKey(fingerprint, this.settings.certificate));
  }

  /** Time when the client's pause ends, in epoch ms. In the past if the client isn't paused. */
  get pausedUntil(): number {
    const { now, clock } = this.settings;
    return now() + this.#limiter.pausedUntil - clock();
  }

  resetLimits(): void {
    this.#limiter.reset();
  }

  /**
   * Lets calls in flight finish during the grace period, then closes everything that this client
   * created.
   */
  async close(options?: CloseOptions): Promise<void> {
    const ended = this.inFlight.close(forOneCall(() => resolveGracePeriod(options)));
    this.#closing ??= ended.then(async () => {
      await this.settings.dispatchers.close();
      await Promise.all([this.#limiter.close(), this.#cache?.close()]);
    });
    await this.#closing;
  }
}
