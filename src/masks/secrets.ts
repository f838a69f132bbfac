/** Replacement for a secret. */
export const mask = '***';

/** Minimum length of a masked secret. Shorter strings often occur in unrelated words. */
export const minMasked = 5;

/**
 * Minimum length at which a secret is masked even within a longer word. Shorter secrets are masked
 * only as whole words.
 */
const minWithinWords = 12;

/** Masks for a list of secrets. */
interface SecretMasks {
  /** Matches every written form of every secret. */
  readonly all: RegExp;
  /**
   * Matches all secrets except plain words. Masking plain words would change error codes, which
   * programs compare, and URL paths.
   */
  readonly unusual: RegExp;
  /** Matches the same secrets as `unusual`, in lowercase, because `URL` lowercases host names. */
  readonly lowercase: RegExp;
  /** Maximum length of a written form, in characters. */
  readonly longest: number;
}

/** Cache of masks by list, because all strings in an error are masked with the same list. */
const cache = new WeakMap<readonly string[], SecretMasks>();

function findMasks(secrets: readonly string[]): SecretMasks {
  const known = cache.get(secrets);
  if (known) return known;
  const long = [...new Set(secrets)]
    .filter(({ length }) => length >= minMasked)
    // Longest first, because a secret may start with another secret.
    .sort((one, other) => other.length - one.length);
  const unusual = long.filter((secret) => !isPlainWord(secret));
  const masks: SecretMasks = {
    all: createPattern(long),
    unusual: createPattern(unusual),
    lowercase: createPattern(unusual.map((secret) => secret.toLowerCase())),
    longest: maxPerCharacter * (long[0]?.length ?? 0),
  };
  cache.set(secrets, masks);
  return masks;
}

/** Maximum length of a written form per UTF-16 code unit, as in `%E2%82%AC`. */
const maxPerCharacter = 9;

/** Returns whether a secret has fewer than 20 characters, all of them letters or underscores. */
function isPlainWord(secret: string): boolean {
  return /^[a-z_]{1,19}$/i.test(secret);
}

function createPattern(secrets: readonly string[]): RegExp {
  if (secrets.length === 0) return /(?!)/g;
  const isAnywhere = (secret: string) => secret.length >= minWithinWords && !isPlainWord(secret);
  const long = secrets.filter(isAnywhere).flatMap(writtenForms);
  const short = secrets.filter((secret) => !isAnywhere(secret)).flatMap(writtenForms);
  const words = short.length === 0 ? [] : [`${wordStart}(?:${short.join('|')})(?!\\w)`];
  return new RegExp([...long, ...words].join('|'), 'g');
}

/** A word can start after an escape, such as `%20` or `\n`. */
const wordStart = '(?<=^|\\W|%[\\dA-Fa-f]{2}|\\\\[bfnrt]|\\\\u[\\dA-Fa-f]{4})';

/** Returns a pattern for each form in which programs write a secret. */
function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const text = bytes.toString();
  // The Management Console receives settings as percent-encoded JSON, and servers may echo them.
  const json = JSON.stringify(text).slice(1, -1);
  const write = (characters: string, escaped: (character: string) => string) =>
    Array.from(characters, (each) => (unreserved.test(each) ? each : escaped(each))).join('');
  const forms = new Set([
    write(json, percentEncoded),
    escapePattern(secret),
    write(text, percentEncoded),
    write(text, jsonEscaped),
    write(text, htmlEscaped),
    ...(['base64', 'base64url'] as const).map(
      (encoding) => `${escapePattern(bytes.toString(encoding).replace(/=+$/, ''))}={0,2}`,
    ),
  ]);
  return [...forms];
}

/** Matches characters that are never escaped, in written forms or in patterns. */
const unreserved = /^\w$/;

/** Pattern for percent-encoding and form encoding. Encoders differ in what they encode. */
function percentEncoded(character: string): string {
  const octets = Array.from(Buffer.from(character), (octet) => `%${hexPattern(octet, 2)}`).join('');
  if (character === '%') return octets;
  return `(?:${octets}|${escapePattern(character === ' ' ? '+' : character)})`;
}

/** Pattern for JSON and JavaScript strings, which may escape `/` and quotes. */
function jsonEscaped(character: string): string {
  const coded = Array.from({ length: character.length }, (_unit, index) => {
    return `\\\\u${hexPattern(character.charCodeAt(index), 4)}`;
  }).join('');
  if (/["'/]/.test(character)) return `(?:\\\\?${character}|${coded})`;
  return `(?:${escapePattern(JSON.stringify(character).slice(1, -1))}|${coded})`;
}

const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

function htmlEscaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const name = htmlNames[character];
  const references = `&(?:${name === undefined ? '' : `${name}|`}#0*${point}|#[xX]${hexPattern(point, 1)});`;
  return character === '&' ? references : `(?:${references}|${escapePattern(character)})`;
}

/** Returns a pattern for a number in hex, in either letter case. */
function hexPattern(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0');
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Masks every written form of the secrets in text. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return text.replace(findMasks(secrets).all, mask);
}

/** Masks secrets in an error code, a URL or other machine-readable text. Keeps plain words. */
function maskWords(text: string, secrets: readonly string[]): string {
  return text.replace(findMasks(secrets).unusual, mask);
}

/**
 * Masks secrets in the first `limit` characters of text, and drops the rest. A secret that the
 * limit would cut off is masked or omitted.
 */
export function maskStart(text: string, secrets: readonly string[], limit: number): string {
  const { longest } = findMasks(secrets);
  if (text.length <= limit + longest) return maskSecrets(text, secrets).slice(0, limit);
  const masked = maskSecrets(text.slice(0, limit + longest), secrets);
  return masked.slice(0, Math.min(limit, masked.length - longest));
}

/**
 * Masks secrets in a URL. Keeps plain words in the path, because paths consist of words. In the
 * origin, also masks the lowercase form of each secret.
 */
export function maskUrl(url: string, secrets: readonly string[]): string {
  const masked = maskUnusual(url, secrets);
  const [place = ''] = /^[^?]*/.exec(masked) ?? [];
  return place + maskSecrets(masked.slice(place.length), secrets);
}

/** Masks the secrets in a URL, except secrets that are plain words. */
function maskUnusual(url: string, secrets: readonly string[]): string {
  const masked = maskWords(url, secrets);
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]*/i.exec(masked) ?? [];
  return origin.replace(findMasks(secrets).lowercase, mask) + masked.slice(origin.length);
}

/**
 * Returns whether a URL contains a secret, as written or decoded once. A plain word counts only if
 * it is the whole value of a query parameter.
 */
export function revealsSecret(url: string, secrets: readonly string[]): boolean {
  return [url, decodeOnce(url)].some((each) => {
    if (maskUnusual(each, secrets) !== each) return true;
    const values = [...new URLSearchParams(/\?[^#]*/.exec(each)?.[0]).values()];
    return values.some((value) => value.length >= minMasked && secrets.includes(value));
  });
}

function decodeOnce(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  );
}

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
