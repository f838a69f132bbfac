import { type DecodedView, decodedViews } from './decoded-views.js';
import { type Folded, foldAscii, foldCase } from './letter-case.js';

/** What stands in place of a secret. */
export const mask = '***';

/** Shorter secrets are not looked for: they are found in words that have nothing to do with them. */
export const leastMasked = 5;

/** From this length on a secret is masked also within a longer word; shorter ones as whole words. */
const leastWithinWords = 12;

/** A secret as it is looked for. All texts are folded to one letter case. */
export interface Needle {
  /** What to find in a text: the secret, and its Base64 and hex. */
  readonly inText: readonly string[];
  /**
   * What to find where each character stands for an octet. Case is folded for ASCII only, so the secret
   * is there as it was, in lower and in upper case.
   */
  readonly inOctets: readonly string[];
  /** The secret itself, folded. */
  readonly text: string;
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
  const encoded = (['base64', 'base64url', 'hex'] as const).flatMap((form) => {
    const whole = foldAscii(bytes.toString(form));
    // Base64 may stand without its padding.
    return whole.endsWith('=') ? [whole, whole.replace(/=+$/, '')] : [whole];
  });
  const text = foldCase(secret).text;
  const lower = secret.toLowerCase();
  const upper = secret.toUpperCase();
  // Of some letters, such as `ß` and `ϐ`, the way back is another one.
  const spellings = [secret, lower, upper, upper.toLowerCase(), lower.toUpperCase()];
  const octets = spellings.map((each) => foldAscii(Buffer.from(each).toString('latin1')));
  return {
    text,
    inText: formsOf([text, ...encoded]),
    // A JSON escape within octets stands for a character.
    inOctets: formsOf([...octets, ...spellings.map(foldAscii), ...encoded]),
    isAnywhere: secret.length >= leastWithinWords && !isPlainWord,
    isPlainWord,
  };
}

/** Each form once; a secret of combining dots alone folds to nothing. */
function formsOf(forms: readonly string[]): string[] {
  return [...new Set(forms)].filter((form) => form !== '');
}

/** A free text with its secrets masked, in whichever form they stand there. */
export function maskText(text: string, masks: SecretMasks): string {
  return replaced(
    text,
    decodedViews(text).flatMap((view) => placesIn(view, masks.needles)),
  );
}

/**
 * Masks octets, one character each, that come in pieces.
 * @returns what is masked to its end, and the rest: a secret may begin in it and go on in the next piece.
 */
export function maskOctets(
  text: string,
  { needles }: SecretMasks,
  isLast: boolean,
): { readonly clean: string; readonly rest: string } {
  const places = placesIn({ text, starts: undefined, isOctets: true }, needles);
  const longest = Math.max(
    ...needles.flatMap(({ inOctets }) => inOctets.map(({ length }) => length)),
  );
  let cut = isLast ? text.length : Math.max(0, text.length - longest);
  for (const [start, end] of places) if (start < cut && end > cut) cut = start;
  const within = places.filter(([, end]) => end <= cut);
  return { clean: replaced(text.slice(0, cut), within), rest: text.slice(cut) };
}

/** A word that programs compare: masked where the whole of it is a secret, and where it holds a long one. */
export function maskWord(word: string, { needles }: SecretMasks): string {
  const folded = foldCase(word).text;
  if (needles.some(({ text, isPlainWord }) => text === folded && !isPlainWord)) return mask;
  return maskRaw(
    word,
    needles.filter(({ isAnywhere }) => isAnywhere),
  );
}

/** A host name: masked where a secret stands in it that is more than a word of letters. */
export function maskHost(host: string, { needles }: SecretMasks): string {
  return maskRaw(
    host,
    needles.filter(({ isPlainWord }) => !isPlainWord),
  );
}

function maskRaw(text: string, needles: readonly Needle[]): string {
  if (needles.length === 0) return text;
  return replaced(text, placesIn({ text, starts: undefined, isOctets: false }, needles));
}

type Place = readonly [start: number, end: number];

/** Where secrets stand in a view, as places of the original text. */
function placesIn(view: DecodedView, needles: readonly Needle[]): Place[] {
  const { text, starts }: Folded = view.isOctets
    ? { text: foldAscii(view.text), starts: undefined }
    : foldCase(view.text);
  const originOf = (at: number) => {
    const unfolded = starts ? (starts[at] ?? 0) : at;
    return view.starts ? (view.starts[unfolded] ?? 0) : unfolded;
  };
  const places: Place[] = [];
  for (const needle of needles) {
    for (const form of view.isOctets ? needle.inOctets : needle.inText) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        const end = at + form.length;
        if (!needle.isAnywhere && isWithinWord(text, at, end)) continue;
        places.push([originOf(at), originOf(end)]);
      }
    }
  }
  return places;
}

/** Whether what stands from `start` to `end` is only a part of a word. */
export function isWithinWord(text: string, start: number, end: number): boolean {
  return isLetter(text[start - 1]) || isLetter(text[end]);
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
