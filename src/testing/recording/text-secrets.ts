import { decodedViews } from '../../masks/decoded-views.js';
import { isSecretField, mask } from '../secret-names.js';
import {
  closingQuote,
  spansInContainers,
  spansInElements,
  spansInParts,
  spansInTags,
  type TextSpan,
  valueEnd,
} from './text-spans.js';

/** Pattern of a secret after its name, or after other text that identifies a secret. */
interface Rule {
  /**
   * Text before the value. The group `name` determines whether the value is secret; without the group, each
   * value is. The group `quote` opens a quoted value. All repetitions are bounded and unambiguous, so that a
   * search takes linear time.
   */
  readonly before: RegExp;
  /** Value without quotes. */
  readonly value: RegExp;
  readonly isSecret?: (name: string) => boolean;
}

const rules: readonly Rule[] = [
  { before: /\/applications\/[^/\s"'<>]+\/tokens\//g, value: /[^/?\s"'<>]+/y },
  // A parameter: in a `Link` header, or in a URL within JSON.
  {
    before: /(?<=^|[?&;#\s<"':/]|\\u0026)(?<name>[\w.%[\]-]{1,60})=/g,
    // A closing bracket ends the value only at the end of a word.
    value: /(?:[^&;#\s<>"'\\,)\]}]|[)\]}]+(?=[^&;#\s<>"'\\,.)\]}]))+/y,
    isSecret: (name) => isSecretField(decode(name)),
  },
  // A name and its quoted value, or number: a JSON member (also in a string of JSON, where quotes have
  // backslashes), an attribute, a line of YAML, source code (`config['token'] = '…'`, `:token => "…"`).
  {
    before:
      /(?<![\w.[\]-])(?<name>[\w.[\]-]{1,60})(?:\\{0,7}["']\]?)?\s{0,9}[:=]{1,2}>?\s{0,9}(?:(?<quote>\\{0,7}["'])|(?=\d))/g,
    value: /\d[\w.+-]{0,60}/y,
    isSecret: isSecretName,
  },
  // A line of YAML or of a configuration file, or a header, also in the output of `curl -v`.
  {
    before:
      /(?:^|[\r\n]|\\n)[ \t]{0,200}(?:[-<>*+][ \t]{1,9})?(?<name>[\w.-]{1,60})[ \t]{0,9}(?::[ \t]{1,9}|=[ \t]{0,9})(?![\s"'|>&*!{[=])/g,
    value: /(?:(?!\s+#|\s+$)[^\r\n"'\\]){1,4096}/y,
    isSecret: isSecretName,
  },
  // A header or line in quotes: `-H "X-Auth-Token: …"`. Without a hyphen or digit, it may be prose.
  {
    before:
      /["'](?<name>[\w.-]{1,60}):[ \t]{1,9}(?:(?<=-[\w.-]{1,60}:[ \t]{1,9})|(?=[^\s"'\\]{0,60}\d))/g,
    value: /[^\r\n"'\\]{1,4096}/y,
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
/** Private key in PEM format, between its first and last line. */
const privateKey = /(-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----)(?:(?!-----)[\s\S]){1,16384}/g;
/** Matches if any of the patterns above can match. */
const anySign = /[=:<]|(?:%(?:25){0,9}|\\u00|&#x)3[acd]|&lt|&#(?:58|6[01])|\/tokens\/|PRIVATE KEY/i;
/** Names whose values are secret in requests but not in responses, such as `errors[].code`. */
const onlyInRequests = /^(?:code|license)$/i;
/** Token sent as the user name: at least 20 characters with a digit, or any with one of the passwords below. */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;
const passwordBesideToken = /^(?:x|x-oauth-basic)?$/i;

/** Finds secrets in a text and its decoded forms by their names. */
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

/** Masks secrets in a text by their names. */
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

/** Returns the positions of values that follow a secret name. */
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
  return [
    ...spans,
    ...spansInParts(text, isSecretField),
    ...spansInTags(text, isSecretName),
    ...spansInElements(text, isSecretName),
    ...spansInContainers(text, isSecretName),
  ];
}

/** Returns the secret parts of `user:password`. */
export function secretsOfBasic(text: string): string[] {
  const colon = text.indexOf(':');
  const [user, password] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const isToken = passwordBesideToken.test(password) || tokenAsUser.test(user);
  return isToken ? [password, user] : [password];
}

/** {@link secretsOfBasic} for a URL, which may have only a user name. */
function secretsOfUser(who: string): string[] {
  return who.includes(':') || tokenAsUser.test(who) ? secretsOfBasic(who) : [];
}

function isSecretName(name: string): boolean {
  return isSecretField(name) && !onlyInRequests.test(name);
}

/** Percent-decodes a text. Returns it unchanged if it is invalid. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
