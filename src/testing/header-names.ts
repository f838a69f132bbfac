import { cached } from './cached.js';

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

/** Converts received headers. */
export function toHeaders(received: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received)) {
    for (const each of [value].flat()) headers.append(name, each);
  }
  return headers;
}

const spell = cached((name) =>
  name
    .split('-')
    .map((word) => spelled.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join('-'),
);
