import { describe, expect, it } from 'vitest';
import type { Walk } from '../../../../src/transport/pagination/page-walker.js';
import { rejectionOf, turns, watchRejections } from '../../../support/client.js';
import { recordEvents } from '../recorded-events.js';
import { crawling, type PageFacts, settleSoon } from './manual-pages.js';

/** Creates a page walker that has returned page 1 and prefetches the following pages. */
async function ahead(facts: PageFacts = { end: 9 }, walk: Partial<Walk> = {}) {
  const world = crawling('follow', undefined, { concurrency: 3, ...walk });
  const first = world.crawl.next();
  world.pages.latest.give([11], { next: '2', ...facts });
  await first;
  world.crawl.prefetch();
  await turns(3);
  /** Returns the latest request for a page. */
  const page = (cursor: string) => {
    const requested = world.pages.requested.findLast((each) => each.cursor === cursor);
    return requested ?? expect.fail(`page ${cursor} was not requested`);
  };
  /** Delivers a page as the server would. */
  const give = (number: number, end: number, items = [number * 10 + 1]) =>
    page(String(number)).give(items, {
      next: number < end ? String(number + 1) : undefined,
      end,
    });
  const taken = async () => (await world.crawl.next())?.items;
  return { ...world, page, give, taken };
}

describe('a concurrent crawl', () => {
  it('the page walker prefetches at most three pages at a concurrency of 3', async () => {
    const { pages, give, taken } = await ahead();
    expect(pages.cursors).toEqual([undefined, '2', '3', '4']);
    give(4, 9);
    give(3, 9);
    await turns(3);
    expect(pages.cursors, 'unread pages still count').toEqual([undefined, '2', '3', '4']);
    const second = taken();
    await turns(3);
    expect(pages.cursors, 'two unread pages, and one in flight').toEqual([
      undefined,
      '2',
      '3',
      '4',
    ]);
    give(2, 9);
    expect(await second).toEqual([21]);
    expect(await taken()).toEqual([31]);
    expect(await taken()).toEqual([41]);
  });

  it('the page walker requests the next page before the awaited response is decoded', async () => {
    const { pages, page, taken } = await ahead();
    void taken();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3', '4']);
    expect(page('3').arrive('4', 9), 'page 3 is not awaited').toBeUndefined();
    expect(page('2').arrive('3', 9)).toBeInstanceOf(Promise);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3', '4', '5']);
  });

  it('the page walker requests one page at a time if later pages are unknown', async () => {
    const { pages } = await ahead({});
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it("the page walker doesn't request pages beyond the last page", async () => {
    const { pages } = await ahead({ end: 3 });
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it("the page walker throws a page's error only after returning all earlier pages", async () => {
    const rejections = watchRejections();
    const { pages, page, give, taken, crawl } = await ahead();
    const boom = new Error('boom');
    page('3').fail(boom);
    await turns(2);
    expect(page('4').signal.aborted).toBe(true);
    expect(page('2').signal.aborted).toBe(false);
    give(2, 9);
    expect(await taken()).toEqual([21]);
    crawl.prefetch();
    await turns(3);
    expect(await rejectionOf(taken())).toBe(boom);
    expect(await taken()).toBeUndefined();
    expect(pages.cursors).toEqual([undefined, '2', '3', '4']);
    expect(await rejections()).toEqual([]);
  });

  it('the page walker ignores the error of a page beyond the end of the list', async () => {
    const rejections = watchRejections();
    const { page, give, taken } = await ahead();
    page('3').fail(new Error('page 3 is gone'));
    give(2, 2);
    // Later pages contradicted the prediction of page 2, so page 2 is requested again.
    const second = taken();
    await turns(2);
    give(2, 2);
    expect(await second).toEqual([21]);
    expect(await taken()).toBeUndefined();
    expect(await rejections()).toEqual([]);
  });

  it("close() aborts all of the page walker's requests", async () => {
    const { pages, crawl, taken } = await ahead();
    const second = taken();
    crawl.close();
    expect(pages.requested.slice(1).map(({ signal }) => signal.aborted)).toEqual([
      true,
      true,
      true,
    ]);
    for (const { fail, signal } of pages.requested.slice(1)) fail(signal.reason);
    expect(await settleSoon(second)).toBeUndefined();
  });

  it("the page walker doesn't send a pending prefetch after close()", async () => {
    const world = crawling('follow', undefined, { concurrency: 3 });
    const first = world.crawl.next();
    world.pages.latest.give([11], { next: '2', end: 9 });
    await first;
    world.crawl.prefetch();
    world.crawl.close();
    await turns(3);
    expect(world.pages.cursors).toEqual([undefined]);
  });

  it('the page walker requests only linked pages after a wrong prediction', async () => {
    const { pages, page, taken, crawl } = await ahead();
    const second = taken();
    page('2').give([21], { next: '13', end: 99 });
    expect(await second).toEqual([21]);
    expect([page('3').signal.aborted, page('4').signal.aborted]).toEqual([true, true]);
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors.slice(4), 'page 13 is not a guess').toEqual(['13']);
    page('13').give([31], { next: '14', end: 99 });
    expect(await taken()).toEqual([31]);
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors.slice(5), 'page 15 is a guess').toEqual(['14']);
  });
});

describe('end-of-list detection', () => {
  it('the page walker requests a predicted last page again to verify the end of the list', async () => {
    const { pages, page, give, taken } = await ahead({ end: 3 });
    // Page 3 arrives first. Page 2 arrives after the list has grown.
    page('3').give([31], { end: 3 });
    const second = taken();
    give(2, 4);
    expect(await second).toEqual([21]);
    const third = taken();
    await turns(3);
    expect(pages.cursors.filter((cursor) => cursor === '3')).toHaveLength(2);
    give(3, 4, [31, 32]);
    expect(await third, 'the current page 3').toEqual([31, 32]);
    const fourth = taken();
    await turns(3);
    give(4, 4);
    expect(await fourth).toEqual([41]);
    expect(await taken()).toBeUndefined();
  });

  it('the page walker requests a last page only once if the page was not predicted', async () => {
    const { pages, page, taken } = await ahead({ end: 9 }, { concurrency: 2 });
    const second = taken();
    page('2').give([21], { next: '12', end: 99 });
    await second;
    const third = taken();
    await turns(3);
    page('12').give([31], { end: 12 });
    expect(await third).toEqual([31]);
    expect(await taken()).toBeUndefined();
    expect(pages.cursors.filter((cursor) => cursor === '12')).toHaveLength(1);
  });

  it('the page walker publishes triforge:list:moved when the predicted end changes', async () => {
    const events = recordEvents('triforge:list:moved');
    const { give, taken } = await ahead();
    give(2, 9);
    await taken();
    expect(events).toEqual([]);
    give(3, 8);
    await taken();
    const request = { operation: 'items.list', method: 'GET', url: 'page 4' };
    expect(events).toEqual([['triforge:list:moved', { request, reason: 'end' }]]);
    give(4, 8, []);
    await taken();
    expect(events.slice(1)).toMatchObject([['triforge:list:moved', { reason: 'empty' }]]);
  });

  it("the page walker doesn't publish triforge:list:moved if the concurrency is 1", async () => {
    const events = recordEvents('triforge:list:moved');
    const { give, taken } = await ahead({ end: 9 }, { concurrency: 1 });
    give(2, 8, []);
    expect(await taken()).toEqual([]);
    expect(events).toEqual([]);
  });
});
