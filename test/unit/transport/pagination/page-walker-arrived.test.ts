import { describe, expect, it } from 'vitest';
import { turns } from '../../../support/client.js';
import { ahead, crawling, settleSoon, startCrawl } from './manual-pages.js';

describe('prefetch before decoding', () => {
  it("the page walker requests page 2 before page 1 is decoded in the prefetch mode 'all'", async () => {
    const { pages, crawl } = crawling('all');
    const first = crawl.next();
    const [one] = pages.requested;
    const sent = one?.arrive('2');
    expect(sent, 'the decoder waits').toBeInstanceOf(Promise);
    let askedWhenSent: unknown;
    const noted = sent?.then(() => {
      askedWhenSent = pages.cursors;
    });
    expect(pages.cursors, 'not sent synchronously').toEqual([undefined]);
    await noted;
    expect(askedWhenSent).toEqual([undefined, '2']);

    one?.give([11], { next: '2' });
    expect((await first)?.items).toEqual([11]);
    pages.latest.give([21]);
    expect((await crawl.next())?.items, 'the prefetched page').toEqual([21]);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  for (const pace of ['on-demand', 'follow'] as const) {
    it(`the page walker doesn't request page 2 when page 1 arrives in the prefetch mode '${pace}'`, async () => {
      const { pages, crawl } = crawling(pace);
      void crawl.next();
      expect(pages.latest.arrive('2')).toBeUndefined();
      await turns(3);
      expect(pages.cursors).toEqual([undefined]);
    });
  }

  for (const [pace, goesOn] of [
    ['on-demand', false],
    ['follow', true],
    ['all', true],
  ] as const) {
    it(`the page walker ${goesOn ? 'requests' : "doesn't request"} page 3 when page 2 arrives in the prefetch mode '${pace}'`, async () => {
      const { pages, crawl } = await startCrawl(pace);
      void crawl.next();
      const sent = pages.latest.arrive('3');
      expect(sent !== undefined, 'the decoder waits').toBe(goesOn);
      await turns(3);
      expect(pages.cursors).toEqual(goesOn ? [undefined, '2', '3'] : [undefined, '2']);
    });
  }

  it('the page walker sends no request when the last page arrives', async () => {
    const { pages, crawl } = crawling('all');
    void crawl.next();
    expect(pages.latest.arrive(undefined)).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });

  it("the page walker doesn't request page 3 until the prefetched page 2 is awaited", async () => {
    const { pages } = await ahead();
    expect(pages.latest.arrive('3')).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('the page walker requests the next page when an awaited, prefetched page arrives', async () => {
    const { pages, crawl } = await ahead();
    void crawl.next();
    expect(pages.latest.arrive('3')).toBeInstanceOf(Promise);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it('the page walker requests the next page only once if a response is reported twice', async () => {
    const { pages, crawl } = crawling('all');
    void crawl.next();
    const [one] = pages.requested;
    expect(one?.arrive('2')).toBeInstanceOf(Promise);
    expect(one?.arrive('2')).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('the page walker sends no request if a page arrives after close()', async () => {
    const { pages, crawl } = crawling('all');
    void crawl.next();
    crawl.close();
    expect(pages.latest.arrive('2')).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });

  it('the page walker releases the decoder if it closes before the next request', async () => {
    const { pages, crawl } = crawling('all');
    void crawl.next();
    const sent = pages.latest.arrive('2');
    crawl.close();
    expect(sent && (await settleSoon(sent)), 'released').toBeUndefined();
    expect(sent).toBeInstanceOf(Promise);
    expect(pages.cursors).toEqual([undefined]);
  });
});
