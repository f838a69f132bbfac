/** A route that matched, with the values of its parameters. */
export interface Match<H> {
  readonly handler: H;
  readonly params: Readonly<Record<string, string>>;
}

interface Route<H> {
  readonly method: string;
  readonly segments: readonly string[];
  readonly handler: H;
}

/**
 * A route table: `GET /repos/:owner/:repo/contents/*path`. `:name` is one segment, `*name` any number of
 * them with the slashes between (which may come as `%2F`); at the end of a route it may be missing.
 * Earlier routes win.
 */
export class Router<H> {
  /** Method and pattern of every route. */
  readonly names: string[] = [];
  readonly #routes: Route<H>[] = [];

  /** @param route method and pattern, as `GET /repos/:owner/:repo`. */
  add(route: string, handler: H): void {
    const [method = '', path = ''] = route.split(' ');
    this.#routes.push({ method, segments: segmentsOf(path), handler });
    this.names.push(route);
  }

  /**
   * @param path the raw path, still percent-encoded. HEAD is answered by the routes of GET, and POST by
   * those of PATCH where it has none: servers of this kind take both for updates.
   */
  match(method: string, path: string): Match<H> | undefined {
    if (method === 'HEAD') return this.#match('GET', path);
    const found = this.#match(method, path);
    return found ?? (method === 'POST' ? this.#match('PATCH', path) : undefined);
  }

  #match(method: string, path: string): Match<H> | undefined {
    const segments = segmentsOf(path);
    // An empty segment in the middle names nothing: `/repos//x` must not become `/repos/x`.
    if (segments.includes('')) return undefined;
    for (const route of this.#routes) {
      const params = route.method === method && paramsOf(route.segments, segments);
      if (params) return { handler: route.handler, params };
    }
    return undefined;
  }
}

/** Segments between slashes, but for the leading slash and one trailing slash. */
export function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const open = pattern.findIndex((part) => part.startsWith('*'));
  // How many segments the open part takes: none at all only where it is the last.
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

/** Undefined where the percent-encoding is broken: such a path names nothing. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
