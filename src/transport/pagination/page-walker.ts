import { isTriforgeError, RateLimitError } from '../../errors/index.js';
import { captureStack } from '../../errors/triforge-error.js';
import type { Links, ResponseInfo } from '../../response-info.js';
import { setImmediate } from '../request/event-loop.js';
import { nameOperation } from '../request/input.js';

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
  /** Number of this page, starting at 1. Undefined if the list's URLs contain no page numbers. */
  readonly number: number | undefined;
  /** Number of pages. Undefined unless the server's `Link` header reports the last page. */
  readonly count: number | undefined;
}

/** A page that reads its links from its response on access, because most callers don't use them. */
export class ListPage<T> implements Page<T> {
  constructor(
    readonly items: readonly T[],
    readonly response: ResponseInfo,
    readonly cursor: string | undefined,
    readonly total: number | undefined = undefined,
    readonly number: number | undefined = undefined,
    readonly count: number | undefined = undefined,
  ) {}

  get links(): Links {
    return this.response.links;
  }
}

/**
 * Prediction of later pages, based on the counts in a response. Used to prefetch pages. Each page's
 * cursor determines which page follows.
 */
export interface PagePrediction {
  /** Number of the last page. Differs between pages if the list changes. */
  readonly end: number;
  /** Returns the cursor of the page after a predicted page. Undefined beyond the end. */
  readonly after: (cursor: string) => string | undefined;
}

export interface FetchedPage<T> {
  readonly page: Page<T>;
  /** Creates the error to throw after this page, if the next page can't be requested. */
  readonly nextPageError?: (() => Error) | undefined;
  /** Predicts later pages. Undefined if the server doesn't report which pages exist. */
  readonly predict?: (() => PagePrediction | undefined) | undefined;
  /**
   * Checks the page against the earlier pages once they have been consumed.
   * @throws if the page can't follow those pages.
   */
  readonly verifyOrder?: (() => FetchedPage<T>) | undefined;
}

export interface PageHooks {
  /** Aborts the request if the page is no longer needed. */
  readonly signal: AbortSignal;
  /**
   * Called with the next page's URL when a response arrives, before the response is decoded. The
   * returned promise is awaited.
   */
  readonly onHeaders: (
    next: string | undefined,
    predict?: () => PagePrediction | undefined,
  ) => Promise<unknown> | undefined;
}

/** Fetches the pages of one iteration over a {@link Paginated}. */
export interface PageFetcher<T> {
  /** Operation to add to input errors. Undefined if `fetch` adds it. */
  readonly operation?: string;
  /** Fetches a page. @param cursor undefined for the first page. */
  fetch(cursor: string | undefined, hooks: PageHooks): Promise<FetchedPage<T>>;
  /** Returns the cursor of a page by its number. Undefined if the list has no page numbers. */
  cursorOf?(number: number): string;
}

/** A URL split at its page number. */
export interface PageNumber {
  readonly before: string;
  readonly number: number;
  readonly after: string;
  /** The URL with a space in place of its page number. The same for all pages of a list. */
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

const plain = /^[\w:/?&=,;+.~-]+$/;

/**
 * Returns whether a URL is on `origin`, is already normalized, and contains no credentials. False
 * if in doubt. Plain URLs skip the parser, which saves two `URL` objects per page.
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

/** Result of a page request: the page or an error. The promise for the result never rejects. */
type Fetched<T> = { readonly fetched: FetchedPage<T> } | { readonly error: unknown };

class PageRequest<T> {
  /** Never settles if the page is dropped before the request is sent. */
  result: Promise<Fetched<T>> = new Promise(() => undefined);
  hasResponse = false;
  failed = false;

