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
export function maskWords(text: string, secrets: readonly string[]): string {
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
