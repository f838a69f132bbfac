import type { Dispatcher } from 'undici';

/** Request that a client passes to a dispatcher. */
export type Outgoing = Dispatcher.DispatchOptions;

/** Returns the path and query as sent. */
export function buildTarget(options: Outgoing): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) query.append(name, String(each));
  }
  if (query.size === 0) return options.path;
  return `${options.path}${options.path.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Returns whether a body is a form. undici's `FormData` differs from the global class, but has the
 * same tag.
 */
export function isForm(body: unknown): body is Iterable<[string, string | Blob]> {
  return Object.prototype.toString.call(body) === '[object FormData]';
}

/** Converts headers from any format that undici accepts. */
export function toHeaders(given: Outgoing['headers']): Headers {
  const headers = new Headers();
  if (!given) return headers;
  if (Array.isArray(given)) {
    const flat = given.flat();
    for (let index = 0; index + 1 < flat.length; index += 2) {
      headers.append(String(flat[index]), String(flat[index + 1]));
    }
    return headers;
  }
  const pairs = Symbol.iterator in given ? given : Object.entries(given);
  for (const [name, value] of pairs) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) headers.append(name, String(each));
    }
  }
  return headers;
}
