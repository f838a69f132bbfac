import { InvalidRequestError } from '../../errors/index.js';
import { kindOf } from './input.js';

/** C0, DEL and C1. */
const controls = /\p{Cc}/u;

/**
 * A value that becomes one segment of a path.
 * @throws {InvalidRequestError} empty, `.` or `..` (they would reach another endpoint), a control
 * character, half of a surrogate pair, or something that is no string or whole number.
 */
export function checkPathValue(name: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') {
    throw refuse(name, `expected a string or a whole number, got ${kindOf(value)}`);
  }
  if (value === '') throw refuse(name, 'expected a string that is not empty');
  if (value === '.' || value === '..') {
    throw refuse(name, "'.' and '..' can not stand in a path");
  }
  if (controls.test(value)) throw refuse(name, 'control characters can not stand in a path');
  if (!value.isWellFormed()) throw refuse(name, 'it holds half of a surrogate pair');
  return value;
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
    throw refuse(name, `expected a string, got ${kindOf(value)}`);
  }
  const segments = value.split('/');
  if (value !== '' && segments.includes('')) {
    throw refuse(name, 'expected no leading, trailing or doubled slash');
  }
  return segments.map((segment) => checkPathValue(name, segment));
}

function refuse(name: string, why: string): InvalidRequestError {
  return new InvalidRequestError(`${name}: ${why}`, name);
}
