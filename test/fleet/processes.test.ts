import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/client.js';
import { byExtent } from '../support/extent.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';
import { compileWorker, Fleet } from './fleet.js';
import { limitedServer } from './limited-server.js';
import type { Done } from './worker.js';

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('processes that share limits through Redis', () => {
  const redis = useRedis();
  let worker: Awaited<ReturnType<typeof compileWorker>>;
  beforeAll(async () => {
    worker = await compileWorker();
  });
  afterAll(() => worker.remove());

  const failures = (done: readonly (Done | undefined)[]) =>
    done.flatMap((each) => each?.failed ?? []);

  it.each(byExtent([4], [4, 8], [8, 32]))(
    'complete every call within their quota (%i processes, at most one refusal per window for each call in flight)',
    async (processes) => {
      const [limit, lanes, calls] = [processes * 30, 4, 75];
      const run = async (count: number, each: { lanes: number; calls: number }) => {
        const server = await limitedServer(limit, { seconds: 2 });
        const fleet = await Fleet.start(worker.path, count);
        const done = await fleet.work({ redis: redis.server.url, origin: server.origin, ...each });
        expect(failures(done)).toEqual([]);
        expect(server.served).toHaveLength(processes * calls);
        return server;
      };
      const alone = await run(1, { lanes: lanes * processes, calls: calls * processes });
      const { refused, windows } = await run(processes, { lanes, calls });
      expect(refused.length).toBeLessThanOrEqual(processes * lanes * windows);
      // The end of the last window depends on when the run starts within a second.
      expect(windows).toBeLessThanOrEqual(alone.windows + 1);
    },
    120_000,
  );

  it('stop sending within 400 ms after the server refuses a request from one process', async () => {
    let [refusedFrom, only] = [Number.POSITIVE_INFINITY, ''];
    const server = await limitedServer(1_000_000, {
      refuse: ({ url }, now) => {
        only ||= url.split('/')[5] ?? '';
        const refuses = now >= refusedFrom && now < refusedFrom + 2000 && url.includes(only);
        return refuses ? 2 : undefined;
      },
    });
    const fleet = await Fleet.start(worker.path, 4);
    const { origin } = server;
    const working = fleet.work({ redis: redis.server.url, origin, lanes: 4, calls: 500, gap: 10 });
    await until('all processes send requests', () => server.requests.length > 200);
    refusedFrom = performance.now();
    expect(failures(await working)).toEqual([]);
    const [first = 0] = server.refused;
    const late = server.served.filter((at) => at > first + 400 && at < first + 1900);
    expect(late).toEqual([]);
  }, 60_000);

  it.each<[string, (fleet: Fleet) => Promise<unknown>, { clockJump?: number }]>([
    ['another process is killed', async (fleet) => fleet.signal(0, 'SIGKILL'), {}],
    [
      'Redis repeatedly loses its keys',
      async () => {
        for (let count = 0; count < 40; count++) {
          await redis.client.flushAll();
          await sleep(50);
        }
      },
      {},
    ],
    [
      'Redis hangs for 3 s',
      async () => {
        redis.server.signal('SIGSTOP');
        await sleep(3000);
        redis.server.signal('SIGCONT');
      },
      {},
    ],
    [
      'another process is suspended for 2 s',
      async (fleet) => {
        fleet.signal(0, 'SIGSTOP');
        await sleep(2000);
        fleet.signal(0, 'SIGCONT');
      },
      {},
    ],
    ['the system clock jumps a day ahead', async () => undefined, { clockJump: 86_400_000 }],
    ['the system clock is set back a day', async () => undefined, { clockJump: -86_400_000 }],
  ])(
    'complete each call in less than a second even if %s',
    async (_name, disturb, options) => {
      const server = await limitedServer(1_000_000);
      const fleet = await Fleet.start(worker.path, 3);
      const { origin } = server;
      const url = redis.server.url;
      const working = fleet.work({
        redis: url,
        origin,
        lanes: 4,
        calls: 1000,
        gap: 10,
        ...options,
      });
      await until('all processes send requests', () => server.requests.length > 100);
      await disturb(fleet);
      const others = (await working).slice(1);
      expect(failures(others)).toEqual([]);
      for (const each of others) expect(each?.longest).toBeLessThan(1000);
    },
    60_000,
  );
});
