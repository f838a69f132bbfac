/** Text folded to one letter case, and the positions of its characters in the original. */
export interface Folded {
  readonly text: string;
  /** Original position of each character and of the end. Undefined if no position changed. */
  readonly starts: readonly number[] | undefined;
}

/**
 * Folds a text so that it equals its own lower and upper case. Some characters change their length with
 * their case (`ß` and `SS`, `İ` and `i̇`), so positions may shift.
 */
export function foldCase(text: string): Folded {
  if (isAscii(text)) return { text: text.toLowerCase(), starts: undefined };
  const whole = foldCharacters(text);
  if (whole.length === text.length && !text.includes(dotAbove)) {
    return { text: whole, starts: undefined };
  }
  const starts: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const each = foldCharacters(character);
    folded += each;
    for (let unit = 0; unit < each.length; unit++) starts.push(at);
    at += character.length;
  }
  starts.push(at);
  return { text: folded, starts };
}

/** Folds ASCII letters only: for text in which each character is an octet. */
export function foldAscii(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A combining dot above: the lower case of `İ` adds one to an i, and Turkish servers leave it out. */
const dotAbove = '\u0307';

function foldCharacters(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase();
  // The lower case of `Σ` depends on the text around it.
  return folded.replaceAll('ς', 'σ').replaceAll(dotAbove, '');
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
