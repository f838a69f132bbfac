import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { HostingClient } from '../../src/hosting/index.js';
import type { Paginated } from '../../src/transport/pagination/paginated.js';
import { createClient, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { type PageQuirks, pagesSeen, servePages } from '../support/pages.js';
import type { TestServer } from '../support/server.js';

const items = 'GET /items';

/** Objects available to a consumer. */
interface World {
  readonly server: TestServer;
  readonly client: HostingClient;
  readonly list: Paginated<unknown>;
  readonly controller: AbortController;
}

/** One way to use a list and the expected result. */
interface ConsumerCase {
  readonly name: string;
  readonly quirks?: PageQuirks;
  readonly options?: { prefetch?: boolean };
  /** Uses the list. The test compares the returned value with `result`. */
  readonly run: (world: World) => Promise<unknown>;
  readonly result: unknown;
  /** Expected numbers of the requested pages, in order. */
  readonly seen: readonly number[];
}

/** Collects items until `stop` returns true. */
async function walk(list: Paginated<unknown>, stop: (item: unknown) => boolean | Promise<boolean>) {
  const got: unknown[] = [];
  for await (const item of list) {
    got.push(item);
    if (await stop(item)) break;
  }
  return got;
}

/** Quirks of a server that responds to page 2 with 404. */
const failing: PageQuirks = {
  instead: { 2: (response) => response.writeHead(404).end('{"message":"gone"}') },
};

/** Waits until page 2 was requested and, if `arrives` is set, until the response has arrived. */
async function prefetched(server: TestServer, arrives = false): Promise<true> {
  await until('page 2 was requested', () => server.requests.length === 2);
  if (arrives) await turns(20);
  return true;
}

const all = [11, 12, 13, 21, 22, 23, 31, 32, 33];

const complete: readonly ConsumerCase[] = [
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

const boom = new Error('boom');

const abandoned: readonly ConsumerCase[] = [
  {
    name: 'never calls next()',
    run: async ({ list }) => {
      const iterator = list[Symbol.asyncIterator]();
      await turns(3);
      return await iterator.return?.();
    },
    result: { done: true, value: undefined },
    seen: [],
  },
  {
    name: 'breaks at the first item',
    run: ({ list }) => walk(list, () => true),
    result: [11],
    seen: [1],
  },
  {
    name: 'breaks at the first item after a pause',
    run: ({ list }) => walk(list, () => turns(5).then(() => true)),
    result: [11],
    seen: [1],
  },
  {
    name: 'breaks immediately at the second item',
    run: ({ list }) => walk(list, (item) => item === 12),
    result: [11, 12],
    seen: [1],
  },
  {
    name: 'breaks while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, server }) => walk(list, (item) => item === 12 && prefetched(server)),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch arrives',
    run: ({ list, server }) => walk(list, (item) => item === 12 && prefetched(server, true)),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch fails',
    quirks: failing,
    run: ({ list, server }) => walk(list, (item) => item === 12 && prefetched(server, true)),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'throws in the loop while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item === 12 && (await prefetched(server))) throw boom;
          return false;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'throws in the loop after the prefetch fails',
    quirks: failing,
    run: ({ list, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item === 12 && (await prefetched(server, true))) throw boom;
          return false;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: "receives the prefetch's error after the previous page's items",
    quirks: failing,
    run: async ({ list }) => {
      const got: unknown[] = [];
      const walking = walk(list, async (item) => {
        got.push(item);
        await turns(10);
        return false;
      });
      return [got, Reflect.get(Object(await rejectionOf(walking)), 'code')];
    },
    result: [[11, 12, 13], 'not_found'],
    seen: [1, 2],
  },
  {
    name: 'aborts the signal before the first page',
    run: ({ list, controller }) => {
      controller.abort(boom);
      return rejectionOf(walk(list, () => false));
    },
    result: boom,
    seen: [],
  },
  {
    name: 'aborts the signal while the first page is in flight',
    quirks: { instead: { 1: () => undefined } },
    run: async ({ list, controller, server }) => {
      const walking = rejectionOf(walk(list, () => false));
      await until('page 1 was requested', () => server.requests.length === 1);
      controller.abort(boom);
      return await walking;
    },
    result: boom,
    seen: [1],
  },
  {
    name: 'aborts the signal while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, controller, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item === 12 && (await prefetched(server))) controller.abort(boom);
          return false;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'aborts the signal in the middle of a page',
    run: async ({ list, controller }) => {
      const seen: unknown[] = [];
      const walking = walk(list, (item) => {
        seen.push(item);
        if (item === 12) controller.abort(boom);
        return false;
      });
      return [await rejectionOf(walking), seen];
    },
    result: [boom, [11, 12]],
    seen: [1],
  },
  {
    name: 'aborts the signal on the last page',
    run: ({ list, controller }) => {
      let count = 0;
      return rejectionOf(
        walk(list, () => {
          count += 1;
          if (count === 7) controller.abort(boom);
          return false;
        }),
      );
    },
    result: boom,
    seen: [1, 2, 3],
  },
  {
    name: 'calls return() while next() is pending',
    quirks: { instead: { 1: () => undefined } },
    run: async ({ list, server }) => {
      const iterator = list[Symbol.asyncIterator]();
      const pending = iterator.next();
      await until('page 1 was requested', () => server.requests.length === 1);
      const returned = await iterator.return?.();
      return [returned, await pending, await iterator.next()];
    },
    result: Array.from({ length: 3 }, () => ({ done: true, value: undefined })),
    seen: [1],
  },
  {
    name: 'calls return() while next() waits for the prefetch',
    quirks: { instead: { 2: () => undefined } },
    run: async ({ list, server }) => {
      const iterator = list[Symbol.asyncIterator]();
      for (let count = 0; count < 3; count++) await iterator.next();
      const pending = iterator.next();
      await prefetched(server);
      await iterator.return?.();
      return await pending;
    },
    result: { done: true, value: undefined },
    seen: [1, 2],
  },
];

describe.each([
  ['a list', complete],
  ['an abandoned list', abandoned],
])('%s', (_unit, cases) => {
  it.each(cases)(
    'requests pages $seen and leaves no socket open if the consumer $name',
    async (each) => {
      const rejections = watchRejections();
      const server = await servePages(each.quirks);
      const client = createClient(server);
      const controller = new AbortController();
      const list = client.paginate(items, {}, { signal: controller.signal, ...each.options });

      expect(await each.run({ server, client, list, controller })).toEqual(each.result);

      expect(pagesSeen(server)).toEqual(each.seen);
      expect(server.most, 'requests in flight at once').toBeLessThanOrEqual(1);
      await until('no listener is left on the signal', () => {
        return getEventListeners(controller.signal, 'abort').length === 0;
      });
      expect(await rejections()).toEqual([]);
      await client.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    },
  );
});

describe('a list with prefetching', () => {
  it('requests the next page while the consumer handles the current page', async () => {
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

  it('uses a single socket', async () => {
    const server = await servePages({ pages: 8 });
    for await (const _ of createClient(server).paginate(items)) await turns(1);
    expect(server.sockets.size).toBe(1);
  });
});
