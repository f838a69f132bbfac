import {
  checkChoice,
  checkOptions,
  checkStore,
  type OptionNames,
  optionNames,
  parseNumber,
} from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';
import type { RetrySettings } from './decisions/retry-decision.js';
import type { Timeouts } from './dispatch/deadline.js';
import type { LimitStore } from './limits/credential-limits.js';
import type { ListOptions } from './pagination/paginated.js';
import { maxTimerDelay } from './request/event-loop.js';
import type { Fields } from './request/fields.js';
import { createInputError } from './request/input.js';

import type { ValidationMode } from './response/parse-response.js';
import { type CacheStore, MemoryStore } from './stores/stores.js';

/** Time limits in milliseconds. `false` disables a limit. */
export interface TimeoutOptions {
  /**
   * Maximum time in ms for the whole call. Includes all attempts, the waits between attempts,
   * reading the body, and waiting for `maxConcurrency`. Excludes the time to send a streamed body.
   * In lists, the maximum applies to each page. A value that you set also includes waits for rate
   * limits. If such a wait would be too long, the call fails immediately. Default: 60000 ms, not
   * counting waits for rate limits. In `ConsoleClient`, the default for `start` and `upgrade` is
   * 900000 ms.
   */
  readonly total?: number | false | undefined;
  /**
   * Maximum time in ms from the end of the request to the response headers. Default: 30000 ms. In
   * `ConsoleClient`, the default for `start` and `upgrade` is 600000 ms.
   */
  readonly headers?: number | false | undefined;
  /** Maximum pause in ms between chunks of a response body or an upload. Default: 30000 ms. */
  readonly body?: number | false | undefined;
}

const timeoutNames = optionNames<TimeoutOptions>()('total headers body');

/** Retries of failed calls that are safe to repeat (see `docs/architecture.md`). */
export interface RetryOptions {
  /**
   * Maximum number of retries. Retries after a rate-limit wait of at least one second don't count
   * toward this limit. 0 disables retries, except after credentials are renewed. Default: 3.
   */
  readonly limit?: number | undefined;
  /**
   * Initial backoff in ms. The backoff doubles with each retry and has full jitter. Default: 250
   * ms.
   */
  readonly baseDelay?: number | undefined;
  /** Maximum backoff in ms. Doesn't limit `Retry-After` waits. Default: 10000 ms. */
  readonly maxDelay?: number | undefined;
  /**
   * Maximum `Retry-After` wait in ms that the client accepts. If the server requests a longer wait,
   * the call fails immediately, and the error reports the requested wait. Default: 60000 ms.
   */
  readonly maxRetryAfter?: number | undefined;
}

const retryNames = optionNames<RetryOptions>()('limit baseDelay maxDelay maxRetryAfter');

/** What to do when the rate limit is exhausted. */
export interface RateLimitOptions {
  /**
   * What to do when the rate limit is exhausted. `throw` throws a `RateLimitError`. `wait` waits
   * for the window to end. Default: `throw`.
   */
  readonly onLimit?: 'throw' | 'wait' | undefined;
  /**
   * Maximum time in ms that a call waits because of rate limits. Includes waits for the end of a
   * window, the end of a pause (after a secondary limit), the slower pace after a pause, and
   * `writeInterval`. If the wait would be longer, the call fails immediately.
   * `retry.maxRetryAfter` also limits the wait for the end of a pause. Default: 3600000 ms (1
   * hour).
   */
  readonly maxWait?: number | undefined;
  /**
   * Minimum time in ms between the starts of two writes with the same credentials. 0 disables the
   * interval. Default: 0. In `HostingClient`, the default is 1000 ms for a minute after a pause
   * caused by a rejected write.
   */
  readonly writeInterval?: number | undefined;
  /**
   * Store in which processes share quotas and pauses, such as `redisStore(client)` from
   * `triforge/redis`. Default: each client knows only its own limits.
   */
  readonly shared?: LimitStore | undefined;
}

const rateLimitNames = optionNames<RateLimitOptions>()('onLimit maxWait writeInterval shared');

/** Options for the conditional cache, which caches responses to GET requests. */
export interface CacheOptions {
  /** Store for cached responses. Several clients can share a store. Default: an in-memory store. */
  readonly store?: CacheStore | undefined;
  /** Maximum size of the in-memory store in bytes. Default: 67108864 (64 MiB). */
  readonly maxBytes?: number | undefined;
}

const cacheNames = optionNames<CacheOptions>()('store maxBytes');

/** Options that every call accepts. */
export interface RequestOptions {
  /** Signal that aborts the call. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limits for this call. A number sets the total limit in ms. `false` disables `total`,
   * `headers` and `body`. Omitted limits fall back to the client's limits. Default: the client's
   * `timeout`.
   */
  readonly timeout?: number | TimeoutOptions | false | undefined;
  /**
   * Additional headers, as an object, `Headers`, a `Map`, or an array of pairs. The client rejects
   * `authorization`, `cookie`, and headers that control the connection. Default: none.
   */
  readonly headers?: Fields<string> | undefined;
  /** Retry settings for this call. `false` disables retries. Default: the client's `retry`. */
  readonly retry?: RetryOptions | false | undefined;
  /** What to do if the response doesn't match its model. Default: the client's `validation`. */
  readonly validation?: ValidationMode | undefined;
}

export const requestNames = optionNames<RequestOptions>()(
  'signal timeout headers retry validation',
);

/**
 * Checks the `rateLimit` option and fills in its defaults.
 * @param learnedWriteInterval default write interval in ms for the minute after a pause that a
 * refused write caused.
 * @throws {ConfigurationError} if a setting is invalid.
 */
