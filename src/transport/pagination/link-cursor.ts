import { createInputError, encodeParameters } from '../request/input.js';
import type { OriginTrust } from '../request/named-url.js';
import { formatUrl, type RequestSpec, type Target } from '../request/request-spec.js';

/** Trust rules and input names for a list that follows `Link` headers. */
export interface LinkContext extends OriginTrust {
  readonly inputs: ReadonlySet<string>;
}

/**
 * Parameters that select a page and its size in most lists. Some lists use these parameters as
 * filters.
 */
const pageNames = new Set(
  'page per_page cursor after before since offset start limit count index marker page_token'.split(
    ' ',
  ),
);

/**
 * Resolves a stored cursor to a page of this list. Stored cursors aren't trusted, so the request
 * keeps the list's path and parameters. The cursor sets only the page and the page parameters that
 * neither the caller nor the endpoint sets.
 * @throws {InvalidRequestError} if the cursor is invalid or belongs to another list.
 */
export function resolveCursor(
  cursor: string,
  { target }: RequestSpec,
  context: LinkContext,
): Target {
  const url = typeof cursor === 'string' && URL.canParse(cursor) ? new URL(cursor) : undefined;
  const list = new URL(formatUrl(target));
  // Compare only the last segment, because servers may use an ID in the path
  // (`/repositories/1/pulls`).
  if (!url || !context.trustedOrigins.has(url.origin) || lastSegment(url) !== lastSegment(list)) {
    throw createInputError(
      'from',
      "must be a page cursor from this list. Pass a page's cursor unchanged.",
    );
  }
  const page: [string, string][] = [];
  for (const name of new Set(url.searchParams.keys())) {
    if (context.credentialParameters.has(name)) continue;
    const values = url.searchParams.getAll(name);
    const own = list.searchParams.getAll(name);
    const isInput = context.inputs.has(name) && name !== 'per_page';
    const isFree = name === 'page' || (pageNames.has(name) && !isInput && own.length === 0);
    const [value = '', ...more] = values;
    if (isFree && more.length === 0) page.push([name, value]);
    else if (!haveSameValues(values, own)) {
      const shown = JSON.stringify(name.slice(0, 40));
      throw createInputError(
        'from',
        `must be a page cursor from this list (got a different ${shown} parameter)`,
      );
    }
  }
  const own = [...list.searchParams].filter(([name]) => name !== 'page');
  const query = encodeParameters([...own, ...page]);
  return { origin: list.origin, path: list.pathname + (query === '' ? '' : `?${query}`) };
}

function haveSameValues(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((value, at) => value === others[at]);
}

function lastSegment({ pathname }: URL): string | undefined {
  return pathname.split('/').at(-1);
}
