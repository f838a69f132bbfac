import {
  computeLimitWait,
  decideRetry,
  isPossiblyExecuted,
  type RetryDecision,
} from '../decisions/retry-decision.js';
import type { HttpResponse, RawResponse } from '../http/raw-response.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import { classifyRateLimit } from '../response/rejection.js';
import { reportEnd, reportRetry, reportThrown } from './attempt-events.js';
import { createInterruptedError, getMaxQuotaWait } from './call-errors.js';
import type { CallContext } from './context.js';
import type { Policy } from './pipeline.js';

interface FailedAttempts {
  failures: number;
  staleSockets: number;
  /** When a rate limit first rejected the call, on the limiter's clock. */
  limitedAt: number | undefined;
}

interface NextStep {
  /** Undefined if the call isn't retried. */
  readonly decision: RetryDecision | undefined;
  /** Whether a rate limit rejected the attempt. */
  readonly limited: boolean;
}

/**
 * Runs a call's attempts. Reports the end of each attempt, because only this policy knows whether a
 * 401 ended the attempt or the request was repeated. Releases each attempt's permit and passes a
 * trusted response's headers to the limiter. Resolves to the response or failure that ended the
 * attempts.
 */
export function retry(limiter: RateLimiter): Policy {
  return (next) =>
    async function retryFailures(request, context) {
      const { deadline, settings } = context;
      const { channels, publish } = settings;
      const tries: FailedAttempts = { failures: 0, staleSockets: 0, limitedAt: undefined };
      for (;;) {
        let response: HttpResponse | undefined;
        try {
          response = await next(request, context);
        } catch (error) {
          reportThrown(publish, context, error);
          throw error;
        } finally {
          // Ignore rate limits from untrusted origins.
          const trusted = context.trusted && response?.failed === false ? response : undefined;
          // Report before releasing the permit, because the release lets the next call start.
          if (trusted) reportLimit(limiter, context, trusted);
          limiter.release(context, trusted?.headers, context.identity, isSent(context, response));
        }
        const isPlain = !response.failed && !context.fromCache;
        if (!isPlain || channels.end.hasSubscribers) reportEnd(publish, context, response);
        context.mayHaveActed ||= context.executed;
        if (!response.failed && response.status < 400) return response;
        context.mayHaveActed ||= isPossiblyExecuted(response);
        tries.failures++;
        const { decision, limited } = decideNext(context, response, tries);
        // Waits for a rate limit don't count against the total timeout.
        const counts = decision?.waits === 'call' && !limited;
        const waitsTooLong = counts && decision && decision.delay >= deadline.timeLeft;
        if (!decision || waitsTooLong || deadline.interruption)
          return resolveOutcome(context, response);
        if (decision.free) {
          tries.failures--;
          if (!limited) tries.staleSockets++;
        }
        reportRetry(context, response, decision.delay);
        if (decision.waits === 'call') await deadline.sleep(decision.delay, counts);
        if (deadline.interruption) throw createInterruptedError(context);
        context.startNextAttempt();
      }
    };
}

/** Returns whether the server may have received one of this attempt's requests. */
function isSent({ startedAt, step }: CallContext, response: HttpResponse | undefined): boolean {
  if (startedAt === undefined) return false;
  // If the attempt was redirected, an earlier request was sent.
  return !response?.failed || response.sent || step !== undefined;
}

/**
 * Returns the call's response. A 404 on a retried DELETE means that an earlier attempt succeeded.
 */
function resolveOutcome(context: CallContext, response: HttpResponse): HttpResponse {
  if (response.failed || context.deadline.interruption) return response;
  const isRepeated = context.attempt > 1 && context.mayHaveActed;
  const isDone = isRepeated && context.request.method === 'DELETE' && response.status === 404;
  return isDone ? { ...response, status: 204 } : response;
}

/**
 * Reports to the limiter whether a secondary limit rejected the request. A rejection pauses the
 * whole client.
 */
function reportLimit(limiter: RateLimiter, context: CallContext, response: RawResponse): void {
  if (response.status < 400 || classifyRateLimit(response) !== 'secondary') {
    limiter.accept(context);
    return;
  }
  const { now, clock } = context.settings;
  limiter.reject(context, clock() + computeLimitWait(response, 'secondary', now()));
}

function decideNext(context: CallContext, response: HttpResponse, tries: FailedAttempts): NextStep {
  const { call, executed, request, settings, trusted } = context;
  const { now, clock, random } = settings;
  // Ignore limits from untrusted origins.
  const limited = response.failed || !trusted ? undefined : classifyRateLimit(response);
  if (limited) tries.limitedAt ??= clock();
  const decision = decideRetry(
    {
      failures: tries.failures,
      staleSockets: tries.staleSockets,
      limitedFor: tries.limitedAt === undefined ? 0 : clock() - tries.limitedAt,
      maxTotalWait: settings.maxWait,
      outcome: response,
      rule: request.retry,
      executed,
      body: request.body,
      limited,
      maxWait: getMaxQuotaWait(settings),
      now: now(),
      random: random(),
    },
    call.retry,
  );
  return { decision, limited: limited !== undefined };
}
