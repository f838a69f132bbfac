import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import type { HttpResponse } from '../../../../src/transport/http/raw-response.js';
import { ConditionalCache } from '../../../../src/transport/policies/cache.js';
import type { CallContext } from '../../../../src/transport/policies/context.js';
import type { RequestSpec, Target } from '../../../../src/transport/request/request-spec.js';
import { type CacheEntry, cacheKey } from '../../../../src/transport/stores/cache-entry.js';
import type { CacheStore } from '../../../../src/transport/stores/stores.js';
import { anyJson, createCallContext, createJob } from '../prepared-calls.js';
import { spec } from './cached-spec.js';

/** URL of the responses. */
export const url = 'https://code.example.com/api/v3/thing?page=2';
/** Cache key of the request. */
export const key = cacheKey(spec, 'me');
/** The request's headers, without conditional headers. */
export const plain = spec.headers;

/** A response and its origin. */
export interface CameFrom {
  readonly response: HttpResponse;
  readonly target: Target;
  readonly trusted: boolean;
}

/** Creates a response, by default a 200. */
export function respond(headers: RawHeaders, status = 200, more: Partial<CameFrom> = {}): CameFrom {
  return {
    response: {
      failed: false,
      status,
      statusText: status === 200 ? 'OK' : 'Not Modified',
      headers,
      body: Buffer.from(status === 200 ? '{"new":1}' : ''),
    },
    target: spec.target,
    trusted: true,
    ...more,
  };
}

/** The outcome of a request that got no response. */
export const failed: CameFrom = {
  ...respond({}),
  response: { failed: true, kind: 'connection', cause: new Error(), sent: true, status: undefined },
};

/** Sends the request through a cache. `next` returns the outcome. */
export async function sendThrough(
  cache: ConditionalCache,
  next: (request: RequestSpec) => CameFrom,
): Promise<{ readonly response: HttpResponse; readonly context: CallContext }> {
  const context = createCallContext(createJob(anyJson, { spec }));
  context.attempt.identity = 'me';
  const response = await cache.send(spec, context, async (request) => {
    const { target, trusted, response } = next(request);
    Object.assign(context.attempt, { target, trusted });
    return response;
  });
  return { response, context };
}

/**
 * Computes the digest independently of the code under test, because stores outlive the version that
 * filled them.
 */
export function computeDigest(fields: Record<string, unknown>): string {
  const { headers, body } = fields;
  const sorted = Object.entries(headers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = body instanceof Uint8Array || Array.isArray(body) ? body : [];
  return createHash('sha256')
    .update(JSON.stringify([key, fields.url, fields.statusText, sorted]))
    .update(new Uint8Array(bytes))
    .digest('base64url');
}

/** Creates an entry with the specified changes and a valid digest. */
export function createEntry(change: Record<string, unknown> = {}): Record<string, unknown> {
  const fields = {
    url,
    statusText: 'Fine',
    headers: { etag: '"a"', 'content-type': 'application/json' },
    body: new Uint8Array(Buffer.from('{"old":1}')),
    ...change,
  };
  return { ...fields, digest: computeDigest(fields) };
}

/** Creates a store that always returns `found`. */
export function createStore(found: unknown) {
  return {
    // `as`: the cache must not trust a store, so tests can return any value.
    get: vi.fn(async (_key: string) => found as CacheEntry | undefined),
    set: vi.fn(async (_key: string, _entry: CacheEntry) => {}),
    delete: vi.fn(async (_key: string) => {}),
  } satisfies CacheStore;
}

/**
 * Sends a call through the cache. The server returns `responses` in order. Returns the result and
 * the sent headers.
 */
export async function follow(store: CacheStore, ...responses: CameFrom[]) {
  const sent: RequestSpec['headers'][] = [];
  const { response, context } = await sendThrough(new ConditionalCache(store), ({ headers }) => {
    const next = responses[sent.length];
    sent.push(headers);
    if (!next) throw new Error('requested more often than expected');
    return next;
  });
  const { attempt, settled } = context;
  return { response, fromCache: attempt.fromCache, keep: settled && (() => settled(true)), sent };
}

/** Returns the request's headers and a conditional header. */
export const conditional = (name: string, value: string) => [...plain, [name, value]];
