import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { revealsSecret } from '../../masks/secrets.js';
import { isRecord } from '../../schema/unknown-values.js';
import { getHeader, isRateLimitHeader, type RawHeaders } from '../http/headers.js';
import type { BufferedResponse, HttpResponse, RawResponse } from '../http/raw-response.js';
import { type Publish, publish } from '../request/diagnostics.js';
import { formatUrl, type RequestSpec } from '../request/request-spec.js';
import { decodeJson } from '../response/parse-response.js';
import { type CacheStore, StoreAccess, withTimeout } from '../stores/stores.js';
import type { CallContext, Policy, Send } from './context.js';

/**
 * Longest wait in ms for a store that sets no `timeout`. A slower store is useless, because the
 * server responds faster.
 */
const storePatience = 1000;

/** Time in ms for which a store should keep a response. */
const lifetime = 86_400_000;

/** Maximum number of pending writes. Keeps a slow store from filling memory with bodies. */
const maxWrites = 64;

/**
 * Adds a cached response's validator to a request and returns the cached response if the server
 * responds with 304. Never returns a cached response without sending a request.
 */
export class ConditionalCache {
  readonly #store: CacheStore;
  readonly #patience: number;
  readonly #access: StoreAccess;
  readonly #writes = new Set<Promise<unknown>>();

  constructor(store: CacheStore, publishing: Publish = publish) {
    this.#store = store;
    this.#patience = store.timeout ?? storePatience;
    this.#access = new StoreAccess('cache', this.#patience, publishing);
  }

  /** Sends a request with the cached response's validator, if there is one. */
  async send(request: RequestSpec, context: CallContext, next: Send): Promise<HttpResponse> {
    const key = cacheKey(request, context.attempt.identity + context.settings.certificate);
    const finding = this.#access.request(() => this.#store.get(key));
    const entry = parseEntry(key, await context.deadline.waitFor(finding));
    if (!entry) return this.#keep(key, request, context, await next(request, context));
    const headers = [...request.headers, entry.validator];
    const response = await next({ ...request, headers }, context);
    if (response.failed || response.status !== 304) {
      return this.#keep(key, request, context, response);
    }
    const { attempt } = context;
    if (
      !attempt.trusted ||
      formatUrl(attempt.target) !== entry.url ||
      contradicts(entry, response)
    ) {
      // The redirect changed, or a proxy mixed up responses, so this 304 doesn't validate the
      // entry.
      return this.#keep(key, request, context, await next(request, context));
    }
    attempt.fromCache = true;
    context.settled = (good) => {
      if (!good) this.#write(key, '', 1); // Another program may have damaged the body.
    };
    return refreshEntry(entry, response);
  }

  /** Waits for pending writes, unless they take too long. */
  async close(): Promise<void> {
    await withTimeout(this.#patience, Promise.all(this.#writes)).catch(() => undefined);
  }

  /** Stores a storable response once it is decoded. */
  #keep(
    key: string,
    request: RequestSpec,
    context: CallContext,
    response: HttpResponse,
  ): HttpResponse {
    if (response.failed || !context.attempt.trusted || !isStorable(response)) return response;
    const url = formatUrl(context.attempt.target);
    // Don't store a URL into which a redirect copied the request's credentials.
    const isRedirected = url !== formatUrl(request.target);
    if (isRedirected && revealsSecret(url, context.secrets)) return response;
    context.settled = (good) => {
      if (good) this.#write(key, formatEntry(key, url, response), lifetime);
    };
    return response;
  }

