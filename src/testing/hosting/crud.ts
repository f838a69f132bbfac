import { empty, json, type Reply } from '../reply.js';
import { withId } from './access.js';
import type { HostingContext, HostingRoute, HostingRoutes } from './context.js';
import type { Body } from './fields.js';

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
  const single = linked === 'always' && page === 1 && last === 1 && items.length > 0;
  const pages = {
    ...(page < last && { next: page + 1, last }),
    ...(single && { first: 1, last: 1 }),
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

export type Action = 'read' | 'create' | 'update' | 'delete';

export interface Rendered {
  /** URL of the record. Sent as `Location` when the record is created. */
  readonly url: string;
  readonly [field: string]: unknown;
}

/** How requests read and change a collection's records. */
export interface Collection<Parent, R extends { readonly id: number }> {
  /** Returns the records' parent. @throws {HttpError} if the caller has no access. */
  open(context: HostingContext, action: Action): Parent;
  /** Returns the records that the caller can see, in list order. */
  list(context: HostingContext, parent: Parent): readonly R[];
  /** When the list has a `Link` header (see {@link paged}). Default: `pages`. */
  readonly linked?: 'pages' | 'always' | undefined;
  /** Returns the record that the path identifies. Default: the `:id` record in the list. */
  find?(context: HostingContext, parent: Parent, action: Action): R;
  render(context: HostingContext, parent: Parent, record: R): Rendered;
  /** Validates the whole body, then creates a record. */
  create?(context: HostingContext, parent: Parent, body: Body): R;
  /** Validates the whole body, then changes a record. */
  update?(context: HostingContext, parent: Parent, record: R, body: Body): void;
  remove?(context: HostingContext, parent: Parent, record: R): void;
}

/**
 * Creates a collection's routes: list, get, and one for each optional function that the collection
 * defines.
 */
export function crud<Parent, R extends { readonly id: number }>(
  base: string,
  collection: Collection<Parent, R>,
): HostingRoutes {
  const { open, list, linked, render, create, update, remove } = collection;
  const { find = (context, parent) => withId(context, list(context, parent)) } = collection;
  const routes: Record<string, HostingRoute> = {
    [`GET ${base}`]: (context) => {
      const parent = open(context, 'read');
      return paged(context, list(context, parent), (each) => render(context, parent, each), linked);
    },
    [`GET ${base}/:id`]: (context) => {
      const parent = open(context, 'read');
      return json(200, render(context, parent, find(context, parent, 'read')));
    },
  };
  if (create) {
    routes[`POST ${base}`] = async (context) => {
      open(context, 'create');
      const body = await context.body();
      // Checks access again, because another request may have changed it while the body arrived.
      const parent = open(context, 'create');
      return created(render(context, parent, create(context, parent, body)));
    };
  }
  if (update) {
    routes[`PATCH ${base}/:id`] = async (context) => {
      find(context, open(context, 'update'), 'update');
      const body = await context.body();
      // Finds the record again, because another request may have deleted it while the body arrived.
      const parent = open(context, 'update');
      const found = find(context, parent, 'update');
      update(context, parent, found, body);
      return json(200, render(context, parent, found));
    };
  }
  if (remove) {
    routes[`DELETE ${base}/:id`] = (context) => {
      const parent = open(context, 'delete');
      remove(context, parent, find(context, parent, 'delete'));
      return empty(204);
    };
  }
  return routes;
}

/** Responds to a request that created a record. */
export function created(rendered: Rendered): Reply {
  return json(201, rendered, { location: rendered.url });
}

export function removeFrom<T>(list: T[], record: T): void {
  list.splice(list.indexOf(record), 1);
}
