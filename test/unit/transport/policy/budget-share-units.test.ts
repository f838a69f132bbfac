import { describe, expect, it } from 'vitest';
import { advance, budget, start, stopTheClock } from './limiter-setup.js';
import { key, known, world } from './share-world.js';

stopTheClock();

describe('a share of a budget', () => {
  it('matters while it has units, and tells little of what changes while little is known', () => {
    const { share, exchange } = world();
    expect([share.matters, share.patience]).toEqual([false, 20]);
    exchange(3, { granted: 3 });
    expect(share.matters).toBe(true);
  });

  it.each([
    [31, 20],
    [32, 1000],
  ])('keeps to itself what changed by what is left for each: %i for four', (left, ms) => {
    const { share, exchange } = world();
    exchange(1, { granted: 1, left, holders: 4, known: known(60) });
    expect(share.patience).toBe(ms);
  });

  it('says of an answer that it may be older than what is known, where its call was sent before', () => {
    const { budgets, share, exchange } = world();
    const reservation = budgets.reserve(key);
    share.take();
    exchange(0, { sequence: 7 });
    budgets.correct(reservation, { credential: 'a', operation: 'x' }, budget(40));
    share.give();
    share.heard(reservation);
    expect(exchange(0)).toMatchObject({ since: -1, told: { remaining: 40 } });
  });

  it('is told of from the first answer on, whatever it was told itself', () => {
    const { exchange, call } = world();
    call(budget(40));
    expect(exchange(0)).toMatchObject({ since: 0 });
  });

  it('may be forgotten by who told of it while calls are in flight', () => {
    const { budgets, share, exchange } = world();
    exchange(1, { granted: 1, left: 0, known: known(5) });
    share.take();
    budgets.clear();
    expect(() => share.give()).not.toThrow();
  });
});

describe('portions', () => {
  it('grow with those that were granted whole, not with a few units', () => {
    const { share, exchange } = world();
    for (let at = 0; at < 3; at++) {
      expect(exchange(1, { granted: 1, left: 40 })).toMatchObject({ want: 16 });
      share.take();
    }
    expect(exchange(1, { granted: 16 })).toMatchObject({ want: 16 });
    for (let at = 0; at < 16; at++) share.take();
    expect(exchange(1)).toMatchObject({ want: 32 });
  });

  it('are as large as before for who uses all that it has', async () => {
    const { exchange } = world();
    exchange(16, { granted: 16, left: 100_000, known: known(60) });
    await advance(1000);
    exchange(16, { left: 100_000, known: known(60) });
    expect(exchange(17)).toMatchObject({ held: 16, need: 1, want: 16 });
  });

  it('are asked for by none whose units are paced', async () => {
    const { share, exchange } = world();
    exchange(1, { granted: 16, gap: 100, known: known(60) });
    await advance(1000);
    for (let at = 0; at < 9; at++) share.take();
    expect(exchange(1)).toMatchObject({ held: 16, need: 0, want: 0 });
  });
});

describe('units that are paced', () => {
  const waits = (ms: number) => ({ limit: undefined, until: start + ms });

  it('start one after the other', async () => {
    const { share, exchange } = world();
    exchange(2, { granted: 2, gap: 100, known: known(60) });
    expect(share.obstacle(false)).toBeUndefined();
    share.take();
    expect(share.obstacle(false)).toEqual(waits(100));
    await advance(100);
    expect(share.obstacle(false)).toBeUndefined();
  });

  it('start after those of others', async () => {
    const { share, exchange } = world();
    exchange(1, { granted: 1, first: 500, known: known(60) });
    expect(share.obstacle(false)).toEqual(waits(500));
    await advance(500);
    expect(share.obstacle(false)).toBeUndefined();
  });

  it('are used after those that are not', () => {
    const { share, exchange } = world();
    exchange(1, { granted: 1, known: known(60) });
    exchange(3, { granted: 2, first: 200, gap: 100, known: known(60) });
    share.take();
    expect(share.obstacle(false)).toEqual(waits(200));
  });

  it('are asked for as many as calls may be in flight', () => {
    const { exchange } = world();
    exchange(4, { granted: 3, gap: 100, known: known(60) }, { reach: 4 });
    expect(exchange(9, {}, { reach: 4 })).toMatchObject({ held: 3, need: 1 });
  });

  it('start by the places of a window that is over, whatever an answer told of the next', async () => {
    const { share, exchange, call } = world();
    exchange(1, { known: known(0) });
    exchange(1, { known: known(0), place: 4 });
    await advance(60_000);
    call(budget(59, 120));
    exchange(1, { granted: 1, waited: { ago: 0, gap: 100, count: 10 } });
    expect(share.obstacle(false)).toEqual(waits(60_400));
  });
});

describe('units in hand', () => {
  it('are kept for a while from when they came, whenever that was', async () => {
    const { exchange, call, dueIn } = world();
    await advance(5000);
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(10);
    call({});
    expect(exchange(0, { left: 4, known: known(10) })).toMatchObject({ held: 2 });
    expect(dueIn(0)).toBe(20);
  });

  it('are given back a while after they came, where they were not used', async () => {
    const { exchange, dueIn } = world();
    await advance(5000);
    exchange(3, { granted: 3, left: 4, known: known(10) });
    expect(dueIn(0)).toBe(20);
  });

  it('are kept no longer because others were asked for in vain', async () => {
    const { exchange, dueIn } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(15);
    exchange(4, { granted: 0, left: 4, known: known(10) });
    expect(dueIn(1)).toBe(5);
  });

  it('can be used by who waits once the others are given back', async () => {
    const { share, exchange } = world();
    exchange(3, { granted: 3, left: 4, known: known(10) });
    await advance(20);
    exchange(1, { left: 6, known: known(10) });
    expect(share.obstacle(false)).toBeUndefined();
  });
});

describe('where others have all that is left', () => {
  const none = { left: 0, holders: 2, known: known(5) };

  it.each([
    ['some is left for others', { ...none, left: 1 }, budget(4)],
    ['an answer tells of a new window', none, budget(4, 120)],
  ])('it is asked for soon all the same when %s', (_when, reply, headers) => {
    const { dueIn, exchange, call } = world();
    exchange(3, { ...reply, granted: 2 });
    exchange(3, { ...reply, granted: 0 });
    expect(dueIn(3)).toBe(10);
    call(headers);
    expect(dueIn(3)).toBe(5);
  });
});