export function resolveRateLimit(given: RateLimitOptions = {}, learnedWriteInterval = 0) {
  checkOptions(given, rateLimitNames, 'rateLimit');
  const { onLimit = 'throw', maxWait, writeInterval, shared } = given;
  checkChoice('rateLimit.onLimit', onLimit, ['throw', 'wait']);
  if (shared !== undefined) checkStore('rateLimit.shared', shared, ['exchangeLimits']);
  return {
    onLimit,
    shared,
    maxWait: parseNumber('rateLimit.maxWait', maxWait, 3_600_000, 0),
    writeInterval: {
      always: parseNumber('rateLimit.writeInterval', writeInterval, 0, 0, 3_600_000),
      afterRefusal: writeInterval === undefined ? learnedWriteInterval : 0,
    },
  };
}

/**
 * Returns the `cache` option's store, or undefined if caching is off.
 * @throws {ConfigurationError} if the option is invalid.
 */
export function resolveCache(given: boolean | CacheOptions | undefined): CacheStore | undefined {
  if (given === undefined || given === false) return undefined;
  const options: CacheOptions = given === true ? {} : given;
  checkOptions(options, cacheNames, 'cache', 'true, false or ');
  const { store, maxBytes } = options;
  if (store !== undefined) checkStore('cache.store', store, ['get', 'set']);
  return store ?? new MemoryStore(parseNumber('cache.maxBytes', maxBytes, 64 * 1024 * 1024, 1));
}

const defaultTimeouts: Timeouts = { total: 60_000, headers: 30_000, body: 30_000 };

/**
 * Checks the `timeout` option and fills in omitted limits from `base`.
 * @throws {ConfigurationError} if a limit isn't a positive number.
 */
export function resolveTimeouts(
  given: number | TimeoutOptions | false | undefined,
  base: Timeouts = defaultTimeouts,
): Timeouts {
  if (given === undefined) return base;
  if (given === false) return { ...base, total: 0, headers: 0, body: 0 };
  const options = typeof given === 'number' ? { total: given } : given;
  checkOptions(options, timeoutNames, 'timeout', 'a number of milliseconds, false or ');
  const parse = (name: keyof TimeoutOptions) =>
    options[name] === false
      ? 0
      : parseNumber(`timeout.${name}`, options[name], base[name], 1, maxTimerDelay);
  return {
    total: parse('total'),
    headers: parse('headers'),
    body: parse('body'),
    totalIncludesLimits: options.total !== undefined || base.totalIncludesLimits === true,
  };
}

/**
 * Checks the `concurrency` option of a client or list.
 * @throws {ConfigurationError} if the value isn't a number from 1 to 100.
 */
export function resolveConcurrency(given: number | undefined, base = 1): number {
  return Math.floor(parseNumber('concurrency', given, base, 1, 100));
}

const retryDefaults: RetrySettings = {
  limit: 3,
  baseDelay: 250,
  maxDelay: 10_000,
  maxRetryAfter: 60_000,
};

/**
 * Checks the `retry` option and fills in omitted settings from `base`.
 * @throws {ConfigurationError} if a setting is invalid.
 */
export function resolveRetry(
  given: RetryOptions | false | undefined,
  base: RetrySettings = retryDefaults,
): RetrySettings {
  if (given === undefined) return base;
  if (given === false) return { ...base, limit: 0 };
  checkOptions(given, retryNames, 'retry', 'false or ');
  return {
    limit: Math.floor(parseNumber('retry.limit', given.limit, base.limit, 0, 100)),
    baseDelay: parseNumber('retry.baseDelay', given.baseDelay, base.baseDelay, 0),
    maxDelay: parseNumber('retry.maxDelay', given.maxDelay, base.maxDelay, 0),
    maxRetryAfter: parseNumber('retry.maxRetryAfter', given.maxRetryAfter, base.maxRetryAfter, 0),
  };
}

const validationModes: readonly ValidationMode[] = ['strict', 'warn', 'off'];

/**
 * Checks the `validation` option. Returns undefined if no mode is set, because the default depends
 * on the request's method.
 * @throws {ConfigurationError} if the mode is unknown.
 */
export function resolveValidation(
  given: ValidationMode | undefined,
  base?: ValidationMode,
): ValidationMode | undefined {
  const mode = given ?? base;
  return mode === undefined ? undefined : checkChoice('validation', mode, validationModes);
}

/**
 * Returns the mode in `TRIFORGE_VALIDATION`, which changes the default without a deployment.
 * @throws {ConfigurationError} if the mode is unknown.
 */
export function readValidationVariable(): ValidationMode | undefined {
  const { TRIFORGE_VALIDATION: mode } = process.env;
  return mode ? checkChoice('TRIFORGE_VALIDATION', mode, validationModes) : undefined;
}

/** Request options, plus `auth` to override the client's credentials for one call. */
export interface AuthOptions<Auth> extends RequestOptions {
  /** Credentials for this call only. Default: the client's `auth`. */
  readonly auth?: Auth | undefined;
}

export const callNames: OptionNames<AuthOptions<unknown>> = { ...requestNames, auth: true };

export const listNames: OptionNames<AuthOptions<unknown> & ListOptions> = {
  ...callNames,
  from: true,
  prefetch: true,
  concurrency: true,
};

/** @throws {InvalidRequestError} if `signal` isn't an `AbortSignal`. */
export function checkSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  throw createInputError('signal', `must be an AbortSignal (got ${describeKind(signal)})`);
}
