import { ConfigurationError, InvalidRequestError } from '../../errors/index.js';
import { suggestName } from '../../option-names.js';
import {
  describeKind,
  formatGot,
  isRecord,
  joinAlternatives,
  showValue,
} from '../../schema/unknown-values.js';

/** A JSON Schema (draft 2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Rule for one input. `T` is the type of a valid value. Messages don't show the value unless
 * `shown` is set, because the value may be a secret.
 */
export interface Rule<T = unknown, Required extends boolean = boolean> {
  /** Noun phrase that follows `must be` in messages, and that the endpoint pages show. */
  readonly expected: string;
  /** Sentence in messages that explains how to fix an invalid value. */
  readonly remedy?: string | undefined;
  /** Whether the input is required. */
  readonly required: Required;
  /** Tests whether a value is valid. */
  readonly test: (value: unknown) => value is T;
  /** Whether messages may show an invalid string, because it can't be secret. */
  readonly shown?: boolean | undefined;
  /** JSON Schema of the values as they are sent. Default: any value. */
  readonly schema?: JsonSchema | undefined;
  /**
   * Type of valid values, if it isn't the schema's type. If an invalid value has this type,
   * messages omit the type.
   */
  readonly type?: 'object' | undefined;
}

/**
 * Creates a rule from a test and the text that follows `must be` in error messages. The input is
 * required unless you wrap the rule in {@link optional}. If the test is a type predicate, it sets
 * the input's type. Otherwise, the type is `unknown`.
 * @param schema JSON Schema of the values as they are sent. Default: any value.
 */
export function rule<T>(
  expected: string,
  test: (value: unknown) => value is T,
  schema?: JsonSchema,
): Rule<T, true>;
export function rule(
  expected: string,
  test: (value: unknown) => boolean,
  schema?: JsonSchema,
): Rule<unknown, true>;
export function rule(
  expected: string,
  test: (value: unknown) => boolean,
  schema?: JsonSchema,
): Rule<unknown, true> {
  // `as`: every valid value is of type unknown.
  return { expected, required: true, test: test as (value: unknown) => value is unknown, schema };
}

/** Makes a rule's input optional. */
export function optional<T>(inner: Rule<T>): Rule<T, false> {
  return { ...inner, required: false };
}

/** Extends a rule to accept null, which the server stores as blank. */
export function nullable<T>(inner: Rule<T, true>): Rule<T | null, true> {
  return rule(
    `null or ${inner.expected}`,
    (value): value is T | null => value === null || inner.test(value),
    inner.schema && { anyOf: [inner.schema, { type: 'null' }] },
  );
}

/** Accepts any string. */
export const text = rule('a string', (value) => typeof value === 'string', { type: 'string' });

/** Accepts a string with at least one character. */
export const filledText = rule(
  'a non-empty string',
  (value): value is string => typeof value === 'string' && value !== '',
  { type: 'string', minLength: 1 },
);

/** Creates a rule for a whole number within bounds. Default for `max`: no upper bound. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Rule<number, true> {
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  return rule(
    isOpen ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    (value): value is number =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    { type: 'integer', minimum: min, ...(!isOpen && { maximum: max }) },
  );
}

/** Accepts a numeric resource ID. */
export const id = integer(0);

/** Accepts true or false. */
export const flag = rule('true or false', (value) => typeof value === 'boolean', {
  type: 'boolean',
});

/** Creates a rule that accepts one of the specified words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Rule<Word, true> {
  const expected = joinAlternatives(words);
  const all: readonly unknown[] = words;
  const test = (value: unknown): value is Word => all.includes(value);
  return { ...rule(expected, test, { type: 'string', enum: words }), shown: true };
}

/** Accepts an array of strings. */
export const texts = rule(
  'an array of strings',
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string'),
  { type: 'array', items: { type: 'string' } },
);

/** Accepts an object, but not an array or null. */
export const record = rule('an object', isRecord, { type: 'object' });

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[^/]+$/.test(value);

/** Accepts a login or repository name. Rejects `owner/name`, which would result in a 404. */
export const name: Rule<string, true> = {
  ...rule("a name without '/'", isName, { type: 'string', pattern: '^[^/]+$' }),
  remedy: 'Pass owner and repository separately.',
};

/** Rules for `page` and `per_page` in hosting lists. */
export const paging = {
  /** 1-based page number. Default: 1. */
  page: optional(integer(1)),
  /** Page size, from 1 to 100. Default: 30. */
  per_page: optional(integer(1, 100)),
};

/** Input that every hosting API list accepts. */
export interface PageInput {
  /** 1-based page number. Default: 1. */
  readonly page?: number | undefined;
  /** Page size, from 1 to 100. Default: 30. */
  readonly per_page?: number | undefined;
}

/**
 * Checks an input against its rules.
 * @param options names of the call's options, because callers may pass an option as an input.
 * @throws {InvalidRequestError} if a field is missing, unknown or invalid. The message names the
 * field.
 */
