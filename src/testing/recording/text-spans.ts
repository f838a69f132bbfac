import type { TextSpan } from '../../masks/secret-masks.js';
import { isSecretField, isSecretInResponse } from '../secret-names.js';

/** Returns the position after a value at `start`, or `start` if there is none. @param value sticky pattern. */
export function valueEnd(text: string, start: number, value: RegExp): number {
  value.lastIndex = start;
  return start + (value.exec(text)?.[0].length ?? 0);
}

/**
 * Returns the position of the quote that closes a value, or the end of the line if there is none. In a
 * string within JSON, backslashes precede the closing quote, and more backslashes precede an escaped
 * quote in the value.
 */
export function closingQuote(text: string, start: number, quote: string): number {
  const escapes = quote.length - 1;
  const sign = quote.slice(-1);
  for (let at = text.indexOf(sign, start); at >= 0; at = text.indexOf(sign, at + 1)) {
    let first = at;
    while (first > start && text.charAt(first - 1) === '\\') first--;
    const slashes = at - first;
    if (slashes < escapes) return first;
    if ((slashes - escapes) % (2 * escapes + 2) === 0) return at - escapes;
  }
  return valueEnd(text, start, /[^\r\n]+/y);
}

/** Returns the positions of secret fields in a multipart form. Each field ends at the next boundary. */
export function spansInParts(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(/\bcontent-disposition:[^\r\n]{1,600}/gi)) {
    const name = fieldName(match[0]);
    if (match.index < done || !isSecretField(name)) continue;
    const end = match.index + match[0].length;
    const start = valueEnd(text, end, /(?:\r?\n[^\r\n]{1,300}){0,9}\r?\n\r?\n/y);
    if (start === end) continue;
    const boundary = text.indexOf('\n--', start);
    done = boundary < 0 ? text.length : boundary;
    spans.push([start, text.charAt(done - 1) === '\r' ? done - 1 : done]);
  }
  return spans;
}

