import {
  mask,
  maskSecrets,
  maskStart,
  maskUrl,
  maskWords,
  revealsSecret,
} from '../../masks/secrets.js';

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

/**
 * Control and format characters, for use in regular expressions. Create such an expression only
 * when it is needed, because V8 checks every Unicode character to compile `\p{…}`.
 */
export const unprintable = String.raw`\p{Cc}\p{Cf}`;

/** Matches characters that must not reach a terminal or a log. Valid URLs don't contain them. */
const createUnprintablePattern = () => new RegExp(`[${unprintable}\\s]+`, 'gu');

/** Masks query values and known secrets in a URL. Removes user info and the fragment. */
export function showUrl(url: string, secrets: readonly string[]): string {
  const hash = url.indexOf('#');
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf('?');
  const place = (mark < 0 ? whole : whole.slice(0, mark)).replace(/\/\/[^/]*@/, '//');
  const query = mark < 0 ? '' : `?${showQuery(whole.slice(mark + 1))}`;
  const shown = maskUrl(place + query, secrets).replace(
    createUnprintablePattern(),
    encodeURIComponent,
  );
  return revealsSecret(shown, secrets) ? mask : shown;
}

/** Maximum length of a page's URL, in characters. Documentation pages have short URLs. */
const maxPageLength = 2000;

/**
 * Returns the URL of a page that users may open, without username and password, and with secrets
 * masked. Undefined if it isn't an http or https URL.
 */
export function showPage(page: string | undefined, secrets: readonly string[]): string | undefined {
  if (!page || page.length > maxPageLength || !URL.canParse(page)) return undefined;
  const url = new URL(page);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  const shown = maskUrl(url.href, secrets);
  return revealsSecret(shown, secrets) ? undefined : shown;
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

/** Converts a server's text to one line of limited length, with secrets masked. */
export function showText(text: string, secrets: readonly string[], limit = 300): string {
  const start = maskStart(text, secrets, 8 * limit);
  // Mask again, because a line break within a secret has become a space.
  const line = maskSecrets(start.replace(createUnprintablePattern(), ' ').trim(), secrets);
  const isWhole = text.length <= 8 * limit && line.length <= limit;
  return isWhole ? line : `${line.slice(0, limit)}…`;
}

/** Masks a machine-readable word. Shows unusual or long text like {@link showText}. */
export function showWord(word: string, secrets: readonly string[], limit = 100): string {
  const isText = word.length > limit || /[^\w.:/[\]-]/.test(word);
  return isText ? showText(word, secrets, limit) : maskWords(word, secrets);
}

/** Removes query parameters from a URL, such as those that contain credentials. */
export function stripParameters(url: string, names: ReadonlySet<string>): string {
  const mark = url.indexOf('?');
  if (mark < 0 || names.size === 0) return url;
  const hash = url.indexOf('#', mark);
  const query = url.slice(mark + 1, hash < 0 ? undefined : hash);
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => !names.has(parseParameterName(pair)));
  if (kept.length === pairs.length) return url;
  const rest = hash < 0 ? '' : url.slice(hash);
  return url.slice(0, mark) + (kept.length === 0 ? '' : `?${kept.join('&')}`) + rest;
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

/** Maximum nesting depth in an error body. Deeper values are cut. */
const deepest = 100;

/** Maximum number of characters in an error body. The rest is cut. */
const maxBody = 65_536;

/** Replacement for the rest of an error body that is too long or too deep. */
const cut = '… (cut)';

/**
 * Names of error-body fields that contain machine-readable words. Plain words stay readable in
 * these fields.
 */
const words = new Set(['resource', 'field', 'code', 'error', 'status', 'state', 'type']);

/**
 * Masks secrets in an error's body. Keeps about the first 64 Ki characters, and replaces the rest
 * with `… (cut)`.
 */
export function maskBody(body: unknown, secrets: readonly string[]): unknown {
  let left = maxBody;

  function showString(text: string, isWord: boolean): string {
    const limit = Math.max(0, left);
    left -= text.length;
    if (text.length > limit) return maskStart(text, secrets, limit) + cut;
    return isWord ? maskWords(text, secrets) : maskSecrets(text, secrets);
  }

  function show(value: unknown, depth: number, isWord = false): unknown {
    if (typeof value === 'string') return showString(value, isWord);
    left--;
    if (typeof value === 'number') return maskWords(String(value), secrets) === mask ? mask : value;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === deepest) return cut;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const each of value) {
        if (left <= 0) return [...items, cut];
        items.push(show(each, depth + 1));
      }
      return items;
    }
    const members: [name: string, value: unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
      if (left <= 0) {
        members.push([cut, cut]);
        break;
      }
      members.push([showString(name, true), show(each, depth + 1, words.has(name))]);
    }
    return Object.fromEntries(members);
  }

  return show(body, 0);
}
