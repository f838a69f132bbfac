import { ConfigurationError, InvalidRequestError } from './errors/index.js';
import type { Words } from './schema/model.js';
import { describeKind, joinAlternatives, showValue } from './schema/unknown-values.js';

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

/**
 * Returns a value that must be one of several words.
 * @throws {ConfigurationError} if it isn't. The message names the option.
 */
export function checkChoice<Word extends string>(
  option: string,
  given: Word,
  words: readonly Word[],
): Word {
  if (words.includes(given)) return given;
  throw invalidOption(option, `must be ${joinAlternatives(words)} (got ${showValue(given)})`);
}

/**
 * Returns the number, or the default if the number is undefined.
 * @throws {ConfigurationError} if the number isn't a whole number of at least `min`. The message
 * names the option.
 */
export function parseCount(
  option: string,
  given: number | undefined,
  base: number,
  min: number,
): number {
  if (given === undefined) return base;
  if (Number.isSafeInteger(given) && given >= min) return given;
  throw invalidOption(
    option,
    `must be a whole number of at least ${min} (got ${showValue(given)})`,
  );
}

/**
 * Rejects non-objects and unknown option names, so that a misspelled option isn't silently ignored.
 * @param within name of the option that contains these options, such as `retry`. Empty at the top
 * level.
 * @param alternatives other valid values, for the message, such as `'false or '`.
 * @throws {ConfigurationError} if `given` isn't an object or has an unknown name.
 */
export function checkOptions(
  given: unknown,
  known: Readonly<Record<string, true>>,
  within = '',
  alternatives = '',
) {
  const names = Object.keys(known).join(', ');
  const where = within === '' ? 'options' : within;
  if (typeof given !== 'object' || given === null) {
    const why = `must be ${alternatives}an object (got ${describeKind(given)}). Known options: ${names}.`;
    throw invalidOption(where, why);
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    throw new ConfigurationError(`${where}: unknown option '${name}'. Known options: ${names}.`, {
      option: within === '' ? name : `${within}.${name}`,
    });
  }
}

/**
 * Copies options by name, because a spread would lose inherited options, such as those from
 * `Object.create(defaults)` or a class's getters. Each getter is read once.
 * @param within name of the option that contains these options, such as `retry`. Empty at the top
 * level.
 * @throws {ConfigurationError} if `given` isn't an object or has an unknown option.
 */
export function copyOptions<Options extends object>(
  given: Options,
  known: OptionNames<Options>,
  within = '',
): Options {
  checkOptions(given, known, within);
  const copy: Record<string, unknown> = {};
  for (const name in known) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined) copy[name] = value;
  }
  // `as`: every option is copied, and undefined means absent.
  return copy as Options;
}

/**
 * Runs an option check for a single call. An invalid option is then reported as invalid input.
 * @throws {InvalidRequestError} if `check` throws a `ConfigurationError`.
 */
export function forOneCall<T>(check: () => T, operation?: string): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const where = operation === undefined ? '' : `${operation}: `;
    const message = `${where}${error.message}`;
    throw new InvalidRequestError(message, { field: error.option, cause: error });
  }
}
