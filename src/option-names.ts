import { ConfigurationError, InvalidRequestError } from './errors/index.js';
import type { Words } from './schema/fields.js';
import { isReadable } from './schema/unknown-values.js';

/**
 * The names of an options type, each once: the compiler reports one that is missing, and one that
 * the type does not have. It stands beside the type, so that a new option is a line in both.
 */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

type Difference<One, Other> = Exclude<One, Other> | Exclude<Other, One>;

/** {@link OptionNames} as words: `optionNames<TimeoutOptions>()('total headers body')`. */
export function optionNames<Options>() {
  return <const Text extends string>(
    // What is missing or too much stands in the compiler's message.
    ...texts: readonly (Difference<keyof Options, Words<Text>> extends never
      ? Text
      : Difference<keyof Options, Words<Text>> & string)[]
  ): OptionNames<Options> => {
    const names: Record<string, true> = {};
    for (const text of texts) for (const name of text.split(' ')) names[name] = true;
    // `as`: the words are the names.
    return names as OptionNames<Options>;
  };
}

/** The error of an option that can't be used. */
export function invalidOption(option: string, why: string): ConfigurationError {
  return new ConfigurationError(`${option}: ${why}`, { option });
}

/**
 * Refuses what is no object, and a name that means nothing: a misspelt option would be ignored.
 * @param within the option that holds these, as `retry`; empty for the outermost ones.
 * @throws {ConfigurationError}
 */
export function checkOptions(given: unknown, known: Readonly<Record<string, true>>, within = '') {
  const names = Object.keys(known).join(', ');
  const where = within === '' ? '' : `${within}: `;
  if (typeof given !== 'object' || given === null || !isReadable(given)) {
    throw new ConfigurationError(`${where}expected an object of options (${names})`, {
      option: within === '' ? 'options' : within,
    });
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    throw new ConfigurationError(`${where}unknown option '${name}'; known are: ${names}`, {
      option: within === '' ? name : `${within}.${name}`,
    });
  }
}

/**
 * Copies options by their names. A spread loses inherited options, such as those of
 * `Object.create(defaults)` or the getters of a class.
 * @throws {ConfigurationError} if `given` isn't an object or has an unknown option.
 */
export function copyOptions<Options extends object>(
  given: Options,
  known: OptionNames<Options>,
): Options {
  checkOptions(given, known);
  const copy: Record<string, unknown> = {};
  for (const name in known) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined) copy[name] = value;
  }
  // `as`: every option is copied, and undefined means absent.
  return copy as Options;
}

/**
 * Runs checks of options that a client has too. A fault in the options of one call is bad input.
 * @throws {InvalidRequestError}
 */
export function forOneCall<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new InvalidRequestError(error.message, { field: error.option, cause: error });
  }
}
