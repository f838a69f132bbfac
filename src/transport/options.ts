import { ConfigurationError } from '../errors/index.js';
import { checkOptions, invalidOption, optionNames } from '../option-names.js';
import { isReadable } from '../schema/unknown-values.js';
import type { Timeouts } from './dispatch/deadline.js';
import { MemoryStore } from './policy/memory-store.js';
import type { RetrySettings } from './policy/retry-decision.js';
import type { CacheStore, SharedLimits } from './policy/stores.js';
import type { ExtraInputs } from './request/extra-inputs.js';
import type { Fields } from './request/fields.js';
import { kindOf, shown } from './request/input.js';
import type { ValidationMode } from './response/parse-response.js';

/** Time limits in milliseconds; `false` turns one off. */
export interface TimeoutOptions {
  /**
   * The whole call: the wait for `maxConcurrency`, all attempts, the waits between them, and reading the
   * body. Waits for a rate limit, which `rateLimit.maxWait` bounds, and the sending of a streamed body do
   * not count. Default: 60000 ms.
   */
  readonly total?: number | false | undefined;
  /** From the request being sent until the header fields have come. Default 30000 ms. */
  readonly headers?: number | false | undefined;
  /** Longest silence while a body comes in, and of the source of an upload. Default 30000 ms. */
  readonly body?: number | false | undefined;
}

const timeoutNames = optionNames<TimeoutOptions>()('total headers body');

/** When a failed call is sent again. Only what is safe is: see `docs/architecture.md`. */
export interface RetryOptions {
  /** How often a call is repeated at most. Default 3; 0 never repeats. */
  readonly limit?: number | undefined;
  /** First backoff in ms, doubled each time, with full jitter. Default 250. */
  readonly baseDelay?: number | undefined;
  /** Longest backoff of ours in ms. Default 10000. */
  readonly maxDelay?: number | undefined;
  /**
   * Longest wait in ms that a server may ask for by `Retry-After`; what exceeds it is an error at
   * once, with the time in it. Default 60000.
   */
  readonly maxRetryAfter?: number | undefined;
}

const retryNames = optionNames<RetryOptions>()('limit baseDelay maxDelay maxRetryAfter');

/** How a client is closed. */
export interface CloseOptions {
  /**
   * Milliseconds that calls in flight, and streams that are being read, may take to finish. They fail
   * after that. 0 ends them immediately. Default: 5000 ms.
   */
  readonly gracePeriod?: number | undefined;
}

const closeNames = optionNames<CloseOptions>()('gracePeriod');

/** @throws {ConfigurationError} if the period is not a number of milliseconds. */
export function resolveGracePeriod(given: CloseOptions = {}): number {
  checkOptions(given, closeNames, 'close');
  // setTimeout fires immediately beyond 31 bits.
  return numberOf('gracePeriod', given.gracePeriod, 5000, 0, 2 ** 31 - 1);
}

/** What happens when the hourly budget is used up. */
export interface RateLimitOptions {
  /** `throw` a `RateLimitError` (default), or `wait` until the window ends. */
  readonly onLimit?: 'throw' | 'wait' | undefined;
  /**
   * Longest wait in ms for the end of the window, or of a secondary limit; a longer one throws immediately.
   * Not for `maxConcurrency`: `timeout.total` bounds that wait. Default: 3600000 (an hour).
   */
  readonly maxWait?: number | undefined;
  /**
   * Where processes share the budgets, pauses and `maxConcurrency` (where it is given), such as
   * `redisStore(client)` of `triforge/redis`. Default: each client for itself.
   */
  readonly shared?: SharedLimits | undefined;
  /** Paces calls evenly over the window of their budget, where `shared` keeps it. Default false. */
  readonly spread?: boolean | undefined;
}

const rateLimitNames = optionNames<RateLimitOptions>()('onLimit maxWait shared spread');

/** The conditional cache of GET requests. */
export interface CacheOptions {
  /** Where answers are kept; several clients may share one. Default: in memory. */
  readonly store?: CacheStore | undefined;
  /** Most bytes that the store in memory keeps. Default 67108864 (64 MiB). */
  readonly maxBytes?: number | undefined;
}

const cacheNames = optionNames<CacheOptions>()('store maxBytes');

/** Options of every call. */
export interface RequestOptions {
  /** Aborts the call, which rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** For this call; a number is the total, in ms; what is not given stays the client's. `false` turns all limits off. */
  readonly timeout?: number | TimeoutOptions | false | undefined;
  /** Further header fields: an object, `Headers`, a `Map`, or pairs. `authorization`, `host` and framing fields are refused. Default none. */
  readonly headers?: Fields<string> | undefined;
  /** For this call; `false` never repeats it. */
  readonly retry?: RetryOptions | false | undefined;
  /** What becomes of an answer that does not fit its model. Default: the client's. */
  readonly validation?: ValidationMode | undefined;
  /**
   * Inputs that the server knows and the method does not: sent as its other inputs are, or in the query.
   * Never in place of a named input. Default none.
   */
  readonly extra?: ExtraInputs | undefined;
}

/** The names of {@link RequestOptions}. */
export const requestNames = optionNames<RequestOptions>()(
  'signal timeout headers retry validation extra',
);

