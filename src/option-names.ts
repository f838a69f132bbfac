import { ConfigurationError, InvalidRequestError } from './errors/index.js';
import type { Words } from './schema/model.js';
import {
  describeKind,
  formatGot,
  getMember,
  joinAlternatives,
  joinWords,
  showValue,
} from './schema/unknown-values.js';

/**
 * Property names of an options type. The compiler reports missing and unknown names. Declare the
 * names next to the type.
 */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

type NameDifference<One, Other> = Exclude<One, Other> | Exclude<Other, One>;

/** Creates {@link OptionNames} from names separated by spaces, such as `'total headers body'`. */
export function optionNames<Options>() {
  return <const Text extends string>(
    // With this type, the compiler reports the missing and unknown names.
    ...texts: readonly (NameDifference<keyof Options, Words<Text>> extends never
      ? Text
      : NameDifference<keyof Options, Words<Text>> & string)[]
  ): OptionNames<Options> => {
    const names: Record<string, true> = {};
    for (const text of texts) for (const name of text.split(' ')) names[name] = true;
    // `as`: the parameter's type ensures that the text contains exactly these names.
    return names as OptionNames<Options>;
  };
}

export function invalidOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option}: ${why}`, { option });
}

/** @throws {ConfigurationError} if the value isn't a function. The message names the option. */
export function checkFunction(option: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw invalidOption(option, `must be a function (got ${describeKind(value)})`);
}

/** @throws {ConfigurationError} if the store isn't an object with the required methods. */
export function checkStore<T extends object>(
  option: string,
  store: T,
  methods: readonly (keyof T & string)[],
): void {
  if (methods.every((name) => typeof getMember(store, name) === 'function')) return;
  const why = `must be an object with ${joinWords(methods, 'and')}, such as redisStore(client) from triforge/redis`;
  throw invalidOption(option, `${why}${formatGot(store, 'object')}`);
}

/**
 * Returns a value that must be one of several words.
 * @throws {ConfigurationError} if the value isn't in `words`. The message names the option.
 */
export function checkChoice<Word extends string>(
  option: string,
  given: string,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === given);
  if (word !== undefined) return word;
  throw invalidOption(option, `must be ${joinAlternatives(words)} (got ${showValue(given)})`);
}

/**
 * Checks that a number is within bounds. Returns `base` if the number is undefined.
 * @throws {ConfigurationError} if the value is out of bounds. The message names the option.
 */
export function parseNumber(
  option: string,
  given: number | undefined,
  base: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (given === undefined) return base;
  if (typeof given === 'number' && given >= min && given <= max) return given;
  const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`;
  throw invalidOption(option, `must be a number ${range} (got ${showValue(given)})`);
}

/**
 * Returns a question with the known name that is nearest to an unknown name, ignoring case. Returns
 * an empty string if no name is within two edits.
 */
export function suggestName(unknown: string, known: readonly string[]): string {
  const given = unknown.toLowerCase();
  // In names of fewer than four letters, two edits change too much.
  let most = Math.min(2, given.length / 2);
  let nearest: string | undefined;
  for (const name of known) {
    // Comparing names of very different lengths would be slow and can't succeed.
    if (Math.abs(name.length - given.length) > most) continue;
    const distance = countEdits(given, name.toLowerCase());
    if (distance > most || (distance === most && nearest !== undefined)) continue;
    most = distance;
    nearest = name;
  }
  return nearest === undefined ? '' : `Did you mean '${nearest}'? `;
}

/** Returns the Levenshtein distance of two texts. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + Number(letter !== other[at]);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * Rejects non-objects and unknown option names, so that a misspelled option isn't silently ignored.
 * @param within name of the option that contains these options, such as `retry`. Empty at the top
 * level.
 * @param alternatives other valid values, for the message, such as `'false or '`.
 * @returns the options, unchanged.
 * @throws {ConfigurationError} if `given` isn't an object or has an unknown name.
 */
export function checkOptions<Options>(
  given: Options,
  known: Readonly<Record<string, true>>,
  within = '',
  alternatives = '',
): Options {
  const names = `Known options: ${Object.keys(known).join(', ')}.`;
  const where = within === '' ? 'options' : within;
  if (typeof given !== 'object' || given === null) {
    const why = `must be ${alternatives}an object (got ${describeKind(given)}). ${names}`;
    throw invalidOption(where, why);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return given;
  const suggestion = suggestName(unknown, Object.keys(known));
  throw new ConfigurationError(`${where}: unknown option '${unknown}'. ${suggestion}${names}`, {
    option: within === '' ? unknown : `${within}.${unknown}`,
  });
}

/**
 * Runs an option check for a single call. Reports an invalid option as an invalid input.
 * @throws {InvalidRequestError} if `check` throws a `ConfigurationError`.
 */
export function forOneCall<T>(check: () => T, operation?: string): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const where = operation === undefined ? '' : `${operation}: `;
    // `error` isn't set as the cause, because its message would be printed twice.
    throw new InvalidRequestError(`${where}${error.message}`, { field: error.option });
  }
}
