/** A route that matched, with the values of its parameters. */
export interface Match<H> {
  readonly handler: H;
  readonly params: Readonly<Record<string, string>>;
}

interface Route<H> {
  readonly segments: readonly string[];
  readonly handler: H;
}

/**
 * A route table: `GET /repos/:owner/:repo/contents/*path`. `:name` is one segment, `*name` the rest with
 * its slashes (which may come as `%2F`, with a trailing slash, or be missing). Earlier routes win.
 */
export class Router<H> {
  readonly #routes = new Map<string, Route<H>[]>();

  /** @param route method and pattern, as `GET /repos/:owner/:repo`. */
  add(route: string, handler: H): void {
    const space = route.indexOf(' ');
    const method = route.slice(0, space);
    const routes = this.#routes.get(method) ?? [];
    routes.push({ segments: segmentsOf(route.slice(space + 1)), handler });
    this.#routes.set(method, routes);
  }

  /** @param path the raw path, still percent-encoded. HEAD is answered by the routes of GET. */
  match(method: string, path: string): Match<H> | undefined {
    const segments = segmentsOf(path);
    // An empty segment in the middle names nothing: `/repos//x` must not become `/repos/x`.
    if (segments.includes('')) return undefined;
    for (const route of this.#routes.get(method === 'HEAD' ? 'GET' : method) ?? []) {
      const params = paramsOf(route.segments, segments);
      if (params) return { handler: route.handler, params };
    }
    return undefined;
  }
}

/** Segments between slashes, but for the leading slash and one trailing slash. */
function segmentsOf(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}

function paramsOf(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const open = pattern.at(-1)?.startsWith('*') === true;
  if (open ? segments.length < pattern.length - 1 : segments.length !== pattern.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const raw = part.startsWith('*') ? segments.slice(index).join('/') : (segments[index] ?? '');
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
