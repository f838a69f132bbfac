import { STATUS_CODES } from 'node:http';
import type { FamilyOptions } from '../family.js';
import { sha1 } from '../random.js';
import { empty, type Reply } from '../reply.js';
import { vendorHeader } from '../vendor.js';
import type { HostingCaller, Window } from './callers.js';
import { requestedVersion } from './context.js';

/** Methods whose successful responses have an `ETag`. Real servers send no `ETag` for `DELETE`. */
const tagged: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT']);

/** Properties of a request that determine the response's headers. */
interface Finished {
  readonly request: Request;
  readonly caller: HostingCaller;
  /** Scopes that the route accepts. */
  readonly accepted: ReadonlySet<string>;
  /** The caller's rate limit. */
  readonly window: Window;
  /** Whether the request counted toward the rate limit. */
  readonly charged: boolean;
  /** Sequence number of the request, from which the request ID is derived. */
  readonly count: number;
}

/**
 * Adds the headers common to all API responses: `ETag`, rate limit, scopes and media type. A 304
 * doesn't count toward the rate limit.
 */
export function finish(
  reply: Reply,
  { request, caller, accepted, window, charged, count }: Finished,
  { vendor, clock }: Pick<FamilyOptions, 'vendor' | 'clock'>,
): Reply {
  // Doesn't spread the reply's headers, because Node 20 adds properties to such a copy slowly.
  const headers: Record<string, string> = Object.assign({}, reply.headers, {
    date: clock.now.toUTCString(),
    [vendorHeader(vendor, 'Media-Type')]: `${vendor}.${requestedVersion(request, vendor)}`,
    [vendorHeader(vendor, 'Request-Id')]: sha1('request', String(count)).slice(0, 16),
  });
  if (caller.scopes) {
    headers['X-OAuth-Scopes'] = caller.scopes.join(', ');
    headers['X-Accepted-OAuth-Scopes'] = [...accepted].sort((a, b) => (a < b ? -1 : 1)).join(', ');
  }
  let finished = reply;
  const success = reply.status === 200 || reply.status === 201;
  if (success && reply.body !== undefined && tagged.has(request.method)) {
    const etag =
      reply.headers.etag ??
      `"${sha1(reply.body, request.headers.get('accept') ?? '', caller.key)}"`;
    headers.etag = etag;
    headers['cache-control'] =
      `${caller.scheme === 'none' ? 'public' : 'private'}, max-age=60, s-maxage=60`;
    headers.vary = 'Accept, Authorization, Cookie';
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && matchesEtag(request.headers.get('if-none-match'), etag)) {
      finished = empty(304);
      delete headers['content-type'];
      if (charged) window.remaining += 1;
    }
  }
  headers['X-RateLimit-Limit'] = String(window.limit);
  headers['X-RateLimit-Remaining'] = String(window.remaining);
  headers['X-RateLimit-Reset'] = String(window.reset);
  // GitHub-style servers repeat the status line in a header, and some clients read only this header.
  headers.Status = `${finished.status} ${STATUS_CODES[finished.status] ?? ''}`;
  return { ...finished, headers };
}

/** Weakly compares `If-None-Match` with an ETag (RFC 9110, section 13.1.2). */
function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((each) => {
    const tag = each.trim().replace(/^W\//, '');
    return tag === etag || tag === '*';
  });
}
