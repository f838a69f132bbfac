import { isTriforgeError } from '../../errors/index.js';
import type { ResponseInfo } from '../../response-info.js';
import type { FetchedPage, Page, PageFetcher } from './page.js';

/** A page that was fetched, or why it could not be; undefined where the consumer left first. Never a rejected promise. */
type PrefetchedPage<T> =
  | { readonly fetched: FetchedPage<T> }
  | { readonly error: unknown }
  | undefined;

/** How far a crawl may run ahead of its consumer. */
export type Pace =
  /** Never: a page is fetched when it is asked for. */
  | 'on-demand'
  /** The next page while the current one is worked on, from the second page on or from {@link PageWalker.prefetch}. */
  | 'follow'
  /** The next page always: the consumer wants them all. */
  | 'all';

/**
 * Walks the pages of one list, one request in flight at most. The next page is asked for as soon as
 * an awaited answer is there, before it is decoded, so that the server works while we do; one that
 * came ahead waits until it is taken. It is sent from a `setImmediate`: a synchronous send would open
 * a second socket, and an immediate `break` then costs nothing.
 */
export class PageWalker<T> {
  readonly #fetch: PageFetcher<T>;
  readonly #pace: Pace;
  readonly #abort = new AbortController();
  #cursor: string | undefined;
  #pages = 0;
  #ended = false;
  #ahead: Promise<PrefetchedPage<T>> | undefined;
  #deadEnd: (() => Error) | undefined;
  #lastBudget = Number.POSITIVE_INFINITY;

  constructor(fetch: PageFetcher<T>, from: string | undefined, pace: Pace) {
    this.#fetch = fetch;
    this.#cursor = from;
    this.#pace = pace;
  }

  /** The next page; undefined after the last one, and after {@link close}. */
  async next(): Promise<Page<T> | undefined> {
    if (this.#ended) return undefined;
    try {
      const page = await this.#take();
      if (this.#ended || !page) return undefined;
      return page;
    } catch (error) {
      if (this.#ended) return undefined; // closed while it was awaited
      this.close();
      throw error;
    }
  }

  /** Starts to fetch the next page soon, unless there is none or the budget is nearly used up. */
  prefetch(): void {
    if (this.#pages === 0 || this.#pace === 'on-demand') return;
    if (this.#ended || this.#ahead || this.#cursor === undefined || this.#lastBudget <= 1) return;
    this.#ahead = this.#soon(this.#cursor);
  }

  /** Aborts what is in flight; nothing more will come. */
  close(): void {
    this.#ended = true;
    this.#ahead = undefined;
    this.#abort.abort();
  }

  async #take(): Promise<Page<T> | undefined> {
    if (this.#deadEnd) throw this.#deadEnd();
    if (this.#pages > 0 && this.#cursor === undefined) return undefined;
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const fetched = ahead ? await this.#came(ahead) : await this.#send(this.#cursor);
    if (!fetched) return undefined;
    const { page, deadEnd } = fetched;
    this.#pages++;
    this.#cursor = page.cursor;
    this.#deadEnd = deadEnd;
    this.#lastBudget = budgetOf(page.response);
    return page;
  }

  #send(cursor: string | undefined): Promise<FetchedPage<T>> {
    return this.#fetch(cursor, this.#abort.signal, (next, response) =>
      this.#arrived(next, response),
    );
  }

  /** An answer is there and not decoded yet: unless it came ahead, and is not awaited, the next page is asked for first. */
  #arrived(next: string | undefined, response: ResponseInfo): Promise<unknown> | undefined {
    const goesOn = this.#pace === 'all' || (this.#pace === 'follow' && this.#pages > 0);
    if (!goesOn || this.#ended || this.#ahead) return undefined;
    if (next === undefined || budgetOf(response) <= 1) return undefined;
    return new Promise<void>((resolve) => {
      this.#ahead = this.#soon(next, resolve);
    });
  }

  /** @param sent called once the request is on its way, or never will be. */
  #soon(cursor: string, sent?: () => void): Promise<PrefetchedPage<T>> {
    return new Promise((resolve) => {
      setImmediate(() => {
        if (this.#ended) {
          resolve(undefined);
        } else {
          this.#send(cursor).then(
            (fetched) => resolve({ fetched }),
            (error: unknown) => resolve({ error }),
          );
        }
        // undici looks at an idle socket for one more turn before it writes.
        if (sent) setImmediate(sent);
      });
    });
  }

  async #came(ahead: Promise<PrefetchedPage<T>>): Promise<FetchedPage<T> | undefined> {
    const result = await ahead;
    if (!result) return undefined;
    if ('fetched' in result) return result.fetched;
    // The failure happened while nobody waited: its stack shall show who asks for the page now.
    if (isTriforgeError(result.error)) Error.captureStackTrace(result.error);
    throw result.error;
  }
}

function budgetOf(response: ResponseInfo): number {
  return response.rateLimit?.remaining ?? Number.POSITIVE_INFINITY;
}
