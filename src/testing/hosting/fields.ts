import { isRecord } from '../../schema/unknown-values.js';
import { invalid } from './refusals.js';

/** The body of a request. */
export type Body = Readonly<Record<string, unknown>>;

/** What reads an optional field of a body. @throws {Refused} 422 where it is something else */
export function field<T>(test: (value: unknown) => value is T) {
  return (resource: string, body: Body, name: string): T | undefined => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    if (!test(value)) throw invalid(resource, name, 'invalid');
    return value;
  };
}

const isString = (value: unknown) => typeof value === 'string';

export const stringField = field(isString);
export const booleanField = field((value) => typeof value === 'boolean');
export const integerField = field((value): value is number => Number.isInteger(value));
export const stringsField = field(
  (value): value is string[] => Array.isArray(value) && value.every(isString),
);
export const hashField = field(isRecord);

/** A string that a body must have. @throws {Refused} 422 */
export function requiredField(resource: string, body: Body, field: string): string {
  const value = stringField(resource, body, field);
  if (value === undefined || value === '') {
    throw invalid(resource, field, 'missing_field');
  }
  return value;
}

/** An optional parameter of a query that has only certain values. @throws {Refused} 422 for another one */
export function queryChoice<T extends string>(
  resource: string,
  query: URLSearchParams,
  field: string,
  known: readonly T[],
): T | undefined {
  const value = query.get(field);
  if (value === null || value === '') return undefined;
  const found = known.find((each) => each === value);
  if (found === undefined) throw invalid(resource, field, 'invalid');
  return found;
}
