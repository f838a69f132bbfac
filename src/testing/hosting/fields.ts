import { invalid } from './refusals.js';

/** The body of a request. */
export type Body = Readonly<Record<string, unknown>>;

/** An optional string of a body. @throws {Refused} 422 where it is something else */
export function stringField(resource: string, body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid({ resource, field, code: 'invalid' });
  return value;
}

/** A string that a body must have. @throws {Refused} 422 */
export function requiredField(resource: string, body: Body, field: string): string {
  const value = stringField(resource, body, field);
  if (value === undefined || value === '') {
    throw invalid({ resource, field, code: 'missing_field' });
  }
  return value;
}

/** An optional boolean of a body. @throws {Refused} 422 */
export function booleanField(resource: string, body: Body, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalid({ resource, field, code: 'invalid' });
  return value;
}

/** An optional whole number of a body. @throws {Refused} 422 */
export function integerField(resource: string, body: Body, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw invalid({ resource, field, code: 'invalid' });
  }
  return value;
}

/** An optional array of strings of a body. @throws {Refused} 422 */
export function stringsField(resource: string, body: Body, field: string): string[] | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalid({ resource, field, code: 'invalid' });
  return value.map((each: unknown) => {
    if (typeof each !== 'string') throw invalid({ resource, field, code: 'invalid' });
    return each;
  });
}

/** An optional hash of a body. @throws {Refused} 422 */
export function hashField(resource: string, body: Body, field: string): Body | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid({ resource, field, code: 'invalid' });
  }
  return Object.fromEntries(Object.entries(value));
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
  if (found === undefined) throw invalid({ resource, field, code: 'invalid' });
  return found;
}
