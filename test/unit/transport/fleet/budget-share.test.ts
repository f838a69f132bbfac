import { describe, expect, it } from 'vitest';
import { advance, budget, start, stopTheClock } from '../limits/limiter-setup.js';
import { key, known, world } from './share-world.js';

stopTheClock();

describe('BudgetShare', () => {
  it('a process requests quota units immediately for waiting calls', () => {
    const { share, dueIn, exchange } = world();
    expect(dueIn(0)).toBe(Number.POSITIVE_INFINITY);
    expect(share.blockedBy(false)).toBe('turn');
    expect([dueIn(3), share.ready(3)]).toEqual([0, 0]);
    expect(exchange(3, { granted: 2 })).toMatchObject({ held: 0, need: 3, want: 16, waiters: 0 });
    expect([share.blockedBy(false), share.ready(3)]).toEqual([undefined, 2]);
    expect(exchange(3)).toMatchObject({ held: 2, need: 1 });
  });

  it('a process requests quota units again after increasing delays of up to 200 ms', () => {
    const { dueIn, exchange } = world();
    const delays = Array.from({ length: 5 }, () => {
      exchange(1, { left: 0, holders: 1000 });
      return dueIn(1);
    });
    expect(delays).toEqual([50, 100, 200, 200, 200]);
  });

  it('a process requests quota units again 5 ms after a response', () => {
    const { dueIn, exchange, call } = world();
    exchange(2, { granted: 1, known: known(1) });
    exchange(2, { known: known(1) });
    expect(dueIn(2)).toBe(10);
    call(budget(1));
    expect(dueIn(2)).toBe(5);
  });

  it('a process doubles the delay until a response reports quota units that no process holds', () => {
    const { dueIn, exchange, call } = world();
    const none = { left: 0, holders: 2, known: known(5) };
    exchange(3, { ...none, granted: 2 });
    expect(dueIn(3)).toBe(5);
    exchange(3, { ...none, granted: 0 });
    expect(dueIn(3)).toBe(10);
    call(budget(4));
    expect(dueIn(3), 'the units that the response reported are in use').toBe(10);
    call(budget(5));
    expect(dueIn(3)).toBe(5);
  });

  it('a process reports quota units after a grant but not after each use', () => {
    const { share, dueIn, exchange } = world();
    exchange(2, { granted: 2, left: 4, known: known(6) });
    share.take();
    share.take();
    expect(dueIn(0)).toBe(1000);
    expect(share.report(0, 8)).toBeUndefined();
  });

  it('a process never postpones a report when the quota units change again', async () => {
    const { share } = world();
    share.take();
    const due = share.reportAt;
    await advance(15);
    share.release();
    expect(share.reportAt).toBe(due);
  });

  it('a process requests quota units again 5 ms after a partial grant', () => {
    const { dueIn, exchange } = world();
    exchange(3, { granted: 1 });
    expect(dueIn(3)).toBe(5);
    exchange(3, { granted: 2 });
    expect(exchange(6)).toMatchObject({ held: 3, need: 3 });
  });

  it('a process requests quota units for upcoming calls after it has used more than half of its units', () => {
    const { share, dueIn, exchange } = world();
    expect(exchange(9, { granted: 4, left: 40 }, { reach: 4 })).toMatchObject({ need: 4 });
    share.take();
    share.take();
    expect(dueIn(7, 4)).toBeGreaterThan(0);
    share.take();
    expect(dueIn(6, 4)).toBe(0);
    expect(exchange(6, { granted: 3 }, { reach: 4 })).toMatchObject({ held: 4, need: 3 });
  });

  it('a process requests more quota units after it has used more than half of the granted units', () => {
    const { share, exchange } = world();
    exchange(1, { granted: 16, known: known(60) });
    const taken = Array.from({ length: 9 }, () => share.take());
    expect(taken.indexOf(true)).toBe(8);
    // The process requests twice as many units as before, minus the unused units.
    expect(exchange(0, { granted: 25, known: known(60) })).toMatchObject({
      held: 16,
      need: 0,
      want: 32 - 7,
    });
  });
});

