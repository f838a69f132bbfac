import { httpError, json, type Reply } from '../reply.js';
import type { SupportContext, SupportRoutes } from './context.js';
import { failed, getAll, parseFlag, parseLink, readWholeNumber } from './parameters.js';
import {
  findPlace,
  getTexts,
  type Link,
  type RecordData,
  type RecordKind,
  type StoredRecord,
} from './records.js';
import type { Rendering } from './render.js';
import type { Records, SupportState } from './state.js';

/** Returns whether a search's results include a record. */
export type Filter<T> = (record: T) => boolean;

/** Sortable attributes that aren't text. */
export type SortKeys<T> = Readonly<Record<string, (record: T) => number | string>>;

/** Differences between the routes for contacts and cases. */
export interface RecordRoutes<T extends StoredRecord, D extends RecordData> {
  /** Kind of link that a record can have. */
  readonly link: 'profile' | 'message';
  /** Minimum number of links. */
  readonly fewestLinks: number;
  /** Parameters of a new record in addition to its text attributes. */
  readonly parameters: readonly string[];
  /** Sortable attributes that only this kind of record has. */
  readonly sortKeys: SortKeys<T>;
  records(state: SupportState): Records<T>;
  /** Creates a search filter. @throws {HttpError} 400 if a parameter is invalid. */
  filter(values: URLSearchParams, state: SupportState): Filter<T>;
  render(record: T, rendering: Rendering): object;
  /**
   * Adds a record.
   * @param data text attributes, tags and notes.
   * @throws {HttpError} with `success: false` if a parameter is invalid.
   */
  create(data: D, context: SupportContext): T;
  /**
   * Checks an update's parameters.
   * @throws {HttpError} with `success: false` if a parameter is invalid.
   */
  checkUpdate(values: URLSearchParams): void;
  links(record: T): Link[];
  /** Adds a link. @throws {HttpError} with `success: false` if a parameter is missing. */
  addLink(record: T, context: SupportContext): void;
}

/** POST parameters that aren't text attributes of the record. */
const parameters: ReadonlySet<string> = new Set(['id', 'note', 'tag', 'echo_data']);

/** Creates the routes for contacts or cases. */
export function createRecordRoutes<T extends StoredRecord, D extends RecordData>(
  kind: RecordKind,
  routes: RecordRoutes<T, D>,
): SupportRoutes {
  const { link } = routes;
  const links = `${link}s`;
  const path = `/${kind.name}`;
  const find = (context: SupportContext, id = context.param('id')): T => {
    const found = /^\d+$/.test(id) ? routes.records(context.state).get(Number(id)) : undefined;
    if (!found) throw httpError(404, `${kind.name} ${id} does not exist`);
    return found;
  };
  const save = (context: SupportContext, record: T, data: RecordData = {}): Reply => {
    const { state, user, rendering } = context;
    state.change(routes.records(state), record, { ...data, updated_by: user });
    return done(routes.render(record, rendering));
  };
  const create = (context: SupportContext): Reply => {
    const echo = parseFlag(context.values, 'echo_data');
    const record = routes.create(readData(kind, context, routes.parameters), context);
    const data = routes.render(record, context.rendering);
    return done({ [`${kind.name}_id`]: record.id, ...(echo && { data }) });
  };
  const update = (context: SupportContext, record: T): Reply => {
    routes.checkUpdate(context.values);
    return save(context, record, readData(kind, context));
  };

  return {
    [`GET ${path}`]: ({ values, state, settings, rendering }) => {
      const filter = routes.filter(values, state);
      const index = readWholeNumber(values, 'index', 0) ?? 0;
      const count = readWholeNumber(values, 'count', 1) ?? settings.defaultCount;
      const found = search(routes.records(state), values, filter, routes.sortKeys);
      const page = found.slice(index, index + Math.min(count, settings.maxCount));
      const items = page.map((record) => routes.render(record, rendering));
      return json(200, { success: true, total: found.length, items });
    },
    // `id` can be a parameter instead of the path's last segment.
    [`POST ${path}`]: (context) => {
      const id = context.values.get('id');
      return id === null || id === '' ? create(context) : update(context, find(context, id));
    },
    [`GET ${path}/:id`]: (context) => json(200, routes.render(find(context), context.rendering)),
    [`POST ${path}/:id`]: (context) => update(context, find(context)),

    [`GET ${path}/:id/${links}`]: (context) => done({ [links]: routes.links(find(context)) }),
    [`POST ${path}/:id/${links}/add`]: (context) => {
      const record = find(context);
      routes.addLink(record, context);
      save(context, record);
      return done();
    },
    [`POST ${path}/:id/${links}/remove`]: (context) => {
      const record = find(context);
      const list = routes.links(record);
      const at = findPlace(parseLink(context.values), list);
      // Removing a link that doesn't exist succeeds without effect.
      if (at === -1) return done({ statusMessage: `the ${link} is not linked` });
      if (list.length <= routes.fewestLinks) {
        throw failed(`a ${kind.name} must have at least one ${link}`);
      }
      list.splice(at, 1);
      save(context, record);
      return done();
    },

    [`GET ${path}/:id/tags`]: (context) => done({ tags: [...find(context).tags] }),
    [`POST ${path}/:id/tags`]: (context) => {
      const record = find(context);
      for (const tag of getAll(context.values, 'add')) record.tags.add(tag);
      for (const tag of getAll(context.values, 'remove')) record.tags.delete(tag);
      return save(context, record);
    },
  };
}

