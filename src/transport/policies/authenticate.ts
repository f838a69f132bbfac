import { isReplayable } from '../decisions/retry-decision.js';
import type { HttpResponse } from '../http/raw-response.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { Credentials } from '../request/credentials.js';
import type { RequestSpec } from '../request/request-spec.js';
import { createInterruptedError } from './call-errors.js';
import type { CallContext } from './context.js';
import type { Policy, Send } from './pipeline.js';

/**
 * Requests a call's credentials.
 * @throws any error from the caller's function.
 */
export function requestCredentials({
  call: { authorizer, signals },
  request,
}: CallContext): Credentials | undefined | Promise<Credentials | undefined> {
  if (authorizer.fixed && request.auth === undefined) return authorizer.fixed;
  return authorizer.credentials(request.auth, signals[0]);
}

/**
 * Gets the credentials for each attempt. If new credentials can resolve a 401 (an expired session,
 * a one-time password), the request is repeated once.
 */
export function authenticate(limiter: RateLimiter): Policy {
  return (next: Send): Send => {
    async function sendWithAwaited(
      pending: Promise<Credentials | undefined>,
      request: RequestSpec,
      context: CallContext,
    ): Promise<HttpResponse> {
      const credentials = await context.deadline.waitFor(pending);
      if (context.deadline.interruption) throw createInterruptedError(context);
      context.use(credentials);
      context.attempt.awaitedCredentials = true;
      return sendAndRenew(request, context);
    }

    async function sendAndRenew(request: RequestSpec, context: CallContext): Promise<HttpResponse> {
      const response = await next(request, context);
      const { attempt } = context;
      const { credentials } = attempt;
      const mayRenew = credentials?.isRenewable === true && attempt.trusted;
      if (response.failed || response.status !== 401 || !mayRenew) return response;
      if (!isReplayable(attempt.step ? attempt.step.body : request.body)) return response;
      // Release the permit, because the renewal may require another call, or wait for a user to type
      // a code.
      if (attempt.permit) limiter.release(attempt.permit);
      context.isPrefetch = undefined; // A sent request must not be declined.
      const { authorizer, signals } = context.call;
      const renewing = authorizer.renew?.(credentials, response, signals[0]);
      const fresh = await context.deadline.waitFor(Promise.resolve(renewing));
      // The user may enter the one-time password after the call has ended.
      if (!fresh || context.deadline.interruption) return response;
      context.use(fresh);
      attempt.renewed = true;
      return next(request, context);
    }

    return function addCredentials(request, context) {
      if (context.deadline.interruption) throw createInterruptedError(context);
      const credentials = requestCredentials(context);
      if (credentials instanceof Promise) return sendWithAwaited(credentials, request, context);
      context.use(credentials);
      return credentials?.isRenewable ? sendAndRenew(request, context) : next(request, context);
    };
  };
}
