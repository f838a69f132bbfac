import type { RateLimit } from '../../response-info.js';
import { headerOf, type RawHeaders } from './raw-response.js';
import { parseResetHeader } from './retry-after.js';

/** `X-RateLimit-*` of an answer; undefined where limit or remaining is missing or unreadable. */
export function parseRateLimit(headers: RawHeaders): RateLimit | undefined {
  const limit = countOf(headerOf(headers, 'x-ratelimit-limit'));
  const remaining = countOf(headerOf(headers, 'x-ratelimit-remaining'));
  if (limit === undefined || remaining === undefined) return undefined;
  return {
    limit,
    remaining,
    reset: parseResetHeader(headerOf(headers, 'x-ratelimit-reset')),
    resource: headerOf(headers, 'x-ratelimit-resource'),
  };
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
