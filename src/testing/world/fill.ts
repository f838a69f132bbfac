/** Whether a value is a collection. The import adds its records one by one, because they need ids. */
function isCollection(value: unknown): boolean {
  if (value instanceof Map || value instanceof Set) return true;
  return Array.isArray(value) && value.some((each) => typeof each === 'object');
}

/**
 * Replaces the defaults of a new record with copies of the values in the data.
 * @param where path of the data, for error messages.
 * @throws {Error} if the data has a member that the record doesn't have, or a collection.
 */
export function fill<T extends object>(record: T, data: object, where: string): T {
  const current = new Map(Object.entries(record));
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue;
    if (!current.has(name)) throw new Error(`${where}.${name}: is unknown`);
    if (isCollection(value) || isCollection(current.get(name))) {
      throw new Error(`${where}.${name}: can't be imported`);
    }
    current.set(name, structuredClone(value));
  }
  return Object.assign(record, Object.fromEntries(current));
}

/** Checks the members of data. @throws {Error} if one is unknown. */
export function checkMembers(data: object, known: string, where: string): void {
  const names = known.split(' ');
  const unknown = Object.keys(data).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`${where}.${unknown}: is unknown`);
}

/**
 * Checks that records differ in a member.
 * @param seen values of other records. The values of these records are added.
 * @throws {Error} if two records have the same value.
 */
export function checkDistinct<K extends string>(
  records: Iterable<Readonly<Record<K, unknown>>>,
  key: K,
  where: string,
  seen = new Set<unknown>(),
): void {
  for (const [index, { [key]: value }] of [...records].entries()) {
    if (seen.has(value)) throw new Error(`${where}[${index}].${key}: ${value} is taken`);
    seen.add(value);
  }
}

/** Parses a time. @throws {Error} if the text is not a time. */
export function readTime(where: string, text: string): Date {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new Error(`${where}: must be a time, such as '2014-06-01T12:00:00Z' (got '${text}')`);
}