describe('BudgetShare with unused units', () => {
  it('a process returns unused quota units after 20 ms if other processes may need them', async () => {
    const { share, dueIn, exchange } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    expect(dueIn(1)).toBe(20);
    await advance(20);
    expect(exchange(1, { left: 6, known: known(10) })).toMatchObject({ held: 1 });
    expect(share.ready(1)).toBe(1);
  });

  it('a process returns unused quota units after a second if many units are left', async () => {
    const { dueIn, exchange } = world();
    exchange(3, { granted: 16, known: known(60) });
    expect(dueIn(0)).toBe(1000);
    await advance(1000);
    expect(exchange(0)).toMatchObject({ held: 0, want: 0 });
    expect(dueIn(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a process keeps the quota units that waiting calls need', async () => {
    const { exchange } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    for (let beat = 0; beat < 3; beat++) {
      await advance(1000);
      expect(exchange(3, { left: 4, known: known(10) })).toMatchObject({ held: 3, need: 0 });
    }
  });

  it('a process returns unused quota units of an exhausted quota', async () => {
    const { share, exchange } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(1000);
    exchange(3, { known: known(0) });
    expect(share.ready(3)).toBe(0);
    await advance(1000);
    expect(exchange(3, { known: known(0) })).toMatchObject({ held: 0, need: 0 });
  });

  it('a process keeps only the quota units in use when the client closes', () => {
    const { share, exchange } = world();
    exchange(3, { granted: 16, known: known(60) });
    share.take();
    share.drop();
    expect(share.report(0, Number.POSITIVE_INFINITY)).toMatchObject({ held: 1 });
  });
});

describe('BudgetShare after a response', () => {
  it('a process reports the first response with a quota immediately', () => {
    const { dueIn, exchange, call } = world();
    exchange(1, { granted: 1 });
    expect(call(budget(41))).toBe(true);
    expect(dueIn(0)).toBe(0);
    expect(exchange(0)).toMatchObject({ reported: { remaining: 41 }, since: 0, held: 0 });
  });

  it('a process reports a response within 20 ms if few quota units are left', () => {
    for (const [left, ms] of [
      [7, 20],
      [8, 1000],
    ] as const) {
      const { dueIn, exchange, call } = world();
      exchange(1, { granted: 1, left, known: known(60) });
      expect(call(budget(40))).toBe(false);
      expect(dueIn(0)).toBe(ms);
    }
  });

  it('a process sets isKnown in reports for an hour after a reply', async () => {
    const { share, exchange } = world();
    expect(exchange(1)).toMatchObject({ isKnown: false });
    await advance(3_599_000);
    expect(share.report(1, 1)).toMatchObject({ isKnown: true });
    await advance(1000);
    expect(share.report(1, 1)).toMatchObject({ isKnown: false });
  });

  it('a process repeats a report that the store may have missed', () => {
    const { share, exchange, call } = world();
    exchange(1, { granted: 1, sequence: 7, known: known(60) });
    call(budget(40));
    const report = share.report(0, Number.POSITIVE_INFINITY);
    if (report) share.repeatLater(report);
    expect(report).toMatchObject({ since: 7, reported: { remaining: 40 } });
    expect(share.report(0, Number.POSITIVE_INFINITY)).toEqual(report);
  });

  it('a process lets calls start without quota units until a response reports a quota', () => {
    const { share, dueIn, exchange, call } = world();
    exchange(2, { granted: 1 });
    expect(call({})).toBe(true);
    expect(share.blockedBy(false)).toBeUndefined();
    expect([dueIn(2), share.ready(2)]).toEqual([0, 2]);
    expect(exchange(2, { known: 'none' })).toMatchObject({ reported: 'none', need: 0 });
    expect(call({})).toBe(false);
    expect(dueIn(2)).toBe(Number.POSITIVE_INFINITY);
    call(budget(40));
    expect(share.blockedBy(false)).toBe('turn');
  });

  it('a process lets calls start without quota units for 1 s after a report if no quota is known', async () => {
    const { share, dueIn, exchange, call } = world();
    exchange(1, { granted: 1 });
    call({});
    exchange(1, { known: 'none' });
    await advance(999);
    expect([share.blockedBy(false), dueIn(1)]).toEqual([undefined, Number.POSITIVE_INFINITY]);
    await advance(1);
    expect([share.blockedBy(false), share.ready(1), dueIn(1)]).toEqual(['turn', 0, 0]);
    expect(dueIn(0)).toBe(Number.POSITIVE_INFINITY);
    exchange(1, { known: 'none' });
    expect(share.blockedBy(false)).toBeUndefined();
  });

  it('a process lets calls start without quota units if another process reported that there is no quota', () => {
    const { share, exchange } = world();
    expect(exchange(2, { known: 'none' })).toMatchObject({ reported: undefined, need: 2 });
    expect(share.blockedBy(false)).toBeUndefined();
    expect(share.ready(2)).toBe(2);
  });

  it('a process lets calls start without quota units if the response reports no window', () => {
    const { share, exchange, call } = world();
    exchange(1, { granted: 1 });
    call({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '40' });
    expect(share.blockedBy(false)).toBeUndefined();
  });
});

describe('BudgetShare with an exhausted quota', () => {
  it('a process starts waiting calls in the order of their queue places', async () => {
    const { share, dueIn, exchange } = world();
    exchange(1, { granted: 0, known: known(0) });
    expect(share.blockedBy(false)).toMatchObject({ until: start + 60_000 });
    expect(dueIn(2)).toBe(0);
    expect(exchange(2, { known: known(0), place: 4 })).toMatchObject({ need: 0, waiters: 2 });
    expect(dueIn(2)).toBe(Number.POSITIVE_INFINITY);
    expect(exchange(3, { known: known(0), place: 9 })).toMatchObject({ waiters: 1 });
    await advance(60_000);
    expect(share.blockedBy(false)).toBe('turn');
    const waited = { ago: 0, gap: 100, count: 10 };
    expect(exchange(3, { granted: 3, waited })).toMatchObject({ need: 3, waiters: 0 });
    for (const place of [4, 5, 9]) {
      expect(share.ready(3)).toBe(0);
      expect(share.blockedBy(false)).toEqual({
        limit: undefined,
        until: start + 60_000 + place * 100,
        reason: 'quota',
      });
      await advance(start + 60_000 + place * 100 - Date.now());
      expect([share.blockedBy(false), share.ready(3)]).toEqual([undefined, 1]);
      share.take();
    }
  });

  it('a process queues a late call behind all earlier calls', async () => {
    const { share, exchange } = world();
    exchange(1, { known: known(0) });
    await advance(60_000);
    exchange(1, { granted: 1, waited: { ago: 200, gap: 100, count: 10 } });
    expect(share.blockedBy(false)).toMatchObject({ until: Date.now() + 800 });
  });

  it('a process requests new queue places in each window', async () => {
    const { exchange } = world();
    exchange(2, { known: known(0) });
    exchange(2, { known: known(0) });
    await advance(60_000);
    exchange(2, { known: known(0, 120) });
    expect(exchange(2, { known: known(0, 120) })).toMatchObject({ waiters: 2 });
  });
});

describe('BudgetShare without a store', () => {
  it('a process without a store uses only its share of the last known quota', () => {
    const { budgets, share, exchange } = world();
    exchange(1, { holders: 3, known: known(7) });
    expect(share.blockedBy(true)).toBeUndefined();
    for (let sent = 0; sent < 3; sent++) budgets.reserve(key);
    expect(share.blockedBy(true)).toBe('turn');
  });
});
