import { decodedViews } from '../../masks/decoded-views.js';
import type { View } from '../../masks/view.js';
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

/** Pattern for a secret that follows its name or other identifying text. */
interface SecretPattern {
  /**
   * Text before the value. The group `name` determines whether the value is secret. Without this
   * group, every value is secret. The group `quote` opens a quoted value. All repetitions are
   * bounded and unambiguous, so that a search takes linear time.
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
    isSecret: isSecretName,
  },
  // A line of YAML or of a configuration file, or a header, including headers in `curl -v` output.
  {
    before:
      /(?:^|[\r\n]|\\n)[ \t]{0,200}(?:[-<>*+][ \t]{1,9})?(?<around>["']?)(?<name>[\w.-]{1,128})\k<around>[ \t]{0,9}(?::[ \t]{1,9}|=[ \t]{0,9})(?![\s"'`|>&*!{[=]|(?:null|true|false)\b)/g,
    value: /(?:(?!\s+#|\s+$)[^\r\n"'\\]){1,4096}/y,
    isSecret: isSecretName,
  },
  // A quoted header or line: `-H "X-Auth-Token: …"`. Without a hyphen in the name or a digit in the
  // value, the text may be prose.
  {
    before:
      /["'](?<name>[\w.-]{1,128}):[ \t]{1,9}(?:(?<=-[\w.-]{1,128}:[ \t]{1,9})|(?=[^\s"'\\]{0,60}\d))/g,
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

const userInfo = /(?<=:\\{0,7}\/\\{0,7}\/)((?:[^\s/?#@"'<>\\]|'(?=[\w%(!*~]|\)[\w%])){1,8192})@/g;
/**
 * Matches a private key in PEM format. The group contains the text between its first and last line.
 */
const privateKey = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----((?:(?!-----)[\s\S]){1,16384})/g;
/** Matches if any of the patterns above can match the text or a decoded form of it. */
const anySign = /[=:<%]|\\[ux]|&[#a-z]|\/tokens\/|PRIVATE KEY/i;
/** Names whose values are secret in requests but not in responses, such as `errors[].code`. */
const onlyInRequests = /^(?:code|license)$/i;
/**
 * Matches a token that appears as a field name or is sent as the user name. A user name with one of
 * the passwords below is also a token.
 */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;
const passwordBesideToken = /^(?:x|x-oauth-basic)?$/i;

/**
 * Length of the pieces in which long text is searched, and their overlap. Long text is divided, because
 * its decoded forms take up a hundred times its size in memory.
 */
export const [pieceLength, pieceOverlap] = [1_048_576, 16_384];

/** Finds secrets in text and in its decoded forms by their names. */
export function findSecrets(text: string): string[] {
  const found: string[] = [];
  for (const { views } of decodePieces(text)) {
    for (const { text: decoded } of views) {
      for (const [start, end] of spansIn(decoded)) {
        const secret = decoded.slice(start, end);
        found.push(secret);
        if (/[%+&\\]/.test(secret) && secret.length <= pieceOverlap) {
          for (const view of decodedViews(secret)) found.push(view.text);
        }
      }
      for (const [, who = ''] of decoded.matchAll(userInfo)) {
        found.push(...secretsOfUser(who).map(decodeField));
      }
    }
  }
  return found;
}

/** Masks secrets in text by their names, even if the names are encoded. */
export function maskTextSecrets(text: string): string {
  if (!anySign.test(text)) return text;
  // Searches the whole text first, because a quoted value can be longer than a piece.
  const spans = maskedSpans(text);
  for (const { offset, views } of decodePieces(text)) {
    for (const view of views.slice(1)) {
      for (const span of maskedSpans(view.text)) {
        const [start, end] = view.mapToSource(...span);
        spans.push([offset + start, offset + end]);
      }
    }
  }
  return maskSpans(text, spans);
}

/** Masks the specified parts of the text. */
export function maskSpans(text: string, spans: TextSpan[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
    if (start >= done) pieces.push(text.slice(done, start), mask);
    done = Math.max(done, end);
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** Yields the pieces of text that may contain secrets, each in its original and decoded forms. */
function* decodePieces(text: string): Iterable<{ offset: number; views: View[] }> {
  for (let offset = 0; offset < text.length; offset += pieceLength) {
    const piece = text.slice(offset, offset + pieceLength + pieceOverlap);
    if (anySign.test(piece)) yield { offset, views: decodedViews(piece) };
  }
}

/** Returns the positions of all parts to mask. */
function maskedSpans(text: string): TextSpan[] {
  const spans = spansIn(text);
  for (const { 0: key, 1: secret = '', index } of text.matchAll(privateKey)) {
    spans.push([index + key.length - secret.length, index + key.length]);
  }
  for (const { 1: who = '', index } of text.matchAll(userInfo)) {
    if (secretsOfUser(who).some((each) => each !== '')) spans.push([index, index + who.length]);
  }
  return spans;
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
  return spans.concat(
    spansInParts(text, isSecretField),
    spansInTags(text, isSecretName),
    spansInElements(text, isSecretName),
    spansInContainers(text, isSecretName),
  );
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
 * Returns the secret parts of a URL's credentials. A user name alone is secret only if it looks
 * like a token.
 */
function secretsOfUser(who: string): string[] {
  return who.includes(':') || tokenAsUser.test(who) ? secretsOfBasic(who) : [];
}

function isSecretName(name: string): boolean {
  return isSecretField(name) && !onlyInRequests.test(name);
}

/** Percent-decodes text. Returns invalid text unchanged. */
function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
