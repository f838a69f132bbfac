import { decodedViews } from '../../masks/decoded-views.js';
import { type MaskedSpan, maskSpans, type TextSpan } from '../../masks/secret-masks.js';
import { isSecretField, isSecretInResponse } from '../secret-names.js';
import {
  closingQuote,
  spansInContainers,
  spansInElements,
  spansInParts,
  spansInTags,
  valueEnd,
} from './text-spans.js';

/** Secrets in a text. */
export class FoundSecrets {
  /** Parts of the text to mask. */
  readonly spans: MaskedSpan[] = [];
  /** Secrets to mask wherever they occur, both as written and decoded. */
  readonly values: string[] = [];

  /**
   * Adds the secrets in a part of the text. @param toSpan converts a position in the part to a
   * position in the text.
   */
  add(part: FoundSecrets, toSpan: (start: number, end: number) => TextSpan): this {
    for (const [start, end] of part.spans) this.spans.push(toSpan(start, end));
    for (const value of part.values) this.values.push(value);
    return this;
  }
}

/** Pattern for a secret that follows its name or other identifying text. */
interface SecretPattern {
  /**
   * Text before the value. The group `name` determines whether the value is secret. Without this
   * group, every value is secret. The group `quote` opens a quoted value. All repetitions are
   * bounded and unambiguous, so a search takes linear time.
   */
  readonly before: RegExp;
  /** Value without quotes. */
  readonly value: RegExp;
  readonly isSecret?: (name: string) => boolean;
}

