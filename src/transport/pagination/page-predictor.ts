import { publish } from '../request/diagnostics.js';
import type { FetchedPage, PagePrediction } from './page.js';

type Predict<T> = FetchedPage<T>['predict'];

/**
 * Predicts the next pages of a list whose pages are fetched in parallel. The server's links decide
 * which page follows, so a wrong guess only costs a request.
 */
export class PagePredictor<T> {
  readonly #concurrency: number;
  /** Number of items that the consumer still wants. */
  #wanted: number;
  /** Largest number of items on a page so far. */
  #longest = 0;
  /** Number of pages that can be prefetched. Lower than the concurrency after wrong guesses. */
  #window: number;
  /** Cursors of the next page and, if known, of later pages. */
  #prediction: Pick<PagePrediction, 'cursor'> & Partial<PagePrediction> = {
    cursor: () => undefined,
  };
  /**
   * Number of pages between the page that made the prediction and the first page to prefetch. 1
   * while a page is awaited, otherwise 0.
   */
  #gap = 0;
  /** Cursor that was guessed for the page after the awaited page. */
  #promised: string | undefined;
  /** End of the list as reported by the previous page. */
  #end: number | undefined;
  /** Furthest end reported so far. */
  #furthest = 0;

  /** @param limit maximum number of items. Pages beyond the limit are not guessed. */
  constructor(concurrency: number, limit: number) {
    this.#concurrency = concurrency;
    this.#window = concurrency;
    this.#wanted = limit;
  }

  /**
   * Starts the wait for a page. Returns whether to request other pages before the response arrives.
   */
  begin(): boolean {
    this.#promised = this.#prediction.cursor(2);
    this.#gap = 1;
    // After a wrong guess, wait for this page to name the next page.
    return this.#window > 1;
  }

  /**
   * Returns the cursor of the next page to prefetch. Undefined if there is none.
   * @param requested number of pages that are already being prefetched.
   * @param awaited whether the awaited page's response has arrived. Undefined if no page is
   * awaited.
   */
  next(
    requested: number,
    awaited: { readonly hasResponse: boolean } | undefined,
  ): string | undefined {
    const room = Math.min(
      this.#window - Number(awaited?.hasResponse === false),
      this.#pagesWanted() - Number(awaited !== undefined),
    );
    return requested < room ? this.#prediction.cursor(this.#gap + requested + 1) : undefined;
  }

  /** Adopts a response's prediction, once the response has named the next page. */
  adopt(next: string | undefined, predict: Predict<T>): void {
    this.#prediction = predict?.() ?? { cursor: (steps) => (steps === 1 ? next : undefined) };
    this.#gap = 0;
  }

  /** Compares a consumed page with the guesses and updates the prediction. */
  learn({ page, predict }: FetchedPage<T>): void {
    const { cursor, items } = page;
    this.#wanted -= items.length;
    this.#longest = Math.max(this.#longest, items.length);
    if (this.#promised !== undefined) {
      const isRight = this.#promised === cursor;
      this.#window = isRight ? Math.min(this.#concurrency, this.#window * 2) : 1;
    }
    this.adopt(cursor, cursor === undefined ? undefined : predict);
  }

  /**
   * Publishes an event if a page contradicts the predictions of earlier pages.
   * @returns whether a guessed last page is empty, or reports an earlier end than a previous page.
   */
  endsEarly(
    { page, nextPageError, predict }: FetchedPage<T>,
    guessed: boolean,
    isFirst: boolean,
  ): boolean {
    const reported = predict?.();
    if (!reported) return false;
    const { end, request } = reported;
    const isEmpty = page.items.length === 0 && !isFirst;
    const hasMoved = this.#end !== undefined && this.#end !== end;
    this.#end = end;
    this.#furthest = Math.max(this.#furthest, end);
    if (isEmpty || hasMoved) {
      publish('triforge:list:moved', () => ({
        request: request(),
        reason: isEmpty ? 'empty' : 'end',
      }));
    }
    if (!guessed || nextPageError || page.cursor !== undefined) return false;
    return isEmpty || end < this.#furthest;
  }

  /**
   * Returns the number of additional pages that are certainly needed. 0 if the page size is
   * unknown.
   */
  #pagesWanted(): number {
    if (this.#wanted === Number.POSITIVE_INFINITY) return this.#wanted;
    const { size = 0 } = this.#prediction;
    return size === 0 ? 0 : Math.ceil(this.#wanted / Math.max(this.#longest, size));
  }
}
