/** Matching route, with the values of its parameters. */
export interface Match<H> {
  readonly handler: H;
  readonly params: Readonly<Record<string, string>>;
}

/** Handlers by method and pattern, such as `GET /repos/:owner/:repo`. */
export type Routes<H> = Readonly<Record<string, H>>;

interface Route<H> {
  readonly method: string;
  readonly segments: readonly string[];
  /** Index of the `*name` segment. -1 if there is none. */
  readonly open: number;
  readonly handler: H;
}

/**
 * A table of routes such as `GET /repos/:owner/:repo/contents/*path`. `:name` matches one segment. `*name`
 * matches one or more segments with their slashes (also as `%2F`), or none at the end of a route. The first
 * match wins.
 */
export class Router<H> {
  /** Method and pattern of every route. */
  readonly names: string[] = [];
  readonly #routes: Route<H>[] = [];

  constructor(...tables: readonly Routes<H>[]) {
    for (const table of tables) {
      for (const [route, handler] of Object.entries(table)) this.add(route, handler);
    }
  }

  /** Adds a route. @param route method and pattern, such as `GET /repos/:owner/:repo`. */
  add(route: string, handler: H): void {
    const [method = '', path = ''] = route.split(' ');
    const segments = splitSegments(path);
    const open = segments.findIndex((part) => part.startsWith('*'));
    this.#routes.push({ method, segments, open, handler });
    this.names.push(route);
  }

  /**
   * Finds the route for a request. HEAD uses GET's routes. POST falls back to PATCH's routes,
   * because GitHub-style servers accept both for updates.
   * @param path raw path, still percent-encoded.
   */
  match(method: string, path: string): Match<H> | undefined {
    if (method === 'HEAD') return this.#match('GET', path);
    const found = this.#match(method, path);
    return found ?? (method === 'POST' ? this.#match('PATCH', path) : undefined);
  }

  #match(method: string, path: string): Match<H> | undefined {
    const segments = splitSegments(path);
    // An empty segment never matches, so `/repos//x` is not `/repos/x`.
    if (segments.includes('')) return undefined;
    for (const route of this.#routes) {
      const params = route.method === method && matchParams(route, segments);
      if (params) return { handler: route.handler, params };
    }
    return undefined;
  }
}

/** Splits a path at its slashes. Ignores the leading slash and one trailing slash. */
export function splitSegments(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}

function matchParams(
  { segments: pattern, open }: Route<unknown>,
  segments: readonly string[],
): Record<string, string> | undefined {
  // Number of segments that `*name` matches. `*name` can match zero segments only at the end of a
  // route.
  const width = segments.length - pattern.length + 1;
  const least = open === pattern.length - 1 ? 0 : 1;
  if (open === -1 ? segments.length !== pattern.length : width < least) return undefined;
  const params: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of pattern.entries()) {
    const end = at + (index === open ? width : 1);
    const raw = segments.slice(at, end).join('/');
    at = end;
    if (!part.startsWith(':') && !part.startsWith('*')) {
      if (part !== raw) return undefined;
      continue;
    }
    const value = decode(raw);
    if (value === undefined) return undefined;
    params[part.slice(1)] = part.startsWith('*') ? value.replace(/\/$/, '') : value;
  }
  return params;
}

/** Percent-decodes text. Returns undefined for invalid text, so the path matches no route. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
