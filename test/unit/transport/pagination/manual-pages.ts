import { expect } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import type { ResponseInfo } from '../../../../src/response-info.js';
import {
  type FetchedPage,
  ListPage,
  type PageFetcher,
  type PageHooks,
  type PagePrediction,
  PageWalker,
  type PrefetchMode,
  type Walk,
} from '../../../../src/transport/pagination/page-walker.js';
import { type ListOptions, Paginated } from '../../../../src/transport/pagination/paginated.js';
import { turns } from '../../../support/client.js';
import { about } from '../../about.js';

const response: ResponseInfo = {
  status: 200,
  statusText: 'OK',
  headers: {},
  url: 'https://code.example.com/api/v3/items',
  rateLimit: undefined,
  etag: undefined,
  scopes: { granted: undefined, accepted: undefined },
  links: {},
  requestId: undefined,
  fromCache: false,
  attempts: 1,
};

/** Properties of a page in addition to its items. */
export interface PageFacts {
  readonly next?: string | undefined;
  readonly nextPageError?: (() => Error) | undefined;
  /** Number of the last page, if the server reports one. If set, cursors are page numbers. */
  readonly end?: number | undefined;
}

/** Predicts the pages after a page. */
export function predict({ end }: PageFacts): PagePrediction | undefined {
  if (end === undefined) return undefined;
  const after = (cursor: string) => {
    const number = Number(cursor) + 1;
    return number <= end ? String(number) : undefined;
  };
  return { end, after };
}

/** A requested page. The test delivers the response. */
class RequestedPage {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  readonly #onHeaders: PageHooks['onHeaders'];
  readonly #resolve: (page: FetchedPage<number>) => void;
  readonly fail: (error: unknown) => void;

  constructor(
    cursor: string | undefined,
    signal: AbortSignal,
    onHeaders: PageHooks['onHeaders'],
    resolve: (page: FetchedPage<number>) => void,
    reject: (error: unknown) => void,
  ) {
    this.cursor = cursor;
    this.signal = signal;
    this.#onHeaders = onHeaders;
    this.#resolve = resolve;
    this.fail = reject;
  }

  /** Delivers the response, but doesn't decode it yet. */
  arrive(next?: string, end?: number): Promise<unknown> | undefined {
    return this.#onHeaders(next, () => predict({ next, end }));
  }

  /** Delivers the decoded page. */
  give(items: readonly number[], facts: PageFacts = {}): void {
    const page = new ListPage(items, response, facts.next);
    this.#resolve({ page, nextPageError: facts.nextPageError, predict: () => predict(facts) });
  }
}

/** Page fetcher without a server. Records requests and lets the test respond. */
export class ManualPages implements PageFetcher<number> {
  readonly requested: RequestedPage[] = [];

  fetch(
    cursor: string | undefined,
    { signal, onHeaders }: PageHooks,
  ): Promise<FetchedPage<number>> {
    return new Promise((resolve, reject) => {
      this.requested.push(new RequestedPage(cursor, signal, onHeaders, resolve, reject));
    });
  }

  /** Cursors in the order of their requests. */
  get cursors(): readonly (string | undefined)[] {
    return this.requested.map((page) => page.cursor);
  }

  /** The most recently requested page. */
  get latest(): RequestedPage {
    const page = this.requested.at(-1);
    if (!page) throw new Error('no page was requested');
    return page;
  }
}

/** Creates a list whose pages the test delivers. */
export function listed(options?: ListOptions) {
  const pages = new ManualPages();
  return { pages, list: new Paginated(() => pages, options) };
}

/**
 * Returns a promise's result, or `pending` if the promise is still open after five turns of the
 * event loop.
 */
export function settleSoon<T>(promise: PromiseLike<T>): Promise<T | 'pending'> {
  return Promise.race([promise, turns(5).then(() => 'pending' as const)]);
}

/** Creates a page walker whose pages the test delivers. */
export function crawling(pace: PrefetchMode, from?: string, walk: Partial<Walk> = {}) {
  const pages = new ManualPages();
  return { pages, crawl: new PageWalker(pages, { ...walk, from, pace }) };
}

/** Creates a page walker that has returned the first page. */
export async function startCrawl(pace: PrefetchMode, facts: PageFacts = { next: '2' }) {
  const world = crawling(pace);
  const first = world.crawl.next();
  world.pages.latest.give([11], facts);
  await first;
  return world;
}

/**
 * Creates functions for single pages. `get` returns the page for a cursor, and `failure` returns
 * the page's error.
 */
export function fetching<T>(
  pages: PageFetcher<T>,
  onHeaders: PageHooks['onHeaders'] = () => undefined,
) {
  const get = async (cursor?: string) => {
    const { signal } = new AbortController();
    const fetched = await pages.fetch(cursor, { signal, onHeaders });
    const { predict } = fetched;
    const page = fetched.verifyOrder?.() ?? fetched;
    return predict ? Object.assign(page, { predict }) : page;
  };
  const failure = (cursor?: string): Promise<unknown> =>
    get(cursor).then(
      () => expect.fail('the page was expected to fail'),
      (error: unknown) => error,
    );
  return { get, failure };
}

/** Expects a cursor in JSON form to be rejected before a request is sent. */
export async function expectRefusedCursor(
  world: { requested: readonly string[]; failure: (cursor: string) => Promise<unknown> },
  json: string,
  expected: RegExp,
): Promise<void> {
  // Callers without types can pass any value.
  const error = await world.failure(JSON.parse(json));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({
    code: 'invalid_request',
    message: about('from', expected),
    field: 'from',
  });
  expect(world.requested, 'requested paths').toEqual([]);
}
