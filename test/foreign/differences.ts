/**
 * Compares a client's parsed values with the emulator's state. Each parsed value must equal the
 * expected value. Typed clients omit unknown fields, so only a third of the expected fields must be
 * present. Lists must have the same length.
 */
export function differences(parsed: unknown, expected: unknown, at = 'the response'): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(parsed)) return [`${at} is not a list`];
    if (parsed.length !== expected.length) {
      return [`${at} has ${parsed.length} items, not ${expected.length}`];
    }
    return expected.flatMap((each, index) => differences(parsed[index], each, `${at}[${index}]`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof parsed !== 'object' || parsed === null) return [`${at} is not an object`];
    const known = Object.entries(expected).filter(([name]) => name in parsed);
    const few = known.length * 3 < Object.keys(expected).length;
    if (few && /^the response(?:\[\d+\])?$/.test(at)) return [`${at} has too few fields`];
    return known.flatMap(([name, each]) =>
      differences(Reflect.get(parsed, name), each, `${at}.${name}`),
    );
  }
  if (Object.is(parsed, expected) || sameTime(parsed, expected)) return [];
  return [`${at} is ${JSON.stringify(parsed)}, not ${JSON.stringify(expected)}`];
}

/** Returns whether two strings represent the same time. Some clients convert all times to UTC. */
function sameTime(parsed: unknown, expected: unknown): boolean {
  if (typeof parsed !== 'string' || typeof expected !== 'string') return false;
  return /^\d{4}-\d\d-\d\dT/.test(expected) && Date.parse(parsed) === Date.parse(expected);
}
