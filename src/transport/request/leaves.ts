/**
 * The texts and numbers in a value, however deep in lists and records, as they are sent. A secret may be
 * any of them.
 */
export function leavesOf(value: unknown): string[] {
  const leaves: string[] = [];
  const seen = new Set<unknown>();
  const left: unknown[] = [value];
  // An array that grows while it is iterated is iterated to its new end.
  for (const each of left) {
    if (typeof each === 'string') {
      if (each !== '') leaves.push(each);
    } else if (typeof each === 'number' || typeof each === 'bigint') {
      leaves.push(String(each));
    } else if (typeof each === 'object' && each !== null && !seen.has(each)) {
      seen.add(each);
      // One by one, as a call takes no hundred thousand arguments.
      for (const inner of membersOf(each)) left.push(inner);
    }
  }
  return leaves;
}

function membersOf(value: object): Iterable<unknown> {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.toJSON()];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  return value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
}
