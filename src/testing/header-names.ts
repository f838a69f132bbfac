/** Words in header names that are not spelled as one capital letter followed by lowercase letters. */
const spelled = new Map(
  ['ETag', 'OAuth', 'OTP', 'RateLimit', 'GitHub', 'WWW', 'MD5', 'SHA256', 'XSS', 'UA'].map(
    (word) => [word.toLowerCase(), word],
  ),
);

/**
 * Returns headers as alternating names and values, with names as HTTP/1.1 servers spell them:
 * `X-RateLimit-Limit`, `ETag`. Names in a `Response` are lowercase, but some clients look them up
 * case-sensitively.
 */
export function rawHeaders(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => [spell(name), value]);
}

/** Spelled names. Responses repeat a few names, and splitting them takes longer than sending them. */
const spelledNames = new Map<string, string>();
const mostNames = 500;

function spell(name: string): string {
  let known = spelledNames.get(name);
  if (known === undefined) {
    known = name
      .split('-')
      .map((word) => spelled.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1))
      .join('-');
    // Bounded, because custom routes can send any names.
    if (spelledNames.size < mostNames) spelledNames.set(name, known);
  }
  return known;
}
