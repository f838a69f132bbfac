import type { Acquisition, Permit } from '../limits/permit.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { requestCredentials } from './authenticate.js';
import { createInterruptedError, createNotSentError } from './call-errors.js';
import type { CallContext } from './context.js';
import type { Policy } from './pipeline.js';

/**
 * Minimum wait for a permit, in ms, after which credentials that came from a promise are requested
 * again.
 */
const longWait = 1000;

/**
 * Acquires a permit from the limiter for each request. The `retry` policy releases the permit.
 * Rejects with a `RateLimitError` if the call would wait too long.
 */
export function limitRate(limiter: RateLimiter, clock: () => number): Policy {
  async function wait(
    pending: Permit | Promise<Acquisition>,
    context: CallContext,
  ): Promise<Permit> {
    const { attempt, deadline } = context;
    for (let acquiring = pending; ; acquiring = limiter.acquire(context, attempt.identity)) {
      const waitedFrom = clock();
      const acquisition = await acquiring;
      if (acquisition === 'interrupted') throw createInterruptedError(context, true);
      if (acquisition === 'declined' || 'bound' in acquisition) {
        throw createNotSentError(context, acquisition);
      }
      const isShort = attempt.awaitedCredentials && clock() - waitedFrom < longWait;
      if (attempt.renewed || isShort) return acquisition;
      // The credentials may have been rotated during the wait.
      const requested = requestCredentials(context);
      if (!(requested instanceof Promise)) {
        context.use(requested);
        return acquisition;
      }
      // Release the permit, because the caller's function may make another call.
      limiter.release(acquisition);
      context.use(await deadline.waitFor(requested));
      attempt.awaitedCredentials = true;
      if (deadline.interruption) throw createInterruptedError(context);
    }
  }

  return (next) =>
    function acquirePermit(request, context) {
      const { attempt } = context;
      const acquired = limiter.acquire(context, attempt.identity);
      if (acquired instanceof Promise) {
        return wait(acquired, context).then((permit) => {
          attempt.permit = permit;
          return next(request, context);
        });
      }
      attempt.permit = acquired;
      return next(request, context);
    };
}
