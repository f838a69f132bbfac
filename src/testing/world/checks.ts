/**
 * Checks that each record has a different value in a member.
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
