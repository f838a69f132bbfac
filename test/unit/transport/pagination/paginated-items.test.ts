import { describe, expect, it } from 'vitest';
import type { ListOptions } from '../../../../src/transport/pagination/paginated.js';
import { rejectionOf, turns } from '../../../support/client.js';
import { listed, settleSoon } from './manual-pages.js';

const done = { done: true, value: undefined };
const item = (value: number) => ({ done: false, value });

/** Creates an iterator whose first page contains `items` and whose first item has been returned. */
async function iterating(items: readonly number[], next?: string, options?: ListOptions) {
  const { pages, list } = listed(options);
  const iterator = list[Symbol.asyncIterator]();
  const first = iterator.next();
  pages.latest.give(items, { next });
  return { pages, iterator, first: await first };
}

describe('iteration by item', () => {
  it('an item iterator returns the items of all pages in order', async () => {
    const { pages, iterator, first } = await iterating([11, 12], '2', { prefetch: false });
    expect(first).toEqual(item(11));
    expect(await settleSoon(iterator.next())).toEqual(item(12));
    expect(pages.cursors).toEqual([undefined]);

    const third = iterator.next();
    expect(pages.cursors, 'the request is sent synchronously').toEqual([undefined, '2']);
    pages.latest.give([], { next: '3' });
    await turns(2);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
    pages.latest.give([31]);
    expect(await settleSoon(third)).toEqual(item(31));
    expect(await settleSoon(iterator.next())).toEqual(done);
    expect(await settleSoon(iterator.next())).toEqual(done);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it('an item iterator prefetches page 2 when the consumer reads the second item', async () => {
    const { pages, iterator } = await iterating([11, 12, 13], '2');
    await turns(3);
    expect(pages.cursors, 'the caller may need only the first item').toEqual([undefined]);
    await iterator.next();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
    pages.latest.give([21, 22], { next: '3' });
    await iterator.next();
    await turns(3);
    expect(pages.cursors, 'no item of page 2 was returned').toEqual([undefined, '2']);
    expect(await iterator.next()).toEqual(item(21));
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it('iteration by item prefetches page 3 as soon as the awaited page 2 arrives', async () => {
    const { pages, iterator } = await iterating([11], '2');
    void iterator.next();
    expect(pages.latest.arrive('3')).toBeInstanceOf(Promise);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2', '3']);
  });

  it("an item iterator doesn't prefetch pages if prefetch is false", async () => {
    const { pages, iterator } = await iterating([11, 12], '2', { prefetch: false });
    await iterator.next();
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
    void iterator.next();
    expect(pages.latest.arrive('3')).toBeUndefined();
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('an item iterator requests one page at a time for concurrent next() calls', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const order: string[] = [];
    const calls = Array.from({ length: 5 }, async (_, index) => {
      const result = await iterator.next();
      order.push(`${index}: ${result.done ? 'done' : result.value}`);
    });
    await turns(3);
    expect(pages.cursors).toEqual([undefined]);
    pages.latest.give([11, 12], { next: '2' });
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
    pages.latest.give([21, 22]);
    await Promise.all(calls);
    expect(order).toEqual(['0: 11', '1: 12', '2: 21', '3: 22', '4: done']);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('an item iterator keeps the order of pending next() calls', async () => {
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

  it('an item iterator rejects only the first pending next() call if a page fails', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const first = rejectionOf(iterator.next());
    const second = iterator.next();
    const boom = new Error('boom');
    pages.latest.fail(boom);
    expect(await first).toBe(boom);
    expect(await settleSoon(second)).toEqual(done);
    expect(await settleSoon(iterator.next())).toEqual(done);
    expect(pages.cursors).toEqual([undefined]);
  });
});

describe('early end of an iterator', () => {
  /** Creates an iterator that has returned an item of page 1 and is prefetching page 2. */
  async function ahead() {
    const world = await iterating([11, 12, 13], '2');
    await world.iterator.next();
    await turns(2);
    expect(world.pages.cursors).toEqual([undefined, '2']);
    expect(world.pages.latest.signal.aborted).toBe(false);
    return world;
  }

  it('return() aborts the prefetch', async () => {
    const { pages, iterator } = await ahead();
    expect(await iterator.return?.()).toEqual(done);
    expect(pages.latest.signal.aborted).toBe(true);
    expect(await settleSoon(iterator.next())).toEqual(done);
    await turns(3);
    expect(pages.cursors).toEqual([undefined, '2']);
  });

  it('return() resolves every pending next() as done, even if the page arrives later', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const calls = [iterator.next(), iterator.next()];
    await iterator.return?.();
    pages.latest.give([11, 12]);
    expect(await Promise.all(calls.map(settleSoon))).toEqual([done, done]);
    expect(pages.cursors).toEqual([undefined]);
  });

  it('return() resolves a next() call that still waits for its turn as done', async () => {
    const { pages, list } = listed();
    const iterator = list[Symbol.asyncIterator]();
    const left = iterator.next().then(() => iterator.return?.());
    const second = iterator.next();
    const third = iterator.next();
    pages.latest.give([11, 12, 13]);
    expect(await settleSoon(left)).toEqual(done);
    expect(await settleSoon(second), 'it was already its turn').toEqual(item(12));
    expect(await settleSoon(third)).toEqual(done);
  });
});
