import { json, type Reply } from '../reply.js';
import { failed } from './errors.js';
import { getAll } from './parameters.js';
import { type StoredRecord, setText } from './records.js';

/** Creates the response to a successful POST. @param also further members. */
export function done(also: object = {}): Reply {
  return json(200, { success: true, statusMessage: 'ok', ...also });
}

/**
 * Returns the dynamic attributes among the parameters of a POST.
 * @param taken names that can't be set. @param named parameters that aren't attributes.
 * @throws {HttpError} `success: false` if an attribute has a taken name.
 */
export function parseAttributes(
  values: URLSearchParams,
  taken: ReadonlySet<string>,
  named: ReadonlySet<string>,
): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [name, value] of values) {
    if (named.has(name)) continue;
    if (name === '' || taken.has(name)) throw failed(`${name} can't be set`);
    attributes.set(name, value);
  }
  return attributes;
}

/** Sets texts and dynamic attributes, and adds tags. */
export function write(
  record: StoredRecord,
  values: URLSearchParams,
  texts: readonly string[],
  attributes: ReadonlyMap<string, string>,
): void {
  for (const name of texts) setText(record, name, values.get(name) ?? undefined);
  for (const [name, value] of attributes) setText(record, name, value);
  for (const tag of getAll(values, 'tag')) record.tags.add(tag);
}

/** Adds and removes the tags in `add` and `remove`. */
export function changeTags({ tags }: StoredRecord, values: URLSearchParams): void {
  for (const tag of getAll(values, 'add')) tags.add(tag);
  for (const tag of getAll(values, 'remove')) tags.delete(tag);
}
