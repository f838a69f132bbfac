import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { kindOf } from './input.js';

/** A request body that can be sent as often as needed. */
export interface TextBody {
  readonly kind: 'text';
  readonly text: string;
  readonly contentType: string;
}

/** Form fields (`application/x-www-form-urlencoded`); credentials may be added as further fields. */
export interface FormBody {
  readonly kind: 'form';
  readonly text: string;
}

/** Bytes in memory. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A body that is opened anew for each attempt, if it can be. */
export interface StreamBody {
  readonly kind: 'stream';
  /** @throws whatever makes the source unreadable; nothing has been sent then. */
  open(): Promise<OpenBody>;
  /** False for a one-shot stream: it is sent once, and a retry or redirect is an error that says so. */
  readonly replayable: boolean;
}

/** One opening of a {@link StreamBody}. */
export interface OpenBody {
  readonly stream: Readable;
  readonly contentType: string;
  /** Length in bytes; undefined sends it chunked. */
  readonly length: number | undefined;
  /** Gives back the memory of a chunk that was written; without it none is used again. */
  readonly recycle?: ((chunk: Buffer) => void) | undefined;
}

/** What a request carries. */
export type RequestBody = TextBody | FormBody | BytesBody | StreamBody;

/** The media type of {@link FormBody}. */
export const formType = 'application/x-www-form-urlencoded';

/**
 * A body of JSON; undefined members are left out, as the wire has no undefined.
 * @param what the input in the words of its error, as `json` or `pulls.create: body`.
 * @throws {InvalidRequestError}
 */
export function jsonBody(value: unknown, what: string, field: string): TextBody {
  const text = jsonText(value, what, field);
  return { kind: 'text', text, contentType: 'application/json; charset=utf-8' };
}

/** @throws {InvalidRequestError} a value that JSON has no form for: a function, a BigInt, an object within itself. */
export function jsonText(value: unknown, what: string, field: string): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  const options = cause === undefined ? undefined : { cause };
  throw new InvalidRequestError(`${what}: expected a value that JSON can express`, field, options);
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
    const field = prefix + name;
    if (!isParameter(value)) {
      throw new InvalidRequestError(
        `${operation}: ${field}: expected a string, number, boolean or an array of them, got ${kindOf(value)}`,
        field,
      );
    }
    if (!wellFormed(value)) {
      throw new InvalidRequestError(
        `${operation}: ${field}: holds half of a surrogate pair`,
        field,
      );
    }
    parameters.push([name, value]);
  }
  return parameters;
}

function wellFormed(value: Parameter): boolean {
  return (Array.isArray(value) ? value : [value]).every((each) => String(each).isWellFormed());
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isParameter(value: unknown): value is Parameter {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}
