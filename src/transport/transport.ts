import type { RateLimit } from '../response-info.js';
import { InFlight } from './dispatch/deadline.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { authenticate, limitRate, retry } from './policies/attempts.js';
import { ConditionalCache, cacheResponses } from './policies/cache.js';
import { compose, type Send } from './policies/context.js';
import { callHooks, checkHooks } from './policies/hooks.js';
import { redirect, sendRequests } from './policies/send.js';
import type { TransportSettings } from './settings.js';

/**
 * Sends requests through a client's policies. Clients created by `withAuth` share the transport.
 */
export class Transport {
  readonly #limiter: RateLimiter;
  readonly #cache: ConditionalCache | undefined;
  readonly inFlight = new InFlight();
  /** Sends a request through the policies. */
  readonly send: Send;

  constructor(readonly settings: TransportSettings) {
    const { base, cache, certificate, options, publish, shared } = settings;
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
    this.#cache = cache && new ConditionalCache(cache, publish);
    // The first policy is the outermost.
    this.send = compose(
      [
        retry(this.#limiter),
        authenticate(this.#limiter),
        limitRate(this.#limiter, settings.clock),
        // The cache runs inside `limitRate`, because `limitRate` may replace the credentials, and
        // each credential has separate cache entries.
        this.#cache && cacheResponses(this.#cache, settings),
      ],
      redirect(settings)(hooks ? callHooks(checkHooks(hooks), send) : send),
    );
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
