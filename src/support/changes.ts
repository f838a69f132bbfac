import { ResponseShapeError } from '../errors/index.js';
import { checkOptions, forOneCall } from '../option-names.js';
import type { ResponseInfo } from '../response-info.js';
import { createSchema, isStandardSchema, type StandardSchema } from '../schema/standard-schema.js';
import { isRecord } from '../schema/unknown-values.js';
import { listNames } from '../transport/options.js';
import { ListPage, type Page, type PageFetcher } from '../transport/pagination/page-walker.js';
import { Paginated } from '../transport/pagination/paginated.js';
import { createInputError, nameOperation } from '../transport/request/input.js';
import type { SearchInput, SupportSearchOptions } from './common.js';
import { formatSupportDate, isSupportDate, parseSupportDate } from './dates.js';

/** Search parameters of {@link changedSince}. */
export interface ChangeSearch extends SearchInput {
  readonly updated_since?: Date | undefined;
}

interface Changed {
  readonly id: number;
  readonly update_date?: string | null | undefined;
}

type Search<T> = (input: ChangeSearch, options: SupportSearchOptions) => Paginated<T>;

/**
 * Time in ms that is subtracted from the passed date, because changes may become visible slightly
 * out of order.
 */
const overlap = 10 * 60 * 1000;
/**
 * Resolution of dates, in ms. The next page starts one second before the last date, because more
 * records may have that date.
 */
const second = 1000;
const order = { order_by: 'update_date', order_dir: 'ASC', count: 100 } as const;

/** A record, and the item that the list yields for it: the record or the schema's output. */
interface Entry<T> {
  readonly record: T;
  readonly item: T;
}

/** Position where a page starts. */
interface Position {
  readonly since: Date | undefined;
  /** Offset of the first record. 0 unless all records on a page changed in the same second. */
  readonly index: number;
  /** ID of the record expected at `index`. If another record is there, records have moved. */
  readonly behind?: number | undefined;
}

/**
 * Lists the records changed since a date, oldest change first. A record that changes during the
 * iteration moves to the end of the list, so an offset would skip a record. Therefore, each page
 * starts just before the previous page's last date. An offset is used only if all records on a page
 * changed in the same second. The next request then starts at the last record that was read, to
 * check that this record hasn't moved.
 */
export function changedSince<T extends Changed>(
  search: Search<T>,
  date: Date | string | undefined,
  options: SupportSearchOptions | undefined,
): Paginated<T> {
  const begin = (schema?: StandardSchema): PageFetcher<T> => {
    const start = date === undefined ? undefined : new Date(parseStart(date) - overlap);
    let before = new Map<number, string | null | undefined>();
    const requestPage = async (
      { since, index }: Position,
      signal: AbortSignal,
    ): Promise<Page<Entry<T>>> => {
      const own = options?.signal;
      const both = own ? AbortSignal.any([own, signal]) : signal;
      const at = { ...order, ...(index > 0 && { index }), updated_since: since };
      const copy = forOneCall(() => checkOptions(options ?? {}, listNames), 'changedSince');
      const list = search(at, { ...copy, from: undefined, signal: both });
      if (schema) return await fetchFirstPage(list.as(pairWithRecord<T>(schema)));
      const { items, response, cursor, total } = await fetchFirstPage(list);
      const entries = items.map((record) => ({ record, item: record }));
      return new ListPage(entries, response, cursor, total);
    };
    const fetch: PageFetcher<T>['fetch'] = async (cursor, { signal }) => {
      let position = cursor === undefined ? { since: start, index: 0 } : parseCursor(cursor);
      let page = await requestPage(position, signal);
      while (position.behind !== undefined && page.items[0]?.record?.id !== position.behind) {
        position = { since: position.since, index: 0 };
        page = await requestPage(position, signal);
      }
      const records = page.items.map(({ record }) => record);
      const dates = parseDates(records, page.response);
      const known = before;
      before = new Map(records.map(({ id, update_date }) => [id, update_date]));
      const items = page.items
        .filter(
          ({ record: { id, update_date } }) => !known.has(id) || known.get(id) !== update_date,
        )
        .map(({ item }) => item);
      const next =
        page.cursor === undefined ? undefined : formatCursor(after(position, records, dates));
      return { page: new ListPage(items, page.response, next, page.total) };
    };
    return { fetch };
  };
  return new Paginated(begin, options);
}

