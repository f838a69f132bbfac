import { decodedViews } from '../../masks/decoded-views.js';
import { isSecretField, mask } from '../secret-names.js';

/** A parameter within a text: in a `Link` header, or in a URL within JSON. */
const parameter = /(^|[?&;#\s<"']|\\u0026|&amp;)([\w.%[\]-]{1,60})=([^&;#\s<>"'\\,)\]}]+)/g;
/** The same, but without consuming the value, which may contain further parameters. */
const parameterName =
  /(?<=^|[?&;#\s<"']|\\u0026)([\w.%[\]-]{1,60})=(?=([^&;#\s<>"'\\,)\]}]{1,1024}))/g;
/**
 * A name and its quoted value, or number: a JSON member (also in a string of JSON, where quotes have
 * backslashes), an attribute, a line of YAML. All parts are bounded, so that it takes linear time.
 */
const pair =
  /(?<![\w.-])([\w.-]{1,60})(\\{0,7}["'])?(\s{0,9}[:=]\s{0,9})(?:(\\{0,7}["'])((?:(?!\4)[\s\S]){1,4096})|(\d[\w.+-]{0,60}))/g;
/** A field of a multipart form. */
const part = /(\bname="([^"\r\n]{1,60})"(?:\r?\n?[^\r\n]{1,200}){0,3}\r?\n\r?\n)([^\r\n]{1,4096})/g;
const userInfo = /(:\\{0,7}\/\\{0,7}\/)([^\s/?#@"'<>\\]{1,512})@/g;
const tokenInPath = /(\/applications\/[^/\s"'<>]+\/tokens\/)([^/?\s"'<>]+)/g;
/** A private key in PEM, between its first line and the last one. */
const privateKey = /(-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----)(?:(?!-----)[\s\S]){1,16384}/g;
/** Matches a sign that every pattern above needs. */
const anySign = /[=:]|%(?:25)*3[ad]|\/tokens\/|PRIVATE KEY/i;
/** Names whose values are secrets in requests, but plain words in responses: `errors[].code`. */
const onlyInRequests = /^(?:code|license)$/i;
/** A token sent as the user name: at least 20 characters with a digit, or beside one of the passwords below. */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;
const passwordBesideToken = /^(?:x|x-oauth-basic)?$/i;

/** Finds the secrets of a text and of its decoded forms by their names. */
export function findSecrets(text: string): string[] {
  if (!anySign.test(text)) return [];
  const found: string[] = [];
  for (const view of decodedViews(text)) {
    for (const [, , token = ''] of view.text.matchAll(tokenInPath)) found.push(decode(token));
    for (const [, name = '', value = ''] of view.text.matchAll(parameterName)) {
      if (isSecretField(decode(name))) found.push(decode(value));
    }
    for (const [, name = '', , , , quoted, number = ''] of view.text.matchAll(pair)) {
      if (isSecretName(name)) found.push(quoted ?? number);
    }
    for (const [, , name = '', value = ''] of view.text.matchAll(part)) {
      if (isSecretField(name)) found.push(value);
    }
    for (const [, , who = ''] of view.text.matchAll(userInfo)) {
      found.push(...secretsOfUser(who).map(decode));
    }
  }
  return found;
}

/** Masks the secrets of a text by their names. */
export function maskSecrets(text: string): string {
  if (!anySign.test(text)) return text;
  return text
    .replace(privateKey, `$1${mask}`)
    .replace(tokenInPath, `$1${mask}`)
    .replace(parameter, (whole: string, before: string, name: string) =>
      isSecretField(decode(name)) ? `${before}${name}=${mask}` : whole,
    )
    .replace(pair, (whole: string, name: string, ...rest: (string | undefined)[]) => {
      if (!isSecretName(name)) return whole;
      const value = rest[3] ?? rest[4] ?? '';
      return `${whole.slice(0, whole.length - value.length)}${mask}`;
    })
    .replace(part, (whole: string, before: string, name: string) =>
      isSecretField(name) ? `${before}${mask}` : whole,
    )
    .replace(userInfo, (whole: string, before: string, who: string) =>
      secretsOfUser(who).some((each) => each !== '') ? `${before}${mask}@` : whole,
    );
}

/** Which parts of `user:password` are secrets. */
export function secretsOfBasic(text: string): string[] {
  const colon = text.indexOf(':');
  const [user, password] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const isToken = passwordBesideToken.test(password) || tokenAsUser.test(user);
  return isToken ? [password, user] : [password];
}

/** The same in a URL, which may have a user name alone. */
function secretsOfUser(who: string): string[] {
  return who.includes(':') || tokenAsUser.test(who) ? secretsOfBasic(who) : [];
}

function isSecretName(name: string): boolean {
  return isSecretField(name) && !onlyInRequests.test(name);
}

/** Percent-decoded, or as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
