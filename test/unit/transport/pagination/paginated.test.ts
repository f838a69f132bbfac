import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { Paginated } from '../../../../src/transport/pagination/paginated.js';
import { rejectionOf, turns } from '../../../support/client.js';
import { about } from '../../about.js';
import { listed, ManualPages, settleSoon } from './manual-pages.js';

const item = (value: number) => ({ done: false, value });

describe('a list', () => {
  it('starts each iteration with a new fetcher at the passed cursor', async () => {
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
});

describe('toArray()', () => {
  it('requests page 2 as soon as the response for page 1 arrives', async () => {
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

  it.each([
    ['a limit', {}, 3],
    ['prefetch: false', { prefetch: false }, undefined],
  ])("doesn't prefetch pages with %s", async (_name, options, limit) => {
    const { pages, list } = listed(options);
    void list.toArray({ limit });
    expect(pages.latest.arrive('2')).toBeUndefined();
    pages.latest.give([11], { next: '2' });
    await turns(3);
    expect(pages.latest.arrive('3')).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('rejects an unknown option without sending a request', async () => {
    const { pages, list } = listed();
    const misspelt = { limits: 1 };
    // `as`: JavaScript callers can pass anything.
    const error = await rejectionOf(list.toArray(misspelt as { limit?: number }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'limits' });
    expect(pages.cursors).toEqual([]);
  });

  it.each([-1, -0.5, 0.5, Number.NaN, Number.NEGATIVE_INFINITY])(
    'rejects the limit %d without sending a request',
    async (limit) => {
      const { pages, list } = listed();
      const error = await rejectionOf(list.toArray({ limit }));
      expect(error).toBeInstanceOf(InvalidRequestError);
      const message = about('limit', /whole number.* 0 \(got/);
      expect(error).toMatchObject({ message, field: 'limit' });
      expect(pages.cursors).toEqual([]);
    },
  );
});

describe('first()', () => {
  it('returns the first item of the first non-empty page', async () => {
    const { pages, list } = listed();
    const first = list.first();
    pages.latest.give([], { next: '2' });
    await turns(2);
    pages.latest.give([21, 22], { next: '3' });
    expect(await settleSoon(first)).toBe(21);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });
});

describe('an item iterator', () => {
  it('keeps the order of pending next() calls', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const late = iterator.next().then(() => iterator.next());
    const second = iterator.next();
    const third = iterator.next();
    pages.latest.give([11, 12, 13, 14]);
    expect(await settleSoon(second)).toEqual(item(12));
    expect(await settleSoon(third)).toEqual(item(13));
    expect(await settleSoon(late)).toEqual(item(14));
  });

  it('ends with return(), even while a next() call is pending', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const [first, end] = [iterator.next(), iterator.return?.()];
    pages.latest.give([11, 12]);
    expect(await first).toEqual(item(11));
    expect(await end?.then(() => iterator.next())).toMatchObject({ done: true });
  });
});
