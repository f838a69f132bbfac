import type { RateLimit } from '../response-info.js';
import { InFlight } from './dispatch/deadline.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { authenticate, limitRate, retry } from './policies/attempts.js';
import type { ConditionalCache } from './policies/cache.js';
import { compose, type Policy, type Send } from './policies/context.js';
import { callHooks, checkHooks } from './policies/hooks.js';
import { redirect, sendRequests } from './policies/send.js';
import type { TransportSettings } from './settings.js';
import type { CacheStore } from './stores/stores.js';

/**
 * Sends requests through a client's policies. Clients created by `withAuth` share the transport.
 */
export class Transport {
  readonly #limiter: RateLimiter;
  readonly #inner: Send;
  #opening: Promise<Send> | undefined;
  #cache: ConditionalCache | undefined;
  readonly inFlight = new InFlight();
  /** Sends a request through the policies. Loads the cache first, if there is one. */
  send: Send;

  constructor(readonly settings: TransportSettings) {
    const { base, certificate, options, publish, shared } = settings;
    // The server may have separate limits for each client certificate.
    const scope = `${base.origin}${base.prefix}${certificate}`;
    this.#limiter = new RateLimiter({
      ...settings,
      sharing: shared && { store: shared, scope, publish },
      onWait: (ms, { operation }, reason) => {
        const delay = Number.isFinite(ms) ? ms : undefined;
        publish('triforge:wait', () => ({ operation, delay, reason }));
      },
    });
    const send = sendRequests(settings);
    const { hooks } = options;
    this.#inner = redirect(settings)(hooks ? callHooks(checkHooks(hooks), send) : send);
    const { cache } = settings;
    this.send = cache
      ? async (request, context) => {
          this.#opening ??= this.#openCache(cache);
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

  /** Loads the cache's module only if the client has a cache, to keep startup fast. */
  async #openCache(cache: CacheStore): Promise<Send> {
    const { settings } = this;
    const { ConditionalCache, cacheResponses } = await import('./policies/cache.js');
    this.#cache = new ConditionalCache(cache, settings.publish);
    this.send = this.#compose(cacheResponses(this.#cache, settings));
    return this.send;
  }

  /** Returns the last quota that the server reported for a credential. */
  rateLimit(fingerprint: string): RateLimit | undefined {
    return this.#limiter.rateLimit(fingerprint);
  }

  /** Ends calls in flight, then closes everything that this client created. */
  async close(): Promise<void> {
    this.inFlight.close();
    this.#limiter.close();
    await this.settings.dispatchers.close();
    await this.#cache?.close();
  }
}
