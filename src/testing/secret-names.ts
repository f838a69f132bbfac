import { mask } from '../masks/secrets.js';
import { isRecord } from '../schema/unknown-values.js';
import { cached } from './cached.js';

const headers =
  /authorization$|^(?:set-)?cookie$|otp$|token|secret|passw|credential|key$|(?:^|-)auth$|^authentication$/i;
/** Names of secret fields, with an underscore between words. */
const fields =
  /^(?:license(?:_md5)?|bind_dn|code|secret_key_data|jwt|pwd|sig|(?:set_)?cookie|(?:.*_)?(?:authorization|otp|api_?key|(?:access|private|secret)_key|assertion|credentials?|passphrase|passwd|session_?id|signature)|.*(?:passwords?(?:_confirmation)?|secrets?|tokens?))(?:_?\d{1,3})?$/i;
/** A parameter of a query or form. The lookbehind matches only at the start of a name. */
const parameter = /(?<=[?&]|^)([\w.%[\]-]{1,128})=([^&#\s"'<>]*)/g;
const tokenInPath = /(?<=\/applications\/[^/\s"'<>]+\/tokens\/)[^/?\s"'<>]+/g;
const passwordInUrl = /(?<=:\/\/[^\s/?#@"'<>:]{0,128}:)[^\s/?#@"'<>]+(?=@)/g;

const isSecretHeader = cached((name) => headers.test(name));

/** Returns whether a parameter or a JSON member with this name is secret. */
export const isSecretField = cached((name) =>
  // Forms express nesting with brackets: `user[password]`, `tokens[0]`.
  name
    .slice(-100)
    .split(/[[\]]+/)
    .some(isSecretWord),
);

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
  if (!isSecretHeader(name)) return value;
  const scheme = /authorization$/i.test(name) ? /^\S+ /.exec(value)?.[0] : undefined;
  return scheme === undefined ? mask : `${scheme}${mask}`;
}

/**
 * Masks the credentials in a path and query, a form, or text that contains URLs.
 * @param learn called with each credential, as written and decoded.
 */
export function maskTarget(text: string, learn: (secret: string) => void = () => {}): string {
  const hide = (secret: string) => {
    learn(secret);
    learn(decodeField(secret));
    return mask;
  };
  return text
    .replace(tokenInPath, hide)
    .replace(passwordInUrl, hide)
    .replace(parameter, (whole: string, name: string, value: string) =>
      value !== '' && isSecretField(decodeField(name)) ? `${name}=${hide(value)}` : whole,
    );
}

/**
 * Copies JSON data.
 * @param change returns the replacement of each name, string and number. `isSecret` is true for
 * values at any depth of a member with a secret name.
 */
export function mapData(
  data: unknown,
  change: (value: string | number, isSecret: boolean) => string | number,
  isSecretName: (name: string) => boolean = isSecretField,
  isSecret = false,
): unknown {
  if (typeof data === 'string' || typeof data === 'number') return change(data, isSecret);
  if (Array.isArray(data)) return data.map((each) => mapData(each, change, isSecretName, isSecret));
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, each]) => [
      change(name, false),
      mapData(each, change, isSecretName, isSecret || isSecretName(name)),
    ]),
  );
}

/** Percent-decodes text. Returns invalid text unchanged. */
export function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
