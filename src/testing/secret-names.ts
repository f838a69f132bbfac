import { mask } from '../masks/secrets.js';
import { isRecord } from '../schema/unknown-values.js';
import { deepestJson, isDeeper } from './bodies.js';

const headers =
  /authorization$|^(?:set-)?cookie$|otp$|token|secret|passw|credential|key$|(?:^|-)auth$|^authentication$/i;
/** Names of secret fields, with an underscore between words. */
const fields =
  /^(?:license(?:_md5)?|bind_dn|code|community|secret_key_data|sig|(?:set_)?cookie|(?:.*_)?(?:authorization|jwt|otp|pwd|api_?key|(?:access|private|secret)_key|assertion|credentials?|passphrase|passwd|session_?id|signature)|.*(?:passwords?(?:_confirmation)?|secrets?|tokens?))(?:_?\d{1,3})?$/i;
/** A parameter in a URL. The lookbehind matches only at the start of a name. */
const parameter = /(?<=[?&#]|%3f|%26|^)([\w.%[\]-]{1,128})=([^&#\s"'<>]*)/gi;
/** A parameter in the value of another parameter, because some servers separate them with `;`. */
const laterParameter = /(?<=(?:[?&#]|^)[^?&#\s"'<>]{1,128};)([\w.%[\]-]{1,128})=([^&#\s"'<>]*)/g;
/** The part of a private key before its end or the next key, which may be missing. */
const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----(?:BEGIN|END) )[\s\S]){0,10000}/g;
/** The name of a string or number member in JSON text. */
const memberName = /"((?:[^"\\]|\\.){1,128})"\s{0,9}:\s{0,9}(?=["\d-])/g;
const memberValue = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/y;
/** A name that is probably a token, in a record of tokens. */
const tokenAsName = /^(?=.*\d)[\w-]{16,}$/;
const tokenInPath = /(?<=\/applications\/[^/\s"'<>]+\/tokens\/)[^/?\s"'<>]+/g;
const passwordInUrl = /(?<=:\/\/[^\s/?#@"'<>:]{0,128}:)[^\s/?#@"'<>]+(?=@)/g;

/** Returns whether a parameter or a JSON member with this name is secret. */
export function isSecretField(name: string): boolean {
  // Forms express nesting with brackets: `user[password]`, `tokens[0]`.
  const words = name.slice(-100).split(/[[\]]+/);
  return words.some(isSecretWord);
}

/**
 * Returns whether a field is secret even in responses. Excludes `code` and `license`, which are
 * secret only in requests. For example, `code` in a response can be an error code.
 */
export function isSecretInResponse(name: string): boolean {
  return isSecretField(name) && !/^(?:code|license)$/i.test(name);
}

function isSecretWord(word: string): boolean {
  return fields.test(
    word.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').replace(/[-.]/g, '_'),
  );
}

/** Returns whether the name of a header, in lowercase, suggests a secret. */
export function isSecretHeader(name: string): boolean {
  return headers.test(name) || isSecretWord(name);
}

/**
 * Masks a header's value if the name suggests a secret, and the credentials in its URLs otherwise.
 * Keeps the scheme of `Authorization`.
 * @param name Lowercase name of the header.
 */
export function maskHeader(name: string, value: string, learn?: Learn): string {
  if (!isSecretHeader(name)) return maskText(value, learn);
  const scheme = /authorization$/i.test(name) ? /^\S+ /.exec(value)?.[0] : undefined;
  return scheme === undefined ? mask : `${scheme}${mask}`;
}

type Learn = (secret: string) => void;

/**
 * Masks the credentials in text that contains URLs.
 * @param learn called with each credential, as written and decoded.
 */
function maskText(text: string, learn: Learn = () => {}): string {
  const hide = (secret: string) => {
    learn(secret);
    learn(decodeField(secret));
    return mask;
  };
  const hideNamed = (whole: string, name: string, value: string) =>
    value !== '' && isSecretField(decodeField(name)) ? `${name}=${hide(value)}` : whole;
  return text
    .replace(privateKey, hide)
    .replace(tokenInPath, hide)
    .replace(passwordInUrl, hide)
    .replace(parameter, hideNamed)
    .replace(laterParameter, hideNamed);
}

/** Masks the credentials in the path and query of a request. */
export function maskTarget(target: string, learn?: Learn): string {
  const start = target.indexOf('?') + 1;
  const path = start === 0 ? target : target.slice(0, start);
  const query = start === 0 ? '' : maskParameters(target.slice(start), learn);
  return maskText(path, learn) + query;
}

/** Masks the secret parameters of a query or form. */
function maskParameters(text: string, learn?: Learn, isSecretName = isSecretField): string {
  const pairs = text.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    const encoded = pair.slice(name.length + 1);
    const value = decodeField(encoded);
    if (value !== '' && isSecretField(decodeField(name))) {
      learn?.(encoded);
      learn?.(value);
      return `${name}=${mask}`;
    }
    const masked = maskData(value, learn, isSecretName);
    return masked === value ? maskText(pair, learn) : `${name}=${encodeURIComponent(masked)}`;
  });
  return pairs.join('&');
}

/** Returns whether a body is a form. Some clients label JSON as a form by default. */
export function isForm(type: string, text: string): boolean {
  return /\bx-www-form-urlencoded\b/i.test(type) && !/^\s*[{[]/.test(text);
}

/** Masks the secrets in a text body. */
export function maskBody(
  type: string,
  text: string,
  learn?: Learn,
  isSecretName = isSecretField,
): string {
  const maskAll = isForm(type, text) ? maskParameters : maskData;
  return maskAll(text, learn, isSecretName);
}

/** Masks the secrets in JSON or other text, and in text and JSON within JSON. */
function maskData(text: string, learn?: Learn, isSecretName = isSecretField): string {
  const data = parseContainer(text);
  if (data === undefined) return maskText(maskMembers(text, learn, isSecretName), learn);
  const change = (value: string | number, isSecret: boolean) => {
    if (!isSecret) return typeof value === 'string' ? maskData(value, learn, isSecretName) : value;
    if (value === '') return value;
    learn?.(String(value));
    return mask;
  };
  const masked = serializeChanged(text, data, mapData(data, change, isSecretName));
  // Of two members with the same name, parsing keeps only the last.
  return maskMembers(masked, learn, isSecretName);
}

/** Parses a JSON object or array. Undefined for other text, and for JSON that is too deep. */
export function parseContainer(text: string): unknown {
  try {
    const start = text.trimStart(); // also removes a byte-order mark
    const value: unknown = /^[{[]/.test(start) ? JSON.parse(start) : undefined;
    return isDeeper(value, deepestJson) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Masks the secret members of JSON text without parsing it. Handles invalid JSON, and duplicate
 * members, of which parsing would keep only the last.
 */
function maskMembers(
  text: string,
  learn: Learn | undefined,
  isSecretName: (name: string) => boolean,
): string {
  let masked = '';
  let end = 0;
  for (const { 0: before, 1: name = '', index } of text.matchAll(memberName)) {
    const start = index + before.length;
    if (start < end || !isSecretName(name)) continue;
    memberValue.lastIndex = start;
    const [value = ''] = memberValue.exec(text) ?? [];
    const secret = value.replace(/^"|"$/g, '');
    if (secret === '' || secret === mask) continue;
    learn?.(secret);
    masked += `${text.slice(end, start)}"${mask}"`;
    end = start + value.length;
  }
  return masked + text.slice(end);
}

/**
 * Copies JSON data.
 * @param change returns the replacement for each name, string and number. `isSecret` is true for
 * values at any depth of a member with a secret name.
 */
export function mapData(
  data: unknown,
  change: (value: string | number, isSecret: boolean) => string | number,
  isSecretName: (name: string) => boolean = isSecretField,
  isSecret = false,
): unknown {
  if (typeof data === 'number') return change(data, isSecret);
  if (typeof data === 'string') return change(data, isSecret || data.search(privateKey) >= 0);
  if (Array.isArray(data)) return data.map((each) => mapData(each, change, isSecretName, isSecret));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [
      change(name, isSecret && tokenAsName.test(name)),
      mapData(each, change, isSecretName, isSecret || isSecretName(name)),
    ]),
  );
}

/** Returns the JSON of a masked value, or the original text, with its spaces and numbers, if nothing was masked. */
export function serializeChanged(text: string, value: unknown, masked: unknown): string {
  const serialized = JSON.stringify(masked);
  return serialized === JSON.stringify(value) ? text : serialized;
}

/** Percent-decodes text. Returns invalid text unchanged. */
export function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