  #write(key: string, value: string, kept: number): void {
    if (this.#access.isLost || this.#writes.size >= maxWrites) return;
    const writing = Promise.resolve()
      .then(() => this.#store.set(key, value, kept))
      .catch(() => undefined) // A cache may lose entries.
      .finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
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

/** Computes a cache key. The key is a hash, because URLs and headers may be private. */
export function cacheKey(spec: RequestSpec, fingerprint: string): string {
  const parts = [spec.method, formatUrl(spec.target), spec.accept, fingerprint, spec.headers];
  return `cache:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
}

/** Conditional and range headers. A request that has one bypasses the cache. */
const conditions = /^(?:range|if-(?:range|(?:none-)?match|(?:un)?modified-since))$/;

/**
 * Returns whether responses to a request may be cached. The request must be a GET without
 * conditional or range headers, and its URL must not contain a secret.
 * @param shared secrets in the client's headers and proxy URL, which are never part of a request's
 * URL.
 */
export function isCacheable(spec: RequestSpec, shared: readonly string[] = []): boolean {
  return (
    spec.method === 'GET' &&
    spec.secrets.length === shared.length &&
    !spec.headers.some(([name]) => conditions.test(name))
  );
}

/**
 * Returns whether a response may be cached. The response must be complete UTF-8 text and have a
 * validator, and its headers must not forbid caching.
 */
export function isStorable(response: RawResponse): response is BufferedResponse {
  const { status, headers, body } = response;
  return (
    status === 200 &&
    !(body instanceof Readable) &&
    isUtf8(Buffer.concat(body)) &&
    findValidator(headers) !== undefined &&
    !/(?:^|,)\s*no-store\b/i.test(getHeader(headers, 'cache-control') ?? '') &&
    !/(?:^|,)\s*\*/.test(getHeader(headers, 'vary') ?? '')
  );
}

/** Returns the header that revalidates a response. Undefined if the response has no validator. */
function findValidator(headers: RawHeaders): readonly [string, string] | undefined {
  const etag = getHeader(headers, 'etag');
  if (etag) return ['if-none-match', etag];
  const modified = getHeader(headers, 'last-modified');
  return modified ? ['if-modified-since', modified] : undefined;
}

/** A cached response. */
interface CacheEntry {
  /** Final URL after redirects, without credentials. */
  readonly url: string;
  readonly statusText: string;
  readonly headers: RawHeaders;
  readonly validator: readonly [string, string];
  readonly body: string;
}

/** Matches headers that apply to a single response. Excludes rate-limit headers. */
const transientHeaders =
  /^(?:(?:x-)?(?:[a-z]+-)?request-id|date|age|expires|set-cookie|connection|keep-alive|trailer|transfer-encoding|content-length|content-encoding|www-authenticate|x-oauth-scopes|x-accepted-oauth-scopes)$/;

/** Formats a response as text: a line of JSON with everything but the body, then the body. */
export function formatEntry(key: string, url: string, response: BufferedResponse): string {
  const headers = Object.entries(response.headers).filter(
    ([name]) => !transientHeaders.test(name) && !isRateLimitHeader(name),
  );
  const { statusText } = response;
  const body = Buffer.concat(response.body).toString();
  // The key detects an entry for another request, and the length detects a truncated body.
  const about = { key, url, statusText, length: body.length };
  const head = { ...about, headers: Object.fromEntries(headers) };
  return `${JSON.stringify(head)}\n${body}`;
}

/** Parses text from a store. Returns undefined for text that isn't the key's complete entry. */
export function parseEntry(key: string, text: unknown): CacheEntry | undefined {
  if (typeof text !== 'string') return undefined;
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  const decoded = decodeJson([Buffer.from(text.slice(0, Math.max(end, 0)))], {});
  const head = decoded.ok ? decoded.value : undefined;
  if (!isRecord(head) || !areHeaders(head.headers)) return undefined;
  if (head.key !== key || head.length !== body.length) return undefined;
  const { url, statusText, headers } = head;
  if (typeof url !== 'string' || typeof statusText !== 'string') return undefined;
  const validator = findValidator(headers);
  // Other programs may write entries, so reject headers that could split a request.
  if (!validator || !/^[\t\x20-\x7e\x80-\xff]+$/.test(validator[1])) return undefined;
  return { url, statusText, headers, validator, body };
}

function areHeaders(value: unknown): value is Record<string, string | string[]> {
  const isText = (each: unknown) => typeof each === 'string';
  const isField = (each: unknown) => isText(each) || (Array.isArray(each) && each.every(isText));
  return isRecord(value) && Object.values(value).every(isField);
}

/**
 * Returns whether a 304 has a different ETag than the entry (RFC 9111 section 4.3.4; weak
 * comparison).
 */
function contradicts(entry: CacheEntry, response: RawResponse): boolean {
  const opaqueTag = (headers: RawHeaders) => getHeader(headers, 'etag')?.replace(/^W\//, '');
  const [now, then] = [opaqueTag(response.headers), opaqueTag(entry.headers)];
  return now !== undefined && then !== undefined && now !== then;
}

/** Headers to ignore in a 304. These headers describe a body, but a 304 has no body. */
const bodyHeaders = /^(?:content-length|content-encoding|content-type|transfer-encoding)$/;

/** Combines a cached response with the headers of a 304. */
function refreshEntry(entry: CacheEntry, response: RawResponse): RawResponse {
  const fresh = Object.entries(response.headers).filter(([name]) => !bodyHeaders.test(name));
  return {
    failed: false,
    status: 200,
    statusText: entry.statusText,
    headers: { ...entry.headers, ...Object.fromEntries(fresh) },
    body: [Buffer.from(entry.body)],
  };
}
