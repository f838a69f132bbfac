import { json, type Reply } from '../reply.js';
import type { HostingContext } from './context.js';

/**
 * Responds with one page of a list and its `Link` header. A page has `per_page` items (default: 30,
 * maximum: 100). Renders only the items on the page.
 * @param linked `always` to send the header even if a single page contains all items.
 */
export function paged<T>(
  context: HostingContext,
  items: readonly T[],
  render: (item: T) => unknown,
  linked: 'pages' | 'always' = 'pages',
): Reply {
  const size = Math.min(100, parsePageNumber(context.query.get('per_page'), 30));
  const page = parsePageNumber(context.query.get('page'), 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const slice = items.slice((page - 1) * size, page * size);
  const always = linked === 'always' && context.service.quirks.singlePageLinks === 'contract';
  const single = page === 1 && last === 1 && items.length > 0;
  const pages = {
    ...(page < last && { next: page + 1, last }),
    ...(single && always && { first: 1, last: 1 }),
    ...(page > 1 && { first: 1, prev: page - 1 }),
  };
  const links = Object.entries(pages).map(([rel, number]) => {
    const url = new URL(context.request.url);
    for (const name of ['access_token', 'client_id', 'client_secret'])
      url.searchParams.delete(name);
    url.searchParams.set('page', String(number));
    return `<${url.href}>; rel="${rel}"`;
  });
  return json(200, slice.map(render), links.length > 0 ? { link: links.join(', ') } : {});
}

function parsePageNumber(text: string | null, base: number): number {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : base;
}
