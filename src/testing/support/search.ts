import { httpError, json, type Reply } from '../reply.js';
import { wholeNumber } from './parameters.js';
import type { StoredRecord } from './records.js';
import type { SupportSettings } from './settings.js';
import type { Records } from './state.js';

/** Decides whether a search returns a record. */
export type Filter<T> = (record: T) => boolean;

/** Sortable attributes that aren't text. */
const numbers: Readonly<Record<string, (record: StoredRecord) => number>> = {
  id: ({ id }) => id,
  creation_date: ({ created }) => created,
  update_date: ({ updated }) => updated,
};

/**
 * Searches records of one kind: filters, sorts, and returns the page that `count` and `index` select. Caches
 * the last result until a record changes, so that the next page of a long search is fast.
 */
export class Search<T extends StoredRecord> {
  readonly #records: Records<T>;
  readonly #keys: Readonly<Record<string, (record: T) => number | string>>;
  #last: { readonly key: string; readonly version: number; readonly found: T[] } | undefined;

  /** @param extra further sortable attributes, which aren't among the texts of a record. */
  constructor(records: Records<T>, extra: Readonly<Record<string, (record: T) => string>> = {}) {
    this.#records = records;
    this.#keys = { ...numbers, ...extra };
  }

  /** Responds to a search. @throws {HttpError} 400 if a parameter is invalid. */
  answer(
    values: URLSearchParams,
    settings: SupportSettings,
    filter: Filter<T>,
    render: (record: T) => unknown,
  ): Reply {
    const { defaultCount, maxCount } = settings;
    const index = wholeNumber(values, 'index', 0) ?? 0;
    const count = Math.min(wholeNumber(values, 'count', 1) ?? defaultCount, maxCount);
    const found = this.#find(values, filter);
    const items = found.slice(index, index + count).map(render);
    return json(200, { success: true, total: found.length, items });
  }

  #find(values: URLSearchParams, filter: Filter<T>): T[] {
    const criteria = new URLSearchParams(values);
    for (const name of ['count', 'index']) criteria.delete(name);
    const key = criteria.toString();
    const { version } = this.#records;
    if (this.#last?.key !== key || this.#last.version !== version) {
      const found = [...this.#records.all].filter(filter);
      this.#last = { key, version, found: this.#ordered(found, values) };
    }
    return this.#last.found;
  }

  /** Sorts records. Equal records are sorted by id. `DESC` reverses the whole order. */
  #ordered(records: T[], values: URLSearchParams): T[] {
    const direction = values.get('order_dir') ?? 'ASC';
    if (direction !== 'ASC' && direction !== 'DESC') throw httpError(400, 'order_dir: ASC or DESC');
    const key = this.#sortKey(values.get('order_by') ?? 'id');
    const keyed = records.map((record) => ({ id: record.id, key: key(record), record }));
    keyed.sort((a, b) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1));
    const ordered = keyed.map(({ record }) => record);
    return direction === 'DESC' ? ordered.reverse() : ordered;
  }

  #sortKey(by: string): (record: T) => number | string {
    const key = Object.hasOwn(this.#keys, by) ? this.#keys[by] : undefined;
    return key ?? ((record) => record.texts.get(by) ?? '');
  }
}
