/** Positions of a part of a text. */
export type TextSpan = readonly [start: number, end: number];

/** Returns the position after a value at `start`, or `start` if there is none. @param value sticky pattern. */
export function valueEnd(text: string, start: number, value: RegExp): number {
  value.lastIndex = start;
  return start + (value.exec(text)?.[0].length ?? 0);
}

/**
 * Returns the position of the quote that closes a value, or the end of the line if there is none. In a string
 * within JSON, backslashes precede the quote, and more of them an escaped quote in the value.
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
export function spansInParts(text: string, isSecret: (name: string) => boolean): TextSpan[] {
  const spans: TextSpan[] = [];
  let done = 0;
  for (const match of text.matchAll(/\bcontent-disposition:[^\r\n]{1,600}/gi)) {
    const [, name = ''] = /\bname="?([^"\r\n;]{1,60})/i.exec(match[0]) ?? [];
    if (match.index < done || !isSecret(name)) continue;
    const end = match.index + match[0].length;
    const start = valueEnd(text, end, /(?:\r?\n[^\r\n]{1,300}){0,9}\r?\n\r?\n/y);
    if (start === end) continue;
    const boundary = text.indexOf('\n--', start);
    done = boundary < 0 ? text.length : boundary;
    spans.push([start, text.charAt(done - 1) === '\r' ? done - 1 : done]);
  }
  return spans;
}

/** Maximum length of a tag in characters. */
const longestTag = 8192;

/** Returns the positions of values in tags with a secret name, such as `<input name="token" value="…">`. */
export function spansInTags(text: string, isSecret: (name: string) => boolean): TextSpan[] {
  const spans: TextSpan[] = [];
  /** Start of the tag that contains a name, and of the next tag. */
  let [tag, next] = [-1, text.indexOf('<')];
  let done = -1;
  const named = /\b(?:name|id)\s{0,9}=\s{0,9}\\{0,7}["']?([\w.[\]-]{1,60})/gi;
  for (const { 1: name = '', index } of text.matchAll(named)) {
    while (next >= 0 && next < index) [tag, next] = [next, text.indexOf('<', next + 1)];
    if (tag <= done || index - tag > longestTag || !isSecret(name)) continue;
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
