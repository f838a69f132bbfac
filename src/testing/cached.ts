/**
 * Maximum number and length of cached strings. Both are limited because clients can send arbitrary
 * names.
 */
const [maxTexts, maxLength] = [500, 100];

/** Caches the results of a function for short strings that occur often, such as header names. */
export function cached<T extends string | boolean>(
  compute: (text: string) => T,
): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size < maxTexts && text.length <= maxLength) results.set(text, result);
    return result;
  };
}
