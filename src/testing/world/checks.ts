/**
 * Checks that no two records have the same value for a key.
 * @param seen Values of other records. The function adds the values of these records.
 * @throws {Error} if two records have the same value.
 */
export function checkDistinct<K extends string>(
  records: Iterable<Readonly<Record<K, unknown>>>,
  key: K,
  where: string,
  seen = new Set<unknown>(),
): void {
  for (const [index, { [key]: value }] of [...records].entries()) {
    if (seen.has(value))
      throw new Error(`${where}[${index}].${key}: must be unique (got ${value} twice)`);
    seen.add(value);
  }
}
