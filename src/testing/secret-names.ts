import { mask } from '../masks/secrets.js';
import { isRecord } from '../schema/unknown-values.js';

const headers =
  /authorization$|^(?:set-)?cookie$|otp$|token|secret|passw|credential|key$|(?:^|-)auth$|^authentication$/i;
/** Names of secret fields, with an underscore between words. */
const fields =
  /^(?:license(?:_md5)?|bind_dn|code|community|secret_key_data|sig|(?:set_)?cookie|(?:.*_)?(?:authorization|jwt|otp|pwd|api_?key|(?:access|private|secret)_key|assertion|credentials?|passphrase|passwd|session_?id|signature)|.*(?:passwords?(?:_confirmation)?|secrets?|tokens?))(?:_?\d{1,3})?$/i;
/** A parameter in a URL. The lookbehind matches only at the start of a name. */
const parameter = /(?<=[?&#]|^)([\w.%[\]-]{1,128})=([^&#\s"'<>]*)/g;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,10000}?(?:-----END|$)/g;
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

/**
 * Masks a header's value if the name suggests a secret. Keeps the scheme of `Authorization`.
 * @param name Lowercase name of the header.
 */
export function maskHeader(name: string, value: string): string {
  if (!headers.test(name) && !isSecretWord(name)) return value;
  const scheme = /authorization$/i.test(name) ? /^\S+ /.exec(value)?.[0] : undefined;
  return scheme === undefined ? mask : `${scheme}${mask}`;
}

type Learn = (secret: string) => void;

/**
 * Masks the credentials in text that contains URLs.
 * @param learn called with each credential, as written and decoded.
 */
export function maskText(text: string, learn: Learn = () => {}): string {
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
    .replace(parameter, hideNamed);
}

/** Masks the credentials in the path and query of a request. */
export function maskTarget(target: string, learn: Learn = () => {}): string {
  const start = target.indexOf('?') + 1;
  const path = start === 0 ? target : target.slice(0, start);
  const query = start === 0 ? '' : maskParameters(target.slice(start), learn);
  return maskText(path, learn) + query;
}

/**
 * Masks the secret parameters of a query or form.
 * @param maskValue masks the decoded value of a parameter whose name isn't secret. Default:
 * {@link maskText}.
 */
export function maskParameters(
  text: string,
  learn: Learn,
  maskValue = (value: string) => maskText(value, learn),
): string {
  const pairs = text.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    const encoded = pair.slice(name.length + 1);
    const value = decodeField(encoded);
    if (value !== '' && isSecretField(decodeField(name))) {
      learn(encoded);
      learn(value);
      return `${name}=${mask}`;
    }
    const masked = maskValue(value);
    return masked === value ? maskText(pair, learn) : `${name}=${encodeURIComponent(masked)}`;
  });
  return pairs.join('&');
}

/**
 * Masks the secret members of JSON text without parsing it. Handles invalid JSON, and duplicate
 * members, of which parsing would keep only the last.
 */
export function maskMembers(
  text: string,
  learn: Learn,
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
    learn(secret);
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
