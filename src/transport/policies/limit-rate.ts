import type { RateLimiter } from '../limits/rate-limiter.js';
import type { Acquisition } from '../limits/wait-queue.js';
import type { RequestSpec } from '../request/request-spec.js';
import { requestCredentials } from './authenticate.js';
import { createInterruptedError, createNotSentError } from './call-errors.js';
import type { CallContext } from './context.js';
import type { Policy, Send } from './pipeline.js';

/**
 * Minimum wait for a permit, in ms, after which credentials that came from a promise are requested
 * again.
 */
const longWait = 1000;

/**
 * Acquires a permit from the limiter for each request. The `retry` policy releases the permit.
 * Rejects with a `RateLimitError` if the limiter rejects the call.
 */
export function limitRate(limiter: RateLimiter, clock: () => number): Policy {
  async function wait(pending: Promise<Acquisition>, context: CallContext): Promise<void> {
    const { deadline } = context;
    let acquiring: Promise<Acquisition> | undefined = pending;
    while (acquiring) {
      const waitedFrom = clock();
      const acquisition = await acquiring;
      if (acquisition === 'interrupted') throw createInterruptedError(context, true);
      if (acquisition !== 'acquired') throw createNotSentError(context, acquisition);
      if (context.renewed) return;
      if (context.awaitedCredentials && clock() - waitedFrom < longWait) return;
      // The credentials may have been rotated during the wait.
      const requested = requestCredentials(context);
      if (!(requested instanceof Promise)) {
        context.use(requested);
        return;
      }
      // Release the permit, because the caller's function may make another call.
      limiter.release(context, undefined, undefined, false);
      context.use(await deadline.waitFor(requested));
      context.awaitedCredentials = true;
      if (deadline.interruption) throw createInterruptedError(context);
      context.credential = context.identity;
      acquiring = limiter.acquire(context, deadline);
    }
  }

  return (next: Send): Send => {
    const sendAfter = async (
      pending: Promise<Acquisition>,
      request: RequestSpec,
      context: CallContext,
    ) => {
      await wait(pending, context);
      return next(request, context);
    };
    return function acquirePermit(request, context) {
      context.credential = context.identity;
      const pending = limiter.acquire(context, context.deadline);
      return pending ? sendAfter(pending, request, context) : next(request, context);
    };
  };
}
