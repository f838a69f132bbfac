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
}

/** Gets one page; `cursor` is undefined for the first. What a {@link Paginated} is made over. */
export type PageFetcher<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;
