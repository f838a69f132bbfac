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
