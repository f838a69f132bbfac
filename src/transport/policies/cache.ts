import { revealsSecret } from '../../masks/secrets.js';
import type { HttpResponse } from '../http/raw-response.js';
import { type Publish, publish } from '../request/diagnostics.js';
import { formatUrl, type RequestSpec } from '../request/request-spec.js';
import {
  type CacheEntry,
  cacheKey,
  computeDigest,
  contradicts,
  isCacheable,
  isStorable,
  listValidators,
  refreshEntry,
  selectStoredHeaders,
  validateEntry,
} from '../stores/cache-entry.js';
import { StoreAccess, withTimeout } from '../stores/store-access.js';
import { StoreLocks } from '../stores/store-locks.js';
import type { CacheStore, LockStore } from '../stores/stores.js';
import type { CallContext } from './context.js';
import type { Policy, Send } from './pipeline.js';

/** Longest wait in ms for the response to another call's identical request. */
const flightLease = 10_000;

/**
 * Longest wait in ms for a store that sets no `timeout`. A slower store is useless, because the
 * server responds faster.
 */
const storePatience = 1000;

/** Maximum number of pending writes. Keeps a slow store from filling the memory with bodies. */
const maxWrites = 64;

/**
 * Adds a cached response's validator to a request and returns the cached response if the server
 * responds with 304. Never returns a cached response without sending a request. Each key is a hash
 * of the method, URL, headers and credentials' fingerprint.
 */
export class ConditionalCache {
  readonly #store: CacheStore;
  readonly #patience: number;
  readonly #access: StoreAccess;
  readonly #locks: StoreLocks | undefined;
  readonly #writes = new Set<Promise<void>>();

  constructor(store: CacheStore, publishing: Publish = publish) {
    this.#store = store;
    this.#patience = store.timeout ?? storePatience;
    this.#access = new StoreAccess('cache', this.#patience, publishing);
    this.#locks = hasLocks(store) ? new StoreLocks(store, this.#access) : undefined;
  }

  /**
   * Sends a request with the cached response's validator, if there is one.
   *
   * If the store has locks, concurrent requests for the same response wait for the first request.
   * The waiting requests then send the validator from the first response.
   */
  async send(request: RequestSpec, context: CallContext, next: Send): Promise<HttpResponse> {
    const { deadline } = context;
    const key = cacheKey(request, context.attempt.identity);
    const acquiring = this.#locks?.acquire(key, flightLease, () => !deadline.interruption);
    const release = acquiring && (await deadline.waitFor(acquiring));
    if (!release) {
      // The lock may still be granted after an interruption, so release it.
      void acquiring?.then(
        (late) => late && this.#ignoreFailure(late),
        () => undefined,
      );
      return this.#revalidate(key, request, context, next);
    }
    try {
      return await this.#revalidate(key, request, context, next);
    } finally {
      const { settled } = context;
      if (settled)
        context.settled = (good) => settled(good).finally(() => this.#ignoreFailure(release));
      else void this.#ignoreFailure(release);
    }
  }

  /** Waits for pending writes, unless they take too long. */
  async close(): Promise<void> {
    while (this.#writes.size > 0) {
      try {
        await withTimeout(this.#patience, Promise.all(this.#writes));
      } catch {
        return;
      }
    }
  }

  async #revalidate(
    key: string,
    request: RequestSpec,
    context: CallContext,
    next: Send,
  ): Promise<HttpResponse> {
    const entry = await context.deadline.waitFor(this.#find(key));
    if (!entry) return this.#keepResponse(key, request, context, await next(request, context));
    const headers = [...request.headers, ...listValidators(entry)];
    const response = await next({ ...request, headers }, context);
    if (response.failed || response.status !== 304) {
      return this.#keepResponse(key, request, context, response);
    }
    if (
      !context.attempt.trusted ||
      formatUrl(context.attempt.target) !== entry.url ||
      contradicts(entry, response)
    ) {
      // The redirect changed, or a proxy mixed up responses, so this 304 doesn't validate the entry.
      this.#forget(key);
      return this.#keepResponse(key, request, context, await next(request, context));
    }
    context.attempt.fromCache = true;
    return refreshEntry(entry, response);
  }

  async #find(key: string): Promise<CacheEntry | undefined> {
    // `unknown`: a store may return invalid data.
    const found: unknown = await this.#access.request(() => this.#store.get(key));
    if (found === undefined || found === null) return undefined;
    try {
      const entry = validateEntry(key, found);
      if (!entry) this.#forget(key); // Other programs can write invalid entries.
      return entry;
    } catch {
      return undefined;
    }
  }

  /**
   * Copies a storable response, because its body may be part of a larger buffer. Stores the copy
   * after the response is decoded.
   */
  #keepResponse(
    key: string,
    request: RequestSpec,
    context: CallContext,
    response: HttpResponse,
  ): HttpResponse {
    if (response.failed || !context.attempt.trusted || !isStorable(response)) return response;
    if (this.#access.isLost || this.#writes.size >= maxWrites) return response;
    const url = formatUrl(context.attempt.target);
    // Don't store a URL into which a redirect copied the request's credentials.
    const isRedirected = url !== formatUrl(request.target);
    if (isRedirected && revealsSecret(url, context.secrets)) return response;
    const fields = {
      url,
      statusText: response.statusText,
      headers: selectStoredHeaders(response.headers),
      body: new Uint8Array(response.body),
    };
    context.settled = async (good) => {
      if (!good || this.#access.isLost) return;
      const entry = { ...fields, digest: computeDigest(key, fields) };
      await this.#ignoreFailure(() => this.#store.set(key, entry));
    };
    return response;
  }

  #forget(key: string): void {
    if (!this.#access.isLost) void this.#ignoreFailure(() => this.#store.delete(key));
  }

  /** Runs `act` as a pending write. Ignores failures, because a cache may lose entries. */
  #ignoreFailure(act: () => Promise<void>): Promise<void> {
    const ended = () => {
      this.#writes.delete(writing);
    };
    const writing = (async () => act())().then(ended, ended);
    this.#writes.add(writing);
    return writing;
  }
}

/** Sends cacheable GET requests for JSON through the cache. */
export function cacheResponses(
  cache: ConditionalCache,
  settings: { readonly secrets: readonly string[] },
): Policy {
  return (next) =>
    function revalidate(request, context) {
      return context.call.responseSpec.kind === 'json' && isCacheable(request, settings.secrets)
        ? cache.send(request, context, next)
        : next(request, context);
    };
}

function hasLocks(store: CacheStore): store is CacheStore & LockStore {
  return Boolean(store.acquireLock && store.lockOwner && store.releaseLock);
}
