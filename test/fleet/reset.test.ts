import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DiagnosticEvents } from '../../src/public.js';
import { redisStore } from '../../src/redis/index.js';
import { createClient } from '../support/client.js';
import { longExtent } from '../support/extent.js';
import { connectRedis, engine, noEngine, RedisServer } from '../support/redis-server.js';
import { limitedServer, sum } from './limited-server.js';

/** Total number of calls that wait in four clients. */
const waiters = longExtent ? 64 : 20;

/** Records the start of each attempt, with the number at the end of the request's URL. */
function watchStarts(): { readonly id: number; readonly at: number }[] {
  const starts: { id: number; at: number }[] = [];
  const listener = (message: unknown) => {
    // `as`: this channel publishes only messages of this type.
    const { request } = message as DiagnosticEvents['triforge:request:start'];
    const id = /\/waiter\/(\d+)$/.exec(request.url)?.[1];
    if (id !== undefined) starts.push({ id: Number(id), at: performance.now() });
  };
  subscribe('triforge:request:start', listener);
  onTestFinished(() => {
    unsubscribe('triforge:request:start', listener);
  });
  return starts;
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('quota resets', () => {
  // This test depends on exact timing, so only `npm run fleets` runs it. The machine must be idle.
  it.runIf(longExtent)(
    'after a quota reset, waiting calls start one by one, in order across all clients',
    {
      retry: 3,
      timeout: 60_000,
    },
    async () => {
      const redis = await RedisServer.start();
      onTestFinished(() => redis[Symbol.asyncDispose]());
      const server = await limitedServer(waiters, { latency: 1, seconds: longExtent ? 10 : 4 });
      const clients = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const client = await connectRedis(redis.url);
          const shared = redisStore(client, { timeout: 20_000 });
          return createClient(server, {
            rateLimit: { shared, onLimit: 'wait' },
            maxConcurrency: 64,
          });
        }),
      );
      const [first] = clients;
      await Promise.all(Array.from({ length: waiters }, () => first?.request({ path: '/x' })));
      // Each call finds the quota exhausted in the same window.
      const starts = watchStarts();
      const calls: Promise<unknown>[] = [];
      for (let id = 0; id < waiters; id++) {
        calls.push(clients[id % 4]?.request({ path: `/waiter/${id}` }) ?? Promise.reject());
        // The delay is long enough for each call to get its place in the queue before the next call
        // arrives.
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      await Promise.all(calls);
      expect(sum(server.refused)).toBe(0);
      expect(starts.map(({ id }) => id)).toEqual(Array.from({ length: waiters }, (_, id) => id));
      const begin = starts[0]?.at ?? 0;
      const seconds = new Map<number, number>();
      for (const { at } of starts) {
        const second = Math.floor((at - begin) / 1000);
        seconds.set(second, (seconds.get(second) ?? 0) + 1);
      }
      const spread = waiters / 10;
      expect(Math.max(...seconds.values())).toBeLessThanOrEqual((2 * waiters) / spread);
      expect((starts.at(-1)?.at ?? 0) - begin).toBeGreaterThan(spread * 1000 - 400);
    },
  );
});
