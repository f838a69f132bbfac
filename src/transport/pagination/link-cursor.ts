import { encodeParameters, invalidInput } from '../request/input.js';
import type { OriginTrust } from '../request/named-url.js';
import { type RequestSpec, type Target, urlOf } from '../request/request-spec.js';

/** Facts about the client and endpoint of a list that follows `Link` headers. */
export interface LinkContext extends OriginTrust {
  /** Names of the endpoint's own inputs. */
  readonly inputs: ReadonlySet<string>;
}

/** Parameters that choose a page of most lists and its size. Some lists use them as filters. */
const pageNames = new Set(
  'page per_page cursor after before since offset start limit count index marker page_token'.split(
    ' ',
  ),
);

/**
 * Resolves a stored cursor to a page of this list. Applications store cursors where others can write, so
 * the list's own path and parameters are sent. The cursor sets the page, and those parameters of the page
 * that the caller and the endpoint don't set.
 * @throws {InvalidRequestError} if the cursor is of another list, or of the same list with other parameters.
 */
export function cursorTarget(
  cursor: string,
  { target }: RequestSpec,
  context: LinkContext,
): Target {
  const url = typeof cursor === 'string' && URL.canParse(cursor) ? new URL(cursor) : undefined;
  const list = new URL(urlOf(target));
  // Servers name the same list by an id (`/repositories/1/pulls`).
  if (!url || !context.isTrusted(url.origin) || lastSegment(url) !== lastSegment(list)) {
    throw invalidInput('from', 'must be the cursor of a page of this list: a URL of this API');
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
    else if (!isSame(values, own)) {
      const shown = JSON.stringify(name.slice(0, 40));
      throw invalidInput('from', `must be the cursor of a page of this list: ${shown} differs`);
    }
  }
  const own = [...list.searchParams].filter(([name]) => name !== 'page');
  const query = encodeParameters([...own, ...page]);
  return { origin: list.origin, path: list.pathname + (query === '' ? '' : `?${query}`) };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((value, at) => value === others[at]);
}

function lastSegment({ pathname }: URL): string | undefined {
  return pathname.split('/').at(-1);
}
