import { InvalidRequestError } from '../../errors/index.js';
import { elementsOf, isReadable, isRecord } from '../../schema/unknown-values.js';

/** What one input must be: `T` is the type of what passes. The message never shows the value: it may be a secret. */
export interface Rule<T = unknown, Required extends boolean = boolean> {
  /** As in `expected …`. */
  readonly expected: string;
  /** Whether it must be given. */
  readonly required: Required;
  /** Whether a value passes. */
  readonly test: (value: unknown) => value is T;
  /** The message may show a string that fails: a word of a closed list is no secret. */
  readonly shown?: boolean | undefined;
}

/**
 * Makes a rule of an expectation, as in `expected …`, and its test; required unless wrapped by
 * {@link optional}. A test that is a type predicate gives the input its type; else it is unknown.
 */
export function rule<T>(expected: string, test: (value: unknown) => value is T): Rule<T, true>;
export function rule(expected: string, test: (value: unknown) => boolean): Rule<unknown, true>;
export function rule(expected: string, test: (value: unknown) => boolean): Rule<unknown, true> {
  // `as`: whatever passes is unknown.
  return { expected, required: true, test: test as (value: unknown) => value is unknown };
}

/** The same rule for an input that may be absent. */
export function optional<T>(inner: Rule<T>): Rule<T, false> {
  return { ...inner, required: false };
}

/** The same rule for an input that may be null, which the server stores as blank. */
export function nullable<T>(inner: Rule<T, true>): Rule<T | null, true> {
  return rule(
    `${inner.expected} or null`,
    (value): value is T | null => value === null || inner.test(value),
  );
}

/** Any string. */
export const text = rule('a string', (value) => typeof value === 'string');

/** A string with at least one character. */
export const filledText = rule(
  'a string that is not empty',
  (value): value is string => typeof value === 'string' && value !== '',
);

/** A whole number within bounds. Default: no upper bound. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Rule<number, true> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return rule(
    `a whole number ${bounds}`,
    (value): value is number =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** The numeric id of a resource. */
export const id = integer(0);

/** True or false. */
export const flag = rule('true or false', (value) => typeof value === 'boolean');

/** One of a closed list of words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Rule<Word, true> {
  const expected = words.map((word) => `'${word}'`).join(' or ');
  const test = (value: unknown): value is Word => words.some((word) => word === value);
  return { ...rule(expected, test), shown: true };
}

/** An array of strings. */
export const texts = rule(
  'an array of strings',
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string'),
);

/** An object with members (no array, no null). */
export const record = rule('an object', isRecord);

/** A login, or the name of a repository: `owner/name` in one of them would be a repository that is never found. */
export const name = rule(
  "a name without '/': owner and repository are given by themselves",
  (value) => typeof value === 'string' && /^[^/]+$/.test(value),
);

/** `page` and `per_page` of hosting lists. */
export const paging = {
  /** 1-based; default the first page. */
  page: optional(integer(1)),
  /** 1 to 100, default 30. */
  per_page: optional(integer(1, 100)),
};

/** Input of every list of the hosting API. */
export interface PageInput {
  /** 1-based; default the first page. */
  readonly page?: number | undefined;
  /** 1 to 100, default 30. */
  readonly per_page?: number | undefined;
}

/** A value's kind, fit to be shown: never the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object' && !isReadable(value)) return 'an object that can not be read';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string';
  if (typeof value === 'number')
    return Number.isFinite(value) ? `the number ${value}` : 'NaN or Infinity';
  return typeof value === 'object' ? 'an object' : `a value of type ${typeof value}`;
}

/**
 * Formats a value that isn't secret for a message: a string shortened and in quotes, a number, bigint or
 * boolean unchanged, anything else as its kind. Never throws.
 */
export function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `${cut(String(value))}n`;
  return typeof value === 'string' ? JSON.stringify(cut(value)) : kindOf(value);
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Whether a value passes a rule. A value that can't be read, such as a revoked proxy, doesn't. */
function passes(rule: Rule, value: unknown): boolean {
  try {
    return rule.test(value);
  } catch {
    return false;
  }
}

/**
 * Holds an input against its rules.
 * @throws {InvalidRequestError} a missing, unknown or wrong field, by its name.
 */
