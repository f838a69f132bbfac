import { domainToUnicode } from 'node:url';
import { htmlNames, htmlReference } from './html-names.js';
import { characterOf, decodeUtf8 } from './utf8.js';
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
 * UTF-8 that was read as Latin-1. Includes the same view if there is nothing to decode.
 */
export function decodings(view: View): View[] {
  return [
    decodeUtf8(view.rewrite(percent, hexCharacter)),
    ...(view.text.includes('+') ? [decodeUtf8(view.rewrite(form, formCharacter))] : []),
    view.rewrite(escapes, escapedCharacter),
    view.rewrite(htmlReference, htmlCharacter),
    view.rewrite(punycode, (label) => domainToUnicode(label) || label),
    decodeUtf8(view),
  ];
}

const percent = /%(?:u[\da-f]{4}|[\da-f]{2})/gi;
const form = /\+|%(?:u[\da-f]{4}|[\da-f]{2})/gi;
/** A backslash before any other letter, or before a non-ASCII character, escapes nothing. */
const escapes = /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[bfnrt]|[ -~](?<![a-z\d]))/gi;
const punycode = /xn--[a-z\d-]{1,59}/gi;

const shortEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function formCharacter(sign: string): string {
  return sign === '+' ? ' ' : hexCharacter(sign);
}

function escapedCharacter(sign: string): string {
  if (sign.length > 2) return hexCharacter(sign);
  return shortEscapes[sign.slice(1)] ?? sign.slice(1);
}

function htmlCharacter(sign: string): string {
  if (/^&#\d/.test(sign)) return characterOf(Number.parseInt(sign.slice(2), 10));
  if (sign.startsWith('&#')) return hexCharacter(sign);
  return htmlNames.get(sign.replace(/[&;]/g, '').toLowerCase()) ?? sign;
}

/** The character of `%41`, `%u0041`, `\x41`, `\u0041`, `\u{41}` or `&#x41;`. */
function hexCharacter(sign: string): string {
  return characterOf(Number.parseInt(sign.replace(/^\W+[ux]?\W?/i, ''), 16));
}
