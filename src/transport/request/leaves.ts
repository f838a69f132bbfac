/**
 * Returns the strings and numbers in a value, at any depth of arrays and objects, as they are sent.
 * Any of these values may be a secret.
 */
export function collectLeaves(value: unknown): string[] {
  const leaves: string[] = [];
  const seen = new Set<unknown>();
  const left: unknown[] = [value];
  // The loop also visits elements that are added during the iteration.
  for (const each of left) {
    if (typeof each === 'string') {
      if (each !== '') leaves.push(each);
    } else if (typeof each === 'number' || typeof each === 'bigint') {
      leaves.push(String(each));
    } else if (typeof each === 'object' && each !== null && !seen.has(each)) {
      seen.add(each);
      // Push the members one by one, because a function call can't take a hundred thousand
      // arguments.
      for (const inner of listJsonMembers(each)) left.push(inner);
    }
  }
  return leaves;
}

/**
 * Returns the value that JSON contains in place of an object. For example, a `URL` becomes a
 * string.
 */
export function toPlainJson(value: object): unknown {
  if (value instanceof String || value instanceof Number) return value.valueOf();
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  try {
    return value.toJSON();
  } catch {
    return value; // Creating the body fails too and reports the error.
  }
}

function listJsonMembers(value: object): Iterable<unknown> {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.toJSON()];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (value instanceof Map || value instanceof Set) return value.values();
  const json = toPlainJson(value);
  // As in `JSON.stringify`, `toJSON` isn't called on the result.
  return typeof json === 'object' && json !== null ? Object.values(json) : [json];
}
