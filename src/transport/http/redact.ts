import { containsSecret } from '../../masks/nested-secrets.js';
import {
  createMasks,
  mask,
  maskHost,
  maskText,
  maskWord,
  minMasked,
} from '../../masks/secret-masks.js';
import { isRateLimitHeader } from './headers.js';

/**
 * Query parameters that are never secret. The values of all other parameters are shown as `***`.
 */
const harmless = new Set(
  [
    'page per_page state sort direction head base ref since until order_by order_dir count index',
    'type name label namespace filter contact_id campaign_id source with_tag without_tag',
    'created_since updated_since crm_id after before cursor',
  ].flatMap((names) => names.split(' ')),
);

/** Headers that are never secret, in addition to rate-limit headers. */
const harmlessHeaders = new Set(
  [
    'accept cache-control content-encoding content-length content-type date etag last-modified',
    'server vary x-oauth-scopes x-accepted-oauth-scopes x-poll-interval',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Vendor headers that are never secret. Operators need the request ID to find a request in the
 * server's log.
 */
const harmlessByVendor = /^x-(?:[a-z0-9]+-)?(?:request-id|media-type)$/;

/**
 * Control and format characters, for use in regular expressions. Create such an expression only
 * when it is needed, because V8 checks every Unicode character to compile `\p{…}`.
 */
export const unprintable = String.raw`\p{Cc}\p{Cf}`;

/** Matches characters that must not reach a terminal or a log. Valid URLs don't contain them. */
const createUnprintablePattern = () => new RegExp(`[${unprintable}\\s]+`, 'gu');

/** Masks query values and known secrets in a URL. Removes user info and fragment. */
export function showUrl(url: string, secrets: readonly string[]): string {
  const hash = url.indexOf('#');
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf('?');
  const place = (mark < 0 ? whole : whole.slice(0, mark)).replace(/\/\/[^/]*@/, '//');
  const query = mark < 0 ? '' : `?${showQuery(whole.slice(mark + 1))}`;
  return maskUrl(place + query, secrets).replace(createUnprintablePattern(), encodeURIComponent);
}

/**
 * Masks a URL that a server sent. The URL may contain nested encodings of secrets, which the masks
 * for the client's own URLs don't find.
 */
export function showNamedUrl(url: string, secrets: readonly string[]): string {
  const shown = showUrl(url, secrets);
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(shown)?.[0] ?? '';
  if (containsSecret(removeDots(origin), secrets)) return mask;
  return containsSecret(shown, secrets) ? `${origin}/${mask}` : shown;
}

/** Removes dots, because a secret may be split into host labels of at most 63 characters. */
export function removeDots(origin: string): string {
  return origin.replaceAll('.', '');
}

/** Maximum length of a page's URL, in characters. Documentation pages have short URLs. */
const maxPageLength = 2000;

/**
 * Normalizes the URL of a page that users may open. Removes control characters, the username and
 * the password, and masks secrets. Returns undefined if the URL isn't an http or https URL, or
 * still contains a secret.
 */
export function showPage(page: string | undefined, secrets: readonly string[]): string | undefined {
  if (!page || page.length > maxPageLength || !URL.canParse(page)) return undefined;
  const url = new URL(page);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  const shown = maskUrl(url.href, secrets);
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(shown)?.[0] ?? '';
  const isClean = !containsSecret(shown, secrets) && !containsSecret(removeDots(origin), secrets);
  return isClean ? shown : undefined;
}

/**
 * Masks known secrets in a URL's host, path segments and query values. Keeps the URL's structure.
 */
export function maskUrl(url: string, secrets: readonly string[]): string {
  const masks = createMasks(secrets);
  if (masks === undefined) return url;
  const [origin = '', scheme = '', host = '', port = ''] =
    /^([a-z]+:\/\/)([^/?#]*?)(:\d*)?(?=[/?#]|$)/i.exec(url) ?? [];
  // Mask secrets with delimiters before the split, because they may span several parts of a URL.
  const rest = maskSecrets(
    url.slice(origin.length),
    secrets.filter((secret) => /[^\w.-]/.test(secret)),
  )
    .split(/([/?&=;#])/)
    .map((part) => (part.length < minMasked ? part : maskWholeWord(part, secrets)));
  return scheme + maskHost(host, masks) + port + rest.join('');
}

function showQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      if (pair === '' || harmless.has(name)) return pair;
      return equals < 0 ? mask : `${name}=${mask}`;
    })
    .join('&');
}

/** Masks the secrets in harmless headers and the whole values of all other headers. */
export function showHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const known =
      harmlessHeaders.has(name) || harmlessByVendor.test(name) || isRateLimitHeader(name);
    shown[name] = known ? showText(value, secrets, 1000) : mask;
  }
  return shown;
}

/**
 * Masks every known secret in a string, in any supported encoding. If control characters split a
 * secret, all control characters are removed from the string.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const masks = createMasks(secrets);
  if (!masks) return text;
  const clean = maskText(text, masks);
  const joined = removeControls(clean);
  if (joined === clean) return clean;
  const masked = maskText(joined, masks);
  return masked === joined ? clean : masked;
}

/**
 * Removes control and format characters with the spaces around them, because a secret may continue
 * on an indented line.
 */
function removeControls(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const control = new RegExp(`[${unprintable}\\p{Zl}\\p{Zp}]`, 'u');
  return text.replace(createUnprintablePattern(), (run) => (control.test(run) ? '' : run));
}

/**
 * Masks secrets in a machine-readable word, such as an error code. Short secrets are masked only if
 * they are the whole word.
 */
export function maskWholeWord(word: string, secrets: readonly string[]): string {
  if (/[^\w.-]/.test(word)) return maskSecrets(word, secrets);
  const masks = createMasks(secrets);
  return masks ? maskWord(word, masks) : word;
}

/** Converts a server's text to one line of limited length, with secrets masked. */
export function showText(text: string, secrets: readonly string[], limit = 300): string {
  // Cut long text early to save time. Keep extra characters, because masking and collapsing
  // whitespace can shorten the text.
  const spare = createMasks(secrets)?.longest ?? 0;
  const whole = text.length <= 8 * limit + spare;
  // Mask before the final cut, because the cut could leave the first half of a secret unmasked.
  const clean = maskSecrets(whole ? text : text.slice(0, 8 * limit + spare), secrets);
  const kept = whole ? clean : clean.slice(0, -spare || undefined);
  const spaced = kept.replace(createUnprintablePattern(), ' ').trim();
  // Mask again, because a line break may have replaced a space in a secret.
  const line = spaced === kept ? kept : maskSecrets(spaced, secrets);
  return line.length > limit || !whole ? `${line.slice(0, limit)}…` : line;
}

/**
 * Masks a word like {@link maskWholeWord}, but also limits the length and removes characters that
 * change how the text is displayed.
 */
export function showWord(word: string, secrets: readonly string[], limit = 100): string {
  const isText = word.length > limit || /[^\w.:/[\]-]/.test(word);
  return isText ? showText(word, secrets, limit) : maskWholeWord(word, secrets);
}

/** Removes query parameters from a URL, such as those that contain credentials. */
export function stripParameters(url: string, names: ReadonlySet<string>): string {
  const mark = url.indexOf('?');
  if (mark < 0 || !mayContain(url, names)) return url;
  const hash = url.indexOf('#', mark);
  const query = url.slice(mark + 1, hash < 0 ? undefined : hash);
  const kept = query.split('&').filter((pair) => !names.has(parseParameterName(pair)));
  if (kept.length === query.split('&').length) return url;
  const rest = hash < 0 ? '' : url.slice(hash);
  return url.slice(0, mark) + (kept.length === 0 ? '' : `?${kept.join('&')}`) + rest;
}

/**
 * Returns whether a URL may contain one of the names. Never misses a name, even if it is
 * percent-encoded.
 */
function mayContain(url: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  if (url.includes('%')) return true;
  for (const name of names) if (url.includes(name)) return true;
  return false;
}

function parseParameterName(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // The name isn't valid percent-encoding.
  }
}

/** Maximum nesting depth of an error body. Deeper values are replaced by `…`. */
const deepest = 100;

/**
 * Names of error-body fields that contain machine-readable words. A secret in such a word is masked
 * only if it is the whole word.
 */
const words = new Set(['resource', 'field', 'code', 'error', 'status', 'state', 'type']);

export function maskBody(body: unknown, secrets: readonly string[], depth = 0): unknown {
  if (createMasks(secrets) === undefined) return body;
  if (typeof body === 'string') return maskSecrets(body, secrets);
  if (typeof body === 'number') return maskWholeWord(String(body), secrets) === mask ? mask : body;
  if (typeof body !== 'object' || body === null) return body;
  if (depth === deepest) return '…';
  if (Array.isArray(body)) return body.map((each) => maskBody(each, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      maskWholeWord(name, secrets),
      typeof value === 'string' && words.has(name)
        ? maskWholeWord(value, secrets)
        : maskBody(value, secrets, depth + 1),
    ]),
  );
}
