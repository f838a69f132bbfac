import { checkWellFormed, createInputError, describeKind } from './input.js';

/** Whether a path has a `.` or `..` segment, encoded or not, which would reach another endpoint. */
export function hasDotSegment(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path.split(/[?#]/, 1)[0] ?? '');
}

/** C0, DEL and C1. `\p{Cc}` takes longer to load, because V8 checks every character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const controls = /[\0-\x1f\x7f-\x9f]/;

/**
 * Checks a value that becomes one path segment. `.` and `..` would reach another endpoint.
 * @throws {InvalidRequestError} if the value isn't a string or whole number, is empty, `.` or `..`,
 * or contains a control character or half a surrogate pair.
 */
export function checkPathValue(name: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value !== 'string') {
    throw createInputError(name, `must be a string or a whole number (got ${describeKind(value)})`);
  }
  if (value === '') throw createInputError(name, 'must be a non-empty string');
  if (value === '.' || value === '..') {
    throw createInputError(name, "must not be '.' or '..'");
  }
  if (controls.test(value)) {
    throw createInputError(name, 'must not contain control characters');
  }
  checkWellFormed(name, value);
  return value;
}

/**
 * Splits a value with slashes into segments, and checks each like {@link checkPathValue}.
 * @throws {InvalidRequestError} if a segment is invalid, or the value has a leading, trailing or
 * doubled slash.
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
