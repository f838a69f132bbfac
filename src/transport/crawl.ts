import { isTriforgeError } from '../errors.js';
import type { Page, PageFetcher } from './page.js';

/** A page that was fetched ahead, or why it could not be. Never a rejected promise. */
type Ahead<T> = { readonly page: Page<T> } | { readonly error: unknown };

/**
 * Walks the pages of one list, one request in flight at most. Fetching ahead is asked for by
 * {@link prefetch} and always starts from a `setImmediate`: a synchronous send would open a second
 * socket, and an immediate `break` then costs nothing.
 */
export class Crawl<T> {
  readonly #fetch: PageFetcher<T>;
  readonly #abort = new AbortController();
  #cursor: string | undefined;
  #started = false;
  #ended = false;
  #scheduled: NodeJS.Immediate | undefined;
  #ahead: Promise<Ahead<T>> | undefined;
  #lastBudget = Number.POSITIVE_INFINITY;

  constructor(fetch: PageFetcher<T>, from: string | undefined) {
    this.#fetch = fetch;
    this.#cursor = from;
  }

  /** The next page; undefined after the last one, and after {@link close}. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#ended) return undefined;
    if (this.#scheduled) {
      clearImmediate(this.#scheduled);
      this.#scheduled = undefined;
    }
    try {
      const page = this.#ahead
        ? await this.#takeAhead(this.#ahead)
        : await this.#fetch(this.#cursor, this.#abort.signal);
      if (this.#ended) return undefined;
      this.#started = true;
      this.#cursor = page.cursor;
      this.#ended = page.cursor === undefined;
      this.#lastBudget = page.response.rateLimit?.remaining ?? Number.POSITIVE_INFINITY;
      return page;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined; // closed while it was awaited
      this.#ended = true;
      throw error;
    }
  }

  /** Starts to fetch the next page soon, unless there is none or the budget is nearly used up. */
  prefetch(): void {
    if (this.#ended || !this.#started || this.#ahead || this.#scheduled) return;
    if (this.#lastBudget <= 1) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      this.#ahead = this.#fetch(this.#cursor, this.#abort.signal).then(
        (page) => ({ page }),
        (error: unknown) => ({ error }),
      );
    });
  }

  /** Aborts what is in flight; nothing more will come. */
  close(): void {
    this.#ended = true;
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#ahead = undefined;
    this.#abort.abort();
  }

  async #takeAhead(ahead: Promise<Ahead<T>>): Promise<Page<T>> {
    const result = await ahead;
    this.#ahead = undefined;
    if ('page' in result) return result.page;
    // The failure happened while nobody waited: its stack shall show who asks for the page now.
    if (isTriforgeError(result.error)) Error.captureStackTrace(result.error);
    throw result.error;
  }
}
