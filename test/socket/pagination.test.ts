import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { HostingClient } from '../../src/hosting/client.js';
import type { Paginated } from '../../src/transport/paginated.js';
import { clientOf, rejectionOf, turns, until, watchRejections } from '../support/client.js';
import { type PageQuirks, pagesSeen, servePages } from '../support/pages.js';
import type { TestServer } from '../support/server.js';

const items = { path: '/items' };
const all = [11, 12, 13, 21, 22, 23, 31, 32, 33];

interface World {
  readonly server: TestServer;
  readonly client: HostingClient;
  readonly list: Paginated<unknown>;
  readonly controller: AbortController;
}

interface Case {
  readonly name: string;
  readonly quirks?: PageQuirks;
  readonly options?: { prefetch?: boolean };
  /** What the consumer does; its result is compared. */
  readonly run: (world: World) => Promise<unknown>;
  readonly result: unknown;
  /** Pages the server saw. */
  readonly seen: readonly number[];
}

const boom = new Error('boom');

/** Collects items, and asks for the next until `stop` says how to leave. */
async function walk(list: Paginated<unknown>, stop: (item: unknown) => boolean | Promise<boolean>) {
  const got: unknown[] = [];
  for await (const item of list) {
    got.push(item);
    if (await stop(item)) break;
  }
  return got;
}

const failing: PageQuirks = {
  instead: { 2: (response) => response.writeHead(404).end('{"message":"gone"}') },
};

