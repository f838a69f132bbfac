import { domainToUnicode } from 'node:url';
import { htmlNames, htmlReference } from './html-names.js';
import { characterOfUtf8, decodeUtf8, toCharacter } from './utf8.js';
import { View } from './view.js';

/** Above this length, in characters, only two encodings within each other are decoded. */
const longText = 10_000;

/**
 * A text as it is and with its encodings decoded, up to three within each other. Characters that are
 * encoded in different ways count as encodings within each other.
 */
export function decodedViews(text: string): View[] {
  const layers = text.length > longText ? 2 : 3;
  const views = new Map([[text, new View(text)]]);
  let outer = [...views.values()];
  for (let layer = 0; layer < layers && outer.length > 0; layer++) {
    const inner = new Map(
      outer
        .flatMap(decodings)
        .filter((view) => !views.has(view.text))
        .map((view) => [view.text, view]),
    );
    for (const [decoded, view] of inner) views.set(decoded, view);
    outer = [...inner.values()];
  }
  return [...views.values()];
}

/**
 * The views of a text with one encoding decoded: percent-encoding, a form, JSON, HTML, Punycode, and
 * UTF-8 that was read as Latin-1. May include the same view if there is nothing to decode.
 */
export function decodings(view: View): View[] {
  return [
    ...readings(view, percent),
    ...(view.text.includes('+') ? readings(view, form) : []),
    ...readings(view, escapes),
    view.rewrite(htmlReference, htmlCharacter),
    view.rewrite(punycode, (label) => domainToUnicode(label) || label),
    decodeUtf8(view),
  ];
}

/**
 * Two readings of octets, because UTF-8 may also be a character for each octet: JavaScript's `escape()`
 * encodes `Ü§` as `%DC%A7`.
 */
function readings(view: View, [withUtf8, withoutUtf8]: Octets): View[] {
  const read = view.rewrite(withUtf8, characterOfSign);
  return read === view ? [] : [read, view.rewrite(withoutUtf8, characterOfSign)];
}

/** Patterns for encoded octets that match the octets of a character together, and one by one. */
type Octets = readonly [withUtf8: RegExp, withoutUtf8: RegExp];

/** @param sign before an octet. */
function octetsAfter(sign: string, others: string): Octets {
  const next = `${sign}[89ab][\\da-f]`;
  const sequence = `${sign}(?:[cd][\\da-f]${next}|e[\\da-f](?:${next}){2}|f[0-7](?:${next}){3})`;
  const single = `${others}|${sign}[\\da-f]{2}`;
  return [new RegExp(`${sequence}|${single}`, 'gi'), new RegExp(single, 'gi')];
}

const percent = octetsAfter('%', '%u[\\da-f]{4}');
const form = octetsAfter('%', '\\+|%u[\\da-f]{4}');
/** A backslash before any other letter, or before a non-ASCII character, escapes nothing. */
const escapes = octetsAfter(
  '\\\\x',
  '\\\\(?:u[\\da-f]{4}|u\\{[\\da-f]+\\}|[bfnrt]|[ -~](?<![a-z\\d]))',
);
const punycode = /xn--[a-z\d-]{1,59}/gi;

const shortEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** The character of an encoded octet, a sequence of octets, or another escape. */
function characterOfSign(sign: string): string {
  if (sign === '+') return ' ';
  if (/^\\[^ux]/i.test(sign)) return shortEscapes[sign.slice(1)] ?? sign.slice(1);
  const octets = sign.match(/(?<=%|\\x)[\da-f]{2}/gi) ?? [];
  return octets.length > 1
    ? characterOfUtf8(octets.map(hexCharacter).join(''))
    : hexCharacter(sign);
}

function htmlCharacter(sign: string): string {
  if (/^&#\d/.test(sign)) return toCharacter(Number.parseInt(sign.slice(2), 10));
  if (sign.startsWith('&#')) return hexCharacter(sign);
  const character = htmlNames.get(sign.replace(/[&;]/g, '').toLowerCase()) ?? sign;
  // As part of UTF-8 that was read as Latin-1, `&Atilde;` is another octet than `&atilde;`.
  return /^&[A-Z]/.test(sign) ? character.toUpperCase() : character;
}

/** The character of `%41`, `%u0041`, `\x41`, `\u0041`, `\u{41}` or `&#x41;`. */
function hexCharacter(sign: string): string {
  return toCharacter(Number.parseInt(sign.replace(/^\W+[ux]?\W?/i, ''), 16));
}