async function fetchFirstPage<T>(list: Paginated<T>): Promise<Page<T>> {
  const { value } = await list.pages().next();
  // A search always has a first page, even if it is empty.
  if (!value) throw new TypeError('the search ended before its first page');
  return value;
}

/** Adds the record to the output of the caller's schema, which may drop the ID and the date. */
function pairWithRecord<T>(schema: StandardSchema): StandardSchema<Entry<T>> {
  // `as`: the search rejects a value that isn't a schema.
  if (!isStandardSchema(schema)) return schema as StandardSchema<Entry<T>>;
  return createSchema(async (record) => {
    const result = await schema['~standard'].validate(record);
    // `as`: `parseDates` checks the record, and `Paginated.as` declares the type of the output.
    return result.issues ? result : { value: { record, item: result.value } as Entry<T> };
  });
}

function after(at: Position, records: readonly Changed[], dates: readonly Date[]): Position {
  const last = dates.at(-1);
  const next = last && new Date(last.getTime() - second);
  if (next && (!at.since || next > at.since)) return { since: next, index: 0 };
  // A page of one record can't overlap with the next page.
  const { length } = records;
  if (length < 2) return { since: at.since, index: at.index + length };
  return { since: at.since, index: at.index + length - 1, behind: records.at(-1)?.id };
}

/**
 * Returns the dates of a page's records.
 * @throws {ResponseShapeError} if a record has no ID or an invalid date, or the records aren't
 * sorted by date.
 */
function parseDates(records: readonly Changed[], response: ResponseInfo): Date[] {
  // Searches accept records that don't match their model.
  const hasIds = records.every((each: unknown) => isRecord(each) && Number.isSafeInteger(each.id));
  if (!hasIds) throw notInSync(response, 'a record has no numeric ID, so records could be skipped');
  const texts = records.flatMap(({ update_date: date }) => date || []);
  if (!texts.every(isSupportDate)) {
    throw notInSync(response, 'an update_date is invalid, so records could be skipped');
  }
  const dates = texts.map(parseSupportDate);
  if (dates.every((each, index) => each >= (dates[index - 1] ?? each))) return dates;
  throw notInSync(response, 'the records are not sorted by update_date, so some could be skipped');
}

function notInSync(response: ResponseInfo, what: string): ResponseShapeError {
  const request = { operation: 'changedSince', method: 'GET', url: response.url };
  return new ResponseShapeError(`changedSince: ${what} [GET ${response.url}]`, {
    request,
    issues: [{ message: what, path: [] }],
    data: undefined,
    response,
  });
}

function parseStart(date: Date | string): number {
  try {
    return parseSupportDate(formatSupportDate(date)).getTime();
  } catch (error) {
    throw nameOperation(error, 'changedSince');
  }
}

function formatCursor({ since, index, behind }: Position): string {
  return [since ? formatSupportDate(since) : '', index, behind ?? ''].join('|');
}

function parseCursor(cursor: string): Position {
  const parts = /^([^|]*)\|(\d{1,15})\|(\d{0,15})$/.exec(cursor);
  if (!parts) {
    throw createInputError(
      'from',
      "must be a page cursor from changedSince. Pass a page's cursor unchanged.",
      'changedSince',
    );
  }
  const [, since, index, behind] = parts;
  return {
    since: since ? parseSupportDate(since) : undefined,
    index: Number(index),
    behind: behind ? Number(behind) : undefined,
  };
}
