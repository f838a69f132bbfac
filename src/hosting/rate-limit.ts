import type { RateLimit } from '../response-info.js';
import type { Call } from '../transport/call.js';
import { endpoint, json } from '../transport/endpoint.js';
import type { HostingCaller, HostingRequestOptions } from './caller.js';
import { RateLimitStatus } from './models/index.js';

const getRateLimit = endpoint<object>()({
  operation: 'rateLimit.get',
  method: 'GET',
  path: '/rate_limit',
  input: {},
  uncounted: true,
  answer: json(RateLimitStatus),
});

/** The caller's budget (contract section "Limits"). */
export class RateLimits {
  readonly #caller: HostingCaller;

  constructor(caller: HostingCaller) {
    this.#caller = caller;
  }

  /** The budget as the last answers told, without asking; undefined before the first. */
  get current(): RateLimit | undefined {
    return this.#caller.rateLimit;
  }

  /**
   * Asks the server. It costs nothing, and is let through when the budget is used up.
   * @throws {NotFoundError} a server that has no rate limits.
   * @remarks Outside the service contract; public v3 documentation.
   */
  get(options?: HostingRequestOptions): Call<RateLimitStatus> {
    return this.#caller.call(getRateLimit, {}, options);
  }
}
