import {
  computeLimitWait,
  decideRetry,
  isPossiblyExecuted,
  type RetryDecision,
} from '../decisions/retry-decision.js';
import type { HttpResponse, RawResponse } from '../http/raw-response.js';
import type { LimitReport, RateLimiter } from '../limits/rate-limiter.js';
import { classifyRateLimit } from '../response/classify.js';
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
          const { permit, trusted } = context.attempt;
          const report = trusted && response?.failed === false ? response : undefined;
          if (permit) limiter.release(permit, report && readLimits(context, report));
        }
        const isPlain = !response.failed && !context.attempt.fromCache;
        if (!isPlain || channels.end.hasSubscribers) reportEnd(publish, context, response);
        context.mayHaveActed ||= context.attempt.executed;
        if (!response.failed && response.status < 400) return response;
        context.mayHaveActed ||= isPossiblyExecuted(response);
        tries.failures++;
        const { decision, limited } = decideNext(context, response, tries);
        const timeLeft = limited ? deadline.timeLeftForLimit : deadline.timeLeft;
        if (!decision || decision.delay >= timeLeft || deadline.interruption) {
          return resolveOutcome(context, response);
        }
        if (decision.free) {
          tries.failures--;
          if (!limited) tries.staleSockets++;
        }
        reportRetry(context, response, decision.delay);
        if (decision.waits === 'call') await deadline.sleep(decision.delay, limited);
        if (deadline.interruption) throw createInterruptedError(context);
        context.startNextAttempt();
      }
    };
}

/**
 * Returns the call's response. A 404 on a retried DELETE means that an earlier attempt succeeded.
 */
function resolveOutcome(context: CallContext, response: HttpResponse): HttpResponse {
  if (response.failed || context.deadline.interruption) return response;
  const isRepeated = context.attempt.number > 1 && context.mayHaveActed;
  const isDone = isRepeated && context.request.method === 'DELETE' && response.status === 404;
  return isDone ? { ...response, status: 204 } : response;
}

/** Reads what a response says about limits. */
function readLimits({ attempt, settings }: CallContext, response: RawResponse): LimitReport {
  const { headers, status } = response;
  const isRefused = status >= 400 && classifyRateLimit(response) === 'secondary';
  const pause = isRefused ? computeLimitWait(response, 'secondary', settings.now()) : undefined;
  return { headers, credential: attempt.identity, pause };
}

function decideNext(context: CallContext, response: HttpResponse, tries: FailedAttempts): NextStep {
  const { call, request, settings } = context;
  const { executed, trusted } = context.attempt;
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
