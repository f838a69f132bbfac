import { channel } from 'node:diagnostics_channel';
import { isTriforgeError } from '../../errors/index.js';
import {
  computeLimitWait,
  decideRetry,
  isPossiblyExecuted,
  isReplayable,
  type RetryDecision,
} from '../decisions/retry-decision.js';
import type { HttpResponse, RawResponse } from '../http/raw-response.js';
import type { Acquisition, Permit, RateLimiter } from '../limits/rate-limiter.js';
import type { Credentials } from '../request/credentials.js';
import type { Publish } from '../request/diagnostics.js';
import { describeRequest, type RequestSpec, type Target } from '../request/request-spec.js';
import { classifyRateLimit } from '../response/classify.js';
import { createInterruptedError, createNotSentError, getMaxQuotaWait } from './call-errors.js';
import type { CallContext, Policy, Send } from './context.js';

// Most programs have no subscribers, so events aren't created without one.
const ended = channel('triforge:request:end');

interface FailedAttempts {
  failures: number;
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
 * Runs a call's attempts. Reports the end of each attempt here, outside `authenticate`, because that
 * policy may repeat the request after a 401. Releases each attempt's permit and passes a
 * trusted response's headers to the limiter. Resolves to the response or failure that ended the
 * attempts.
 */
export function retry(limiter: RateLimiter): Policy {
  return (next) =>
    async function retryFailures(request, context) {
      const { deadline, settings } = context;
      const { log, publish } = settings;
      const tries: FailedAttempts = { failures: 0, limitedAt: undefined };
      for (;;) {
        let response: HttpResponse | undefined;
        try {
          response = await next(request, context);
        } catch (error) {
          reportThrown(publish, context, error);
          throw error;
        } finally {
          // Ignore rate limits from untrusted origins.
          const { identity, permit, received, trusted } = context.attempt;
          const last = response ?? received;
          const report =
            trusted && last?.failed === false
              ? {
                  headers: last.headers,
                  credential: identity,
                  pause: last.status < 400 ? undefined : computePause(last, settings.now()),
                }
              : undefined;
          if (permit) limiter.release(permit, report);
        }
        const isPlain = !response.failed && !context.attempt.fromCache;
        if (log || ended.hasSubscribers || !isPlain) reportEnd(publish, context, response);
        context.mayHaveActed ||= context.attempt.executed;
        if (!response.failed && response.status < 400) return response;
        context.mayHaveActed ||= isPossiblyExecuted(response);
        tries.failures++;
        const { decision, limited } = decideNext(context, response, tries);
        const timeLeft = limited ? deadline.timeLeftForLimit : deadline.timeLeft;
        if (!decision || decision.delay >= timeLeft || deadline.interruption) {
          return resolveOutcome(context, response);
        }
        if (decision.free) tries.failures--;
        reportRetry(context, response, decision.delay);
        // If the limiter knows when the limit ends, the next attempt waits in the limiter's queue.
        const waitsInLimiter = limited && limiter.isPaused(context, context.attempt.identity);
        if (!waitsInLimiter) await deadline.sleep(decision.delay, limited);
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

/** Returns how long a response pauses its credentials, in ms. Undefined if there is no pause. */
function computePause(response: RawResponse, now: number): number | undefined {
  const isRefused = classifyRateLimit(response) === 'secondary';
  return isRefused ? computeLimitWait(response, 'secondary', now) : undefined;
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

/**
 * Requests a call's credentials.
 * @throws any error from the caller's function.
 */
function requestCredentials({
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
      // Release the permit, because the renewal may require another call, or wait for a user to
      // type a code.
      if (attempt.permit) limiter.release(attempt.permit);
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
  async function wait(pending: Promise<Acquisition>, context: CallContext): Promise<Permit> {
    const { attempt, deadline } = context;
    const waitedFrom = clock();
    const permit = expectPermit(await pending, context);
    const isShort = attempt.awaitedCredentials && clock() - waitedFrom < longWait;
    if (attempt.renewed || isShort) return permit;
    // The credentials may have been rotated during the wait.
    const requested = requestCredentials(context);
    if (!(requested instanceof Promise)) {
      context.use(requested);
      return permit;
    }
    // Give the permit back, because the caller's function may make another call.
    limiter.giveBack(permit);
    context.use(await deadline.waitFor(requested));
    attempt.awaitedCredentials = true;
    if (deadline.interruption) throw createInterruptedError(context);
    return expectPermit(await limiter.acquire(context, attempt.identity), context);
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

function expectPermit(acquisition: Acquisition, context: CallContext): Permit {
  if (acquisition === 'interrupted') throw createInterruptedError(context);
  if ('bound' in acquisition) throw createNotSentError(context, acquisition);
  return acquisition;
}

/** Data that an attempt's events report. */
export type ObservedCall = Pick<CallContext, 'request' | 'attempt' | 'secrets'>;

export function reportStart(publish: Publish, context: CallContext, target: Target): void {
  publish('triforge:request:start', () => ({
    request: context.describe(target),
    attempt: context.attempt.number,
  }));
}

function reportRetry(context: CallContext, response: HttpResponse, delay: number): void {
  context.settings.publish('triforge:retry', () => ({
    request: context.describe(),
    attempt: context.attempt.number,
    delay,
    reason: response.failed ? response.kind : String(response.status),
  }));
}

function reportEnd(publish: Publish, call: ObservedCall, response: HttpResponse): void {
  if (response.failed) {
    publish('triforge:request:error', () => ({ ...describeAttempt(call), kind: response.kind }));
    return;
  }
  // If `response` comes from the cache, the server responded with 304.
  const { fromCache } = call.attempt;
  const status = fromCache ? 304 : response.status;
  publish('triforge:request:end', () => ({ ...describeAttempt(call), status }));
  if (fromCache) publish('triforge:cache:hit', () => ({ request: describeAttempt(call).request }));
}

/**
 * Reports that the client abandoned an attempt, for example because its redirect was rejected or
 * its body couldn't be opened.
 */
function reportThrown(publish: Publish, call: ObservedCall, error: unknown): void {
  if (call.attempt.startedAt === undefined) return;
  publish('triforge:request:error', () => ({
    ...describeAttempt(call),
    request: describeRequest(call.request, call.secrets),
    kind: isTriforgeError(error) ? error.code : 'unknown',
  }));
}

function describeAttempt({ request, attempt, secrets }: ObservedCall) {
  const { number, startedAt, target } = attempt;
  const now = performance.now();
  return {
    request: describeRequest(request, secrets, target),
    attempt: number,
    duration: now - (startedAt ?? now),
  };
}
