import { describe, expect, it } from 'vitest';
import type { Walk } from '../../../../src/transport/pagination/page-walker.js';
import { turns, watchRejections } from '../../../support/client.js';
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

  it.each([2, 3])('aborts only requests for later pages after page %i fails', async (failed) => {
    const { page } = await ahead();
    page(failed).fail(new Error('boom'));
    await turns(2);
    const aborted = [2, 3, 4].filter((number) => page(number).signal.aborted);
    expect(aborted).toEqual([3, 4].filter((number) => number > failed));
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

  it('stops prefetching if the awaited response contradicts the predictions', async () => {
    const { crawl, page, requested } = await ahead();
    void crawl.next();
    expect(page(2).arrive('13', 99)).toBeUndefined();
    expect(await requested()).toEqual([2, 3, 4]);
  });
});