const cases: readonly Case[] = [
  {
    name: 'iterates over all pages',
    run: ({ list }) => walk(list, () => false),
    result: all,
    seen: [1, 2, 3],
  },
  {
    name: 'iterates without prefetch',
    options: { prefetch: false },
    run: ({ list }) => walk(list, () => false),
    result: all,
    seen: [1, 2, 3],
  },
  { name: 'is never iterated', run: async () => turns(5), result: undefined, seen: [] },
  {
    name: 'gets an iterator and never asks',
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
    name: 'breaks at once at the second item',
    run: ({ list }) => walk(list, (item) => item === 12),
    result: [11, 12],
    seen: [1],
  },
  {
    name: 'breaks while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was asked for', () => server.requests.length === 2);
        return true;
      }),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch arrived',
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was asked for', () => server.requests.length === 2);
        await turns(20);
        return true;
      }),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch failed: the failure is dropped',
    quirks: failing,
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was asked for', () => server.requests.length === 2);
        await turns(20);
        return true;
      }),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'throws in the loop while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item !== 12) return false;
          await until('page 2 was asked for', () => server.requests.length === 2);
          throw boom;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'throws in the loop after the prefetch failed',
    quirks: failing,
    run: ({ list, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item !== 12) return false;
          await until('page 2 was asked for', () => server.requests.length === 2);
          await turns(20);
          throw boom;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'gets the failure of the prefetch after the items of its page',
    quirks: failing,
    run: async ({ list }) => {
      const got: unknown[] = [];
      const error = await rejectionOf(
        (async () => {
          for await (const item of list) {
            got.push(item);
            await turns(10);
          }
        })(),
      );
      return [got, Reflect.get(Object(error), 'code')];
    },
    result: [[11, 12, 13], 'not_found'],
    seen: [1, 2],
  },
  {
    name: 'aborts before the first page',
    run: ({ list, controller }) => {
      controller.abort(boom);
      return rejectionOf(walk(list, () => false));
    },
    result: boom,
    seen: [],
  },
  {
    name: 'aborts while the first page is in flight',
    quirks: { instead: { 1: () => undefined } },
    run: async ({ list, controller, server }) => {
      const walking = rejectionOf(walk(list, () => false));
      await until('page 1 was asked for', () => server.requests.length === 1);
      controller.abort(boom);
      return await walking;
    },
    result: boom,
    seen: [1],
  },
  {
    name: 'aborts while the prefetch is in flight',
    quirks: { instead: { 2: () => undefined } },
    run: ({ list, controller, server }) =>
      rejectionOf(
        walk(list, async (item) => {
          if (item === 12) {
            await until('page 2 was asked for', () => server.requests.length === 2);
            controller.abort(boom);
          }
          return false;
        }),
      ),
    result: boom,
    seen: [1, 2],
  },
  {
    name: 'calls return() while next() is pending',
    quirks: { instead: { 1: () => undefined } },
    run: async ({ list, server }) => {
      const iterator = list[Symbol.asyncIterator]();
      const pending = iterator.next();
      await until('page 1 was asked for', () => server.requests.length === 1);
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
      await until('page 2 was asked for', () => server.requests.length === 2);
      await iterator.return?.();
      return await pending;
    },
    result: { done: true, value: undefined },
    seen: [1, 2],
  },
  {
    name: 'calls throw() while next() is pending',
    quirks: { instead: { 1: () => undefined } },
    run: async ({ list, server }) => {
      const iterator = list[Symbol.asyncIterator]();
      const pending = iterator.next();
      await until('page 1 was asked for', () => server.requests.length === 1);
      const thrown = rejectionOf(iterator.throw?.(boom) ?? Promise.resolve());
      return [await thrown, await pending];
    },
    result: [boom, { done: true, value: undefined }],
    seen: [1],
  },
  {
    name: 'calls next() many times at once',
    run: async ({ list }) => {
      const iterator = list[Symbol.asyncIterator]();
      const results = await Promise.all(Array.from({ length: 12 }, () => iterator.next()));
      return results.map(({ value }) => value);
    },
    result: [...all, undefined, undefined, undefined],
    seen: [1, 2, 3],
  },
  {
    name: 'calls next() many times at once over a page that fails',
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
  { name: 'takes the first', run: ({ list }) => list.first(), result: 11, seen: [1] },
  {
    name: 'takes the first of a list whose first page is empty',
    quirks: { instead: {}, pages: 1, perPage: 0 },
    run: ({ list }) => list.first(),
    result: undefined,
    seen: [1],
  },
  { name: 'takes all', run: ({ list }) => list.toArray(), result: all, seen: [1, 2, 3] },
  {
    name: 'takes as many as a page holds',
    run: ({ list }) => list.toArray({ limit: 3 }),
    result: all.slice(0, 3),
    seen: [1],
  },
  {
    name: 'takes one more than a page holds',
    run: ({ list }) => list.toArray({ limit: 4 }),
    result: all.slice(0, 4),
    seen: [1, 2],
  },
  { name: 'takes none', run: ({ list }) => list.toArray({ limit: 0 }), result: [], seen: [] },
  {
    name: 'refuses half a limit',
    run: async ({ list }) =>
      Reflect.get(Object(await rejectionOf(list.toArray({ limit: 1.5 }))), 'code'),
    result: 'invalid_request',
    seen: [],
  },
  {
    name: 'goes page by page',
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
    name: 'leaves after the first page',
    run: async ({ list }) => {
      for await (const page of list.pages()) return page.items;
      return undefined;
    },
    result: [11, 12, 13],
    seen: [1],
  },
  {
    name: 'iterates twice: each a fresh crawl',
    quirks: { pages: 2 },
    run: async ({ list }) => [await list.toArray(), await walk(list, () => false)],
    result: [all.slice(0, 6), all.slice(0, 6)],
    seen: [1, 2, 1, 2],
  },
  {
    name: 'does not prefetch with a budget of 1',
    quirks: {
      headers: () => ({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '1' }),
    },
    run: ({ list }) =>
      walk(list, async (item) => {
        await turns(10);
        return item === 13;
      }),
    result: [11, 12, 13],
    seen: [1],
  },
  {
    name: 'prefetches with a budget of 2',
    quirks: {
      headers: () => ({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '2' }),
    },
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 13) return false;
        await until('page 2 was asked for', () => server.requests.length === 2);
        return true;
      }),
    result: [11, 12, 13],
    seen: [1, 2],
  },
  {
    name: 'never prefetches with prefetch: false',
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

describe('a consumer of a list', () => {
  for (const each of cases) {
    it(each.name, async () => {
      const rejections = watchRejections();
      const server = await servePages(each.quirks);
      const client = clientOf(server);
      const controller = new AbortController();
      const list = client.paginate(items, { signal: controller.signal, ...each.options });

      expect(await each.run({ server, client, list, controller })).toEqual(each.result);

      expect(pagesSeen(server)).toEqual(each.seen);
      expect(server.most, 'requests in flight at once').toBeLessThanOrEqual(1);
      await until('no listener is left on the signal', () => {
        return getEventListeners(controller.signal, 'abort').length === 0;
      });
      expect(await rejections()).toEqual([]);
      await client.close();
      await until('no socket is open', async () => (await server.open()) === 0);
    });
  }
});

describe('overlap', () => {
  it('fetches the next page while the consumer works on this one', async () => {
    const server = await servePages();
    const list = clientOf(server).paginate(items);
    const arrived: Record<string, number> = {};
    for await (const item of list) {
      await turns(20);
      arrived[String(item)] = server.requests.length;
    }
    // Page 1 when its second item is asked for, page 2 on its arrival.
    expect(arrived).toMatchObject({ 11: 1, 12: 2, 13: 2, 21: 3 });
  });

  it('needs one socket only', async () => {
    const server = await servePages({ pages: 8 });
    for await (const _ of clientOf(server).paginate(items)) await turns(1);
    expect(server.sockets.size).toBe(1);
  });
});

describe('a cursor', () => {
  it('continues where it was taken', async () => {
    const server = await servePages();
    const client = clientOf(server);
    const { value } = await client.paginate(items).pages().next();
    const from = JSON.parse(JSON.stringify(value.cursor));
    expect(await client.paginate(items, { from }).toArray()).toEqual(all.slice(3));
    expect(pagesSeen(server)).toEqual([1, 2, 3]);
  });

  for (const from of ['https://evil.example/api/v3/items?page=2', 'page=2', '', '/api/v3/items']) {
    it(`refuses ${JSON.stringify(from)}`, async () => {
      const server = await servePages();
      const error = await rejectionOf(clientOf(server).paginate(items, { from }).toArray());
      expect(error).toMatchObject({ code: 'invalid_request', field: 'from' });
      expect(server.requests).toEqual([]);
    });
  }
});
