import { checkOptions, forOneCall } from '../../option-names.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import { showValue } from '../../schema/unknown-values.js';
import { createInputError, integer, nameOperation } from '../request/input.js';
import { type Page, type PageFetcher, PageWalker, type PrefetchMode } from './page-walker.js';

/** Options that every list accepts in addition to request options. */
export interface ListOptions {
  /** A stored {@link Page.cursor} to resume the list from. Default: the first page. */
  readonly from?: string | undefined;
  /** Whether to fetch the next page while you process the current one. Default: true. */
  readonly prefetch?: boolean | undefined;
  /**
   * Maximum number of pages to fetch ahead in parallel, from 1 to 100. Items keep their order. A
   * value above 1 takes effect only if the server reports the last page (see `docs/pagination.md`).
   * Default: the client's `concurrency`.
   */
  readonly concurrency?: number | undefined;
}

interface ListIterationOptions extends ListOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A list that fetches its pages as you use it:
 *
 * ```ts
 * for await (const pull of hosting.pulls.list({ owner, repo })) console.log(pull.title);
 * const all = await hosting.pulls.list({ owner, repo }).toArray();
 * const page = await hosting.pulls.list({ owner, repo }).page(3);
 * ```
 *
 * The client sends no request until you use one of these forms. `await` alone returns the list
 * itself, which has no `length` and no items. Each iteration starts over.
 */
export class Paginated<T> implements AsyncIterable<T> {
  readonly #begin: (schema?: StandardSchema) => PageFetcher<T>;
  readonly #options: ListIterationOptions | undefined;
  readonly #concurrency: number;

  /**
   * @param begin creates the fetcher for one iteration. If a schema is passed, it replaces the
   * list's model.
   * @param concurrency default for the `concurrency` option.
   */
  constructor(
    begin: (schema?: StandardSchema) => PageFetcher<T>,
    options?: ListIterationOptions,
    concurrency = 1,
  ) {
    this.#begin = begin;
    this.#options = options;
    this.#concurrency = concurrency;
  }

