import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf, turns } from '../support/client.js';
import { type ConsumerCase, failing, items, testConsumers, walk } from '../support/consumers.js';
import { pagesSeen, servePages } from '../support/pages.js';

const all = [11, 12, 13, 21, 22, 23, 31, 32, 33];

const cases: readonly ConsumerCase[] = [
  {
    name: 'iterates over all pages',
    run: ({ list }) => walk(list, () => false),
    result: all,
    seen: [1, 2, 3],
  },
  {
    name: 'iterates over all pages with `prefetch: false`',
    options: { prefetch: false },
    run: ({ list }) => walk(list, () => false),
    result: all,
    seen: [1, 2, 3],
  },
  { name: 'never iterates', run: async () => turns(5), result: undefined, seen: [] },
  {
    name: 'calls next() 12 times at once',
    run: async ({ list }) => {
      const iterator = list[Symbol.asyncIterator]();
      const results = await Promise.all(Array.from({ length: 12 }, () => iterator.next()));
      return results.map(({ value }) => value);
    },
    result: [...all, undefined, undefined, undefined],
    seen: [1, 2, 3],
  },
  {
    name: 'calls next() 6 times at once before page 2 fails',
    quirks: failing,
    run: async ({ list }) => {
      const iterator = list[Symbol.asyncIterator]();
      const results = await Promise.allSettled(Array.from({ length: 6 }, () => iterator.next()));
      return results.map((each) =>
        each.status === 'fulfilled' ? each.value.value : each.reason.code,
      );
    },
    result: [11, 12, 13, 'not_found', undefined, undefined],
    seen: [1, 2],
  },
  { name: 'calls first()', run: ({ list }) => list.first(), result: 11, seen: [1] },
  {
    name: 'calls first() on an empty list',
    quirks: { instead: {}, pages: 1, perPage: 0 },
    run: ({ list }) => list.first(),
    result: undefined,
    seen: [1],
  },
  { name: 'calls toArray()', run: ({ list }) => list.toArray(), result: all, seen: [1, 2, 3] },
  {
    name: 'limits toArray() to as many items as a page contains',
    run: ({ list }) => list.toArray({ limit: 3 }),
    result: all.slice(0, 3),
    seen: [1],
  },
  {
    name: 'limits toArray() to one item more than a page contains',
    run: ({ list }) => list.toArray({ limit: 4 }),
    result: all.slice(0, 4),
    seen: [1, 2],
  },
  {
    name: 'limits toArray() to zero items',
    run: ({ list }) => list.toArray({ limit: 0 }),
    result: [],
    seen: [],
  },
  {
    name: 'passes a fractional limit to toArray()',
    run: async ({ list }) =>
      Reflect.get(Object(await rejectionOf(list.toArray({ limit: 1.5 }))), 'code'),
    result: 'invalid_request',
    seen: [],
  },
  {
    name: 'iterates over pages()',
    run: async ({ list }) => {
      const pages: unknown[] = [];
      for await (const page of list.pages()) pages.push([page.items, page.cursor?.slice(-6)]);
      return pages;
    },
    result: [
      [[11, 12, 13], 'page=2'],
      [[21, 22, 23], 'page=3'],
      [[31, 32, 33], undefined],
    ],
    seen: [1, 2, 3],
  },
  {
    name: 'leaves a pages() loop at the first page',
    run: async ({ list }) => {
      for await (const page of list.pages()) return page.items;
      return undefined;
    },
    result: [11, 12, 13],
    seen: [1],
  },
  {
    name: 'iterates twice',
    quirks: { pages: 2 },
    run: async ({ list }) => [await list.toArray(), await walk(list, () => false)],
    result: [all.slice(0, 6), all.slice(0, 6)],
    seen: [1, 2, 1, 2],
  },
  {
    name: 'breaks at the last item of page 1 with `prefetch: false`',
    options: { prefetch: false },
    run: ({ list }) =>
      walk(list, async (item) => {
        await turns(20);
        return item === 13;
      }),
    result: [11, 12, 13],
    seen: [1],
  },
];

testConsumers('lists', cases);

describe('prefetch', () => {
  it('a list prefetches the next page while the consumer handles the current page', async () => {
    const server = await servePages();
    const list = createClient(server).paginate(items);
    const arrived: Record<string, number> = {};
    for await (const item of list) {
      await turns(20);
      arrived[String(item)] = server.requests.length;
    }
    // Page 2 is requested when the consumer requests the second item, and page 3 when page 2
    // arrives.
    expect(arrived).toMatchObject({ 11: 1, 12: 2, 13: 2, 21: 3 });
  });

  it('a list with prefetching uses a single socket', async () => {
    const server = await servePages({ pages: 8 });
    for await (const _ of createClient(server).paginate(items)) await turns(1);
    expect(server.sockets.size).toBe(1);
  });
});

describe('cursors', () => {
  it('a cursor resumes a list at its page', async () => {
    const server = await servePages();
    const client = createClient(server);
    const { value } = await client.paginate(items).pages().next();
    const from = JSON.parse(JSON.stringify(value.cursor));
    expect(await client.paginate(items, {}, { from }).toArray()).toEqual(all.slice(3));
    expect(pagesSeen(server)).toEqual([1, 2, 3]);
  });

  for (const from of ['https://evil.example/api/v3/items?page=2', 'page=2', '', '/api/v3/items']) {
    it(`a list rejects ${JSON.stringify(from)} as a cursor`, async () => {
      const server = await servePages();
      const error = await rejectionOf(createClient(server).paginate(items, {}, { from }).toArray());
      expect(error).toMatchObject({ code: 'invalid_request', field: 'from' });
      expect(server.requests).toEqual([]);
    });
  }
});
