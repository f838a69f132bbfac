import { mask } from '../masks/secrets.js';
import { cached } from './cached.js';

const headers =
  /authorization$|^(?:set-)?cookie$|otp$|token|secret|passw|credential|key$|(?:^|-)auth$|^authentication$/i;
/** Names of secret fields, with an underscore between words. */
const fields =
  /^(?:license(?:_md5)?|bind_dn|code|secret_key_data|jwt|pwd|sig|(?:set_)?cookie|(?:.*_)?(?:authorization|otp|api_?key|(?:access|private|secret)_key|assertion|credentials?|passphrase|passwd|session_?id|signature)|.*(?:passwords?(?:_confirmation)?|secrets?|tokens?))(?:_?\d{1,3})?$/i;
const isSecretHeader = cached((name) => headers.test(name));
const tokenInPath = /(\/applications\/[^/]+\/tokens\/)[^/?]+/;

/** Returns whether a parameter or a JSON member with this name is secret. */
export function isSecretField(name: string): boolean {
  // Forms express nesting with brackets: `user[password]`, `tokens[0]`.
  return name
    .slice(-100)
    .split(/[[\]]+/)
    .some(isSecretWord);
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
  if (!isSecretHeader(name)) return value;
  const scheme = /authorization$/i.test(name) ? /^\S+ /.exec(value)?.[0] : undefined;
  return scheme === undefined ? mask : `${scheme}${mask}`;
}

/** Masks the credentials in a path and query, or in a URL. */
export function maskTarget(target: string): string {
  const at = target.indexOf('?');
  const path = (at < 0 ? target : target.slice(0, at)).replace(tokenInPath, `$1${mask}`);
  return at < 0 ? path : `${path}?${maskPairs(target.slice(at + 1))}`;
}

/** Masks the secrets in a query or a form. */
function maskPairs(pairs: string): string {
  // The lookbehind limits matches to the start of a name. Without it, long names would take
  // quadratic time.
  return pairs.replace(/(?<![^=&])([^=&]+)=([^&]*)/g, (whole: string, name: string) =>
    isSecretField(decodeName(name)) ? `${name}=${mask}` : whole,
  );
}

function decodeName(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? name;
}