export function checkInput(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
  options: Readonly<Record<string, true>> = {},
): void {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(rules, name) && input[name] !== undefined) {
      const known = Object.keys(rules).join(', ') || 'none';
      const remedy = Object.hasOwn(options, name)
        ? `Pass options such as ${name} in the second argument.`
        : 'To send an input that only a newer server knows, use request() or paginate().';
      throw new InvalidRequestError(
        `${operation}: unknown input '${name}'. ${suggestName(name, Object.keys(rules))}Known inputs: ${known}. ${remedy}`,
        { field: name },
      );
    }
  }
  for (const name in rules) {
    const expectation = rules[name];
    if (!expectation) continue;
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) {
      if (!expectation.required) continue;
      throw createInputError(name, `is required and must be ${expectation.expected}`, operation);
    }
    let isValid = false;
    try {
      isValid = expectation.test(value);
    } catch {
      // A value that can't be read, such as a revoked proxy, is invalid.
    }
    if (!isValid) {
      const { expected, remedy, schema, shown, type = schema?.type } = expectation;
      if (shown && value !== '') {
        throw createInputError(name, `must be ${expected} (got ${showValue(value)})`, operation);
      }
      const why = `must be ${expected}${formatGot(value, type)}`;
      throw createInputError(name, remedy === undefined ? why : `${why}. ${remedy}`, operation);
    }
  }
}

/** Creates the error for an invalid input. The message starts with the operation if it is set. */
export function createInputError(field: string, why: string, operation?: string) {
  const where = operation === undefined ? '' : `${operation}: `;
  return new InvalidRequestError(`${where}${field}: ${why}`, { field });
}

/** A query or form parameter, which is a scalar, or several scalars with the same name. */
export type Parameter = string | number | boolean | readonly (string | number | boolean)[];

/** Encodes parameters. Arrays repeat the name. Omits undefined and null. */
export function encodeParameters(
  parameters: Iterable<readonly [string, Parameter | undefined | null]>,
): string {
  let text = '';
  for (const [name, value] of parameters) {
    if (value === undefined || value === null) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      text += `${text === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`;
    }
  }
  return text;
}

/**
 * Converts values to query or form parameters. Omits undefined values.
 * @throws {InvalidRequestError} if a value can't be converted to text (for example, an object or
 * NaN), or contains a lone surrogate. The message names the value.
 */
export function collectParameters(
  operation: string,
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): [string, Parameter][] {
  const parameters: [string, Parameter][] = [];
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    for (const each of [value].flat()) {
      if (typeof each !== 'string' && typeof each !== 'boolean' && !Number.isFinite(each)) {
        const why = `must be a string, number or boolean, or an array of such values (got ${describeKind(each)})`;
        throw createInputError(name, why, operation);
      }
      checkWellFormed(name, String(each), operation);
    }
    // `as`: each value was checked.
    parameters.push([name, value as Parameter]);
  }
  return parameters;
}

/** @throws {InvalidRequestError} if `text` can't be encoded as UTF-8. */
export function checkWellFormed(field: string, text: string, operation?: string): void {
  if (text.isWellFormed()) return;
  const why = 'must be well-formed Unicode (got a lone surrogate)';
  throw createInputError(field, why, operation);
}

/** Matches control characters. `\p{Cc}` takes longer to load, because V8 checks every character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const controls = /[\0-\x1f\x7f-\x9f]/;

/** @throws {InvalidRequestError} if a value can't be a path segment. `..` would leave the path. */
export function checkPathValue(field: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string' && /^[\w~-]+$/.test(value)) return value;
  if (typeof value !== 'string') {
    throw createInputError(
      field,
      `must be a string or a whole number (got ${describeKind(value)})`,
    );
  }
  if (value === '')
    throw createInputError(field, 'must be a non-empty string (got an empty string)');
  if (/^\.{1,2}$/.test(value)) throw createInputError(field, "must not be '.' or '..'");
  if (controls.test(value)) throw createInputError(field, 'must not contain control characters');
  checkWellFormed(field, value);
  return value;
}

/**
 * Splits a value with slashes into segments and checks each segment like {@link checkPathValue}.
 * @throws {InvalidRequestError} if a segment is invalid, or the value has a leading, trailing or
 * double slash.
 */
export function splitPathSegments(
  name: string,
  value: unknown,
  options: { readonly allowEmpty: boolean },
): string[] {
  if (value === '' && options.allowEmpty) return [];
  if (typeof value !== 'string') {
    throw createInputError(name, `must be a string (got ${describeKind(value)})`);
  }
  const segments = value.split('/');
  if (value !== '' && segments.includes('')) {
    throw createInputError(name, 'must not have a leading, trailing or double slash');
  }
  return segments.map((segment) => checkPathValue(name, segment));
}

/**
 * Adds the operation to the message of an input or configuration error, unless the message already
 * starts with the operation.
 */
export function nameOperation(error: unknown, operation: string | undefined): unknown {
  const isInput = error instanceof InvalidRequestError;
  if (operation === undefined || !(isInput || error instanceof ConfigurationError)) return error;
  if (error.message.startsWith(`${operation}: `)) return error;
  const message = `${operation}: ${error.message}`;
  const cause = 'cause' in error ? { cause: error.cause } : undefined;
  return isInput
    ? new InvalidRequestError(message, { field: error.field, ...cause })
    : new ConfigurationError(message, { option: error.option, ...cause });
}
