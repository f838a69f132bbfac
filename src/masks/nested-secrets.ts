import { decodedViews } from './decoded-views.js';
import { foldAscii, foldCase } from './letter-case.js';
import { isWithinWord, masksOf, type Needle } from './secret-masks.js';

/**
 * A URL that can be read in more ways than this was made to keep a client busy, and so was one whose
 * readings have more characters than this. Signed URLs of 8 KB have some 300,000.
 */
const mostReadings = 256;
const mostCharacters = 2_000_000;

/** A plain word is only looked for as a whole value up to this length: longer ones are no coincidence. */
const longWord = 12;

/**
 * Whether a text contains a secret, also within another encoded text: percent-encoded any number of
 * times, as a form, JSON or HTML writes it, in Base64 or hex, and any of these within each other. Errs on
 * the safe side: true if there is too much to decode.
 */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  const masks = masksOf(secrets);
  if (!masks) return false;
  const readings = new Set([text]);
  let characters = 0;
  // A Set that grows while it is iterated is iterated to its new end.
  for (const reading of readings) {
    characters += reading.length;
    if (readings.size > mostReadings || characters > mostCharacters) return true;
    if (holdsAny(reading, masks.needles)) return true;
    for (const { text: decoded } of decodedViews(reading)) readings.add(decoded);
    for (const decoded of decodedRuns(reading)) readings.add(decoded);
  }
  return false;
}

function holdsAny(reading: string, needles: readonly Needle[]): boolean {
  const text = foldCase(reading).text;
  const octets = foldAscii(reading);
  return needles.some(
    (needle) =>
      needle.inText.some((form) => holds(text, form, needle)) ||
      needle.inOctets.some((form) => holds(octets, form, needle)),
  );
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

/** As the value of a parameter or header, or behind a user's name: not as a segment of a path. */
function isWholeValue(text: string, start: number, end: number): boolean {
  return (
    /[=: "']/.test(text[start - 1] ?? '') &&
    /^(?:$|[&;,\s"'#@<>()[\]{}|])/.test(text.slice(end, end + 1))
  );
}

/** The shortest secret that is looked for, 5 octets, takes 7 characters of Base64 and 10 of hex. */
const base64Runs = /[\w+/-]{7,}/g;
const hexRuns = /[\da-f]{10,}/gi;

/** What runs of Base64 and hex may stand for. Where they begin is unknown: a `/` is a character of Base64 too. */
function decodedRuns(text: string): string[] {
  const joined = (runs: readonly string[] | null, form: 'base64' | 'hex', skip: number) =>
    (runs ?? []).map((run) => Buffer.from(run.slice(skip), form).toString('latin1')).join('\n');
  // Base64 is broken into lines by some.
  const base64 = text.replace(/[\r\n]+/g, '').match(base64Runs);
  const hex = text.match(hexRuns);
  return [
    ...[0, 1, 2, 3].map((skip) => joined(base64, 'base64', skip)),
    ...[0, 1].map((skip) => joined(hex, 'hex', skip)),
  ].filter((decoded) => decoded !== '');
}
