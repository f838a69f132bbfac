import { describe, expect, it } from 'vitest';
import { InvalidRequestError, RateLimitError } from '../../../../src/errors/index.js';
import type { PageWalker, PrefetchMode } from '../../../../src/transport/pagination/page-walker.js';
import { rejectionOf, turns, watchRejections } from '../../../support/client.js';
import { createDetails } from '../response/create-details.js';
import { ahead, crawling, settleSoon, startCrawl } from './manual-pages.js';

const paces: readonly PrefetchMode[] = ['on-demand', 'follow', 'all'];

describe('PageWalker', () => {
  for (const pace of paces) {
    it(`the page walker returns the pages in order in the prefetch mode '${pace}'`, async () => {
      const { pages, crawl } = crawling(pace);
      const first = crawl.next();
      expect(pages.cursors, 'the request is sent synchronously').toEqual([undefined]);
      pages.latest.give([11], { next: '2' });
      expect((await first)?.items).toEqual([11]);
      await turns(3);
      expect(pages.cursors, 'page 2 is not requested').toEqual([undefined]);

      const second = crawl.next();
      expect(pages.cursors).toEqual([undefined, '2']);
      pages.latest.give([21]);
      expect((await second)?.items).toEqual([21]);

      expect(await settleSoon(crawl.next())).toBeUndefined();
      expect(await settleSoon(crawl.next())).toBeUndefined();
      expect(pages.cursors).toEqual([undefined, '2']);
    });
  }

  it('the page walker starts at the passed cursor', () => {
    const { pages, crawl } = crawling('all', '7');
    void crawl.next();
    expect(pages.cursors).toEqual(['7']);
  });

  it("the page walker ends after a page's error", async () => {
    const { pages, crawl } = crawling('follow');
    const first = crawl.next();
    const boom = new Error('boom');
    pages.latest.fail(boom);
    expect(await rejectionOf(first)).toBe(boom);
    expect(pages.latest.signal.aborted).toBe(true);
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(pages.cursors).toEqual([undefined]);
  });

  it('the page walker throws the error for the next page only when the consumer reads that page', async () => {
    let made = 0;
    const boom = new Error('the next page is on another origin');
    const nextPageError = () => {
      made++;
      return boom;
    };
    const { pages, crawl } = await startCrawl('all', { nextPageError });
    await turns(3);
    expect(made, 'created only when it is thrown').toBe(0);
    expect(await rejectionOf(crawl.next())).toBe(boom);
    expect(pages.cursors).toEqual([undefined]);
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(made).toBe(1);
  });
});

describe('prefetch()', () => {
  for (const pace of ['follow', 'all'] as const) {
    it(`prefetch() requests the next page once in the prefetch mode '${pace}'`, async () => {
      const { pages, crawl } = await startCrawl(pace);
      crawl.prefetch();
      crawl.prefetch();
      expect(pages.cursors, 'not sent synchronously').toEqual([undefined]);
      await turns(3);
      expect(pages.cursors).toEqual([undefined, '2']);

      const second = crawl.next();
      expect(pages.cursors, 'the prefetched page is used').toEqual([undefined, '2']);
      pages.latest.give([21], { next: '3' });
      expect((await second)?.items).toEqual([21]);

      crawl.prefetch();
      await turns(3);
      expect(pages.cursors).toEqual([undefined, '2', '3']);
    });
  }

  it("prefetch() sends no request in the prefetch mode 'on-demand'", async () => {
    const { pages, crawl } = await startCrawl('on-demand');
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });

  it('prefetch() sends no request before the first page, even with a start cursor', async () => {
    const { pages, crawl } = crawling('all', '7');
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors).toEqual([]);
  });

  it('prefetch() sends no request after the last page', async () => {
    const { pages, crawl } = await startCrawl('all', {});
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });

  it('prefetch() sends no request after close()', async () => {
    const { pages, crawl } = await startCrawl('all');
    crawl.close();
    crawl.prefetch();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });
});