const rules: readonly SecretPattern[] = [
  { before: /\/applications\/[^/\s"'<>]+\/tokens\//g, value: /[^/?\s"'<>]+/y },
  // A parameter, including in a `Link` header or in a URL within JSON.
  {
    before: /(?<=^|[?&;#\s<"':/]|\\u0026)(?<name>[\w.%[\]-]{1,128})=/g,
    // A closing bracket or an apostrophe ends the value only at the end of a word.
    value: /(?!')(?:[^&;#\s<>"'\\,)\]}]|[)\]}]+(?=[^&;#\s<>"'\\,.)\]}])|'(?=[\w%(!*~]|\)[\w%]))+/y,
    isSecret: (name) => isSecretField(decodeField(name)),
  },
  // A name with a quoted value or a number: a JSON member (also within a JSON string, where backslashes
  // precede quotes), an attribute, a line of YAML, source code (`config['token'] = '…'`, `:token =>
  // "…"`).
  {
    before:
      /(?<![\w.[\]-])(?<name>[\w.[\]-]{1,128})(?:\\{0,7}["']\]?)?\s{0,9}[:=]{1,2}>?\s{0,9}(?:(?<quote>\\{0,7}["'`])|(?=\d))/g,
    value: /\d[\w.+-]{0,60}/y,
    isSecret: isSecretInResponse,
  },
  // A line of YAML or of a configuration file, or a header, including headers in `curl -v` output.
  {
    before:
      /(?:^|[\r\n]|\\n)[ \t]{0,200}(?:[-<>*+][ \t]{1,9})?(?<around>["']?)(?<name>[\w.-]{1,128})\k<around>[ \t]{0,9}(?::[ \t]{1,9}|=[ \t]{0,9})(?![\s"'`|>&*!{[=]|(?:null|true|false)\b)/g,
    value: /(?:(?!\s+#|\s+$)[^\r\n"'\\]){1,4096}/y,
    isSecret: isSecretInResponse,
  },
  // A quoted header or line: `-H "X-Auth-Token: …"`. Without a hyphen in the name or a digit in the
  // value, the text may be prose.
  {
    before:
      /["'](?<name>[\w.-]{1,128}):[ \t]{1,9}(?:(?<=-[\w.-]{1,128}:[ \t]{1,9})|(?=[^\s"'\\]{0,60}\d))/g,
    value: /[^\r\n"'\\]{1,4096}/y,
    isSecret: isSecretInResponse,
  },
  // `Authorization` in a command or in prose.
  {
    before:
      /authorization:[ \t]{0,9}(?:(?:basic|bearer|token|negotiate|ntlm|oauth)[ \t]{1,9}|(?=[^\s"'\\<>,\d]{0,60}\d))/gi,
    value: /[^\s"'\\<>,]+/y,
  },
  { before: /\bdigest [^\r\n]{0,500}?\bresponse=\\{0,7}["']?/gi, value: /[\da-f]{16,128}/iy },
];

/** Matches a valid form or URL. Other text that is declared as a form is searched as a whole. */
const urlEncoded = /^[^\s"<>]*$/;

/**
 * Matches a parameter of a query or a form. The lookbehind matches only at the start of a name.
 * Without it, long names would take quadratic time.
 */
const parameter = /(?<![^?&])([^=&?]+)=([^&]*)/g;

const userInfo = /(?<=:\\{0,7}\/\\{0,7}\/)((?:[^\s/?#@"'<>\\]|'(?=[\w%(!*~]|\)[\w%])){1,8192})@/g;
/**
 * Matches a private key in PEM format. The group contains the text between the first and last
 * lines.
 */
const privateKey = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----((?:(?!-----)[\s\S]){1,16384})/g;
/** Matches if any of the patterns above can match the text, decoded or not. */
const anySign = /[=:<%]|\\[ux]|&[#a-z]|\/tokens\/|PRIVATE KEY/i;
/**
 * Matches a token that appears as a field name or is sent as the username. A username with one of
 * the passwords below is also a token.
 */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;
const passwordBesideToken = /^(?:x|x-oauth-basic)?$/i;

/**
 * Length and overlap of the chunks into which long text is divided. The decoded forms of a chunk
 * can need about 100 times as much memory as the chunk.
 */
export const [pieceLength, pieceOverlap] = [1_048_576, 16_384];

/** Finds secrets in text and in its decoded forms by their names, even if the names are encoded. */
export function findSecrets(text: string): FoundSecrets {
  const found = new FoundSecrets();
  if (!anySign.test(text)) return found;
  // Searches the whole text first, because a quoted value can be longer than a chunk.
  findPlainSecrets(text, found);
  for (let offset = 0; offset < text.length; offset += pieceLength) {
    const piece = text.slice(offset, offset + pieceLength + pieceOverlap);
    if (!anySign.test(piece)) continue;
    for (const view of decodedViews(piece).slice(1)) {
      found.add(findPlainSecrets(view.text), (...span) => {
        const [start, end] = view.mapToSource(...span);
        return [offset + start, offset + end];
      });
    }
  }
  return found;
}

/** Finds the secrets in a form, or in a URL with a query. */
export function findInParameters(text: string): FoundSecrets {
  const found = new FoundSecrets();
  const blanks: MaskedSpan[] = [];
  for (const { 0: whole, 1: name = '', 2: value = '', index } of text.matchAll(parameter)) {
    const end = index + whole.length;
    const start = end - value.length;
    if (isSecretField(decodeField(name))) {
      addSecret(found, text, [start, end]);
      blanks.push([start, end, ' '.repeat(value.length)]);
    }
    // Searches the decoded value separately, because some secrets are recognized only at the start
    // of a text.
    for (const nested of findSecrets(decodeField(value)).values) found.values.push(nested);
  }
  const whole = findSecrets(text);
  for (const value of whole.values) found.values.push(value);
  // Blanks each value, because a value may contain text that looks like the start of a longer
  // secret.
  const { spans } = urlEncoded.test(text) ? findSecrets(maskSpans(text, blanks)) : whole;
  for (const span of spans) found.spans.push(span);
  return found;
}

function findPlainSecrets(text: string, found = new FoundSecrets()): FoundSecrets {
  const named = [
    ...rules.flatMap((rule) => spansByRule(text, rule)),
    ...spansInParts(text),
    ...spansInTags(text),
    ...spansInElements(text),
    ...spansInContainers(text),
  ];
  for (const span of named) addSecret(found, text, span);
  for (const { 0: key, 1: secret = '', index } of text.matchAll(privateKey)) {
    const end = index + key.length;
    found.spans.push([end - secret.length, end]);
  }
  for (const { 1: who = '', index } of text.matchAll(userInfo)) {
    const secrets = secretsOfUser(who).filter((each) => each !== '');
    if (secrets.length > 0) found.spans.push([index, index + who.length]);
    for (const each of secrets) found.values.push(decodeField(each));
  }
  return found;
}

/** Adds a secret and its decoded forms. */
function addSecret(found: FoundSecrets, text: string, span: TextSpan): void {
  const secret = text.slice(...span);
  found.spans.push(span);
  found.values.push(secret);
  if (!/[%+&\\]/.test(secret) || secret.length > pieceOverlap) return;
  for (const view of decodedViews(secret)) found.values.push(view.text);
}

/** Returns the positions of values that match a pattern. */
function spansByRule(text: string, { before, value, isSecret }: SecretPattern): TextSpan[] {
  const spans: TextSpan[] = [];
  let done = 0;
  for (const { 0: matched, index, groups } of text.matchAll(before)) {
    const start = index + matched.length;
    if (start < done || (isSecret && !isSecret(groups?.name ?? ''))) continue;
    const quote = groups?.quote;
    done = quote === undefined ? valueEnd(text, start, value) : closingQuote(text, start, quote);
    if (done > start) spans.push([start, done]);
  }
  return spans;
}

/** Returns the secret parts of `user:password`. */
export function secretsOfBasic(text: string): string[] {
  const colon = text.indexOf(':');
  const [user, password] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const isToken = passwordBesideToken.test(password) || tokenAsUser.test(user);
  return isToken ? [password, user] : [password];
}

/** Returns whether a name looks like a token. */
export function isToken(name: string): boolean {
  return tokenAsUser.test(name);
}

/**
 * Returns the secret parts of a URL's credentials. A username alone is secret only if it looks
 * like a token.
 */
function secretsOfUser(who: string): string[] {
  return who.includes(':') || tokenAsUser.test(who) ? secretsOfBasic(who) : [];
}

/** Percent-decodes text. Returns invalid text unchanged. */
function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
