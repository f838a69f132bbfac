import { decodings } from './decoded-views.js';
import { foldCase } from './letter-case.js';
import { createMasks, isWithinWord, type Needle } from './secret-masks.js';
import { decodeUtf8 } from './utf8.js';
import { View } from './view.js';

/** Maximum number of decoded strings. Only a URL crafted to keep a client busy has more. */
const maxReadings = 256;
/**
 * Maximum number of characters in all decoded strings. The decoded strings of an 8 KB signed URL
 * have about 300,000 characters.
 */
const maxCharacters = 2_000_000;

/**
 * Minimum length at which a plain-word secret is found wherever it is a whole word. Shorter secrets
 * are found only as whole values, because short words occur by chance.
 */
const longWord = 12;

/**
 * Returns whether a string contains a secret, encoded or not. Covers the encodings that `decodings`
 * decodes, Base64, hex, and any nesting of these encodings. To be safe, also returns true if there
 * is too much to decode.
 */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  const masks = createMasks(secrets);
  if (!masks) return false;
  const readings = new Set([text]);
  let characters = 0;
  // The loop also visits strings that are added during the iteration.
  for (const reading of readings) {
    characters += reading.length;
    if (readings.size > maxReadings || characters > maxCharacters) return true;
    if (holdsAny(reading, masks.needles)) return true;
    for (const { decoded } of decodings(new View(reading))) readings.add(decoded.text);
    for (const decoded of decodedRuns(reading)) readings.add(decoded);
  }
  return false;
}

function holdsAny(reading: string, needles: readonly Needle[]): boolean {
  const text = foldCase(reading);
  return needles.some((needle) => needle.forms.some((form) => holds(text, form, needle)));
}

function holds(text: string, form: string, { isAnywhere, isPlainWord }: Needle): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const end = at + form.length;
    if (isAnywhere) return true;
    const isWhole =
      isPlainWord && form.length < longWord
        ? isWholeValue(text, at, end)
        : !isWithinWord(text, at, end);
    if (isWhole) return true;
  }
  return false;
}

/**
 * Returns whether the text from `start` to `end` is the whole value of a parameter or header, or a
 * password after a username. False for a path segment.
 */
function isWholeValue(text: string, start: number, end: number): boolean {
  return (
    /[=: "']/.test(text[start - 1] ?? '') &&
    /^(?:$|[&;,\s"'#@<>()[\]{}|])/.test(text.slice(end, end + 1))
  );
}

/** The shortest masked secret has 5 octets, which take 7 Base64 characters or 10 hex digits. */
const base64Runs = /[\w+/-]{7,}/g;
const hexRuns = /[\da-f]{10,}/gi;

/**
 * Decodes runs of Base64 and hex from every possible start. The real start is unknown, because `/`
 * is both a separator and a Base64 character.
 */
function decodedRuns(text: string): string[] {
  const joined = (runs: readonly string[] | null, form: 'base64' | 'hex', skip: number) => {
    const decode = (run: string) => Buffer.from(run.slice(skip), form).toString('latin1');
    return decodeUtf8(new View((runs ?? []).map(decode).join('\n'))).text;
  };
  // Some encoders break Base64 into lines.
  const base64 = text.replace(/[\r\n]+/g, '').match(base64Runs);
  const hex = text.match(hexRuns);
  return [
    ...[0, 1, 2, 3].map((skip) => joined(base64, 'base64', skip)),
    ...[0, 1].map((skip) => joined(hex, 'hex', skip)),
  ].filter((decoded) => decoded !== '');
}
