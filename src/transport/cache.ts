import { createHash } from 'node:crypto';
import type { Followed } from './follow.js';
import { headerOf, type RawHeaders, type RawResponse } from './raw-response.js';
import { type RequestSpec, urlOf } from './request-spec.js';

/** One answer, as a store keeps it. */
export interface CacheEntry {
  /** The URL that answered, after redirects; without credentials. */
  readonly url: string;
  readonly statusText: string;
  /** Header fields that belong to the answer itself, names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body, its content coding undone. */
  readonly body: Uint8Array;
}

/**
 * Where cached answers are kept. Keys are opaque, and tell credentials apart without holding them. A
 * store may forget at any time; what it throws, and what it is slow with, costs the cache and no call.
 */
export interface CacheStore {
  get(key: string): Promise<CacheEntry | undefined>;
  set(key: string, entry: CacheEntry): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A store is not waited for longer than this, in ms: asking the server anew is no slower. */
const storePatience = 1000;

/** With one of these the caller asks under conditions of his own. */
const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

/** Header fields of a message or of a moment, not of the answer that is kept. */
const passing =
  /^(?:x-ratelimit-.*|(?:x-)?(?:[a-z]+-)?request-id|date|age|expires|retry-after|set-cookie|connection|keep-alive|trailer|transfer-encoding|content-length|content-encoding|www-authenticate|x-oauth-scopes|x-accepted-oauth-scopes)$/;

/**
 * Asks again with the validator of what is kept, and answers from it where the server says 304. It
 * never answers without asking. Keyed by method, URL, header fields, and a fingerprint of the credentials.
 */
export class ConditionalCache {
  readonly #store: CacheStore;

  constructor(store: CacheStore) {
    this.#store = store;
  }

  /** @param send sends the request, or one that has further header fields. */
  async follow(
    spec: RequestSpec,
    fingerprint: string,
    send: (spec: RequestSpec) => Promise<Followed>,
  ): Promise<Followed> {
    const key = cacheKey(spec, fingerprint);
    const entry = await this.#find(key);
    if (!entry) return this.#keep(key, await send(spec));
    const validators = validatorsOf(entry);
    const followed = await send({ ...spec, headers: [...spec.headers, ...validators] });
    const { outcome } = followed;
    if (outcome.failed || outcome.status !== 304) return this.#keep(key, followed);
    if (!followed.trusted || urlOf(followed.target) !== entry.url) {
      // A redirect leads elsewhere by now: this 304 speaks of something else.
      this.#forget(key);
      return this.#keep(key, await send(spec));
    }
    return { ...followed, fromCache: true, outcome: renewed(entry, outcome) };
  }

  async #find(key: string): Promise<CacheEntry | undefined> {
    let found: unknown;
    try {
      found = await withPatience(this.#store.get(key));
    } catch {
      return undefined;
    }
    if (found === undefined || found === null) return undefined;
    if (isEntry(found)) return found;
    this.#forget(key); // a store may be shared with others, and on a disk
    return undefined;
  }

  #keep(key: string, followed: Followed): Followed {
    const { outcome } = followed;
    if (outcome.failed || !followed.trusted || !isStorable(outcome)) return followed;
    // The memory of the body is used again once it was decoded.
    const body = Uint8Array.from(outcome.body);
    const { statusText } = outcome;
    const url = urlOf(followed.target);
    this.#quietly(() =>
      this.#store.set(key, { url, statusText, headers: lasting(outcome.headers), body }),
    );
    return followed;
  }

  #forget(key: string): void {
    this.#quietly(() => this.#store.delete(key));
  }

  #quietly(act: () => Promise<void>): void {
    try {
      act().catch(() => undefined);
    } catch {
      // A store that can't keep is a cache that forgets.
    }
  }
}

/** Whether a request may be answered from the cache: a plain GET, whose URL holds no secret. */
export function isCacheable(spec: RequestSpec): boolean {
  return (
    spec.method === 'GET' &&
    spec.secrets.length === 0 &&
    !spec.headers.some(([name]) => conditions.includes(name))
  );
}

/** Nothing of it can be read back: URLs and header fields may be private. */
export function cacheKey(spec: RequestSpec, fingerprint: string): string {
  const headers = spec.headers.map(([name, value]) => `${name}: ${value}`).sort(byText);
  const parts = [spec.method, urlOf(spec.target), spec.accept, fingerprint, headers];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isStorable(answer: RawResponse): answer is RawResponse & { readonly body: Buffer } {
  if (answer.status !== 200 || !(answer.body instanceof Buffer)) return false;
  const validators = ['etag', 'last-modified'];
  if (!validators.some((name) => headerOf(answer.headers, name))) return false;
  if (/(?:^|,)\s*no-store\b/i.test(headerOf(answer.headers, 'cache-control') ?? '')) return false;
  return !/(?:^|,)\s*\*/.test(headerOf(answer.headers, 'vary') ?? '');
}

function validatorsOf({ headers }: CacheEntry): [string, string][] {
  const etag = headerOf(mutable(headers), 'etag');
  if (etag) return [['if-none-match', etag]];
  const modified = headerOf(mutable(headers), 'last-modified');
  return modified ? [['if-modified-since', modified]] : [];
}

/** What is kept, with the header fields that came now. */
function renewed(entry: CacheEntry, answer: RawResponse): RawResponse {
  const fresh = Object.entries(answer.headers).filter(
    ([name]) => name !== 'content-length' && name !== 'content-encoding',
  );
  return {
    failed: false,
    status: 200,
    statusText: entry.statusText,
    headers: { ...mutable(entry.headers), ...Object.fromEntries(fresh) },
    body: Buffer.from(entry.body.buffer, entry.body.byteOffset, entry.body.byteLength),
  };
}

function lasting(headers: RawHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !passing.test(name)) kept[name] = value;
  }
  return kept;
}

function mutable(headers: CacheEntry['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
}

function isEntry(value: unknown): value is CacheEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { url, statusText, headers, body } = value as Partial<Record<keyof CacheEntry, unknown>>; // `as`: each is judged below
  return (
    typeof url === 'string' &&
    typeof statusText === 'string' &&
    body instanceof Uint8Array &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every(isField) &&
    validatorsOf({ url, statusText, headers: { ...headers }, body }).every(([, text]) =>
      /^[\t\x20-\x7e\x80-\xff]+$/.test(text),
    )
  );
}

function isField(value: unknown): value is string | string[] {
  return (
    typeof value === 'string' ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string'))
  );
}

/** Undefined where it takes too long. */
function withPatience<T>(promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), storePatience);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
