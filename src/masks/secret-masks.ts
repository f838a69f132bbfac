import { type DecodedView, decodedViews } from './decoded-views.js';
import { type Folded, foldAscii, foldCase } from './letter-case.js';

/** Replacement for a secret. */
export const mask = '***';

/** Shorter secrets are not masked, because unrelated words contain them. */
export const leastMasked = 5;

/** Secrets of at least this length are masked even within a longer word, shorter ones only as whole words. */
const leastWithinWords = 12;

/** Search forms of a secret, folded to one letter case. */
export interface Needle {
  /** Forms to find in text: the secret, and its Base64 and hex. */
  readonly inText: readonly string[];
  /**
   * Forms to find in octets, one per character. Only ASCII letters are folded, so there is a form for
   * the secret as written, in lowercase and in uppercase.
   */
  readonly inOctets: readonly string[];
  /** The secret itself, folded. */
  readonly text: string;
  /** Whether it is masked even within a longer word. */
  readonly isAnywhere: boolean;
  /** Whether it is a short word of letters. Programs may compare such words, so `maskWord` keeps them. */
  readonly isPlainWord: boolean;
}

/** Search forms of the secrets of one call. */
export interface SecretMasks {
  readonly needles: readonly Needle[];
  /** Length of the longest form, in characters. */
  readonly longest: number;
}

/** Masks by secrets, because an error masks many texts with the same ones. */
const made = new WeakMap<readonly string[], SecretMasks>();

/** Returns the masks of the secrets, created once. Undefined if there is nothing to mask. */
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
    // Base64 may lack its padding.
    return whole.endsWith('=') ? [whole, whole.replace(/=+$/, '')] : [whole];
  });
  const text = foldCase(secret).text;
  const lower = secret.toLowerCase();
  const upper = secret.toUpperCase();
  // Some letters, such as `ß` and `ϐ`, become others on the way back.
  const spellings = [secret, lower, upper, upper.toLowerCase(), lower.toUpperCase()];
  const octets = spellings.map((each) => foldAscii(Buffer.from(each).toString('latin1')));
  return {
    text,
    inText: formsOf([text, ...encoded]),
    // JSON escapes within octets decode to characters.
    inOctets: formsOf([...octets, ...spellings.map(foldAscii), ...encoded]),
    isAnywhere: secret.length >= leastWithinWords && !isPlainWord,
    isPlainWord,
  };
}

/** Removes duplicate and empty forms: a secret of combining dots alone folds to nothing. */
function formsOf(forms: readonly string[]): string[] {
  return [...new Set(forms)].filter((form) => form !== '');
}

/** Masks the secrets in a free text, in every form. */
export function maskText(text: string, masks: SecretMasks): string {
  return replaced(
    text,
    decodedViews(text).flatMap((view) => placesIn(view, masks.needles)),
  );
}

/**
 * Masks octets, one character each, that come in pieces.
 * @returns the masked text, and the rest: a secret may begin there and continue in the next piece.
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

/** Masks a word that programs compare, if it equals a secret or contains a long one. */
export function maskWord(word: string, { needles }: SecretMasks): string {
  const folded = foldCase(word).text;
  if (needles.some(({ text, isPlainWord }) => text === folded && !isPlainWord)) return mask;
  return maskRaw(
    word,
    needles.filter(({ isAnywhere }) => isAnywhere),
  );
}

/** Masks the secrets in a host name, except plain words. */
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

/** Finds secrets in a view. Returns their positions in the original text. */
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

/** Whether the text from `start` to `end` is only part of a word. */
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
