import { rejectionOf, turns, until } from '../support/client.js';
import { type ConsumerCase, failing, testConsumers, walk } from '../support/consumers.js';

const boom = new Error('boom');

const cases: readonly ConsumerCase[] = [
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
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was requested', () => server.requests.length === 2);
        return true;
      }),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch arrives',
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was requested', () => server.requests.length === 2);
        await turns(20);
        return true;
      }),
    result: [11, 12],
    seen: [1, 2],
  },
  {
    name: 'breaks after the prefetch fails',
    quirks: failing,
    run: ({ list, server }) =>
      walk(list, async (item) => {
        if (item !== 12) return false;
        await until('page 2 was requested', () => server.requests.length === 2);
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
          await until('page 2 was requested', () => server.requests.length === 2);
          throw boom;
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
          if (item !== 12) return false;
          await until('page 2 was requested', () => server.requests.length === 2);
          await turns(20);
          throw boom;
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
          if (item === 12) {
            await until('page 2 was requested', () => server.requests.length === 2);
            controller.abort(boom);
          }
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
      await until('page 2 was requested', () => server.requests.length === 2);
      await iterator.return?.();
      return await pending;
    },
    result: { done: true, value: undefined },
    seen: [1, 2],
  },
];

testConsumers('abandoned lists', cases);