/** Returns the `name` parameter of a `Content-Disposition` header. Ignores `name=` within the file name. */
function fieldName(header: string): string {
  const parameters = /;\s{0,9}(\w{1,60})\*?\s{0,9}=\s{0,9}(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;
  for (const [, key = '', quoted, word = ''] of header.matchAll(parameters)) {
    if (/^name$/i.test(key)) return (quoted ?? word).trim();
  }
  return '';
}

/** Maximum length of a tag in characters. */
const longestTag = 8192;

/**
 * Returns the positions of values in tags with a secret name, such as `<input name="token" value="…">`
 * or `<token value="…">`.
 */
export function spansInTags(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  /** Start positions of the tag that contains a name, and of the next tag. */
  let [tag, next] = [-1, text.indexOf('<')];
  let done = -1;
  const named =
    /\b(?:name|id|key|type|property|itemprop)\s{0,9}=\s{0,9}\\{0,7}["']?([\w.[\]-]{1,128})|<(?:[\w.-]{1,60}:)?([\w.-]{1,128})\s/gi;
  for (const { 1: attribute, 2: element = '', index } of text.matchAll(named)) {
    const name = attribute ?? element;
    while (next >= 0 && next <= index) [tag, next] = [next, text.indexOf('<', next + 1)];
    if (tag <= done || index - tag > longestTag || !isSecretInResponse(name)) continue;
    done = tag;
    const end = Math.min(next < 0 ? text.length : next, tag + longestTag);
    const value = /\b(?:value|content)\s{0,9}=\s{0,9}(\\{0,7}["'])?/gi;
    for (const { 0: matched, 1: quote, index: at } of text.slice(tag, end).matchAll(value)) {
      const from = tag + at + matched.length;
      const to =
        quote === undefined
          ? valueEnd(text, from, /[^\s"'<>\\]+/y)
          : closingQuote(text, from, quote);
      if (to > from) spans.push([from, to]);
    }
  }
  return spans;
}

/** HTML elements whose `name` attribute doesn't describe their text. */
const unnamedTexts =
  /^(?:a|button|embed|fieldset|form|i?frame|img|input|link|map|meta|object|param|select|slot)$/i;

/**
 * Returns whether the text of an element is secret, based on the element's name or its `name` or
 * `key` attribute: `<token>`, `<textarea name="token">`.
 */
export function isSecretElement(
  tag: string,
  name: string,
  isSecret: (name: string) => boolean,
): boolean {
  if (isSecret(name)) return true;
  const [, named = ''] =
    /\s(?:name|key)\s{0,9}=\s{0,9}\\{0,7}["']?([\w.[\]-]{1,128})/i.exec(tag) ?? [];
  return named !== '' && isSecret(named) && !unnamedTexts.test(name);
}

/**
 * Returns the positions of the text in elements with a secret name, such as `<token>…</token>`. Ignores
 * elements without an end tag, because prose uses `<token>` as a placeholder.
 */
export function spansInElements(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  /** Position after the last start tag of each name. */
  const opened = new Map<string, number>();
  const tags = /<(\\{0,7}\/)?(?:[\w.-]{1,60}:)?([\w.-]{1,128})(?:\s[^<>]{0,4000})?>/g;
  for (const { 0: tag, 1: slash, 2: name = '', index } of text.matchAll(tags)) {
    const start = opened.get(name);
    if (slash === undefined) {
      if (!tag.endsWith('/>') && isSecretElement(tag, name, isSecretInResponse)) {
        opened.set(name, index + tag.length);
      }
    } else if (start !== undefined) {
      opened.delete(name);
      for (const span of spansOfTexts(text.slice(start, index), start)) spans.push(span);
    }
  }
  return spans;
}

/**
 * Returns the positions of text between tags and in CDATA sections.
 * @param offset Number to add to each position.
 */
export function spansOfTexts(content: string, offset = 0): TextSpan[] {
  const spans: TextSpan[] = [];
  const pieces = /<!\[CDATA\[|\]\]>|<[^<>]*>|((?:(?!\]\]>)[^<])+)|</g;
  for (const { 1: piece = '', index } of content.matchAll(pieces)) {
    const trimmed = piece.trim();
    const start = offset + index + piece.indexOf(trimmed);
    if (trimmed !== '') spans.push([start, start + trimmed.length]);
  }
  return spans;
}

/**
 * Returns the positions of the strings and numbers in objects and arrays with a secret name, such as
 * `{"token":["…"]}`. If the closing bracket is missing, includes only values on the same line.
 */
export function spansInContainers(text: string): TextSpan[] {
  const named =
    /(?<![\w.[\]-])([\w.[\]-]{1,128})(?:\\{0,7}["']\]?)?(?:\s|\\n){0,9}[:=]{1,2}>?(?:\s|\\n){0,9}(?=[[{])/g;
  const starts: number[] = [];
  for (const { 0: matched, 1: name = '', index } of text.matchAll(named)) {
    if (isSecretInResponse(name)) starts.push(index + matched.length);
  }
  const spans: TextSpan[] = [];
  for (let next = 0; next < starts.length; ) next = addValues(text, starts, next, spans);
  return spans;
}

/**
 * Adds the values in a secret container and in all secret containers that start before its end.
 * @param starts positions of all secret containers.
 * @param first Index of the secret container in `starts`.
 * @returns the index in `starts` of the next secret container after the added containers.
 */
function addValues(
  text: string,
  starts: readonly number[],
  first: number,
  spans: TextSpan[],
): number {
  const values: TextSpan[] = [];
  /** For each open container, the number of values before it, and its position if it is secret. */
  const open: { readonly before: number; readonly start: number | undefined }[] = [];
  const pieces = /[[{]|[\]}]|(\\{0,7}["'])|[^\s"'{}[\],:\\]+/y;
  let next = first;
  let at = starts[first] ?? text.length;
  do {
    pieces.lastIndex = at;
    const { 0: piece = '', 1: quote } = pieces.exec(text) ?? [];
    let end = at + Math.max(1, piece.length);
    if (quote !== undefined) {
      const closing = closingQuote(text, end, quote);
      // A quote that closes only after the start of the next secret container is an apostrophe.
      const isString = (starts[next] ?? text.length) >= closing;
      if (isString && !isFieldName(text, closing + quote.length)) values.push([end, closing]);
      if (isString) end = closing + quote.length;
    } else if (piece === '[' || piece === '{') {
      const start = starts[next] === at ? starts[next++] : undefined;
      open.push({ before: values.length, start });
    } else if (piece === ']' || piece === '}') {
      const { before = 0, start } = open.pop() ?? {};
      if (start !== undefined) for (const value of values.splice(before)) spans.push(value);
    } else if (/\d/.test(piece) && !isFieldName(text, end)) values.push([at, end]);
    at = end;
  } while (open.length > 0 && at < text.length);
  let [added, line] = [0, 0];
  for (const { before, start } of open) {
    if (start === undefined) continue;
    if (start >= line) line = valueEnd(text, start, /[^\r\n]+/y);
    added = Math.max(added, before);
    for (let value = values[added]; value && value[1] <= line; value = values[++added]) {
      spans.push(value);
    }
  }
  return next;
}

/** Returns whether the string that ends at `end` is a member's name, which a colon follows. */
function isFieldName(text: string, end: number): boolean {
  return text.charAt(valueEnd(text, end, /(?:\s|\\n){0,9}/y)) === ':';
}

/**
 * Returns the positions of the quoted attribute values in a tag, except for namespaces.
 * @param offset Number to add to each position.
 */
export function spansOfAttributes(tag: string, offset: number): TextSpan[] {
  const spans: TextSpan[] = [];
  let done = 0;
  const quoted = /\s([\w:.-]{1,128})\s{0,9}=\s{0,9}(\\{0,7}["'])/g;
  for (const { 0: matched, 1: name = '', 2: quote = '', index } of tag.matchAll(quoted)) {
    const start = index + matched.length;
    if (start < done) continue;
    done = closingQuote(tag, start, quote);
    if (done > start && !/^xmlns\b/i.test(name)) spans.push([offset + start, offset + done]);
  }
  return spans;
}
