import { types } from 'node:util';

/** True for an object with members: no array, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/** False if reading the value throws, as for a revoked proxy. */
export function isReadable(value: object): boolean {
  try {
    Array.isArray(value);
    Object.keys(value);
    return true;
  } catch {
    return false;
  }
}

/** The elements of an array. Any other value, also an array that can't be read, is the only element. Never throws. */
export function toElements(value: unknown): readonly unknown[] {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && isReadable(value) && Array.isArray(value) ? value : [value];
}

/** A value as text, such as a string or a `URL`; empty if it can't be converted. Never throws. */
export function toText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '';
  }
}

/**
 * True for an error of any realm: under Jest, errors that Node throws are not `instanceof` the `Error`
 * of the code under test. A DOMException isn't a native error. Never throws.
 */
export function isError(value: unknown): value is Error {
  if (types.isNativeError(value)) return true;
  try {
    return value instanceof Error || value instanceof DOMException;
  } catch {
    return false; // a revoked proxy
  }
}

/**
 * The text of something that was thrown, which may be any value. Never throws: JavaScript code can
 * throw objects without a prototype, with a throwing `toString`, or revoked proxies.
 */
export function errorMessage(thrown: unknown): string {
  try {
    return isError(thrown) ? String(thrown.message) : String(thrown);
  } catch {
    return 'a thrown value that has no text';
  }
}

/** An error for something that was thrown: itself if it is one that can be read, otherwise a new one with its text. */
export function asError(thrown: unknown): Error {
  return isError(thrown) && hasReadableFields(thrown) ? thrown : new Error(errorMessage(thrown));
}

/** Whether getters of an error don't throw, neither ours nor those that `util.inspect` reads. */
function hasReadableFields(error: Error): boolean {
  try {
    for (const name of ['name', 'message', 'stack', 'code', 'cause', 'errors', 'constructor']) {
      Reflect.get(error, name);
    }
    return true;
  } catch {
    return false;
  }
}

/** The stack of something that was thrown; empty if it has none. Never throws. */
export function errorStack(thrown: unknown): string {
  try {
    return isError(thrown) ? String(thrown.stack ?? '') : '';
  } catch {
    return '';
  }
}

/** A member of any value; undefined if it has none of this name, or can't be read. Never throws. */
export function getMember(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined;
  }
}
