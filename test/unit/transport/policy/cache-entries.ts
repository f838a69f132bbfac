import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { RawHeaders } from '../../../../src/transport/http/header-fields.js';
import { type CacheStore, ConditionalCache } from '../../../../src/transport/policy/cache.js';
import { type CacheEntry, cacheKey } from '../../../../src/transport/policy/cache-entry.js';
import type { FollowedResponse } from '../../../../src/transport/policy/redirects.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { spec } from './cached-spec.js';

/** Where the answers of these tests come from. */
export const url = 'https://code.example.com/api/v3/thing?page=2';
/** What the answer to the request is kept under. */
export const key = cacheKey(spec, 'me');
/** The header fields of the request, without conditions. */
export const plain = spec.headers;

/** An answer, or how one differs from a plain 200. */
export function answer(
  headers: RawHeaders,
  status = 200,
  more: Partial<FollowedResponse> = {},
): FollowedResponse {
  return {
    outcome: {
      failed: false,
      status,
      statusText: status === 200 ? 'OK' : 'Not Modified',
      headers,
      body: Buffer.from(status === 200 ? '{"new":1}' : ''),
    },
    target: spec.target,
    trusted: true,
    executed: false,
    secrets: [],
    ...more,
  };
}

/** No answer at all. */
export const failed: FollowedResponse = {
  ...answer({}),
  outcome: { failed: true, kind: 'connection', cause: new Error(), sent: true, status: undefined },
};

/** What the digest is of, written down once more: stores outlive the version that filled them. */
export function digestOf(fields: Record<string, unknown>): string {
  const { headers, body } = fields;
  const sorted = Object.entries(headers ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = body instanceof Uint8Array || Array.isArray(body) ? body : [];
  return createHash('sha256')
    .update(JSON.stringify([key, fields.url, fields.statusText, sorted]))
    .update(new Uint8Array(bytes))
    .digest('base64url');
}

/** An entry whose digest is right, whatever is wrong with it otherwise. */
export function entryOf(change: Record<string, unknown> = {}): Record<string, unknown> {
  const fields = {
    url,
    statusText: 'Fine',
    headers: { etag: '"a"', 'content-type': 'application/json' },
    body: new Uint8Array(Buffer.from('{"old":1}')),
    ...change,
  };
  return { ...fields, digest: digestOf(fields) };
}

/** A store that gives this one thing. */
export function storeOf(found: unknown) {
  return {
    // `as`: what a store gives is not believed, so it is not held to its type here.
    get: vi.fn(async (_key: string) => found as CacheEntry | undefined),
    set: vi.fn(async (_key: string, _entry: CacheEntry) => {}),
    delete: vi.fn(async (_key: string) => {}),
  } satisfies CacheStore;
}

/** Follows with these answers in turn; gives the result and the header fields that were sent. */
export async function follow(store: CacheStore, ...answers: FollowedResponse[]) {
  const cache = new ConditionalCache(store);
  const sent: RequestSpec['headers'][] = [];
  const followed = await cache.follow(spec, 'me', new Deadline([], 0), async ({ headers }) => {
    const next = answers[sent.length];
    sent.push(headers);
    if (!next) throw new Error('asked more often than expected');
    return next;
  });
  return { followed, sent };
}

/** The header fields of the request, with a condition. */
export const conditional = (name: string, value: string) => [...plain, [name, value]];
