import { View } from './view.js';

/**
 * Combining dot above. Lowercasing `İ` produces an `i` followed by this dot, which Turkish servers
 * omit.
 */
const dotAbove = '\u0307';

/**
 * Matches characters whose folded form has a different length, such as `ß`, which folds to `ss`.
 */
const resized =
  /[\u0307\xdf\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9e\u1f50-\u1fff\ufb00-\ufb17]/g;

/**
 * Folds the letter case of a string. A string, its lowercase and its uppercase have the same folded
 * form.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase();
  if (/^[\0-\x7f]*$/.test(text)) return folded;
  // The lowercase of `Σ` depends on the characters around it.
  return folded.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll(dotAbove, '');
}

export function foldView(view: View): View {
  return new View(foldCase(view.text), { source: view, pattern: resized, write: foldCase });
}
