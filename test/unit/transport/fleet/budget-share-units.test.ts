import { describe, expect, it } from 'vitest';
import { advance, budget, start, stopTheClock } from '../limits/limiter-setup.js';
import { key, known, world } from './share-world.js';

stopTheClock();

/** Creates a window that has just ended and has one queue place, which starts after `gap` ms. */
const startsAfter = (gap: number) => ({ ago: 0, gap, count: 1 });

describe('BudgetShare', () => {
  it('BudgetShare stays inactive until the store grants quota units', () => {
    const { share, exchange } = world();
    expect([share.matters, share.patience]).toEqual([false, 20]);
    exchange(3, { granted: 3 });
    expect(share.matters).toBe(true);
  });

  it.each([
    [20, 31],
    [1000, 32],
  ])(
    'a process delays reports by %i ms if %i quota units are left for four processes',
    (ms, left) => {
      const { share, exchange } = world();
      exchange(1, { granted: 1, left, holders: 4, known: known(60) });
      expect(share.patience).toBe(ms);
    },
  );

  it('a process reports since: -1 for a call that preceded the first exchange', () => {
    const { budgets, share, exchange } = world();
    const reservation = budgets.reserve(key);
    share.take();
    exchange(0, { sequence: 7 });
    budgets.correct(reservation, { credential: 'a', operation: 'x' }, budget(40));
    share.release();
    share.onReported(reservation);
    expect(exchange(0)).toMatchObject({ since: -1, reported: { remaining: 40 } });
  });

  it('a process reports the quota after the first response', () => {
    const { exchange, call } = world();
    call(budget(40));
    expect(exchange(0)).toMatchObject({ since: 0 });
  });

  it("BudgetShare.release() doesn't throw after Budgets.clear()", () => {
    const { budgets, share, exchange } = world();
    exchange(1, { granted: 1, left: 0, known: known(5) });
    share.take();
    budgets.clear();
    expect(() => share.release()).not.toThrow();
  });
});

describe('BudgetShare.report()', () => {
  it('a process doubles the number of requested quota units only after a complete grant', () => {
    const { share, exchange } = world();
    for (let at = 0; at < 3; at++) {
      expect(exchange(1, { granted: 1, left: 40 })).toMatchObject({ want: 16 });
      share.take();
    }
    expect(exchange(1, { granted: 16 })).toMatchObject({ want: 16 });
    for (let at = 0; at < 16; at++) share.take();
    expect(exchange(1)).toMatchObject({ want: 32 });
  });

  it('a process requests the same number of quota units again if unused units remain', async () => {
    const { exchange } = world();
    exchange(16, { granted: 16, left: 100_000, known: known(60) });
    await advance(1000);
    exchange(16, { left: 100_000, known: known(60) });
    expect(exchange(17)).toMatchObject({ held: 16, need: 1, want: 16 });
  });

  it("a process doesn't request quota units while paced units remain", async () => {
    const { share, exchange } = world();
    exchange(1, { granted: 16, waited: startsAfter(100), known: known(60) });
    await advance(1000);
    for (let at = 0; at < 9; at++) share.take();
    expect(exchange(1)).toMatchObject({ held: 16, need: 0, want: 0 });
  });
});

describe('BudgetShare with paced units', () => {
  const waits = (ms: number) => ({ limit: undefined, until: start + ms, reason: 'quota' });

  it('a process uses paced quota units after all other units', () => {
    const { share, exchange } = world();
    exchange(1, { granted: 1, known: known(60) });
    exchange(3, { granted: 2, waited: startsAfter(200), known: known(60) });
    share.take();
    expect(share.blockedBy(false)).toEqual(waits(200));
  });

  it('a process requests no more paced quota units than calls can run at once', () => {
    const { exchange } = world();
    exchange(4, { granted: 3, waited: startsAfter(100), known: known(60) }, { reach: 4 });
    expect(exchange(9, {}, { reach: 4 })).toMatchObject({ held: 3, need: 1 });
  });

  it('a process keeps the queue place of the previous window', async () => {
    const { share, exchange, call } = world();
    exchange(1, { known: known(0) });
    exchange(1, { known: known(0), place: 4 });
    await advance(60_000);
    call(budget(59, 120));
    exchange(1, { granted: 1, waited: { ago: 0, gap: 100, count: 10 } });
    expect(share.blockedBy(false)).toEqual(waits(60_400));
  });
});

describe('BudgetShare with unused units', () => {
  it('a process keeps unused quota units for 20 ms after a call uses a unit', async () => {
    const { exchange, call, dueIn } = world();
    await advance(5000);
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(10);
    call({});
    expect(exchange(0, { left: 4, known: known(10) })).toMatchObject({ held: 2 });
    expect(dueIn(0)).toBe(20);
  });

  it('a process returns unused quota units 20 ms after they arrive', async () => {
    const { exchange, dueIn } = world();
    await advance(5000);
    exchange(3, { granted: 3, left: 4, known: known(10) });
    expect(dueIn(0)).toBe(20);
  });

  it('a process returns unused quota units on time despite an empty grant', async () => {
    const { exchange, dueIn } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(15);
    exchange(4, { granted: 0, left: 4, known: known(10) });
    expect(dueIn(1)).toBe(5);
  });

  it('a process keeps the quota unit that a waiting call needs', async () => {
    const { share, exchange } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(20);
    exchange(1, { left: 6, known: known(10) });
    expect(share.blockedBy(false)).toBeUndefined();
  });
});

describe('BudgetShare after an empty grant', () => {
  const none = { left: 0, holders: 2, known: known(5) };

  it.each([
    ['one unit is not held by any process', { ...none, left: 1 }, budget(4)],
    ['the response reports a new window', none, budget(4, 120)],
  ])(
    'a process requests quota units again 5 ms after a response if %s',
    (_when, reply, headers) => {
      const { dueIn, exchange, call } = world();
      exchange(3, { ...reply, granted: 2 });
      exchange(3, { ...reply, granted: 0 });
      expect(dueIn(3)).toBe(10);
      call(headers);
      expect(dueIn(3)).toBe(5);
    },
  );
});
