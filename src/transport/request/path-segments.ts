import { describeKind } from '../../schema/unknown-values.js';
import { checkPathValue, createInputError } from './input.js';

/**
 * Returns whether a path has a `.` or `..` segment, encoded or not. A request with such a segment
 * would reach a different endpoint.
 */
export function hasDotSegment(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path.split(/[?#]/, 1)[0] ?? '');
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
