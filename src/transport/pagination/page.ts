import type { Links, RequestInfo, ResponseInfo } from '../../response-info.js';
import type { IsAhead } from '../request/ahead.js';

/** One page of a list. */
export interface Page<T> {
  /** The items of this page. */
  readonly items: readonly T[];
  /** URLs of the `Link` header by relation, credentials stripped. */
  readonly links: Links;
  /** Status, headers and limits of this page's answer. */
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
 * What an answer says of the pages after it, where its server numbers them. Who asks ahead goes by it;
 * the truth stays with each page's own next one.
 */
export interface Outlook {
  /** The number of the last page, or of all records: on another page another one, where the list moved. */
  readonly end: number;
  /** Maximum items of a page after this one, as its URL specifies; 0 if it doesn't. */
  readonly size: number;
  /** The cursor of the page that is so many steps on; undefined beyond the end. */
  readonly cursor: (steps: number) => string | undefined;
  /** The request that was answered. */
  readonly request: () => RequestInfo;
}

/** A page as it was fetched, perhaps before its turn. */
export interface FetchedPage<T> {
  readonly page: Page<T>;
  /** Makes the error of going on after this page, where its next page is none that can be asked for. */
  readonly deadEnd?: (() => Error) | undefined;
  /** Undefined where nothing says which pages there are. */
  readonly outlook?: (() => Outlook | undefined) | undefined;
  /** Holds the page against those before it, once these were taken. @throws where it can't follow them. */
  readonly inTurn?: (() => FetchedPage<T>) | undefined;
}

/**
 * Told that an answer came, and what its next page is, before the answer is decoded. What it returns
 * is waited for.
 */
export type PageArrived = (
  next: string | undefined,
  outlook?: () => Outlook | undefined,
) => Promise<unknown> | undefined;

/**
 * Fetches one page of a {@link Paginated}; `cursor` is undefined for the first. Rejects with
 * `declinedAhead` if the page is ahead of its turn and would use the last of a budget.
 */
export type PageFetcher<T> = (
  cursor: string | undefined,
  signal: AbortSignal,
  arrived: PageArrived,
  isAhead: IsAhead,
) => Promise<FetchedPage<T>>;

/**
 * The pages that a crawl has been to, so that no list is followed in a circle. Of URLs that differ by
 * their page number alone only that number is kept: a crawl of a million items stays small.
 */
export class VisitedUrls {
  readonly #numbered = new Map<string, Set<number>>();
  readonly #others = new Set<string>();

  add(url: string): void {
    const page = pageNumberOf(url);
    if (page === undefined) {
      this.#others.add(url);
      return;
    }
    const list = listOf(page);
    const numbers = this.#numbered.get(list) ?? new Set();
    numbers.add(page.number);
    this.#numbered.set(list, numbers);
  }

  has(url: string): boolean {
    const page = pageNumberOf(url);
    if (page === undefined) return this.#others.has(url);
    return this.#numbered.get(listOf(page))?.has(page.number) === true;
  }
}

function listOf({ before, after }: PageNumber): string {
  return `${before} ${after}`;
}

/** A URL taken apart at the number of its page. */
export interface PageNumber {
  readonly before: string;
  readonly number: number;
  readonly after: string;
}

/** No number that could be written in another way, or that is not exact as a number. */
const numbered = /^([^ ]*?[?&]page=)([1-9]\d{0,14})(?!\d)([^ ]*)$/;

/** Undefined where a URL names no page by its number. */
export function pageNumberOf(url: string): PageNumber | undefined {
  const [, before, number, after = ''] = numbered.exec(url) ?? [];
  return before === undefined ? undefined : { before, number: Number(number), after };
}

/** Whether two URLs differ in the number of their page alone. */
export function isSameList(one: PageNumber, other: PageNumber): boolean {
  return one.before === other.before && one.after === other.after;
}

const sized = /[?&](?:per_page|count)=([1-9]\d{0,8})(?!\d)/;

/** How many items a URL asks for at most; 0 where it does not say. */
export function pageSizeOf(url: string): number {
  return Number(sized.exec(url)?.[1] ?? 0);
}

const plain = /^[\w:/?&=,;+%.~-]+$/;

/**
 * A URL of a known origin that a parser would give back as it is: none is needed for it, which saves
 * a crawl two of them for each page. When in doubt it is not plain.
 */
export function isPlainUrl(uri: string, origin: string): boolean {
  return (
    uri.startsWith(`${origin}/`) && plain.test(uri) && !uri.includes('/.') && !/%2e/i.test(uri)
  );
}
