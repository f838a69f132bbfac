import { InvalidRequestError } from '../../errors/index.js';
import { checkOptions, forOneCall } from '../../option-names.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import type { Page, PageFetcher } from './page.js';
import { type Pace, PageWalker } from './page-walker.js';

/** Options of every list, besides those of a request. */
export interface ListOptions {
  /** The `cursor` of a page seen before: the crawl continues there. Default: the first page. */
  readonly from?: string | undefined;
  /** Fetch the next page while the current one is worked on. Default true; `false` fetches none ahead. */
  readonly prefetch?: boolean | undefined;
  /**
   * Most pages in flight or held ahead of the one that is worked on, 1 to 100; items come in their order
   * all the same. More than one where the server tells the last page: see `docs/pagination.md`. Default the
   * client's, which is 1.
   */
  readonly concurrency?: number | undefined;
}

/** The list's own options, and the signal of its requests. */
interface GivenOptions extends ListOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A list over all its pages. Nothing is sent until it is iterated; each iteration is a fresh walker.
 *
 * ```ts
 * for await (const pull of hosting.pulls.list({ owner, repo })) console.log(pull.title);
 * ```
 */
export class Paginated<T> implements AsyncIterable<T> {
  readonly #begin: (schema?: StandardSchema) => PageFetcher<T>;
  readonly #options: GivenOptions | undefined;
  readonly #concurrency: number;

  /**
   * @param begin makes the fetcher of one crawl, with a memory of its own. A schema replaces the list's model.
   * @param concurrency where the options name none.
   */
  constructor(
    begin: (schema?: StandardSchema) => PageFetcher<T>,
    options?: GivenOptions,
    concurrency = 1,
  ) {
    this.#begin = begin;
    this.#options = options;
    this.#concurrency = concurrency;
  }

  /**
   * The same list, whose items are validated by a schema in place of the method's model: any Standard
   * Schema (zod, valibot, arktype…), or a model of this package. Its outputs are the items.
   * @throws {InvalidRequestError} (when iterated) if this is no schema.
   * @throws {ResponseShapeError} (when iterated) if an item doesn't match, whatever `validation` says.
   * @example hosting.pulls.list({ owner, repo }).as(z.object({ title: z.string() }));
   */
  as<Output>(schema: StandardSchema<Output>): Paginated<Output> {
    // `as`: the items are the schema's outputs.
    const begin = (last: StandardSchema = schema) =>
      this.#begin(last) as PageFetcher<unknown> as PageFetcher<Output>;
    return new Paginated(begin, this.#options, this.#concurrency);
  }

  /** Item by item. Leaving the loop aborts what is in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new ItemIterator(this.#walk('follow'));
  }

  /** Page by page. */
  pages(): AsyncIterableIterator<Page<T>> {
    return new PageIterator(this.#walk('follow'));
  }

  /** The first item; undefined where the list is empty. Fetches no page more than needed. */
  async first(): Promise<T | undefined> {
    const [item] = await this.toArray({ limit: 1 });
    return item;
  }

  /**
   * Everything in one array.
   * @param options.limit most items wanted; no page is fetched for what is beyond. Default no limit.
   * @throws {InvalidRequestError} a limit that is not a whole number from 0.
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    forOneCall(() => checkOptions(options, { limit: true }));
    const { limit = Number.POSITIVE_INFINITY } = options;
    if (
      typeof limit !== 'number' ||
      !(limit >= 0) ||
      (Number.isFinite(limit) && !Number.isInteger(limit))
    ) {
      throw new InvalidRequestError('limit: expected a whole number from 0', { field: 'limit' });
    }
    const items: T[] = [];
    const walker = this.#walk('all', limit);
    while (items.length < limit) {
      const page = await walker.next();
      if (!page) break;
      const room = limit - items.length;
      for (const item of page.items.length > room ? page.items.slice(0, room) : page.items) {
        items.push(item);
      }
    }
    return items;
  }

  /** What is printed in place of an empty object, where somebody awaits the list itself. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Paginated { not fetched yet: iterate with for await, or call toArray() }';
  }

  #walk(wanted: Pace, limit?: number): PageWalker<T> {
    // What is no object, or no concurrency, is refused where the first request is built.
    const { from, prefetch, concurrency: given = this.#concurrency, signal } = this.#options ?? {};
    const concurrency = Math.floor(given);
    const isLimited = limit !== undefined && limit !== Number.POSITIVE_INFINITY;
    const isAhead = prefetch !== false && !(isLimited && concurrency === 1);
    const pace = isAhead ? wanted : 'on-demand';
    return new PageWalker(this.#begin(), { from, pace, concurrency, limit, signal });
  }
}

/** What both iterators share: calls to `next` in turn, and an end that aborts. */
abstract class CrawlIterator<T, R> implements AsyncIterableIterator<R> {
  protected pages = 0;
  #ended = false;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(protected readonly walker: PageWalker<T>) {}

  /** What can be given without waiting. */
  protected abstract ready(): IteratorResult<R> | undefined;
  /** Takes in the next page. */
  protected abstract accept(page: Page<T>): void;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<R>> {
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    if (this.#waiting === 0) {
      const ready = this.ready();
      if (ready) return Promise.resolve(ready);
    }
    return this.#load();
  }

  return(): Promise<IteratorResult<R>> {
    this.#ended = true;
    this.walker.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  throw(error: unknown): Promise<IteratorResult<R>> {
    this.#ended = true;
    this.walker.close();
    return Promise.reject(error);
  }

  async #load(): Promise<IteratorResult<R>> {
    const before = this.#turn;
    let release: (() => void) | undefined;
    this.#turn = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#waiting++;
    try {
      if (this.#waiting > 1) await before;
      for (;;) {
        if (this.#ended) return { done: true, value: undefined };
        const ready = this.ready();
        if (ready) return ready;
        const page = await this.walker.next();
        if (!page || this.#ended) return { done: true, value: undefined };
        this.accept(page);
        this.pages++;
        // The second page shows that the consumer goes on.
        if (this.pages > 1) this.walker.prefetch();
      }
    } finally {
      this.#waiting--;
      release?.();
    }
  }
}

class ItemIterator<T> extends CrawlIterator<T, T> {
  #items: readonly T[] = [];
  #index = 0;

  protected override ready(): IteratorResult<T> | undefined {
    const index = this.#index;
    if (index >= this.#items.length) {
      // Let go before the next page is decoded: what is in use then, the collector has to move.
      this.#items = [];
      this.#index = 0;
      return undefined;
    }
    this.#index = index + 1;
    // Page 1: the second item shows that the consumer goes on.
    if (index === 1 && this.pages === 1) this.walker.prefetch();
    // `as`: the index is within the page.
    return { done: false, value: this.#items[index] as T };
  }

  protected override accept(page: Page<T>): void {
    this.#items = page.items;
    this.#index = 0;
  }
}

class PageIterator<T> extends CrawlIterator<T, Page<T>> {
  #page: Page<T> | undefined;

  protected override ready(): IteratorResult<Page<T>> | undefined {
    const page = this.#page;
    if (!page) return undefined;
    this.#page = undefined;
    return { done: false, value: page };
  }

  protected override accept(page: Page<T>): void {
    this.#page = page;
  }
}
