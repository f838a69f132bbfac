import { describe, expect, it } from 'vitest';
import { RateLimitError } from '../../../../src/errors/index.js';
import { rejectionOf, turns } from '../../../support/client.js';
import { createDetails } from '../response/create-details.js';
import { crawling, startCrawl } from './manual-pages.js';

describe('the page walker', () => {
  it('throws the error for the next page only when the consumer reads that page', async () => {
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
    expect(made).toBe(1);
  });

  it("requests page 2 before page 1 is decoded in the prefetch mode 'all'", async () => {
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

  it.each(['on-demand', 'follow'] as const)(
    "doesn't request page 2 when page 1 arrives in the prefetch mode '%s'",
    async (pace) => {
      const { pages, crawl } = crawling(pace);
      void crawl.next();
      expect(pages.latest.arrive('2')).toBeUndefined();
      await turns(3);
      expect(pages.cursors).toEqual([undefined]);
    },
  );

  for (const [pace, goesOn] of [
    ['on-demand', false],
    ['follow', true],
    ['all', true],
  ] as const) {
    it(`${goesOn ? 'requests' : "doesn't request"} page 3 when page 2 arrives in the prefetch mode '${pace}'`, async () => {
      const { pages, crawl } = await startCrawl(pace);
      void crawl.next();
      const sent = pages.latest.arrive('3');
      expect(sent !== undefined, 'the decoder waits').toBe(goesOn);
      await turns(3);
      expect(pages.cursors).toEqual(goesOn ? [undefined, '2', '3'] : [undefined, '2']);
    });
  }
});

describe('prefetch()', () => {
  for (const pace of ['follow', 'all'] as const) {
    it(`requests the next page once in the prefetch mode '${pace}'`, async () => {
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
});

describe('a rate-limited prefetch', () => {
  it('fetches the page again when the consumer needs it', async () => {
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
