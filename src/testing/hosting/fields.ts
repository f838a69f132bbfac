import { isRecord } from '../../schema/unknown-values.js';
import { parseJson, parseMediaType, readText } from '../bodies.js';
import { highest } from '../checks.js';
import { HttpError, httpError, json } from '../reply.js';
import { invalid } from './refusals.js';

export type Body = Readonly<Record<string, unknown>>;

/**
 * Reads a body as an object. Accepts a form, or JSON with or without a content type. Also accepts
 * JSON labeled as a form, because some clients send it.
 * @throws {HttpError} 400 if it is not a JSON object, 413 if it is too large, 415 for another
 * content type.
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  const type = parseMediaType(request.headers);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (isForm && !/^\s*[[{]/.test(text)) return Object.fromEntries(new URLSearchParams(text));
  if (type !== '' && !isForm && !/^application\/(?:[^/]+\+)?json$/.test(type)) {
    throw httpError(415, `Body should be application/json, got ${type}`);
  }
  const value = parseJson(text);
  if (value === undefined) throw new HttpError(json(400, { message: 'Problems parsing JSON' }));
  if (isRecord(value)) return value;
  throw new HttpError(json(400, { message: 'Body should be a JSON Hash' }));
}

/**
 * Creates a reader for an optional field. The reader throws {@link HttpError} 422 if the type is
 * wrong.
 */
export function createFieldReader<T>(test: (value: unknown) => value is T): FieldReader<T> {
  return (resource, body, name) => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    if (!test(value)) throw invalid(resource, name, 'invalid');
    return value;
  };
}

const isString = (value: unknown) => typeof value === 'string';

export const stringField = createFieldReader(isString);
/** Reads an optional string that can't be empty. */
export const filledField: FieldReader<string> = (resource, body, name) => {
  const value = stringField(resource, body, name);
  if (value === '') throw invalid(resource, name, 'missing_field');
  return value;
};
export const booleanField = createFieldReader((value) => typeof value === 'boolean');
export const wholeNumberField = createFieldReader(
  (value): value is number =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= highest,
);
export const stringsField = createFieldReader(
  (value): value is string[] => Array.isArray(value) && value.every(isString),
);
export const hashField = createFieldReader(isRecord);

/**
 * Reads one field of a body. Returns undefined if the body doesn't set it. @throws {HttpError} 422
 * if it is invalid.
 */
type FieldReader<T> = (resource: string, body: Body, name: string) => T | undefined;

/** Field readers by camel-case field name. Names in the body are in snake case. */
type FieldTable = Readonly<Record<string, FieldReader<unknown>>>;

/**
 * Reads and validates all fields in a table. Omits fields that the body doesn't set.
 * @throws {HttpError} 422 if a field is invalid.
 */
export function readFields<T extends FieldTable>(resource: string, body: Body, table: T) {
  const values = Object.entries(table).map(([name, read]) => [
    name,
    read(resource, body, toSnakeCase(name)),
  ]);
  // `as`: `fromEntries` loses the types that the table's readers return.
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: ReturnType<T[K]>;
  };
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Reads a required string. @throws {HttpError} 422 if it is missing or empty. */
export function requiredField(resource: string, body: Body, field: string): string {
  const value = filledField(resource, body, field);
  if (value === undefined) throw invalid(resource, field, 'missing_field');
  return value;
}

/**
 * Reads an optional query parameter with a fixed set of values.
 * @throws {HttpError} 422 if the value isn't in the set.
 */
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