  /** @param guessed whether the page was requested before its predecessor linked to it. */
  constructor(
    readonly cursor: string | undefined,
    readonly abort: AbortController,
    readonly guessed = false,
  ) {}
}

/** When pages may be prefetched. */
export type PrefetchMode =
  /** Never. Each page is fetched when the consumer requests it. */
  | 'on-demand'
  /** While the consumer processes a page, from page 2 on or after {@link PageWalker.prefetch}. */
  | 'follow'
  /** Always, because the consumer wants all pages. */
  | 'all';

export interface Walk {
  /** Cursor of the first page. */
  readonly from?: string | undefined;
  readonly pace: PrefetchMode;
  /** Maximum number of pages that have been requested but not consumed. Default: 1. */
  readonly concurrency?: number | undefined;
  /** The caller's signal. If the signal's reason is an error, that error keeps its stack. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Walks the pages of one list in order. The next page is requested as soon as an awaited response
 * arrives, before that response is decoded. The client and the server thus work in parallel. A
 * consumed page determines which page follows. Pages that were prefetched because of a wrong guess
 * are dropped. Prefetch requests are sent in a `setImmediate` callback, because a synchronous send
 * would open a second socket. As a result, an immediate `break` sends no extra request.
 */
export class PageWalker<T> {
  readonly #fetcher: PageFetcher<T>;
  readonly #pace: PrefetchMode;
  readonly #signal: AbortSignal | undefined;
  readonly #concurrency: number;
  /**
   * Aborts the requests for linked pages, which are dropped only when the walk ends. Shared, because
   * a signal for each page would take 5% of a list's time (measured).
   */
  readonly #abort = new AbortController();
  /**
   * Whether pages may be requested before the previous page has linked to them. False after a wrong
   * guess.
   */
  #guesses: boolean;
  #prediction: PagePrediction | undefined;
  /** Furthest end reported so far. */
  #furthest = 0;
  /** Prefetched pages, in order. */
  readonly #ahead: PageRequest<T>[] = [];
  #awaited: PageRequest<T> | undefined;
  /** Cursor of the next page, or of the first page if the list resumes. Undefined if unknown. */
  #cursor: string | undefined;
  #pages = 0;
  #nextPageError: (() => Error) | undefined;

  constructor(fetcher: PageFetcher<T>, { from, pace, signal, concurrency = 1 }: Walk) {
    this.#fetcher = fetcher;
    this.#pace = pace;
    this.#signal = signal;
    this.#concurrency = concurrency;
    this.#guesses = concurrency > 1;
    this.#cursor = from;
  }

  /** Schedules requests for the next pages. */
  prefetch(): void {
    void this.#fill();
  }

  /** Aborts prefetch requests. */
  close(): void {
    this.#drop(0);
  }