/** What happens at the limit, and the longest wait for it. @throws {ConfigurationError} */
export function resolveRateLimit(given: RateLimitOptions = {}) {
  checkOptions(given, rateLimitNames, 'rateLimit');
  const { onLimit = 'throw', maxWait, shared, spread = false } = given;
  if (onLimit !== 'throw' && onLimit !== 'wait') {
    throw invalidOption('rateLimit.onLimit', "expected 'throw' or 'wait'");
  }
  if (shared !== undefined) checkStore('rateLimit.shared', shared, ['exchange']);
  if (typeof spread !== 'boolean') {
    throw invalidOption('rateLimit.spread', 'expected true or false');
  }
  if (spread && shared === undefined) {
    throw invalidOption(
      'rateLimit.spread',
      'works with rateLimit.shared alone, such as redisStore(client)',
    );
  }
  return { onLimit, maxWait: numberOf('rateLimit.maxWait', maxWait, 3_600_000, 0), shared, spread };
}

/** The store of a `cache` option; undefined where nothing is cached. @throws {ConfigurationError} */
export function resolveCache(given: boolean | CacheOptions | undefined): CacheStore | undefined {
  if (given === undefined || given === false) return undefined;
  if (given !== true && (typeof given !== 'object' || given === null)) {
    throw invalidOption(
      'cache',
      `expected true, false or { store, maxBytes }, got ${kindOf(given)}`,
    );
  }
  const options: CacheOptions = given === true ? {} : given;
  checkOptions(options, cacheNames, 'cache');
  const { store, maxBytes } = options;
  const most = Math.floor(numberOf('cache.maxBytes', maxBytes, 64 * 1024 * 1024, 1));
  if (store === undefined) return new MemoryStore(most);
  checkStore('cache.store', store, ['get', 'set', 'delete']);
  return store;
}

/** @throws {ConfigurationError} no object, or one without these methods. */
export function checkStore<T extends object>(
  option: string,
  store: T,
  methods: readonly (keyof T & string)[],
): void {
  if (typeof store !== 'object' || store === null || !isReadable(store)) {
    throw invalidOption(
      option,
      `expected an object with ${methods.join(', ').replace(/, (\w+)$/, ' and $1')}, got ${kindOf(store)}`,
    );
  }
  for (const name of methods) {
    if (typeof store[name] !== 'function') {
      throw new ConfigurationError(`${option}.${name}: expected a function`, { option });
    }
  }
}

const defaultTimeouts: Timeouts = { total: 60_000, headers: 30_000, body: 30_000 };

/** Fills in what is not given from `base`. @throws {ConfigurationError} a limit that is not a positive number. */
export function resolveTimeouts(
  given: number | TimeoutOptions | false | undefined,
  base: Timeouts = defaultTimeouts,
): Timeouts {
  if (given === undefined) return base;
  if (given === false) return { total: 0, headers: 0, body: 0 };
  if (typeof given !== 'number' && (typeof given !== 'object' || given === null)) {
    throw invalidOption(
      'timeout',
      `expected milliseconds, false, or { total, headers, body }, got ${kindOf(given)}`,
    );
  }
  const options = typeof given === 'number' ? { total: given } : given;
  checkOptions(options, timeoutNames, 'timeout');
  return {
    total: limitOf('timeout.total', options.total, base.total),
    headers: limitOf('timeout.headers', options.headers, base.headers),
    body: limitOf('timeout.body', options.body, base.body),
  };
}

function limitOf(option: string, given: number | false | undefined, base: number): number {
  if (given === false) return 0;
  // setTimeout fires immediately beyond 31 bits.
  return numberOf(option, given, base, 1, 2 ** 31 - 1);
}

/** How many pages of a list may be ahead. @throws {ConfigurationError} */
export function resolveConcurrency(given: number | undefined, base = 1): number {
  return Math.floor(numberOf('concurrency', given, base, 1, 100));
}

/** A number within bounds, or its default. @throws {ConfigurationError} naming the option. */
export function numberOf(
  option: string,
  given: number | undefined,
  base: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (given === undefined) return base;
  if (typeof given === 'number' && given >= min && given <= max) return given;
  throw invalidOption(option, `expected a number from ${min} to ${max}, got ${shown(given)}`);
}

const defaultRetry: RetrySettings = {
  limit: 3,
  baseDelay: 250,
  maxDelay: 10_000,
  maxRetryAfter: 60_000,
};

/** Fills in what is not given from `base`. @throws {ConfigurationError} */
export function resolveRetry(
  given: RetryOptions | false | undefined,
  base: RetrySettings = defaultRetry,
): RetrySettings {
  if (given === undefined) return base;
  if (given === false) return { ...base, limit: 0 };
  if (typeof given !== 'object' || given === null) {
    throw invalidOption(
      'retry',
      `expected false, or { limit, baseDelay, maxDelay, maxRetryAfter }, got ${kindOf(given)}`,
    );
  }
  checkOptions(given, retryNames, 'retry');
  return {
    limit: Math.floor(numberOf('retry.limit', given.limit, base.limit, 0, 100)),
    baseDelay: numberOf('retry.baseDelay', given.baseDelay, base.baseDelay, 0),
    maxDelay: numberOf('retry.maxDelay', given.maxDelay, base.maxDelay, 0),
    maxRetryAfter: numberOf('retry.maxRetryAfter', given.maxRetryAfter, base.maxRetryAfter, 0),
  };
}

/** A validation mode, or its default. @throws {ConfigurationError} */
export function resolveValidation(
  given: ValidationMode | undefined,
  base: ValidationMode = 'strict',
): ValidationMode {
  if (given === undefined) return base;
  if (given === 'strict' || given === 'warn' || given === 'off') return given;
  throw invalidOption('validation', `expected 'strict', 'warn' or 'off', got ${shown(given)}`);
}
