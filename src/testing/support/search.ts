import { httpError } from '../reply.js';
import { getTexts, type StoredRecord } from './records.js';
import type { Records } from './state.js';

/** Returns whether a search's results include a record. */
export type Filter<T> = (record: T) => boolean;

/** Sortable attributes that aren't text. */
export type SortKeys<T> = Readonly<Record<string, (record: T) => number | string>>;

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
export function search<T extends StoredRecord>(
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
