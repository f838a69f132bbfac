import type { Links, ResponseInfo } from '../response-info.js';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** URLs of the `Link` header by relation, credentials stripped. */
  readonly links: Links;
  readonly response: ResponseInfo;
  /**
   * Where the next page starts: store it, and `list(input, { from: cursor })` continues there.
   * Undefined on the last page.
   */
  readonly cursor: string | undefined;
  /** How many items there are on all pages, where the server says: searches of the support API do. */
  readonly total: number | undefined;
}

/** A page over its answer's facts. */
export class AnsweredPage<T> implements Page<T> {
  readonly items: readonly T[];
  readonly response: ResponseInfo;
  readonly cursor: string | undefined;
  readonly total: number | undefined;

  constructor(
    items: readonly T[],
    response: ResponseInfo,
    cursor: string | undefined,
    total?: number,
  ) {
    this.items = items;
    this.response = response;
    this.cursor = cursor;
    this.total = total;
  }

  get links(): Links {
    return this.response.links;
  }
}

/** Gets one page; `cursor` is undefined for the first. What a {@link Paginated} is made over. */
export type PageFetcher<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
