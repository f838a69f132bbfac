import { types } from 'node:util';

/** Returns whether a value is an object, but not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts any value to text. Never throws. */
export function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value without text';
  }
}

/**
 * Returns whether a value is an error from any realm. Under Jest, errors thrown by Node are not
 * `instanceof` the `Error` of the code under test. A DOMException isn't a native error.
 */
export function isError(value: unknown): value is Error {
  return types.isNativeError(value) || value instanceof Error || value instanceof DOMException;
}

/** Returns a thrown value's message. The value may have any type. Never throws. */
export function errorMessage(thrown: unknown): string {
  return toText(isError(thrown) ? thrown.message : thrown);
}

/** Returns a thrown value if it is an error. Otherwise, returns a new error with its message. */
export function asError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(errorMessage(thrown));
}

/** Returns a member of any value. Undefined if it doesn't exist. */
export function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Quotes and joins words, as in `'a', 'b' or 'c'`. */
export function joinAlternatives(words: readonly unknown[]): string {
  return joinWords(
    words.map((word) => `'${String(word)}'`),
    'or',
  );
}

/** Joins words, as in `a, b and c`. */
export function joinWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}

/** Describes a value's type for messages, without revealing the value. */
export function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string';
  if (typeof value === 'number')
    return Number.isFinite(value) ? `the number ${value}` : 'NaN or Infinity';
  if (types.isDate(value) && Number.isNaN(value.getTime())) return 'an invalid Date';
  if (typeof value === 'object') return 'an object';
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

/**
 * Formats ` (got …)` for a message about an invalid value. Empty if the type is valid (`string`,
 * `array`, `object`). The content is then invalid and may be secret.
 */
export function formatGot(value: unknown, ...validTypes: readonly unknown[]): string {
  const kind = describeKind(value);
  const isValidType = validTypes.some((type) => kind === `a ${type}` || kind === `an ${type}`);
  return isValidType ? '' : ` (got ${kind})`;
}

/**
 * Describes a secret string by its length and any other value by its type.
 * @param expected valid length. A string of this length has invalid characters.
 */
export function describeLength(value: unknown, expected?: number): string {
  if (typeof value !== 'string' || value === '') return describeKind(value);
  if (value.length === expected) return 'other characters';
  return formatCount(value.length, 'character');
}

/** Formats a number with its noun, as in `1 byte` and `2 bytes`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Formats a value that isn't secret for a message. Shortens and quotes strings, keeps numbers and
 * booleans, and describes other values by type. Never throws.
 */
export function showValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `${shorten(String(value))}n`;
  return typeof value === 'string' ? JSON.stringify(shorten(value)) : describeKind(value);
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