  /** Resolves to the next page, or to undefined after the last page. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#nextPageError) throw this.#nextPageError();
    const cursor = this.#cursor;
    if (this.#pages > 0 && cursor === undefined) return undefined;
    const early = this.#ahead.shift();
    const request = early ?? new PageRequest<T>(cursor, this.#abort);
    this.#awaited = request;
    this.#cursor = undefined;
    if (!early) request.result = this.#fetch(request);
    if (this.#guesses) this.prefetch();
    let fetched = await this.#receive(request, early !== undefined);
    if (this.#concurrency > 1 && this.#endsEarly(fetched, request.guessed)) {
      // Fetch the page again. It was requested before its predecessor arrived, so the list may have
      // grown since then.
      this.#awaited = new PageRequest<T>(cursor, this.#abort);
      this.#awaited.result = this.#fetch(this.#awaited);
      fetched = await this.#receive(this.#awaited, false);
    }
    const { page, nextPageError } = fetched.verifyOrder?.() ?? fetched;
    this.#awaited = undefined;
    this.#pages++;
    this.#cursor = page.cursor;
    this.#nextPageError = nextPageError;
    this.#prediction = this.#guesses ? fetched.predict?.() : undefined;
    const [next] = this.#ahead;
    if (next && next.cursor !== page.cursor) {
      this.#drop(0);
      if (next.guessed) this.#guesses = false;
    }
    return page;
  }

  /** Requests the next pages when an awaited response arrives, before that response is decoded. */
  #onHeaders(
    request: PageRequest<T>,
    next: string | undefined,
    predict: FetchedPage<T>['predict'],
  ): Promise<unknown> | undefined {
    request.hasResponse = true;
    if (request !== this.#awaited || (this.#pages === 0 && this.#pace !== 'all')) return undefined;
    const [first] = this.#ahead;
    if (first && first.cursor !== next) return undefined;
    this.#cursor = next;
    this.#prediction = this.#guesses ? predict?.() : undefined;
    return this.#fill();
  }

  /**
   * Prefetches pages. Returns a promise that resolves when the requests are sent, or undefined if
   * there is nothing to prefetch.
   */
  #fill(): Promise<unknown> | undefined {
    let sent: Promise<unknown> | undefined;
    if (this.#pace === 'on-demand' || this.#ahead.at(-1)?.failed) return sent;
    for (let next = this.#nextAhead(); next !== undefined; next = this.#nextAhead()) {
      const isGuess = next !== this.#cursor;
      const abort = isGuess ? new AbortController() : this.#abort;
      const request = new PageRequest<T>(next, abort, isGuess);
      this.#ahead.push(request);
      sent = this.#sendSoon(request);
    }
    return sent;
  }

  /** Returns the cursor of the next page to prefetch. Undefined if there is none. */
  #nextAhead(): string | undefined {
    const { length } = this.#ahead;
    const awaited = this.#awaited?.hasResponse === false ? this.#awaited : undefined;
    const room = this.#concurrency - Number(this.#guesses && awaited !== undefined);
    if (length >= room) return undefined;
    const last = this.#ahead.at(-1) ?? awaited;
    if (!last) return this.#pages === 0 && !this.#awaited ? undefined : this.#cursor;
    if (!this.#guesses || last.cursor === undefined) return undefined;
    return this.#prediction?.after(last.cursor);
  }

  /** Returns whether a guessed last page is empty, or reports an earlier end than a previous page. */
  #endsEarly({ page, nextPageError, predict }: FetchedPage<T>, guessed: boolean): boolean {
    const reported = predict?.();
    if (!reported) return false;
    this.#furthest = Math.max(this.#furthest, reported.end);
    if (!guessed || nextPageError || page.cursor !== undefined) return false;
    const isEmpty = page.items.length === 0 && this.#pages > 0;
    return isEmpty || reported.end < this.#furthest;
  }

  async #fetch(request: PageRequest<T>): Promise<Fetched<T>> {
    try {
      const fetched = await this.#fetcher.fetch(request.cursor, {
        signal: request.abort.signal,
        onHeaders: (next, predict) => this.#onHeaders(request, next, predict),
      });
      request.hasResponse = true;
      return { fetched };
    } catch (error) {
      const place = this.#ahead.indexOf(request);
      request.failed = true;
      if (place >= 0) this.#drop(place + 1);
      return { error: nameOperation(error, this.#fetcher.operation) };
    }
  }

  /** @returns a promise that resolves when the request is sent or dropped. */
  #sendSoon(request: PageRequest<T>): Promise<void> {
    return new Promise((sent) => {
      request.result = new Promise((resolve) => {
        setImmediate(() => {
          if (!request.abort.signal.aborted) resolve(this.#fetch(request));
          // Resolve one turn later, because undici waits one more turn of the event loop before it
          // writes to an idle socket.
          setImmediate(sent);
        });
      });
    });
  }

  /** Aborts prefetch requests, starting at an index. */
  #drop(from: number): void {
    for (const { abort } of this.#ahead.splice(from)) abort.abort();
  }

  async #receive(request: PageRequest<T>, early: boolean): Promise<FetchedPage<T>> {
    const result = await request.result;
    if ('fetched' in result) return result.fetched;
    if (early && result.error instanceof RateLimitError) {
      // The limit may be over by the time the page is needed.
      request.result = this.#fetch(request);
      return this.#receive(request, false);
    }
    // The page failed before it was awaited, so the stack must show the code that requests it now.
    const { error } = result;
    if (early && isTriforgeError(error) && error !== this.#signal?.reason) captureStack(error);
    throw error;
  }
}
