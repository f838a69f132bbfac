import { decodedViews } from './decoded-views.js';
import { foldCase, foldView } from './letter-case.js';
import { decodeUtf8 } from './utf8.js';
import { View } from './view.js';

/** Replacement for a secret. */
export const mask = '***';

/**
 * Minimum length of a masked secret, in characters. Shorter strings often occur in unrelated words.
 */
export const minMasked = 5;

/**
 * Minimum length at which a secret is masked even within a longer word. Shorter secrets are masked
 * only as whole words.
 */
const minWithinWords = 12;

/**
 * Maximum number of characters that encode one character. For example, `ü` takes 18 characters if
 * `&#252;` is percent-encoded twice.
 */
const maxPerCharacter = 24;

/** Maximum number of octets that UTF-8 uses for a character. */
const maxOctets = 4;

export interface Needle {
  /** The secret, its normalized forms, and its Base64 and hex encodings, all case-folded. */
  readonly forms: readonly string[];
  /** The secret itself, case-folded. */
  readonly text: string;
  /** Whether the secret is masked even within a longer word. */
  readonly isAnywhere: boolean;
  /**
   * Whether the secret has fewer than 20 characters, all of them letters or underscores. Programs
   * may compare such words, so `maskWord` doesn't mask them.
   */
  readonly isPlainWord: boolean;
}

/** A call's secrets, with the forms to search for. */
export interface SecretMasks {
  readonly needles: readonly Needle[];
  /** Maximum length of an encoded secret, in characters. */
  readonly longest: number;
}

/**
 * Cache of the masks for each list of secrets. All strings in an error are masked with the same
 * list.
 */
const made = new WeakMap<readonly string[], SecretMasks>();

/**
 * Returns the masks for a list of secrets. Creates them once per list. Returns undefined if no
 * secret is long enough to mask.
 */
export function createMasks(secrets: readonly string[]): SecretMasks | undefined {
  let masks = made.get(secrets);
  if (!masks) {
    const needles = [...new Set(secrets)]
      .filter(({ length }) => length >= minMasked)
      .map(createNeedle);
    const longest = needles.reduce(
      (most, { text }) => Math.max(most, maxPerCharacter * text.length),
      0,
    );
    masks = { needles, longest };
    made.set(secrets, masks);
  }
  return masks.needles.length === 0 ? undefined : masks;
}

function createNeedle(secret: string): Needle {
  const bytes = Buffer.from(secret);
  const isPlainWord = /^[a-z_]{1,19}$/i.test(secret);
  const isAnywhere = secret.length >= minWithinWords && !isPlainWord;
  // Encoding as UTF-8 replaces an unpaired surrogate, so the encoded secret can differ.
  const spellings = [secret, bytes.toString(), secret.normalize('NFC'), secret.normalize('NFD')];
  const encoded = (['base64', 'base64url'] as const).flatMap((encoding) => {
    const whole = bytes.toString(encoding);
    // Text may contain the Base64 form without its padding.
    const wholes = [whole, whole.replace(/=+$/, '')];
    return isAnywhere ? [...wholes, ...withinBase64(bytes, encoding)] : wholes;
  });
  const forms = [...spellings, ...encoded, bytes.toString('hex')].map(foldCase);
  return {
    // A secret that contains only combining dots folds to an empty string.
    forms: [...new Set(forms)].filter((form) => form !== ''),
    text: foldCase(secret),
    isAnywhere,
    isPlainWord,
  };
}

/**
 * Returns, for each alignment, the part of a longer string's Base64 that depends only on these
 * bytes.
 */
function withinBase64(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
    const bits = 8 * (before + bytes.length);
    return text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
  });
}

/** Masks all forms of the secrets in free text. */
export function maskText(text: string, masks: SecretMasks): string {
  const spans = decodedViews(text).flatMap((view) => placesIn(view, masks.needles));
  return maskSpans(text, spans);
}

/**
 * Masks the next chunk of an octet stream. Each character of `text` is one octet.
 * @returns the masked text and the unmasked rest, which may contain the start of a secret that
 * continues in the next chunk.
 */
export function maskOctets(
  text: string,
  { needles }: SecretMasks,
  isLast: boolean,
): { readonly clean: string; readonly rest: string } {
  const places = placesIn(decodeUtf8(new View(text)), needles);
  const longest = Math.max(
    ...needles.flatMap(({ forms }) => forms.map((form) => maxOctets * form.length)),
  );
  let cut = isLast ? text.length : Math.max(0, text.length - longest);
  for (const [start, end] of places) if (start < cut && end > cut) cut = start;
  const within = places.filter(([, end]) => end <= cut);
  return { clean: maskSpans(text.slice(0, cut), within), rest: text.slice(cut) };
}

/**
 * Masks a machine-readable word, such as an error code. Masks the whole word if it equals a secret
 * that isn't a plain word. Otherwise, masks the long secrets in the word.
 */
export function maskWord(word: string, { needles }: SecretMasks): string {
  const folded = foldCase(word);
  if (needles.some(({ text, isPlainWord }) => text === folded && !isPlainWord)) return mask;
  const long = needles.filter(({ isAnywhere }) => isAnywhere);
  return maskSpans(word, placesIn(new View(word), long));
}

/** Masks the secrets in a host name, except plain words. */
export function maskHost(host: string, masks: SecretMasks): string {
  return maskText(host, {
    ...masks,
    needles: masks.needles.filter(({ isPlainWord }) => !isPlainWord),
  });
}

export type TextSpan = readonly [start: number, end: number];

/** Finds secrets in a view. Returns their positions in the original text. */
function placesIn(view: View, needles: readonly Needle[]): TextSpan[] {
  const folded = foldView(view);
  const { text } = folded;
  const places: TextSpan[] = [];
  for (const { forms, isAnywhere } of needles) {
    for (const form of forms) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        const end = at + form.length;
        if (isAnywhere || !isWithinWord(text, at, end)) places.push(folded.mapToSource(at, end));
      }
    }
  }
  return places;
}

/** Returns whether the text from `start` to `end` is only part of a word. */
export function isWithinWord(text: string, start: number, end: number): boolean {
  return isLetter(text[start - 1]) || isLetter(text[end]);
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z0-9_]/.test(character);
}

/** Range of text to mask, with its replacement. Default: `***`. */
export type MaskedSpan = readonly [start: number, end: number, replacement?: string];

/** Masks ranges of text, which may overlap. */
export function maskSpans(text: string, spans: readonly MaskedSpan[]): string {
  let clean = '';
  let done = 0;
  for (const [start, end, replacement = mask] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= done) clean += text.slice(done, start) + replacement;
    done = Math.max(done, end);
  }
  return clean + text.slice(done);
}
