import type { Links, RequestInfo, ResponseInfo } from '../../response-info.js';
import type { IsPrefetch } from '../request/request-spec.js';

/** One page of a list. */
export interface Page<T> {
  /** The items of this page. */
  readonly items: readonly T[];
  /** URLs in the `Link` header by relation type, such as `next`. Credentials are removed. */
  readonly links: Links;
  /** Status, headers and rate limit of this page's response. */
  readonly response: ResponseInfo;
  /**
   * Cursor of the next page. Store it to resume the list later with
   * `list(input, { from: cursor })`. Undefined on the last page.
   */
  readonly cursor: string | undefined;
  /**
   * Number of items on all pages. Undefined unless the server reports it, as in support API
   * searches.
   */
  readonly total: number | undefined;
}

/** A page that reads its links from its response on access, because most callers don't use them. */
export class ListPage<T> implements Page<T> {
  constructor(
    readonly items: readonly T[],
    readonly response: ResponseInfo,
    readonly cursor: string | undefined,
    readonly total: number | undefined = undefined,
  ) {}

  get links(): Links {
    return this.response.links;
  }
}

/**
 * Prediction of later pages, based on the counts in a response. Used to prefetch pages. Each
 * page's `next` link decides which page follows.
 */
export interface PagePrediction {
  /**
   * Number of the last page, or total number of records. Differs between pages if the list changed.
   */
  readonly end: number;
  /** Maximum number of items on a later page, from its URL. 0 if unknown. */
  readonly size: number;
  /** Returns the cursor of the page after a predicted page. Undefined beyond the end. */
  readonly after: (cursor: string) => string | undefined;
  /** Describes this page's request. */
  readonly request: () => RequestInfo;
}

export interface FetchedPage<T> {
  readonly page: Page<T>;
  /** Creates the error to throw after this page, if its next page can't be requested. */
  readonly nextPageError?: (() => Error) | undefined;
  /** Predicts later pages. Undefined if the server doesn't report which pages exist. */
  readonly predict?: (() => PagePrediction | undefined) | undefined;
  /**
   * Checks the page against the earlier pages, after those pages were consumed.
   * @throws if the page can't follow those pages.
   */
  readonly verifyOrder?: (() => FetchedPage<T>) | undefined;
}

/**
 * Called with the next page's URL when a response arrives, before the response is decoded. The
 * returned promise is awaited.
 */
type OnHeaders = (
  next: string | undefined,
  predict?: () => PagePrediction | undefined,
) => Promise<unknown> | undefined;

export interface PageHooks {
  /** Aborts the request if the page is no longer needed. */
  readonly signal: AbortSignal;
  readonly isPrefetch: IsPrefetch;
  readonly onHeaders: OnHeaders;
}

/** Fetches the pages of one iteration over a {@link Paginated}. */
export interface PageFetcher<T> {
  /** Operation to add to input errors. Undefined if `fetch` adds it. */
  readonly operation?: string;
  /**
   * Fetches a page. Rejects with `prefetchDeclined` if a limit would delay a prefetch. Also rejects
   * if the prefetch would leave too few quota units for the waiting calls and one more call.
   * @param cursor undefined for the first page.
   */
  fetch(cursor: string | undefined, hooks: PageHooks): Promise<FetchedPage<T>>;
}

/**
 * Pages that an iteration has visited, to detect cycles. If URLs differ only in the page number,
 * only the number is stored so that long lists use little memory.
 */
export class VisitedUrls {
  readonly #numbered = new Map<string, Set<number>>();
  readonly #others = new Set<string>();

  add(url: string): void {
    const page = splitPageNumber(url);
    if (page === undefined) {
      this.#others.add(url);
      return;
    }
    const numbers = this.#numbered.get(page.list) ?? new Set();
    numbers.add(page.number);
    this.#numbered.set(page.list, numbers);
  }

  has(url: string): boolean {
    const page = splitPageNumber(url);
    if (page === undefined) return this.#others.has(url);
    return this.#numbered.get(page.list)?.has(page.number) === true;
  }
}

/** A URL split at its page number. */
export interface PageNumber {
  readonly before: string;
  readonly number: number;
  readonly after: string;
  /** The URL with a space instead of its page number. The same for all pages of a list. */
  readonly list: string;
}

/**
 * Matches a URL with a page number, if the number has no leading zero and JavaScript can represent
 * it exactly.
 */
const numbered = /^([^ ]*?[?&]page=)([1-9]\d{0,14})(?!\d)([^ ]*)$/;

/** Splits a URL at its page number. Returns undefined if it has none. */
export function splitPageNumber(url: string): PageNumber | undefined {
  const [, before, number, after = ''] = numbered.exec(url) ?? [];
  if (before === undefined) return undefined;
  return { before, number: Number(number), after, list: `${before} ${after}` };
}

const sized = /[?&](?:per_page|count)=([1-9]\d{0,8})(?!\d)/;

/** Returns the page size that a URL requests. 0 if the URL doesn't specify a size. */
export function parsePageSize(url: string): number {
  return Number(sized.exec(url)?.[1] ?? 0);
}

const plain = /^[\w:/?&=,;+.~-]+$/;

/**
 * Returns whether a URL on a known origin is already normalized and contains no credentials. False
 * if in doubt. For such a URL, skipping the parser saves two `URL` objects per page.
 * @param credentialParameters names of parameters that contain credentials. The names may be
 * encoded in a URL, so a URL with a percent sign isn't plain.
 */
export function isPlainUrl(
  uri: string,
  origin: string,
  credentialParameters: ReadonlySet<string>,
): boolean {
  if (!uri.startsWith(`${origin}/`) || !plain.test(uri) || uri.includes('/.')) return false;
  for (const name of credentialParameters) if (uri.includes(name)) return false;
  return true;
}
