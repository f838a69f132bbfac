import { ResponseShapeError } from '../../errors/index.js';
import type { ResponseInfo } from '../../response-info.js';
import { createSchema, itemsSchema, type StandardSchema } from '../../schema/standard-schema.js';
import { isRecord } from '../../schema/unknown-values.js';
import { describeNonArray, type ResponseSpec } from '../request/endpoint.js';
import { createInputError } from '../request/input.js';
import { describeRequest, type RequestSpec } from '../request/request-spec.js';
import { formatMessage } from '../response/failure.js';
import type { CallResult } from '../response/response-details.js';
import { type FetchedPage, ListPage, type PageFetcher, type PageHooks } from './page-walker.js';

/** One page of a search with offset pagination, without its envelope. */
export interface OffsetSlice<T> {
  readonly items: T[];
  /** Total number of records, if the server reports it. */
  readonly total?: number | undefined;
  /** Whether this is the last page, regardless of the total. */
  readonly last: boolean;
}

type SendSlice<T> = (
  spec: RequestSpec,
  page: Pick<PageHooks, 'signal'>,
) => Promise<CallResult<OffsetSlice<T>>>;

/**
 * Fetches pages by offset. Each page starts after the items received so far, so pages may be
 * shorter than requested. The list ends at the total or, without a total, at an empty page.
 */
export class OffsetPages<T> implements PageFetcher<T> {
  readonly #start: number;
  readonly #build: (index: number) => RequestSpec;
  readonly #send: SendSlice<T>;
  /** Items of the previous page as JSON, to detect a server that repeats a page. */
  #before: string | undefined;

  /** @param build builds the request for the records that start at a 0-based index. */
  constructor(
    readonly operation: string,
    start: number,
    build: (index: number) => RequestSpec,
    send: SendSlice<T>,
  ) {
    this.#start = start;
    this.#build = build;
    this.#send = send;
  }

  async fetch(cursor: string | undefined, { signal }: PageHooks): Promise<FetchedPage<T>> {
    const index = cursor === undefined ? this.#start : parseIndex(cursor);
    const spec = this.#build(index);
    const { data, response } = await this.#send(spec, { signal });
    const { items, last } = data;
    // The total may be unvalidated, so ignore it if it isn't a count.
    const total =
      Number.isSafeInteger(data.total) && Number(data.total) >= 0 ? data.total : undefined;
    const next = index + items.length;
    // `count=0` requests only the total.
    const none = /[?&]count=0(?!\d)/.test(spec.target.path);
    const ended = none || last || items.length === 0 || (total !== undefined && next >= total);
    const fetched: FetchedPage<T> = {
      page: new ListPage(items, response, ended ? undefined : String(next), total),
    };
    const verifyOrder = (): FetchedPage<T> => {
      const seen = items.length === 0 ? undefined : serializeItems(items);
      const place = `the page at index ${index}`;
      if (seen !== undefined && seen === this.#before) {
        throw createPageError(spec, response, `${place} repeats the previous page`);
      }
      this.#before = seen;
      // Either records were deleted during the iteration, or the server stopped early.
      if (!none && items.length === 0 && total !== undefined && index < total) {
        throw createPageError(spec, response, `${place} is empty, but the total is ${total}`);
      }
      return fetched;
    };
    return { ...fetched, verifyOrder };
  }
}

/** Returns the items as JSON. Undefined if they are nested too deeply. */
function serializeItems(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items);
  } catch {
    return undefined;
  }
}

/**
 * Describes a response with a page of items that match `item`: an envelope with a total, a bare
 * array, or a single record.
 */
export function createSliceSpec<T>(
  item: StandardSchema<T> | undefined,
): ResponseSpec<OffsetSlice<T>> {
  const schema = createSliceSchema(item);
  return {
    kind: 'json',
    unwrap: extractSlice,
    envelope: ['items'],
    mismatch: describeNonItems,
    schema,
  };
}

export function extractSlice(
  value: unknown,
): Readonly<Record<keyof OffsetSlice<unknown>, unknown>> {
  if (isRecord(value) && 'id' in value) return { items: [value], total: undefined, last: true };
  const total = isRecord(value) ? (value.total ?? undefined) : undefined;
  return { items: extractItems(value), total, last: false };
}

/** Returns why an extracted value isn't a page. Undefined if it is a page. */
export function describeNonItems(slice: unknown): string | undefined {
  return describeNonArray(isRecord(slice) ? slice.items : slice);
}

/** Returns the `items` of an envelope, or its only array. Returns other values unchanged. */
function extractItems(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (Array.isArray(value.items)) return value.items;
  const arrays = Object.values(value).filter((each) => Array.isArray(each));
  if (arrays.length === 1) return arrays[0];
  // The server may omit blank fields, so an empty list may be missing.
  return arrays.length === 0 && value.total === 0 ? [] : value;
}

/**
 * Finds the list in a response with an unspecified shape. The list is a bare array, the array
 * called `name`, or the only array in an envelope. Otherwise, the value is the only item. A blank
 * response is an empty list.
 */
export function findList(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || value === undefined) return [];
  if (!isRecord(value)) return [value];
  if (Array.isArray(value[name])) return value[name];
  const { success: _success, statusMessage: _message, ...rest } = value;
  // A single record may contain an array, such as a profile's tags.
  const found = 'id' in rest || 'source' in rest ? rest : extractItems(rest);
  if (Array.isArray(found)) return found;
  return Object.values(rest).every((each) => each === null) ? [] : [rest];
}

export function createSliceSchema<T>(
  item: StandardSchema<T> | undefined,
): StandardSchema<OffsetSlice<T>> {
  const items = itemsSchema(item)['~standard'];
  return createSchema(async (value) => {
    // `as`: the endpoint's `unwrap` created the slice, whose items are not validated yet.
    const slice = value as OffsetSlice<unknown>;
    const judged = await items.validate(slice.items);
    return judged.issues ? judged : { value: { ...slice, items: judged.value } };
  });
}

function parseIndex(cursor: string): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw createInputError(
    'from',
    "must be a page cursor from this search. Pass a page's cursor unchanged.",
  );
}

function createPageError(
  spec: RequestSpec,
  response: ResponseInfo,
  what: string,
): ResponseShapeError {
  const request = describeRequest(spec);
  return new ResponseShapeError(formatMessage(request, `the search cannot continue: ${what}`), {
    request,
    issues: [{ message: what, path: [] }],
    data: undefined,
    response,
  });
}
