import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import type { Walk } from '../../../../src/transport/pagination/page-walker.js';
import { rejectionOf, turns, watchRejections } from '../../../support/client.js';
import { crawling, type PageFacts } from './manual-pages.js';

/** Creates a page walker that has returned page 1 and prefetches the following pages. */
async function ahead(facts: PageFacts = { end: 9 }, walk: Partial<Walk> = {}) {
  const { pages, crawl } = crawling('follow', undefined, { concurrency: 3, ...walk });
  const first = crawl.next();
  pages.latest.give([11], { next: '2', ...facts });
  await first;
  crawl.prefetch();
  /** Returns the latest request for a page. */
  const page = (number: number) =>
    pages.requested.findLast(({ cursor }) => cursor === String(number)) ??
    expect.fail(`page ${number} was not requested`);
  /** Returns the pages requested so far. */
  const requested = async () => {
    await turns(3);
    return pages.cursors.slice(1).map(Number);
  };
  /** Delivers a page as the server would. */
  const give = (number: number, end: number, items = [number * 10 + 1]) =>
    page(number).give(items, { next: number < end ? String(number + 1) : undefined, end });
  const taken = async () => (await crawl.next())?.items;
  await requested();
  return { crawl, page, requested, give, taken };
}

/** Creates a page walker whose page 2 links to page 13, so the predictions of 3 and 4 are wrong. */
async function misled(end = 99) {
  const world = await ahead();
  const second = world.crawl.next();
  world.page(2).give([21], { next: '13', end });
  await second;
  return world;
}

describe('the page walker', () => {
  it('requests the next page before the awaited response is decoded', async () => {
    const { requested, page, taken } = await ahead();
    void taken();
    expect(await requested()).toEqual([2, 3, 4]);
    expect(page(3).arrive('4', 9), 'page 3 is not awaited').toBeUndefined();
    expect(page(2).arrive('3', 9)).toBeInstanceOf(Promise);
    expect(await requested()).toEqual([2, 3, 4, 5]);
  });

  it('ignores the error of a page beyond the end of the list', async () => {
    const rejections = watchRejections();
    const { page, give, taken } = await ahead();
    page(3).fail(new Error('page 3 is gone'));
    give(2, 2);
    // Later pages contradicted the prediction of page 2, so page 2 is requested again.
    const second = taken();
    await turns(2);
    give(2, 2);
    expect(await second).toEqual([21]);
    expect(await taken()).toBeUndefined();
    expect(await rejections()).toEqual([]);
  });

  it('aborts the requests for later pages after a page fails', async () => {
    const { page } = await ahead();
    page(2).fail(new Error('boom'));
    await turns(2);
    expect([3, 4].map((number) => page(number).signal.aborted)).toEqual([true, true]);
  });

  it('requests a predicted last page again to verify the end of the list', async () => {
    const { requested, page, give, taken } = await ahead({ end: 3 });
    // Page 3 arrives first. Page 2 arrives after the list has grown.
    page(3).give([31], { end: 3 });
    const second = taken();
    give(2, 4);
    expect(await second).toEqual([21]);
    const third = taken();
    expect((await requested()).filter((number) => number === 3)).toHaveLength(2);
    give(3, 4, [31, 32]);
    expect(await third, 'the current page 3').toEqual([31, 32]);
    const fourth = taken();
    await turns(3);
    give(4, 4);
    expect(await fourth).toEqual([41]);
    expect(await taken()).toBeUndefined();
  });

  it('requests only linked pages after a wrong prediction', async () => {
    const { requested, page, taken, crawl } = await misled();
    expect([page(3).signal.aborted, page(4).signal.aborted]).toEqual([true, true]);
    crawl.prefetch();
    expect(await requested(), 'page 13 is not a guess').toEqual([2, 3, 4, 13]);
    page(13).give([31], { next: '14', end: 99 });
    expect(await taken()).toEqual([31]);
    crawl.prefetch();
    expect(await requested(), 'page 15 is a guess').toEqual([2, 3, 4, 13, 14]);
  });

  it('continues to prefetch when the consumer reads a page that is not decoded yet', async () => {
    const { crawl, page, requested } = await ahead();
    page(2).arrive('3', 9);
    expect(await requested()).toEqual([2, 3, 4]);
    void crawl.next();
    expect(await requested()).toEqual([2, 3, 4, 5]);
  });

  it('requests no pages predicted from an undecoded page after a wrong prediction', async () => {
    const { crawl, page, requested } = await misled();
    crawl.prefetch();
    expect(await requested()).toEqual([2, 3, 4, 13]);
    page(13).arrive('24', 99);
    void crawl.next();
    expect(await requested(), "only the page's next link counts").toEqual([2, 3, 4, 13]);
  });

  it('stops prefetching if the awaited response contradicts the predictions', async () => {
    const { crawl, page, requested } = await ahead();
    void crawl.next();
    expect(page(2).arrive('13', 99)).toBeUndefined();
    expect(await requested()).toEqual([2, 3, 4]);
  });

  it('ignores a late response for a dropped page', async () => {
    const { page, requested } = await misled();
    expect(page(3).signal.aborted).toBe(true);
    expect(page(3).arrive('4', 9)).toBeUndefined();
    expect(await requested()).toEqual([2, 3, 4]);
  });

  it('keeps prefetching after the abort error of a dropped page', async () => {
    const { crawl, page, requested } = await misled();
    crawl.prefetch();
    expect(await requested()).toEqual([2, 3, 4, 13]);
    const { fail, signal } = page(3);
    fail(signal.reason);
    await turns(2);
    expect(page(13).signal.aborted).toBe(false);
  });

  it('requests a linked page only once even if the list ends there', async () => {
    const { crawl, page, requested } = await misled();
    crawl.prefetch();
    expect(await requested()).toEqual([2, 3, 4, 13]);
    page(13).give([31], { end: 13 });
    const third = crawl.next();
    expect(await requested(), 'no page is requested twice').toEqual([2, 3, 4, 13]);
    expect((await third)?.items).toEqual([31]);
  });

  it('requests only the next page if the server reports no later pages', async () => {
    const { crawl, page, requested } = await ahead({});
    page(2).give([21], { next: '3' });
    await turns(2);
    await crawl.next();
    crawl.prefetch();
    expect(await requested()).toEqual([2, 3]);
  });

  const createBoom = () => {
    const boom = new InvalidRequestError('boom', { field: 'page' });
    return { boom, stack: boom.stack };
  };

  it("keeps the stack trace of an awaited page's error", async () => {
    const { pages, crawl } = crawling('follow');
    const failure = rejectionOf(crawl.next());
    const { boom, stack } = createBoom();
    pages.latest.fail(boom);
    expect(await failure).toBe(boom);
    expect(boom.stack).toBe(stack);
  });

  it("keeps the stack trace of a page's error if the page was requested again", async () => {
    const { crawl, page, requested } = await ahead({ end: 3 });
    page(3).give([31], { end: 3 });
    const second = crawl.next();
    page(2).give([21], { next: '3', end: 4 });
    await second;
    const failure = rejectionOf(crawl.next());
    expect((await requested()).filter((number) => number === 3)).toHaveLength(2);
    const { boom, stack } = createBoom();
    page(3).fail(boom);
    expect(await failure).toBe(boom);
    expect(boom.stack).toBe(stack);
  });
});
