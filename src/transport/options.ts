import type { Dispatcher } from 'undici';
import { ConfigurationError, InvalidRequestError } from '../errors.js';
import type { CacheStore } from './cache.js';
import { kindOf } from './input.js';
import { MemoryStore } from './memory-store.js';

/** Time limits in milliseconds; `false` turns one off. */
export interface TimeoutOptions {
  /**
   * The whole call: all attempts, the waits between them, and reading the body. Waits for the rate
   * limit and the sending of a streamed body do not count. Default 60000.
   */
  readonly total?: number | false | undefined;
  /** From the request being sent until the header fields have come. Default 30000. */
  readonly headers?: number | false | undefined;
  /** Longest silence while a body comes in, and of the source of an upload. Default 30000. */
  readonly body?: number | false | undefined;
}

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

/** What happens when the hourly budget is used up. */
export interface RateLimitOptions {
  /** `throw` a `RateLimitError` (default), or `wait` until the window ends. */
  readonly onLimit?: 'throw' | 'wait' | undefined;
  /** Longest wait in ms; a longer one throws at once. Default 3600000 (an hour). */
  readonly maxWait?: number | undefined;
}

/** The conditional cache of GET requests. */
export interface CacheOptions {
  /** Where answers are kept; several clients may share one. Default: in memory. */
  readonly store?: CacheStore | undefined;
  /** Most bytes that the store in memory keeps. Default 67108864 (64 MiB). */
  readonly maxBytes?: number | undefined;
}

/** `strict` (default): an answer that does not fit raises `ResponseShapeError`; `warn`: it is reported by `diagnostics_channel` and returned; `off`: unchecked. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** What all three clients take. */
export interface ClientOptions {
  /** Where the API is. A missing trailing slash is added. */
  readonly baseUrl: string | URL;
  /** Put before the package's own User-Agent, which is always sent. */
  readonly userAgent?: string | undefined;
  /**
   * Any undici `Dispatcher`: proxies, TLS, interceptors, mocks. It is the caller's to close.
   * Default: an `Agent` of the client's own.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** A number is the total, in ms. */
  readonly timeout?: number | TimeoutOptions | undefined;
  /** `false` never repeats a call. */
  readonly retry?: RetryOptions | false | undefined;
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Default 10. */
  readonly maxRedirects?: number | undefined;
  readonly validation?: ValidationMode | undefined;
  /** Most bytes of an answer's body, decoded; streams are not limited. Default 104857600 (100 MiB). */
  readonly maxResponseBytes?: number | undefined;
  /** Other origins that may get the credentials, as `https://uploads.example.com`. Default none. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Keeps answers and asks with their validators (`If-None-Match`): many servers count a 304 as free.
   * The server is always asked. Default false.
   */
  readonly cache?: boolean | CacheOptions | undefined;
  /** Most requests in flight at once; more wait their turn. Default no limit. */
  readonly maxConcurrency?: number | undefined;
}

/** What every method takes after its input. */
export interface RequestOptions {
  /** Aborts the call, which rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** For this call; what is not given stays the client's. */
  readonly timeout?: number | TimeoutOptions | undefined;
  /** Further header fields. `authorization`, `host` and framing fields are refused. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** For this call; `false` never repeats it. */
  readonly retry?: RetryOptions | false | undefined;
  readonly validation?: ValidationMode | undefined;
}

/** The store of a `cache` option; undefined where nothing is cached. @throws {ConfigurationError} */
export function resolveCache(given: boolean | CacheOptions | undefined): CacheStore | undefined {
  if (given === undefined || given === false) return undefined;
  if (given !== true && (typeof given !== 'object' || given === null)) {
    throw new ConfigurationError(
      `cache: expected true, false or { store, maxBytes }, got ${kindOf(given)}`,
      'cache',
    );
  }
  const { store, maxBytes }: CacheOptions = given === true ? {} : given;
  const most = Math.floor(numberOf('cache.maxBytes', maxBytes, 64 * 1024 * 1024, 1));
  if (store === undefined) return new MemoryStore(most);
  if (typeof store !== 'object' || store === null) {
    throw new ConfigurationError(
      `cache.store: expected an object with get, set and delete, got ${kindOf(store)}`,
      'cache.store',
    );
  }
  for (const name of ['get', 'set', 'delete'] as const) {
    if (typeof store[name] !== 'function') {
      throw new ConfigurationError(`cache.store.${name}: expected a function`, 'cache.store');
    }
  }
  return store;
}

/** Every limit filled in; 0 is off. */
export interface Timeouts {
  readonly total: number;
  readonly headers: number;
  readonly body: number;
}

const defaultTimeouts: Timeouts = { total: 60_000, headers: 30_000, body: 30_000 };

/** Fills in what is not given from `base`. @throws {ConfigurationError} a limit that is not a positive number. */
export function resolveTimeouts(
  given: number | TimeoutOptions | undefined,
  base: Timeouts = defaultTimeouts,
): Timeouts {
  if (given === undefined) return base;
  if (typeof given !== 'number' && (typeof given !== 'object' || given === null)) {
    throw new ConfigurationError(
      `timeout: expected milliseconds, or { total, headers, body }, got ${kindOf(given)}`,
      'timeout',
    );
  }
  const options = typeof given === 'number' ? { total: given } : given;
  return {
    total: limitOf('timeout.total', options.total, base.total),
    headers: limitOf('timeout.headers', options.headers, base.headers),
    body: limitOf('timeout.body', options.body, base.body),
  };
}

function limitOf(option: string, given: number | false | undefined, base: number): number {
  if (given === false) return 0;
  // setTimeout fires at once beyond 31 bits.
  return numberOf(option, given, base, 1, 2 ** 31 - 1);
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
  throw new ConfigurationError(
    `${option}: expected a number from ${min} to ${max}, got ${String(given)}`,
    option,
  );
}

/** Every retry setting filled in. */
export interface RetrySettings {
  readonly limit: number;
  readonly baseDelay: number;
  readonly maxDelay: number;
  readonly maxRetryAfter: number;
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
    throw new ConfigurationError(
      `retry: expected false, or { limit, baseDelay, maxDelay, maxRetryAfter }, got ${kindOf(given)}`,
      'retry',
    );
  }
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
  throw new ConfigurationError(
    `validation: expected 'strict', 'warn' or 'off', got ${JSON.stringify(given)}`,
    'validation',
  );
}

const refusedHeaders = new Set(
  'authorization host connection content-length transfer-encoding keep-alive upgrade expect te trailer cookie'.split(
    ' ',
  ),
);

/**
 * The caller's own header fields, names in lower case.
 * @throws {InvalidRequestError} a name or value that is no header field, or a field that is not the caller's to set.
 */
export function checkHeaders(
  given: RequestOptions['headers'],
): ReadonlyArray<readonly [string, string]> {
  if (given === undefined) return [];
  const fields: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const field = `headers.${name}`;
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower)) {
      throw new InvalidRequestError(`${field}: expected a header field name`, field);
    }
    if (refusedHeaders.has(lower)) {
      throw new InvalidRequestError(`${field}: this field is set by the client itself`, field);
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new InvalidRequestError(
        `${field}: expected a string without control characters`,
        field,
      );
    }
    fields.push([lower, value]);
  }
  return fields;
}
