import { isUtf8 } from 'node:buffer';
import type { RateLimit } from '../../response-info.js';

/** Headers as parsed by undici, with lowercase names. A repeated header is an array. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns one header as text. Joins repeated headers (RFC 9110 section 5.3). */
export function getHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'object' ? value.join(', ') : value;
}

/**
 * Returns a header that contains a URL. Restores raw UTF-8, which some servers send and undici
 * reads as Latin-1.
 */
export function getUrlHeader(headers: RawHeaders, name: string): string | undefined {
  const text = getHeader(headers, name);
  if (text === undefined) return undefined;
  const octets = Buffer.from(text, 'latin1');
  return isUtf8(octets) ? octets.toString() : text;
}

/** The three date formats of RFC 9110 section 5.6.7. `Date.parse` alone accepts many others. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d \d{4})$/;

/** Converts an HTTP date to milliseconds since the epoch. Returns undefined if it is invalid. */
export function parseHttpDate(value: string): number | undefined {
  if (!httpDate.test(value)) return undefined;
  const time = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** The last `Date` header and its time. All responses of a second have the same header. */
let lastDate = '';
let lastTime: number | undefined;

/**
 * Returns the server's time in ms since the epoch. Falls back to `now` if the `Date` header is
 * missing or invalid.
 */
function parseServerTime(headers: RawHeaders, now: number): number {
  const date = getHeader(headers, 'date') ?? '';
  if (date !== lastDate) [lastDate, lastTime] = [date, parseHttpDate(date)];
  return lastTime ?? now;
}

/**
 * Returns whether a header reports a rate limit. Such headers aren't secret and apply to a single
 * response.
 */
export function isRateLimitHeader(name: string): boolean {
  return name === 'retry-after' || name.startsWith('x-ratelimit-');
}

/**
 * Maximum number of seconds (68 years). Larger values are reduced to this number (RFC 9111 section
 * 1.2.2).
 */
const maxSeconds = 2 ** 31;

/**
 * Converts `Retry-After` (RFC 9110 section 10.2.3) to a wait in ms. Returns undefined if the header
 * is missing or invalid, and 0 if the time has passed.
 * @param now milliseconds since the epoch, on this machine's clock.
 */
export function parseRetryAfter(headers: RawHeaders, now: number): number | undefined {
  const text = getHeader(headers, 'retry-after')?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), maxSeconds) * 1000;
  const until = parseHttpDate(text);
  // The date uses the server's clock, so compare it with the server's time.
  return until === undefined ? undefined : Math.max(0, until - parseServerTime(headers, now));
}

/** Maximum value of `X-RateLimit-Reset`, which is the end of the year 9999. */
const lastSecond = 253_402_300_799;

/**
 * Parses `X-RateLimit-Reset` (epoch seconds). Returns undefined if the header is missing or
 * invalid.
 */
export function parseReset(headers: RawHeaders): Date | undefined {
  const seconds = parseHeaderNumber(getHeader(headers, 'x-ratelimit-reset'), 12);
  return seconds === undefined || seconds > lastSecond ? undefined : new Date(seconds * 1000);
}

/**
 * Maximum length of a rate-limit window in ms. Quotas are hourly, so a longer window is a server
 * error.
 */
export const maxWindow = 3_600_000;

/**
 * Returns the time in ms until a rate-limit window ends, according to the server's clock.
 * @param reset end of the window.
 */
export function computeTimeToReset(reset: Date, headers: RawHeaders, now: number): number {
  const left = reset.getTime() - parseServerTime(headers, now);
  return Math.min(Math.max(0, left), maxWindow);
}

/**
 * Parses `X-RateLimit-*`. Returns undefined if the limit or the remaining count is missing or
 * invalid.
 */
export function parseRateLimit(headers: RawHeaders): RateLimit | undefined {
  const limit = parseHeaderNumber(getHeader(headers, 'x-ratelimit-limit'), 15);
  const remaining = parseHeaderNumber(getHeader(headers, 'x-ratelimit-remaining'), 15);
  if (limit === undefined || remaining === undefined) return undefined;
  const resource = getHeader(headers, 'x-ratelimit-resource');
  return { limit, remaining, reset: parseReset(headers), resource };
}

export function formatRateLimit({ limit, remaining, reset }: RateLimit): RawHeaders {
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': reset ? `${reset.getTime() / 1000}` : undefined,
  };
}

/** Parses a number of at most `maxDigits` digits. */
function parseHeaderNumber(text = '', maxDigits: number): number | undefined {
  return text.length <= maxDigits && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Result of scanning a `Link` header. */
export interface LinkScan {
  /** URIs by lowercase relation type. They are unchanged from the header and may be relative. */
  readonly uris: Readonly<Record<string, string>>;
  /**
   * Description and position of the first link that can't be read. Earlier links are kept.
   * Undefined if the header is valid.
   */
  readonly problem: string | undefined;
}

/** Maximum length in characters. Longer headers are rejected. */
const maxLength = 1024 * 1024;

// Each pattern starts where the previous one ended. The patterns are separate, because a pattern
// for a whole link could backtrack.
const commas = /[ \t,]*/y;
const target = /<([^<>]*)>/y;
/** A parameter. Some servers omit the value, or send a semicolon without a parameter. */
const parameter =
  /[ \t]*;[ \t]*(?:([!#$%&'*+\-.^_`|~\w]+)[ \t]*(?:=[ \t]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^ \t;,"<>]*)))?)?/sy;
const end = /[ \t]*(?=,|$)/y;

/**
 * Matches a value in single quotes, which some servers send instead of double quotes. Without this
 * rule, a list would end early at `rel='next'`.
 */
const singleQuoted = /^'(.*)'$/s;

/**
 * Scans a `Link` header (RFC 8288 section 3). Supports quoted commas, several relation types per
 * link, attributes in any order, and unquoted values. If a relation type or a link's `rel` is
 * repeated, the first one is used. Omits links with an `anchor`, which belong to other resources.
 * Never throws.
 */
export function scanLinkHeader(value: string): LinkScan {
  const uris: Record<string, string> = Object.create(null);
  if (value.length > maxLength) {
    const problem = `the header has ${value.length} characters, but the limit is ${maxLength}`;
    return { uris, problem };
  }
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(value);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (read(commas); at < value.length; read(commas)) {
    const start = at;
    const [, uri] = read(target) ?? [];
    let rel: string | undefined;
    let hasAnchor = false;
    for (let found = read(parameter); found; found = read(parameter)) {
      const [, name = '', quoted, bare = ''] = found;
      const attribute = name.toLowerCase();
      if (attribute === 'anchor') hasAnchor = true;
      else if (attribute === 'rel') {
        rel ??= quoted?.replace(/\\(.)/gs, '$1') ?? bare.replace(singleQuoted, '$1');
      }
    }
    if (uri === undefined || !read(end)) {
      return { uris, problem: `invalid link at character ${start}` };
    }
    if (hasAnchor) continue;
    for (const type of (rel ?? '').toLowerCase().split(/[ \t]+/)) {
      if (type !== '') uris[type] ??= uri.trim();
    }
  }
  return { uris, problem: undefined };
}

/**
 * Returns the URL for each relation type in a `Link` header. If a type is repeated, the first link
 * is used. Omits links with an `anchor`, and everything after an invalid part.
 */
export function parseLinkHeader(value: string | undefined): Readonly<Record<string, string>> {
  return scanLinkHeader(value ?? '').uris;
}
