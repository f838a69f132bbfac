import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';
import type { BudgetReport, LimitReport } from '../../src/transport/limits/shared-limits.js';
import { until } from '../support/client.js';
import { engine, noEngine, useRedis } from '../support/redis-server.js';

/**
 * Creates a report on a quota of 4 units. The process holds `held` units and needs `need` units.
 */
const budget = (held: number, need: number): BudgetReport => ({
  key: 'credential',
  reported: { limit: 4, remaining: 4, reset: 4_102_444_800, ends: 60_000 },
  since: undefined,
  held,
  need,
  want: need,
  waiters: 0,
});

/** Creates a report on 4 slots and 4 units from a process that expires after `lease` ms. */
const report = (holder: string, lease: number, held: number, want: number): LimitReport => ({
  holder,
  lease,
  pause: 0,
  slots: { capacity: 4, held, want: 0 },
  starts: [],
  budgets: [budget(held, want)],
});

if (!engine) console.warn(noEngine);
describe.skipIf(!engine)('the Redis limits store', () => {
  const redis = useRedis();

  const store = () => redisStore(redis.client, { timeout: 20_000 });
  const findKey = async (pattern: string) =>
    (await redis.client.keys(`triforge:l:*${pattern}`))[0] ?? '';

  /** Returns the numbers of units and slots that a process is granted. */
  async function granted(each: LimitReport): Promise<[number | undefined, number | undefined]> {
    const { budgets, slots } = await store().exchange('scope', each);
    return [budgets[0]?.granted, slots?.granted];
  }

  it('the Redis store grants permits again after a waiting process has died', async () => {
    expect(await granted(report('alive', 60_000, 0, 4))).toEqual([4, 4]);
    expect(await granted(report('dead', 20, 0, 1))).toEqual([0, 0]);
    await sleep(40);
    expect(await granted(report('alive', 60_000, 4, 0))).toEqual([0, 0]);
    expect(await granted(report('next', 60_000, 0, 1))).toEqual([0, 0]);
    expect(await granted(report('alive', 60_000, 0, 0))).toEqual([0, 0]);
    expect(await granted(report('next', 60_000, 0, 4))).toEqual([4, 4]);
  });

  it('the Redis store grants slots again after a process stops waiting for a slot', async () => {
    const slots = (holder: string, held: number, want: number): LimitReport => ({
      ...report(holder, 60_000, 0, 0),
      slots: { capacity: 1, held, want },
      budgets: [],
    });
    expect(await granted(slots('a', 0, 1))).toEqual([undefined, 1]);
    expect(await granted(slots('b', 0, 1))).toEqual([undefined, 0]);
    expect(await granted(slots('b', 0, 0))).toEqual([undefined, 0]);
    expect(await granted(slots('a', 0, 0))).toEqual([undefined, 0]);
    expect(await granted(slots('c', 0, 1))).toEqual([undefined, 1]);
  });

  it('the Redis store accepts a pause with a fractional number of ms', async () => {
    const { pause } = await store().exchange('scope', { ...report('a', 1000, 0, 0), pause: 900.5 });
    expect(pause).toBeGreaterThan(0);
  });

  it('the Redis store ends a pause on time even if the Redis clock was set back', async () => {
    await store().exchange('scope', { ...report('a', 1000, 0, 0), pause: 300 });
    await redis.client.hSet(await findKey(':pause'), 'ends', Date.now() + 3_000_000);
    const pause = async () => (await store().exchange('scope', report('b', 1000, 0, 0))).pause;
    expect(await pause()).toBeLessThanOrEqual(300);
    await until('the pause ends', async () => (await pause()) === 0);
  });

  const leases = [
    ['slots', ':slots:leases'],
    ['quotas', ':b:*:leases'],
  ] as const;
  it.each(leases)(
    "the Redis store reclaims a dead process's permits even if the leases for %s were lost",
    async (_pool, name) => {
      expect(await granted(report('dead', 50, 0, 4))).toEqual([4, 4]);
      await redis.client.del(await findKey(name));
      await until('all permits are available again', async () => {
        const [units, slots] = await granted(report('alive', 50, 0, 4));
        await granted(report('alive', 50, 0, 0));
        return units === 4 && slots === 4;
      });
    },
  );

  it.each(leases)(
    'the Redis store never grants a permit twice if the leases for %s were lost',
    async (_pool, name) => {
      expect(await granted(report('alive', 60_000, 0, 4))).toEqual([4, 4]);
      await redis.client.del(await findKey(name));
      expect(await granted(report('other', 60_000, 0, 1))).toEqual([0, 0]);
      await sleep(1100);
      expect(await granted(report('other', 60_000, 0, 1))).toEqual([0, 0]);
      expect(await granted(report('alive', 60_000, 4, 0))).toEqual([0, 0]);
      expect(await granted(report('other', 60_000, 0, 1))).toEqual([0, 0]);
    },
  );

  it('after losing the slot count, the Redis store grants slots only when all holders have reported', async () => {
    const slots = (holder: string, held: number, want: number): LimitReport => ({
      ...report(holder, 60_000, 0, 0),
      slots: { capacity: 4, held, want },
      budgets: [],
    });
    expect(await granted(slots('alive', 0, 4))).toEqual([undefined, 4]);
    await redis.client.del(await findKey(':slots'));
    expect(await granted(slots('other', 0, 4))).toEqual([undefined, 0]);
    expect(await granted(slots('alive', 4, 0))).toEqual([undefined, 0]);
    expect(await granted(slots('other', 0, 4))).toEqual([undefined, 0]);
    await granted(slots('alive', 0, 0));
    await until('the other process gets the permits', async () => {
      return (await granted(slots('other', 0, 4)))[1] === 4;
    });
  });

  /**
   * Creates a report from a process that has reported before, so the store knows the process or has
   * lost data.
   */
  const known = (holder: string, held: number, want: number): LimitReport => ({
    ...report(holder, 30_000, held, want),
    slots: { capacity: 4, held, want: 0, isKnown: true },
    budgets: [{ ...budget(held, want), isKnown: true }],
  });

  /** Repeats a known process's report until the process is granted all units and slots. */
  const untilGranted = (holder: string, want: number) =>
    until(`${holder} gets ${want} units and slots`, async () => {
      const [units, slots] = await granted(known(holder, 0, want));
      return units === want && slots === want;
    });

  it('after losing all data, the Redis store grants a known process permits only when all holders have reported', async () => {
    expect(await granted(report('alive', 60_000, 0, 3))).toEqual([3, 3]);
    expect(await granted(report('other', 60_000, 0, 0))).toEqual([0, 0]);
    await redis.client.flushAll();
    expect(await granted(report('new', 60_000, 0, 1))).toEqual([1, 1]);
    expect(await granted(known('other', 0, 3))).toEqual([0, 0]);
    expect(await granted(known('alive', 3, 0))).toEqual([0, 0]);
    await granted(known('alive', 0, 0));
    await untilGranted('other', 3);
  });

  it('the Redis store keeps its list of reporting processes only until the wait for reports ends', async () => {
    const fields = async () =>
      (await redis.client.hKeys(await findKey(':slots'))).filter((field) =>
        field.startsWith('met:'),
      );
    await granted(report('one', 60_000, 0, 1));
    await granted(report('two', 60_000, 0, 1));
    expect(await fields()).toHaveLength(2);
    await until('the list is deleted', async () => {
      await granted(report('one', 60_000, 1, 0));
      return (await fields()).length === 0;
    });
  });

  /** Simulates a jump of the Redis clock by one minute, which ends the lease of `alive`. */
  async function setForward(): Promise<void> {
    for (const leases of await redis.client.keys('triforge:l:*:leases')) {
      await redis.client.zAdd(leases, { value: 'alive', score: Date.now() - 1 });
      const past = Date.now() - 60_000;
      await redis.client.hSet(leases.replace(/:leases$/, ''), { counted: past, created: past });
    }
  }

  const losses: [string, () => Promise<unknown>][] = [
    ['the loss of all data', () => redis.client.flushAll()],
    ['the loss of the unit count', async () => redis.client.del(await quota())],
    ['a forward jump of the Redis clock', setForward],
  ];
  /** Returns the key of the quota's units. The key of the leases also has the suffix `:leases`. */
  const quota = async () => (await findKey(':b:*:leases')).replace(/:leases$/, '');
  it.each(losses)(
    'after %s, the Redis store grants permits only when all holders have reported',
    async (_what, lose) => {
      expect(await granted(report('alive', 60_000, 0, 4))).toEqual([4, 4]);
      expect(await granted(report('other', 60_000, 0, 0))).toEqual([0, 0]);
      await lose();
      expect(await granted(known('other', 0, 4))).toEqual([0, 0]);
      expect(await granted(known('alive', 4, 0))).toEqual([0, 0]);
      expect(await granted(known('other', 0, 4))).toEqual([0, 0]);
      await granted(known('alive', 0, 0));
      await untilGranted('other', 4);
    },
  );

  it('the Redis store reclaims the permits of a process that died before the clock jumped forward', async () => {
    expect(await granted(report('alive', 30_000, 0, 4))).toEqual([4, 4]);
    await setForward();
    expect(await granted(known('other', 0, 4))).toEqual([0, 0]);
    await untilGranted('other', 4);
  });

  it('the Redis store immediately grants a new process the permits of a dead process', async () => {
    expect(await granted(report('alive', 30_000, 0, 4))).toEqual([4, 4]);
    await setForward();
    expect(await granted(report('new', 60_000, 0, 4))).toEqual([4, 4]);
  });

  it('the Redis store grants permits immediately if only new processes have reported', async () => {
    expect(await granted(report('first', 60_000, 0, 2))).toEqual([2, 2]);
    expect(await granted(report('second', 60_000, 0, 2))).toEqual([2, 2]);
  });

  it("the Redis store doesn't reserve a free slot for a waiting process that died", async () => {
    const slots = (holder: string, held: number, want: number): LimitReport => ({
      ...report(holder, 3_600_000, 0, 0),
      slots: { capacity: 1, held, want },
      budgets: [],
    });
    expect(await granted(slots('alive', 0, 1))).toEqual([undefined, 1]);
    expect(await granted(slots('dead', 0, 1))).toEqual([undefined, 0]);
    expect(await granted(slots('next', 0, 1))).toEqual([undefined, 0]);
    await granted(slots('alive', 0, 0));
    await until('the next process gets the slot', async () => {
      return (await granted(slots('next', 0, 1)))[1] === 1;
    });
  }, 90_000);

  it('the Redis store removes a dead process from the queue even if its lease was lost', async () => {
    const slots = (holder: string, lease: number, held: number, want: number): LimitReport => ({
      ...report(holder, lease, 0, 0),
      slots: { capacity: 4, held, want },
      budgets: [],
    });
    const sendRequest = async (...wanted: Parameters<typeof slots>) =>
      (await store().exchange('scope', slots(...wanted))).slots;
    await sendRequest('alive', 500, 0, 4);
    expect(await sendRequest('dead', 500, 0, 1)).toMatchObject({ granted: 0 });
    await redis.client.del(await findKey(':slots:leases'));
    await until(
      'no process waits',
      async () => (await sendRequest('alive', 500, 4, 0))?.waiting === 0,
    );
    await sendRequest('alive', 500, 0, 0);
    expect(await sendRequest('alive', 500, 0, 4)).toMatchObject({ granted: 4, waiting: 0 });
  });

  it("the Redis store corrects a wrong total by recounting the holders' grants", async () => {
    expect(await granted(report('alive', 600_000, 0, 2))).toEqual([2, 2]);
    for (const pool of await redis.client.keys('triforge:l:*')) {
      if ((await redis.client.type(pool)) === 'hash') await redis.client.hSet(pool, 'out', 4);
    }
    await until('the total is correct', async () => {
      const [units, slots] = await granted(report('other', 600_000, 0, 2));
      await granted(report('other', 600_000, 0, 0));
      return units === 2 && slots === 2;
    });
  });

  it("the Redis store reclaims a dead process's permits even if the Redis clock was set back", async () => {
    expect(await granted(report('dead', 50, 0, 4))).toEqual([4, 4]);
    for (const leases of await redis.client.keys('triforge:l:*:leases')) {
      await redis.client.zAdd(leases, { value: 'dead', score: Date.now() + 3_600_000 });
    }
    await redis.client.hSet(await findKey(':slots'), 'blind', Date.now() + 3_600_000);
    await until('the other process gets the permits', async () => {
      const [units, slots] = await granted(report('other', 50, 0, 4));
      return units === 4 && slots === 4;
    });
  });
});
