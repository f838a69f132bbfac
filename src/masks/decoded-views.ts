import { domainToUnicode } from 'node:url';
import { htmlNames, htmlReference } from './html-names.js';
import { characterOfUtf8, decodeUtf8, toCharacter } from './utf8.js';
import { View } from './view.js';

/**
 * Length in characters above which text is decoded through at most two nested encodings instead of
 * three.
 */
const longText = 10_000;

/**
 * Returns views of a string: the string itself and its decoded forms. Decodes up to three nested
 * encodings, or two in a long string. A combination of two encodings counts as two.
 */
export function decodedViews(text: string): View[] {
  const most = text.length > longText ? 2 : 3;
  const views = new Map<string, View>();
  /** Views, grouped by the number of decoded encodings. */
  const layers: View[][] = [[new View(text)]];
  for (let layer = 0; layer <= most; layer++) {
    for (const view of layers[layer] ?? []) {
      if (views.has(view.text)) continue;
      views.set(view.text, view);
      for (const { count, decoded } of decodings(view, most - layer)) {
        layers[layer + count] = [...(layers[layer + count] ?? []), decoded];
      }
    }
  }
  return [...views.values()];
}

interface Decoding {
  readonly count: number;
  readonly decoded: View;
}

/**
 * Decodes a string in each supported encoding: percent-encoding, form encoding, JSON, HTML,
 * combinations of these, Punycode, and UTF-8 that was read as Latin-1. The result may contain
 * duplicates.
 *
 * @param most maximum number of encodings in a combination.
 */
export function decodings(view: View, most = 3): Decoding[] {
  if (most === 0) return [];
  const octets = readers
    .filter(
      ({ encodings, signs }) =>
        encodings <= most && signs.every((sign) => view.text.includes(sign)),
    )
    .flatMap(({ encodings, patterns }) =>
      readings(view, patterns).map((decoded) => ({ count: encodings, decoded })),
    );
  const rest = [
    view.rewrite(punycode, (label) => domainToUnicode(label) || label),
    decodeUtf8(view),
  ].filter((each) => each !== view);
  return [...octets, ...rest.map((decoded) => ({ count: 1, decoded }))];
}

/** Decodes a view with each pattern. Returns no views if the first pattern changes nothing. */
function readings(view: View, [first, ...others]: readonly RegExp[]): View[] {
  const read = first ? view.rewrite(first, characterOfSign) : view;
  if (read === view) return [];
  return [read, ...others.map((pattern) => view.rewrite(pattern, characterOfSign))];
}

/** A character encoding. The patterns are regular-expression sources. */
interface Encoding {
  /** Character that every string in this encoding contains. */
  readonly sign: string;
  /** Matches the UTF-8 octets of one character. */
  readonly sequence?: string;
  /** Matches a single encoded character or octet. */
  readonly single: string;
}

function sequenceAfter(sign: string): string {
  const next = `${sign}[89ab][\\da-f]`;
  return `${sign}(?:[cd][\\da-f]${next}|e[\\da-f](?:${next}){2}|f[0-7](?:${next}){3})`;
}

const percent: Encoding = {
  sign: '%',
  sequence: sequenceAfter('%'),
  single: '%u[\\da-f]{4}|%[\\da-f]{2}',
};
const form: Encoding = { ...percent, sign: '+', single: `\\+|${percent.single}` };
/**
 * Backslash escapes. A backslash before an unlisted letter, a digit or a non-ASCII character isn't
 * an escape.
 */
const escapes: Encoding = {
  sign: '\\',
  sequence: sequenceAfter('\\\\x'),
  single: '\\\\(?:u[\\da-f]{4}|u\\{[\\da-f]+\\}|x[\\da-f]{2}|[bfnrt]|[ -~](?<![a-z\\d]))',
};
const html: Encoding = { sign: '&', single: htmlReference.source };
const punycode = /xn--[a-z\d-]{1,59}/gi;

/**
 * Combined encodings are decoded in one pass. Decoding them one after another would also decode a
 * secret that itself looks encoded, such as `%41`.
 */
const readers = [
  [percent],
  [form],
  [escapes],
  [html],
  [percent, escapes],
  [percent, html],
  [escapes, html],
  [form, escapes],
  [form, html],
  [percent, escapes, html],
  [form, escapes, html],
].map(createReader);

/**
 * Creates patterns that read octets in two ways: as UTF-8 and as one character per octet. For
 * example, JavaScript's `escape()` encodes `Ü§` as `%DC%A7`, which is also valid UTF-8.
 */
function createReader(encodings: readonly Encoding[]) {
  const sequences = encodings.flatMap(({ sequence }) => sequence ?? []);
  const singles = encodings.map(({ single }) => single);
  const sources = [...(sequences.length > 0 ? [[...sequences, ...singles]] : []), singles];
  return {
    encodings: encodings.length,
    signs: encodings.map(({ sign }) => sign),
    patterns: sources.map((source) => new RegExp(source.join('|'), 'gi')),
  };
}

const shortEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Returns the character that an HTML reference, encoded octets or another escape represents. */
function characterOfSign(sign: string): string {
  if (sign === '+') return ' ';
  if (sign.startsWith('&')) return htmlCharacter(sign);
  if (/^\\[^ux]/i.test(sign)) {
    const escaped = sign.slice(1);
    // The patterns ignore letter case, but no escape has an uppercase letter.
    return shortEscapes[escaped] ?? (/[a-z]/i.test(escaped) ? sign : escaped);
  }
  const octets = sign.match(/(?<=%|\\x)[\da-f]{2}/gi) ?? [];
  return octets.length > 1
    ? characterOfUtf8(octets.map(hexCharacter).join(''))
    : hexCharacter(sign);
}

function htmlCharacter(sign: string): string {
  if (/^&#\d/.test(sign)) return toCharacter(Number.parseInt(sign.slice(2), 10));
  if (sign.startsWith('&#')) return hexCharacter(sign);
  const character = htmlNames.get(sign.replace(/[&;]/g, '').toLowerCase()) ?? sign;
  // In UTF-8 that was read as Latin-1, `&Atilde;` and `&atilde;` represent different octets.
  return /^&[A-Z]/.test(sign) ? character.toUpperCase() : character;
}

/**
 * Returns the character that is encoded as `%41`, `%u0041`, `\x41`, `\u0041`, `\u{41}` or `&#x41;`.
 */
function hexCharacter(sign: string): string {
  return toCharacter(Number.parseInt(sign.replace(/^\W+[ux]?\W?/i, ''), 16));
}
