import { describe, expect, it, onTestFinished } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import { createClient, until } from '../support/client.js';
import { longExtent } from '../support/extent.js';
import { connectRedis, engine, noEngine, RedisServer } from '../support/redis-server.js';
import { limitedServer, sum } from './limited-server.js';

/**
 * Starts a Redis server and a service. `one` creates a client and records the client's warnings
 * about the store.
 */
async function world(
  timeout: number,
  { args = [] as string[], latency = 1, limit = 100_000 } = {},
) {
  const redis = await RedisServer.start(...args);
  onTestFinished(() => redis[Symbol.asyncDispose]());
  const server = await limitedServer(limit, { latency });
  const lines: string[] = [];
  const count = (what: string) => lines.filter((line) => line.includes(what)).length;
  /** Returns the number of clients for which the store is unavailable. */
  const lost = () => count('without the limits store') - count('responds again');
  const one = async () => {
    const client = await connectRedis(redis.url, { reconnectStrategy: () => 20 });
    return createClient(server, {
      auth: { type: 'token', token: 'one' },
      rateLimit: { shared: redisStore(client, { timeout }) },
      maxConcurrency: 8,
      log: { debug() {}, info() {}, error() {}, warn: (line) => lines.push(line) },
    });
  };
  return { redis, server, lost, one };
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('shared limits in Redis', () => {
  it('clients continue with local limits if Redis hangs, and log one warning', async () => {
    const { redis, server, lost, one } = await world(50);
    const client = await one();
    await client.request({ path: '/x' });
    redis.signal('SIGSTOP');
    onTestFinished(() => redis.signal('SIGCONT'));
    await Promise.all(Array.from({ length: 600 }, () => client.request({ path: '/x' })));
    expect(sum(server.served)).toBe(601);
    await until('the warning is logged', () => lost() > 0);
    expect(lost()).toBe(1);
    redis.signal('SIGCONT');
    await until('the store is available again', () => lost() === 0);
    await client.request({ path: '/x' });
    expect(server.most()).toBeLessThanOrEqual(8);
  });

  const seeds = longExtent ? 20 : 1;
  it.each(
    ['with its data', 'without its data'].flatMap((how) =>
      Array.from({ length: seeds }, (_, seed) => [how, seed] as const),
    ),
  )('clients neither lose nor repeat a call if Redis restarts %s (seed %i)', async (how, seed) => {
    const keeps = how === 'with its data';
    const { redis, server, lost, one } = await world(
      50,
      keeps ? { args: ['--appendonly', 'yes', '--appendfsync', 'always'] } : {},
    );
    const clients = await Promise.all([one(), one(), one()]);
    let sent = 0;
    let stopped = false;
    onTestFinished(() => {
      stopped = true;
    });
    const lanes = clients.flatMap((client) =>
      Array.from({ length: 4 }, async () => {
        while (!stopped) await client.request({ path: `/x?id=${sent++}` });
      }),
    );
    const passes = async (count: number) => {
      const from = sum(server.served);
      await until(
        'the server has responded to more calls',
        () => sum(server.served) >= from + count,
      );
    };
    await passes(20 + ((seed * 31) % 80));
    await redis.kill();
    await passes(50);
    await redis.start();
    await until('all clients use the store again', () => lost() === 0);
    await passes(50);
    stopped = true;
    await Promise.all(lanes);
    expect(sum(server.refused)).toBe(0);
    expect(new Set(server.requests.map(({ url }) => url)).size).toBe(sent);
    expect(server.requests).toHaveLength(sent);
  });

  // This test is retried, because the machine may stall past the deadline for the next report.
  it('clients exceed neither maxConcurrency nor the quota even if Redis loses all data', {
    retry: 2,
  }, async () => {
    const { redis, server, one } = await world(20_000, { latency: 200, limit: 150 });
    const clients = await Promise.all([one(), one(), one()]);
    const admin = await connectRedis(redis.url);
    const outcomes = Promise.allSettled(
      clients.flatMap((client) => Array.from({ length: 60 }, () => client.request({ path: '/x' }))),
    );
    for (const served of [30, 60, 90, 120]) {
      await until('the server has responded to more calls', () => sum(server.served) >= served);
      await admin.flushAll();
    }
    await outcomes;
    expect(server.most()).toBeLessThanOrEqual(8);
    expect([sum(server.served), sum(server.refused)]).toEqual([150, 0]);
  });
});
