import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import type { StartReply } from '../../src/transport/limits/shared-limits.js';
import { connectRedis, engine, noEngine, useRedis } from '../support/redis-server.js';

/** Fields of a process's report. */
interface Choice {
  readonly interval: number;
  readonly key: string;
  readonly pause: number;
  readonly since: number;
  readonly late: number;
}

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('the start scheduler in Redis', () => {
  const redis = useRedis();

  /** Returns a function that requests starts in a separate scope. */
  async function connect(scope: string) {
    const store = redisStore(await connectRedis(redis.server.url), { timeout: 20_000 });
    return async (holder: string, want: number, more: Partial<Choice> = {}) => {
      const { interval = 60_000, key = 'a', pause = 0, since, late } = more;
      const nothing = { slots: undefined, budgets: [] };
      const starts = [{ key, interval, since, want, late }];
      const report = { holder, lease: 10_000, pause, ...nothing, starts };
      const {
        starts: [reply],
        pauses,
      } = await store.exchange(scope, report);
      if (!reply) throw new Error('no reply');
      return { ...reply, pauses };
    };
  }

  /** Waits until a start is granted, as a process does. */
  async function untilGranted(request: () => Promise<StartReply>): Promise<number> {
    for (;;) {
      const { granted, wait = 0 } = await request();
      if (granted > 0) return performance.now();
      await sleep(Math.ceil(wait));
    }
  }

  it('the start scheduler grants a start immediately if no call has started within the interval', async () => {
    const request = await connect('immediate');
    expect(await request('h', 1)).toMatchObject({ granted: 1, waiting: 1, count: 1 });
    expect((await request('h', 1)).granted).toBe(0);
    expect((await request('h', 1, { key: 'b' })).granted).toBe(1);
  });

  it('the start scheduler lets each process start one call per round', async () => {
    const request = await connect('turns');
    const first = await request('first', 3);
    const second = await request('second', 1);
    const third = await request('third', 1);
    expect([first.granted, second.granted, third.granted]).toEqual([1, 0, 0]);
    const waits = [first, second, third].map(({ wait = 0 }) => Math.round(wait / 60_000));
    expect(waits).toEqual([1, 2, 3]);
    expect(third.waiting).toBe(3);
  });

  it('the start scheduler keeps the queue position of a process that repeats its report', async () => {
    const request = await connect('again');
    await request('other', 1);
    const before = await request('h', 1);
    const after = await request('h', 1);
    expect(after.wait).toBeLessThanOrEqual(before.wait ?? 0);
    expect(after.waiting).toBe(1);
  });

  it('the start scheduler keeps the starts of all processes at least an interval apart', async () => {
    const request = await connect('apart');
    const interval = 40;
    const grants = await Promise.all(
      Array.from({ length: 9 }, (_, at) => untilGranted(() => request(`${at}`, 1, { interval }))),
    );
    const counts = (await request('last', 0, { interval })).count;
    expect(counts).toBe(9);
    expect(Math.max(...grants) - Math.min(...grants)).toBeGreaterThanOrEqual(8 * (interval - 1));
  });

  it('the start scheduler grants a start one interval after a late start', async () => {
    const request = await connect('late');
    await request('h', 1);
    await sleep(50);
    const before = await request('i', 1);
    await request('h', 0, { late: 1 });
    const after = await request('i', 1);
    expect(after.wait).toBeGreaterThan(before.wait ?? 0);
  });

  it("the start scheduler skips a process that doesn't request its start in time", async () => {
    const request = await connect('absent');
    const interval = 50;
    await request('first', 1, { interval });
    await request('absent', 1, { interval });
    expect(await untilGranted(() => request('late', 1, { interval }))).toBeGreaterThan(0);
    expect((await request('absent', 0, { interval })).count).toBe(2);
  });

  it('the start scheduler grants starts even if the Redis clock was set back', async () => {
    const request = await connect('set back');
    const interval = 50;
    await request('h', 1, { interval });
    const hour = Date.now() + 3_600_000;
    for (const pace of await redis.client.keys('triforge:l:*:s:*')) {
      if ((await redis.client.type(pace)) === 'hash') await redis.client.hSet(pace, 'last', hour);
    }
    const { wait = 0 } = await request('h', 1, { interval });
    await sleep(wait + 5);
    expect((await request('h', 1, { interval })).granted).toBe(1);
  });

  it('the start scheduler grants starts in batches that cover 10 ms', async () => {
    const request = await connect('groups');
    expect(await request('h', 50, { interval: 2.5 })).toMatchObject({ granted: 4, count: 4 });
  });

  it('the start scheduler grants no starts during a pause', async () => {
    const request = await connect('paused');
    expect((await request('h', 1, { pause: 50_000 })).granted).toBe(0);
  });

  it("the start scheduler returns the reported interval to processes that don't know it", async () => {
    const request = await connect('interval');
    expect((await request('h', 0, { interval: 0 })).interval).toBe(0);
    await request('h', 0, { interval: 12.5 });
    expect((await request('i', 0, { interval: 0 })).interval).toBe(12.5);
  });

  /** Returns functions that report a pause or a slow-start interval in a separate scope. */
  async function connectPaused(scope: string) {
    const request = await connect(scope);
    /** Reports a pause and returns the number of pauses. */
    const pause = async (ms: number) => (await request('h', 0, { interval: 0, pause: ms })).pauses;
    const report = async (holder: string, interval: number, since: number) =>
      (await request(holder, 0, { interval, since })).interval;
    return { pause, report };
  }

  it('the start scheduler adds up the rates that processes report during a pause', async () => {
    const { pause, report } = await connectPaused('parts');
    const first = await pause(10_000);
    await report('h', 20, first);
    expect(await report('i', 30, first)).toBe(12);
  });

  it('the start scheduler uses the shortest interval reported since the last pause', async () => {
    const { pause, report } = await connectPaused('since');
    const first = await pause(10);
    expect(await report('late', 5, 0)).toBe(0);
    await sleep(10);
    expect(await report('h', 100, first)).toBe(100);
    expect(await report('i', 50, first)).toBe(50);
    expect(await report('h', 100, first)).toBe(50);
    expect(await report('late', 5, 0)).toBe(50);
    const second = await pause(1000);
    expect(await report('i', 50, first)).toBe(0);
    expect(await report('i', 200, second)).toBe(200);
  });

  async function losePauses(): Promise<void> {
    for (const name of await redis.client.keys('triforge:l:*:pause')) await redis.client.del(name);
  }

  it('the start scheduler ignores intervals that were reported before Redis lost the pause', async () => {
    const { pause, report } = await connectPaused('lost');
    const first = await pause(10);
    await sleep(10);
    expect(await report('h', 5, first)).toBe(5);
    await losePauses();
    const next = await pause(10);
    await sleep(10);
    expect(await report('late', 5, first)).toBe(0);
    expect(await report('h', 100, next)).toBe(100);
  });

  it('the start scheduler ignores old intervals even if Redis loses all pauses twice', async () => {
    const request = await connect('twice');
    const report = (interval: number, since: number, pause = 0) =>
      request('h', 0, { interval, since, pause });
    let { pauses } = await report(0, 0, 10);
    for (const interval of [5, 100]) {
      await losePauses();
      expect(await report(1, pauses)).toMatchObject({ interval: 0 });
      ({ pauses } = await report(0, pauses));
      expect(await report(interval, pauses)).toMatchObject({ interval });
      ({ pauses } = await report(0, pauses, 10));
      await sleep(10);
    }
  });
});
