import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { Paginated } from '../../../../src/transport/pagination/paginated.js';
import { rejectionOf, turns } from '../../../support/client.js';
import { about } from '../../about.js';
import { listed, ManualPages, settleSoon } from './manual-pages.js';

const done = { done: true, value: undefined };

describe('Paginated', () => {
  it('a list sends no request until it is iterated', async () => {
    const { pages, list } = listed();
    list[Symbol.asyncIterator]();
    list.pages();
    await turns(3);
    expect(pages.cursors).toEqual([]);
  });

  it('a list starts each iteration with a new fetcher at the passed cursor', async () => {
    const crawls: ManualPages[] = [];
    const list = new Paginated(
      () => {
        const pages = new ManualPages();
        crawls.push(pages);
        return pages;
      },
      { from: '7' },
    );
    void list[Symbol.asyncIterator]().next();
    void list.pages().next();
    void list.first();
    void list.toArray();
    expect(crawls.map((pages) => pages.cursors)).toEqual([['7'], ['7'], ['7'], ['7']]);
  });

  it('a printed list mentions that no page has been fetched yet', () => {
    expect(inspect(listed().list)).toBe(
      'Paginated { not fetched yet: iterate with for await, or call toArray() }',
    );
  });

  it("a list's iterators are iterable", () => {
    const { list } = listed();
    const items = list[Symbol.asyncIterator]();
    expect(items[Symbol.asyncIterator]()).toBe(items);
    const pages = list.pages();
    expect(pages[Symbol.asyncIterator]()).toBe(pages);
  });
});

describe('iteration by page', () => {
  it('pages() returns each page with its cursor', async () => {
    const { pages, list } = listed();
    const iterator = list.pages();
    const first = iterator.next();
    pages.latest.give([11], { next: '2' });
    expect(await first).toMatchObject({ done: false, value: { items: [11], cursor: '2' } });
    await turns(3);
    expect(pages.cursors, 'the caller may need only the first page').toEqual([undefined]);

    const second = iterator.next();
    pages.latest.give([21], { next: '3' });
    expect(await second).toMatchObject({ value: { items: [21], cursor: '3' } });
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3']);

    pages.latest.give([31]);
    expect(await iterator.next()).toMatchObject({ value: { items: [31], cursor: undefined } });
    expect(await settleSoon(iterator.next())).toEqual(done);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it('pages() prefetches page 3 as soon as the awaited page 2 arrives', async () => {
    const { pages, list } = listed();
    const iterator = list.pages();
    const first = iterator.next();
    pages.latest.give([11], { next: '2' });
    await first;
    void iterator.next();
    expect(pages.latest.arrive('3')).toBeInstanceOf(Promise);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });
});

describe('toArray()', () => {
  it('toArray() requests page 2 as soon as the response of page 1 arrives', async () => {
    const { pages, list } = listed();
    const all = list.toArray();
    const [one] = pages.requested;
    expect(one?.arrive('2')).toBeInstanceOf(Promise);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
    one?.give([11, 12], { next: '2' });
    pages.latest.give([21]);
    expect(await settleSoon(all)).toEqual([11, 12, 21]);
  });

  for (const [name, options, limit] of [
    ['a limit', {}, 3],
    ['prefetch: false', { prefetch: false }, undefined],
  ] as const) {
    it(`toArray() doesn't prefetch pages with ${name}`, async () => {
      const { pages, list } = listed(options);
      void list.toArray({ limit });
      expect(pages.latest.arrive('2')).toBeUndefined();
      pages.latest.give([11], { next: '2' });
      await turns(3);
      expect(pages.latest.arrive('3')).toBeUndefined();
      await turns(3);
      expect(pages.cursors).toEqual([undefined, '2']);
    });
  }

  for (const [limit, expected, requested] of [
    [0, [], 0],
    [1, [11], 1],
    [2, [11, 12], 1],
    [3, [11, 12, 21], 2],
    [4, [11, 12, 21, 22], 2],
    [5, [11, 12, 21, 22], 2],
    [Number.POSITIVE_INFINITY, [11, 12, 21, 22], 2],
    [undefined, [11, 12, 21, 22], 2],
  ] as const) {
    const noun = requested === 1 ? 'page' : 'pages';
    it(`toArray() returns ${expected.length} of 4 items from ${requested} ${noun} if the limit is ${limit}`, async () => {
      const { pages, list } = listed();
      const items = list.toArray({ limit });
      pages.requested[0]?.give([11, 12], { next: '2' });
      await turns(2);
      pages.requested[1]?.give([21, 22]);
      expect(await settleSoon(items)).toEqual(expected);
      expect(pages.cursors).toHaveLength(requested);
    });
  }

  it('toArray() rejects an unknown option without sending a request', async () => {
    const { pages, list } = listed();
    const misspelt = { limits: 1 };
    // `as`: JavaScript callers can pass anything.
    const error = await rejectionOf(list.toArray(misspelt as { limit?: number }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'limits' });
    expect(pages.cursors).toEqual([]);
  });

  for (const limit of [-1, -0.5, 0.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
    it(`toArray() rejects the limit ${limit} without sending a request`, async () => {
      const { pages, list } = listed();
      const error = await rejectionOf(list.toArray({ limit }));
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({
        message: about('limit', /whole number.* 0 \(got/),
        field: 'limit',
      });
      expect(pages.cursors).toEqual([]);
    });
  }
});

describe('first()', () => {
  it('first() returns the first item of the first non-empty page', async () => {
    const { pages, list } = listed();
    const first = list.first();
    pages.latest.give([], { next: '2' });
    await turns(2);
    pages.latest.give([21, 22], { next: '3' });
    expect(await settleSoon(first)).toBe(21);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('first() returns undefined if the list is empty', async () => {
    const { pages, list } = listed();
    const first = list.first();
    pages.latest.give([]);
    expect(await settleSoon(first)).toBeUndefined();
    expect(pages.cursors).toEqual([undefined]);
  });
});
