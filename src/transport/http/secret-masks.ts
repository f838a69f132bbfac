import { type DecodedView, decodedViews } from './decoded-views.js';

/** What stands in place of a secret. */
export const mask = '***';

/** Shorter secrets are not looked for: they are found in words that have nothing to do with them. */
export const leastMasked = 5;

/** From this length on a secret is masked also within a longer word; shorter ones as whole words. */
const leastWithinWords = 12;

/** A secret as it is looked for. All texts are folded to one letter case. */
interface Needle {
  /** Its characters, for texts as they are. */
  readonly text: string;
  /** Its UTF-8, a character for each octet, for texts whose octets were encoded. */
  readonly octets: string;
  /** Base64 and hex of its octets. */
  readonly encoded: readonly string[];
  /** Also within a longer word. */
  readonly isAnywhere: boolean;
  /** A short word of letters is one that programs compare, whoever took it for a password. */
  readonly isPlainWord: boolean;
}

/** How the secrets of one call are looked for. */
export interface SecretMasks {
  readonly needles: readonly Needle[];
  /** The longest form of any of them, in characters. */
  readonly longest: number;
}

/** An error masks many texts with the same secrets. */
const made = new WeakMap<readonly string[], SecretMasks>();

/** The masks of some secrets, made once; undefined where there is nothing to mask. */
export function masksOf(secrets: readonly string[]): SecretMasks | undefined {
  let masks = made.get(secrets);
  if (!masks) {
    const needles = [...new Set(secrets)]
      .filter(({ length }) => length >= leastMasked)
      .map(needleOf);
    const longest = needles.reduce((most, { text }) => Math.max(most, 12 * text.length), 0);
    masks = { needles, longest };
    made.set(secrets, masks);
  }
  return masks.needles.length === 0 ? undefined : masks;
}

function needleOf(secret: string): Needle {
  const bytes = Buffer.from(secret);
  const isPlainWord = /^[a-z_]{1,19}$/i.test(secret);
  return {
    text: fold(secret),
    octets: fold(bytes.toString('latin1')),
    encoded: (['base64', 'base64url', 'hex'] as const).flatMap((form) => {
      const whole = fold(bytes.toString(form));
      // Base64 may stand without its padding.
      return whole.endsWith('=') ? [whole, whole.replace(/=+$/, '')] : [whole];
    }),
    isAnywhere: secret.length >= leastWithinWords && !isPlainWord,
    isPlainWord,
  };
}

/** A free text with its secrets masked, in whichever form they stand there. */
export function maskText(text: string, { needles }: SecretMasks): string {
  const found = decodedViews(text).flatMap((view) =>
    needles.flatMap((needle) => placesIn(view, needle)),
  );
  return replaced(text, found);
}

/** A word that programs compare: masked where the whole of it is a secret, and where it holds a long one. */
export function maskWord(word: string, { needles }: SecretMasks): string {
  const folded = fold(word);
  if (needles.some(({ text, isPlainWord }) => text === folded && !isPlainWord)) return mask;
  const view = { text: word, starts: undefined, isOctets: false };
  const long = needles.filter(({ isAnywhere }) => isAnywhere);
  return replaced(
    word,
    long.flatMap((needle) => placesIn(view, needle)),
  );
}

type Place = readonly [start: number, end: number];

/** Where a secret stands in a view, as places of the original text. */
function placesIn(view: DecodedView, needle: Needle): Place[] {
  const text = fold(view.text);
  const places: Place[] = [];
  for (const form of [view.isOctets ? needle.octets : needle.text, ...needle.encoded]) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      const end = at + form.length;
      if (!needle.isAnywhere && (isLetter(text[at - 1]) || isLetter(text[end]))) continue;
      places.push(view.starts ? [view.starts[at] ?? 0, view.starts[end] ?? 0] : [at, end]);
    }
  }
  return places;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z0-9_]/.test(character);
}

function replaced(text: string, places: Place[]): string {
  places.sort(([one], [other]) => one - other);
  let clean = '';
  let done = 0;
  for (const [start, end] of places) {
    if (start >= done) clean += text.slice(done, start) + mask;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}

/** One letter case, character by character. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
