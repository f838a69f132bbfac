import { json, type Reply } from '../reply.js';
import { allOf } from './parameters.js';
import { type StoredRecord, setText } from './records.js';
import { failed } from './refusals.js';

/** What was processed and went well: each POST says so beside what it answers. */
export function done(also: object = {}): Reply {
  return json(200, { success: true, statusMessage: 'ok', ...also });
}

/**
 * The dynamic attributes among the parameters of a POST.
 * @param taken names that can't be set. @param named parameters that are no attributes.
 * @throws {Refused} `success: false`
 */
export function attributesOf(
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
  for (const tag of allOf(values, 'tag')) record.tags.add(tag);
}

/** Adds and removes tags as `add` and `remove` say. */
export function changeTags({ tags }: StoredRecord, values: URLSearchParams): void {
  for (const tag of allOf(values, 'add')) tags.add(tag);
  for (const tag of allOf(values, 'remove')) tags.delete(tag);
}