/** Creates the response to a successful POST. @param also additional members. */
export function done(also: object = {}): Reply {
  return json(200, { success: true, statusMessage: 'ok', ...also });
}

/**
 * Returns the text attributes, tags and notes in a POST request's parameters.
 * @param more Additional parameters that aren't text attributes.
 * @throws {HttpError} with `success: false` if a name is reserved.
 */
function readData<D extends RecordData>(
  { texts, reserved }: RecordKind,
  { values, user }: SupportContext,
  more: readonly string[] = [],
): D {
  const passed = [...values].filter(([name]) => !parameters.has(name) && !more.includes(name));
  for (const [name] of passed) {
    if (name === '' || reserved.has(name)) {
      throw failed(`${name === '' ? 'An attribute without a name' : name} can't be set`);
    }
  }
  const data: RecordData = {
    ...Object.fromEntries(passed.filter(([name]) => texts.includes(name))),
    attributes: Object.fromEntries(passed.filter(([name]) => !texts.includes(name))),
    tags: getAll(values, 'tag'),
    notes: getAll(values, 'note'),
    updated_by: user,
  };
  // `as`: all other properties of a record's data are optional.
  return data as D;
}

const commonKeys: SortKeys<StoredRecord> = {
  id: ({ id }) => id,
  creation_date: ({ created }) => created,
  update_date: ({ updated }) => updated,
};

/**
 * Returns the records that a filter accepts, in the requested order.
 * @param extra Sortable attributes in addition to the common attributes and the text attributes.
 * @throws {HttpError} 400 if `order_dir` is invalid.
 */
function search<T extends StoredRecord>(
  records: Records<T>,
  values: URLSearchParams,
  filter: Filter<T>,
  extra: SortKeys<T>,
): readonly T[] {
  const criteria = new URLSearchParams(values);
  for (const name of ['count', 'index']) criteria.delete(name);
  return records.remember(criteria.toString(), () =>
    sorted(records, filter, values, { ...commonKeys, ...extra }),
  );
}

/** Sorts records. Records with equal keys are sorted by ID. `DESC` reverses the whole order. */
function sorted<T extends StoredRecord>(
  { all, kind }: Records<T>,
  filter: Filter<T>,
  values: URLSearchParams,
  keys: SortKeys<T>,
) {
  const direction = values.get('order_dir') ?? 'ASC';
  if (direction !== 'ASC' && direction !== 'DESC')
    throw httpError(400, 'order_dir must be ASC or DESC');
  const by = values.get('order_by') ?? 'id';
  const text = (record: T) => getTexts(kind, record).get(by) ?? '';
  const key = (Object.hasOwn(keys, by) ? keys[by] : undefined) ?? text;
  const keyed = [...all]
    .filter(filter)
    .map((record) => ({ id: record.id, key: key(record), record }));
  keyed.sort((a, b) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1));
  const ordered = keyed.map(({ record }) => record);
  return direction === 'DESC' ? ordered.reverse() : ordered;
}