  /**
   * Returns the same list with items validated by your schema instead of the method's model.
   * Accepts any Standard Schema (zod, valibot, arktype) or a triforge model. The items are the
   * schema's outputs.
   * @throws {InvalidRequestError} (when iterated) if `schema` isn't a schema.
   * @throws {ResponseShapeError} (when iterated) if an item doesn't match `schema`, regardless of
   * `validation`.
   * @example hosting.pulls.list({ owner, repo }).as(z.object({ title: z.string() }));
   */
  as<Output>(schema: StandardSchema<Output>): Paginated<Output> {
    // `as`: the items are the schema's outputs.
    const begin = (last: StandardSchema = schema) =>
      this.#begin(last) as PageFetcher<unknown> as PageFetcher<Output>;
    return newList(begin, this.#options, this.#concurrency);
  }

  /** Iterates over the items. Exiting the loop early aborts in-flight requests. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return iterateItems(this.#walk('follow'), this.#options?.signal);
  }

  /** Iterates over the pages. Exiting the loop early aborts in-flight requests. */
  pages(): AsyncIterableIterator<Page<T>> {
    return iteratePages(this.#walk('follow'), this.#options?.signal);
  }

  /**
   * Fetches one page by its number. Beyond the last page, most servers return a page without items.
   * @param number page number, starting at 1.
   * @throws {InvalidRequestError} if the number isn't a whole number of at least 1, or if the list
   * has no page numbers, as in the support API.
   */
  async page(number: number): Promise<Page<T>> {
    const fetcher = this.#begin();
    try {
      checkWholeNumber('page', number, 1);
      if (!fetcher.cursorOf) {
        throw createInputError('page', 'must not be used with a list that has no page numbers');
      }
      const hooks = { signal: new AbortController().signal, onHeaders: () => undefined };
      return (await fetcher.fetch(fetcher.cursorOf(number), hooks)).page;
    } catch (error) {
      throw nameOperation(error, fetcher.operation);
    }
  }

  /**
   * Resolves to the first item, or undefined if the list is empty. Fetches only the necessary
   * pages.
   */
  async first(): Promise<T | undefined> {
    const [item] = await this.toArray({ limit: 1 });
    return item;
  }

  /**
   * Collects all items in one array.
   * @param options.limit maximum number of items. Pages beyond the limit are not fetched. Default:
   * no limit.
   * @throws {InvalidRequestError} if the limit isn't a whole number, or is negative.
   */
  async toArray(options: { readonly limit?: number | undefined } = {}): Promise<T[]> {
    forOneCall(() => checkOptions(options, { limit: true }));
    const { limit = Number.POSITIVE_INFINITY } = options;
    if (limit !== Number.POSITIVE_INFINITY) checkWholeNumber('limit', limit, 0);
    const items: T[] = [];
    // With a limit, the next page may not be needed.
    const walker = this.#walk(limit === Number.POSITIVE_INFINITY ? 'all' : 'on-demand');
    if (limit === 0) return items;
    for await (const page of iteratePages(walker, this.#options?.signal)) {
      const room = limit - items.length;
      for (const item of page.items.length > room ? page.items.slice(0, room) : page.items) {
        items.push(item);
      }
      if (items.length === limit) break;
    }
    return items;
  }

  /** Shows in `console.log` how to fetch the list, because awaiting a list is a common mistake. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Paginated { not fetched yet: iterate with for await, or call toArray() }';
  }

  #walk(wanted: PrefetchMode): PageWalker<T> {
    // `concurrency` is validated when the first request is built, so ignore an invalid value here.
    const { from, prefetch, concurrency: given = this.#concurrency, signal } = this.#options ?? {};
    const concurrency = typeof given === 'number' ? Math.floor(given) : 1;
    const pace = prefetch === false ? 'on-demand' : wanted;
    return new PageWalker(this.#begin(), { from, pace, concurrency, signal });
  }
}

/**
 * Creates a list. Defined outside the class, because the build renames a class that refers to
 * itself (`_Paginated`).
 */
function newList<T>(...parts: ConstructorParameters<typeof Paginated<T>>): Paginated<T> {
  return new Paginated(...parts);
}

/** @throws {InvalidRequestError} unless `value` is a whole number of at least `min`. */
function checkWholeNumber(field: string, value: unknown, min: number): void {
  const { expected, test } = integer(min);
  if (!test(value)) throw createInputError(field, `must be ${expected} (got ${showValue(value)})`);
}

/** Iterates over pages. Closes the walker at the end. */
async function* iteratePages<T>(
  walker: PageWalker<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Page<T>, undefined> {
  try {
    let pages = 0;
    for (let page = await walker.next(); page; page = await walker.next()) {
      // Prefetch only from the second page or item on, because a consumer that requests a second
      // page or item usually continues.
      if (++pages > 1) walker.prefetch();
      yield page;
      signal?.throwIfAborted();
    }
  } finally {
    walker.close();
  }
}

/**
 * Iterates over the items of pages. Not an async generator, because a generator's overhead would
 * increase the time for a list of users by 10% (measured).
 */
function iterateItems<T>(
  walker: PageWalker<T>,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<T, undefined> {
  const pages = iteratePages(walker, signal);
  let items: Iterator<T, undefined> = [].values();
  /** Whether the consumer has requested a second item. */
  let continues = false;
  /** Number of `next` calls that wait for a page. */
  let waiting = 0;
  /** Functions that resume these calls, in order. */
  const turns: (() => void)[] = [];
  // Each call awaits its own promise, because V8 shows a promise's caller in a stack trace only if
  // nothing else waits for the promise.
  const load = async (): Promise<IteratorResult<T, undefined>> => {
    try {
      if (waiting++ > 0) await new Promise<void>((resolve) => turns.push(resolve));
      for (;;) {
        signal?.throwIfAborted();
        const item = items.next();
        if (!item.done) return item;
        const page = await pages.next();
        if (page.done) return page;
        items = page.value.items.values();
      }
    } finally {
      waiting--;
      turns.shift()?.();
    }
  };
  return {
    next() {
      const item = waiting > 0 || signal?.aborted ? undefined : items.next();
      if (!item || item.done) return load();
      if (!continues) walker.prefetch();
      continues = true;
      return Promise.resolve(item);
    },
    async return() {
      await pages.return(undefined);
      items = [].values();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