describe('a rate-limited prefetch', () => {
  it('is requested again when the page is needed', async () => {
    const { pages, crawl } = await startCrawl('follow', { next: '2' });
    crawl.prefetch();
    await turns(2);
    const response = createDetails({ status: 429 });
    const request = { operation: 'op', method: 'GET', url: 'https://a.example/' };
    const init = { request, response, mayHaveActed: false, reason: 'secondary' } as const;
    pages.latest.fail(new RateLimitError('no', { ...init, retryAfter: 1, resetAt: new Date() }));
    await turns(2);
    const second = crawl.next();
    await turns(2);
    expect(pages.cursors).toEqual([undefined, '2', '2']);
    pages.latest.give([21]);
    expect((await second)?.items).toEqual([21]);
  });
});

describe('close()', () => {
  it("close() prevents any request if the first page hasn't been requested yet", async () => {
    const { pages, crawl } = crawling('all');
    crawl.close();
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(pages.cursors).toEqual([]);
  });

  it('close() aborts the request for an awaited page and drops the late response', async () => {
    const { pages, crawl } = crawling('follow');
    const first = crawl.next();
    expect(pages.latest.signal.aborted).toBe(false);
    crawl.close();
    expect(pages.latest.signal.aborted).toBe(true);
    pages.latest.give([11], { next: '2' });
    expect(await settleSoon(first)).toBeUndefined();
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(pages.cursors).toEqual([undefined]);
  });

  it("close() suppresses an awaited page's error", async () => {
    const { pages, crawl } = crawling('follow');
    const first = crawl.next();
    crawl.close();
    pages.latest.fail(pages.latest.signal.reason);
    expect(await settleSoon(first)).toBeUndefined();
  });

  it("close() aborts the request for a prefetched page and suppresses the page's error", async () => {
    const rejections = watchRejections();
    const { pages, crawl } = await ahead();
    crawl.close();
    expect(pages.latest.signal.aborted).toBe(true);
    pages.latest.fail(pages.latest.signal.reason);
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(await rejections()).toEqual([]);
  });

  it("close() prevents a prefetch that hasn't been sent yet", async () => {
    const { pages, crawl } = await startCrawl('follow');
    crawl.prefetch();
    crawl.close();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
  });

  it("close() ends the wait for a prefetch that hasn't been sent yet", async () => {
    const { pages, crawl } = await startCrawl('follow');
    crawl.prefetch();
    const second = crawl.next();
    crawl.close();
    expect(await settleSoon(second)).toBeUndefined();
    expect(pages.cursors).toEqual([undefined]);
  });
});

describe('errors of prefetched pages', () => {
  async function asker(crawl: PageWalker<number>): Promise<unknown> {
    return await crawl.next();
  }

  it("the page walker throws a prefetched page's error only when the consumer reads the page", async () => {
    const rejections = watchRejections();
    const { pages, crawl } = await ahead();
    const boom = new InvalidRequestError('boom', { field: 'page' });
    pages.latest.fail(boom);
    expect(await rejections(), 'the page is not requested yet').toEqual([]);
    expect(pages.latest.signal.aborted).toBe(false);
    expect(await rejectionOf(crawl.next())).toBe(boom);
    expect(pages.latest.signal.aborted).toBe(true);
    expect(await settleSoon(crawl.next())).toBeUndefined();
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it("a prefetched page's triforge error shows the current caller in its stack trace", async () => {
    const { pages, crawl } = await ahead();
    const boom = new InvalidRequestError('boom', { field: 'page' });
    expect(boom.stack).not.toContain('asker');
    pages.latest.fail(boom);
    await turns(2);
    expect(await rejectionOf(asker(crawl))).toBe(boom);
    expect(boom.stack).toMatch(/at (?:async )?asker/);
  });

  it("the page walker keeps the stack trace of a prefetched page's error if triforge did not create it", async () => {
    const { pages, crawl } = await ahead();
    const boom = new Error('boom');
    const { stack } = boom;
    pages.latest.fail(boom);
    expect(await rejectionOf(asker(crawl))).toBe(boom);
    expect(boom.stack).toBe(stack);
  });

  it("the page walker rethrows a prefetched page's rejection reason that is not an object", async () => {
    const { pages, crawl } = await ahead();
    pages.latest.fail('a reason');
    expect(await rejectionOf(asker(crawl))).toBe('a reason');
  });
});