export function checkInput(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): void {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(rules, name) && input[name] !== undefined) {
      const known = Object.keys(rules).join(', ') || 'none';
      throw new InvalidRequestError(
        `${operation}: unknown input '${name}'; known are: ${known}. Inputs of newer servers go into the option extra: { query, body }`,
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
      throw new InvalidRequestError(
        `${operation}: ${name} is required: expected ${expectation.expected}`,
        { field: name },
      );
    }
    if (!passes(expectation, value)) {
      throw invalidInput(
        name,
        `expected ${expectation.expected}, got ${expectation.shown && value !== '' ? shown(value) : kindOf(value)}`,
        operation,
      );
    }
  }
}

/** C0, DEL and C1. As `\p{Cc}` it would cost three hundredths of the import: V8 asks for each character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const controls = /[\0-\x1f\x7f-\x9f]/;

/**
 * A value that becomes one segment of a path.
 * @throws {InvalidRequestError} empty, `.` or `..` (they would reach another endpoint), a control
 * character, half of a surrogate pair, or something that is no string or whole number.
 */
export function checkPathValue(name: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') {
    throw invalidInput(name, `expected a string or a whole number, got ${kindOf(value)}`);
  }
  if (value === '') throw invalidInput(name, 'expected a string that is not empty');
  if (value === '.' || value === '..') {
    throw invalidInput(name, "'.' and '..' can not stand in a path");
  }
  if (controls.test(value)) throw invalidInput(name, 'control characters can not stand in a path');
  if (!value.isWellFormed()) throw invalidInput(name, 'it holds half of a surrogate pair');
  return value;
}

/** Whether a path has a segment `.` or `..`, encoded or not, which would lead out of its folder. */
export function climbs(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path.split(/[?#]/, 1)[0] ?? '');
}

/**
 * A value with slashes, as its segments; each is checked like {@link checkPathValue}.
 * @throws {InvalidRequestError} also for a leading, trailing or doubled slash.
 */
export function splitPathSegments(
  name: string,
  value: unknown,
  options: { readonly allowEmpty: boolean },
): string[] {
  if (value === '' && options.allowEmpty) return [];
  if (typeof value !== 'string') {
    throw invalidInput(name, `expected a string, got ${kindOf(value)}`);
  }
  const segments = value.split('/');
  if (value !== '' && segments.includes('')) {
    throw invalidInput(name, 'expected no leading, trailing or doubled slash');
  }
  return segments.map((segment) => checkPathValue(name, segment));
}

/** The error of an input that can't be used, of an operation where one is known. */
export function invalidInput(field: string, why: string, operation?: string): InvalidRequestError {
  const where = operation === undefined ? '' : `${operation}: `;
  return new InvalidRequestError(`${where}${field}: ${why}`, { field });
}

/** A scalar that can stand as a plain HTTP parameter, or several of them under one repeated name. */
export type Parameter = string | number | boolean | readonly (string | number | boolean)[];

/** Encodes plain parameters; arrays repeat their name; undefined and null are left out. */
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
 * Values as parameters of a query or a form; undefined is left out.
 * @param prefix before a name in messages, where the values are a part of the input.
 * @throws {InvalidRequestError} a value that is no parameter, by its name.
 */
export function parametersOf(
  operation: string,
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
  prefix = '',
): [string, Parameter][] {
  const parameters: [string, Parameter][] = [];
  for (const name of names) {
    const value = values[name];
    if (value === undefined) continue;
    checkParameter(prefix + name, value, operation);
    parameters.push([name, value]);
  }
  return parameters;
}

/** @throws {InvalidRequestError} what has no form as text, such as an object or NaN, or half of a surrogate pair. */
export function checkParameter(
  field: string,
  value: unknown,
  operation?: string,
): asserts value is Parameter {
  for (const each of typeof value === 'object' ? elementsOf(value) : [value]) {
    if (!isScalar(each)) {
      const why = `expected a string, number, boolean or an array of them, got ${kindOf(each)}`;
      throw invalidInput(field, why, operation);
    }
    if (String(each).isWellFormed()) continue;
    throw invalidInput(field, 'holds half of a surrogate pair', operation);
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
