import type { View } from './view.js';

const sequence = /[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}/g;

/**
 * Decodes UTF-8 in a string whose characters are octets. Octets that aren't UTF-8 stay unchanged,
 * so they are read as Latin-1.
 */
export function decodeUtf8(octets: View): View {
  return octets.rewrite(sequence, characterOfUtf8);
}

/**
 * Returns the character that a sequence of octets encodes. Accepts the halves of a surrogate pair,
 * because Java encodes each half separately.
 */
export function characterOfUtf8(octets: string): string {
  let point = octets.charCodeAt(0) & (0x7f >> octets.length);
  for (let at = 1; at < octets.length; at++) point = (point << 6) | (octets.charCodeAt(at) & 0x3f);
  return toCharacter(point);
}

/**
 * Returns the character for a code point, or the last Unicode character if the code point is too
 * large.
 */
export function toCharacter(point: number): string {
  return String.fromCodePoint(Math.min(point, 0x10ffff));
}
