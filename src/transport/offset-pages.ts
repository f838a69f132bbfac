import { InvalidRequestError, ResponseShapeError } from '../errors.js';
import type { ResponseInfo } from '../response-info.js';
import type { ResponseHolder } from './call.js';
import { AnsweredPage, type FetchedPage, type PageFetcher } from './page.js';
import { describe, type RequestSpec } from './request-spec.js';

/** One answer of a search by offset, taken out of whatever envelope it came in. */
export interface OffsetSlice<T> {
  readonly items: T[];
  /** How many records there are in all, where the server says. */
  readonly total?: number | undefined;
  /** Nothing comes after this one, whatever the total. */
  readonly last: boolean;
}

/** Builds the request for the records from `index` on (0-based). */
export type OffsetSpec = (index: number) => RequestSpec;

/** Sends one request of a search; leaves the facts of the answer in the holder. */
export type SendSlice<T> = (
  spec: RequestSpec,
  signal: AbortSignal,
  holder: ResponseHolder,
) => Promise<OffsetSlice<T>>;

/**
 * Pages by offset: each page starts where the items received so far end, so a server may send fewer
 * than asked for. With a total the list ends at it, without one at an empty page.
 */
export function offsetFetcher<T>(
  start: number,
  build: OffsetSpec,
  send: SendSlice<T>,
): PageFetcher<T> {
  let before: string | undefined;
  return async (cursor, signal): Promise<FetchedPage<T>> => {
    const index = cursor === undefined ? start : indexOf(cursor);
    const spec = build(index);
    const holder: ResponseHolder = { response: undefined };
    const { items, total, last } = await send(spec, signal, holder);
    const { response } = holder;
    if (!response) throw new TypeError('a page came without an answer');
    const seen = items.length === 0 ? undefined : JSON.stringify(items);
    if (seen !== undefined && seen === before) throw repeated(spec, response, index);
    before = seen;
    const next = index + items.length;
    if (items.length === 0 && total !== undefined && index < total) {
      throw early(spec, response, index, total);
    }
    const ended = last || items.length === 0 || (total !== undefined && next >= total);
    return { page: new AnsweredPage(items, response, ended ? undefined : String(next), total) };
  };
}

function indexOf(cursor: string): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new InvalidRequestError('from: expected the cursor of a page of this search', 'from');
}

function repeated(spec: RequestSpec, response: ResponseInfo, index: number): ResponseShapeError {
  return pageError(spec, response, `the page at index ${index} repeats the one before it`);
}

/** Records vanished while they were read, or the server stopped short: not to be told apart here. */
function early(
  spec: RequestSpec,
  response: ResponseInfo,
  index: number,
  total: number,
): ResponseShapeError {
  return pageError(
    spec,
    response,
    `the page at index ${index} is empty, but the total is ${total}`,
  );
}

function pageError(spec: RequestSpec, response: ResponseInfo, what: string): ResponseShapeError {
  const request = describe(spec);
  return new ResponseShapeError(
    `${request.operation}: the search can't go on: ${what} [${request.method} ${request.url}]`,
    request,
    [{ message: what, path: [] }],
    { data: undefined, response },
  );
}
