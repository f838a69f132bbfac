import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { getHeader, isRateLimitHeader, type RawHeaders } from '../http/headers.js';
import type { RawResponse } from '../http/raw-response.js';
import { formatUrl, type RequestSpec } from '../request/request-spec.js';

/** A cached response. */
export interface CacheEntry {
  /** Final URL after redirects, without credentials. */
  readonly url: string;
  /** Reason phrase. */
  readonly statusText: string;
  /** Cached response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Decoded body. */
  readonly body: Uint8Array;
  /**
   * Hash of the key and all other fields. Detects damaged and mixed-up entries, which are ignored.
   */
  readonly digest: string;
}

/** Matches headers that apply to a single response. Excludes rate-limit headers. */
const transientHeaders =
  /^(?:(?:x-)?(?:[a-z]+-)?request-id|date|age|expires|set-cookie|connection|keep-alive|trailer|transfer-encoding|content-length|content-encoding|www-authenticate|x-oauth-scopes|x-accepted-oauth-scopes)$/;

function isTransient(name: string): boolean {
  return transientHeaders.test(name) || isRateLimitHeader(name);
}

/** Computes a cache key. The key is a hash, because URLs and headers may be private. */
export function cacheKey(spec: RequestSpec, fingerprint: string): string {
  const headers = spec.headers.map(([name, value]) => `${name}: ${value}`).sort(compareTexts);
  const parts = [spec.method, formatUrl(spec.target), spec.accept, fingerprint, headers];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Compares two different strings for sorting. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : 1;
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
 * Returns whether a response may be cached. The response must be complete and have a validator, and
 * its headers must not forbid caching.
 */
export function isStorable(
  response: RawResponse,
): response is RawResponse & { readonly body: Buffer } {
  if (response.status !== 200 || !(response.body instanceof Buffer)) return false;
  const validators = ['etag', 'last-modified'];
  if (!validators.some((name) => getHeader(response.headers, name))) return false;
  if (/(?:^|,)\s*no-store\b/i.test(getHeader(response.headers, 'cache-control') ?? ''))
    return false;
  return !/(?:^|,)\s*\*/.test(getHeader(response.headers, 'vary') ?? '');
}

/** Returns the header that revalidates an entry, as a list. Empty if the entry has no validator. */
export function listValidators({ headers }: Pick<CacheEntry, 'headers'>): [string, string][] {
  const etag = getHeader(headers, 'etag');
  if (etag) return [['if-none-match', etag]];
  const modified = getHeader(headers, 'last-modified');
  return modified ? [['if-modified-since', modified]] : [];
}

/**
 * Returns whether a 304 has a different ETag than the entry (RFC 9111 section 4.3.4; weak
 * comparison).
 */
export function contradicts(entry: CacheEntry, response: RawResponse): boolean {
  const now = getHeader(response.headers, 'etag');
  const then = getHeader(entry.headers, 'etag');
  return now !== undefined && then !== undefined && parseOpaqueTag(now) !== parseOpaqueTag(then);
}

function parseOpaqueTag(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** Headers to ignore in a 304. These headers describe a body, but a 304 has no body. */
const bodyHeaders = new Set([
  'content-length',
  'content-encoding',
  'content-type',
  'transfer-encoding',
]);

/** Combines a cached response with the headers of a 304. */
export function refreshEntry(entry: CacheEntry, response: RawResponse): RawResponse {
  const fresh = Object.entries(response.headers).filter(([name]) => !bodyHeaders.has(name));
  return {
    failed: false,
    status: 200,
    statusText: entry.statusText,
    headers: Object.fromEntries([...listHeaders(entry.headers), ...fresh]),
    body: Buffer.from(entry.body.buffer, entry.body.byteOffset, entry.body.byteLength),
  };
}

export function selectStoredHeaders(headers: RawHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || isTransient(name) ? [] : [[name, value]],
    ),
  );
}

function listHeaders(headers: CacheEntry['headers']): [string, string | string[]][] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : [...value],
  ]);
}

/**
 * Validates an entry from a store and returns a copy. Returns undefined if the entry is damaged or
 * belongs to another key.
 */
export function validateEntry(key: string, found: NonNullable<unknown>): CacheEntry | undefined {
  if (typeof found !== 'object') return undefined;
  const given = found as Partial<Record<keyof CacheEntry, unknown>>; // `as`: each field is checked below
  const { url, statusText, headers, body, digest } = given;
  if (typeof url !== 'string' || typeof statusText !== 'string') return undefined;
  if (typeof headers !== 'object' || headers === null || !types.isUint8Array(body))
    return undefined;
  const fields: [string, string | string[]][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!isField(value)) return undefined;
    fields.push([name, typeof value === 'string' ? value : [...value]]);
  }
  const kept = Object.fromEntries(fields);
  const response = { url, statusText, headers: kept, body: new Uint8Array(body) };
  // Other programs may write entries with a valid digest, so reject headers that could split a
  // request.
  if (!listValidators(response).every(([, text]) => /^[\t\x20-\x7e\x80-\xff]+$/.test(text)))
    return undefined;
  return computeDigest(key, response) === digest ? { ...response, digest } : undefined;
}

/** Computes the digest that ties an entry to its key and detects damage. */
export function computeDigest(key: string, response: Omit<CacheEntry, 'digest'>): string {
  // Sort, because a database may return the fields in a different order.
  const headers = Object.entries(response.headers).sort(([a], [b]) => compareTexts(a, b));
  return createHash('sha256')
    .update(JSON.stringify([key, response.url, response.statusText, headers]))
    .update(response.body)
    .digest('base64url');
}

function isField(value: unknown): value is string | string[] {
  return (
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string'))
  );
}
