import { decodedViews } from '../../masks/decoded-views.js';
import { isSecretField, mask } from '../secret-names.js';
import { closingQuote, spansInParts, spansInTags, type TextSpan, valueEnd } from './text-spans.js';

/** A place where a secret follows its name, or other text that says that it is one. */
interface Rule {
  /**
   * The text before the value. Its group `name` says whether the value is a secret; without that group,
   * each value is. Its group `quote` opens a quoted value. All parts are bounded, and lines are matched
   * in one way only, so that a search takes linear time.
   */
  readonly before: RegExp;
  /** A value without quotes. */
  readonly value: RegExp;
  readonly isSecret?: (name: string) => boolean;
}

const rules: readonly Rule[] = [
  { before: /\/applications\/[^/\s"'<>]+\/tokens\//g, value: /[^/?\s"'<>]+/y },
  // A parameter: in a `Link` header, or in a URL within JSON.
  {
    before: /(?<=^|[?&;#\s<"']|\\u0026)(?<name>[\w.%[\]-]{1,60})=/g,
    value: /[^&;#\s<>"'\\,)\]}]+/y,
    isSecret: (name) => isSecretField(decode(name)),
  },
  // A name and its quoted value, or number: a JSON member (also in a string of JSON, where quotes have
  // backslashes), an attribute, a line of YAML.
  {
    before:
      /(?<![\w.-])(?<name>[\w.-]{1,60})(?:\\{0,7}["'])?\s{0,9}[:=]\s{0,9}(?:(?<quote>\\{0,7}["'])|(?=\d))/g,
    value: /\d[\w.+-]{0,60}/y,
    isSecret: isSecretName,
  },
  // A line of YAML, or a header.
  {
    before:
      /(?:^|[\r\n]|\\n)[ \t]{0,200}(?:-[ \t]{1,9})?(?<name>[\w.-]{1,60})[ \t]{0,9}:[ \t]{1,9}(?![\s"'|>&*!{[])/g,
    value: /(?:(?!\s+#|\s+$)[^\r\n"'\\]){1,4096}/y,
    isSecret: isSecretName,
  },
  // `Authorization` in a command or in prose.
  {
    before:
      /authorization:[ \t]{0,9}(?:(?:basic|bearer|token|negotiate|ntlm|oauth)[ \t]{1,9}|(?=[^\s"'\\<>,\d]{0,60}\d))/gi,
    value: /[^\s"'\\<>,]+/y,
  },
  { before: /\bdigest [^\r\n]{0,500}?\bresponse=\\{0,7}["']?/gi, value: /[\da-f]{16,128}/iy },
];

const userInfo = /(?<=:\\{0,7}\/\\{0,7}\/)([^\s/?#@"'<>\\]{1,512})@/g;
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
    for (const [start, end] of spansIn(view.text)) {
      const secret = view.text.slice(start, end);
      found.push(secret);
      if (/[%+]/.test(secret)) found.push(decode(secret));
    }
    for (const [, who = ''] of view.text.matchAll(userInfo)) {
      found.push(...secretsOfUser(who).map(decode));
    }
  }
  return found;
}

/** Masks the secrets of a text by their names. */
export function maskSecrets(text: string): string {
  if (!anySign.test(text)) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const [start, end] of spansIn(text).sort(([one], [other]) => one - other)) {
    if (start >= done) pieces.push(text.slice(done, start), mask);
    done = Math.max(done, end);
  }
  pieces.push(text.slice(done));
  return pieces
    .join('')
    .replace(privateKey, `$1${mask}`)
    .replace(userInfo, (whole: string, who: string) =>
      secretsOfUser(who).some((each) => each !== '') ? `${mask}@` : whole,
    );
}

/** Places of the values that follow a secret name. */
function spansIn(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  for (const { before, value, isSecret } of rules) {
    let done = 0;
    for (const { 0: matched, index, groups } of text.matchAll(before)) {
      const start = index + matched.length;
      if (start < done || (isSecret && !isSecret(groups?.name ?? ''))) continue;
      const quote = groups?.quote;
      const end =
        quote === undefined ? valueEnd(text, start, value) : closingQuote(text, start, quote);
      if (end > start) spans.push([start, end]);
      done = end;
    }
  }
  return [...spans, ...spansInParts(text, isSecretField), ...spansInTags(text, isSecretName)];
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
