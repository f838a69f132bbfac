import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LimitReport } from '../../../../src/transport/limits/shared-limits.js';
import {
  advance,
  budget,
  entries,
  pause,
  start,
  stopTheClock,
  ticks,
} from '../limits/limiter-setup.js';
import { fleet } from './fleet-setup.js';
import { held, nothing, plenty, portions, slotReply } from './scripted-limits.js';

stopTheClock();

const unbound = { maxConcurrency: Number.POSITIVE_INFINITY };

/**
 * Grants everything that a process needs. Reports that only one unit is left, so the process soon
 * returns unused units.
 */
const scarce = (report: LimitReport) => {
  const all = plenty(report);
  return { ...all, budgets: all.budgets.map((each) => ({ ...each, left: 1 })) };
};

/** Records the timers. `keepsAlive` returns whether the last timer keeps the process alive. */
function watchTimers() {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  return { timers, keepsAlive: () => timers.mock.results.at(-1)?.value.hasRef() };
}

describe('FleetLimits', () => {
  it("a process doesn't request a quota unit or slot for an exempt call", async () => {
    const { store, visit } = fleet();
    visit('free', { exemptFromLimits: true }).leave(budget(59));
    visit('one');
    await ticks();
    expect(store.last).toMatchObject({ slots: { held: 0, want: 0 } });
    expect(store.last?.budgets).toMatchObject([{ key: 'a core', held: 0, need: 1 }]);
  });

  it('a process reports only the core quota after a call without a response', async () => {
    const { store, visit } = fleet();
    const call = visit('one');
    await ticks();
    call.leave();
    await advance(2000);
    const keys = store.reports.flatMap(({ budgets }) => budgets.map(({ key }) => key));
    expect(new Set(keys)).toEqual(new Set(['a core']));
  });

  it("a process doesn't request a quota unit while a pause delays the call", async () => {
    const { store, visit, limiter } = fleet();
    visit('sent');
    await ticks();
    pause(limiter, start + 10_000);
    visit('one');
    await advance(5000);
    const needs = store.reports.slice(1).flatMap(({ budgets }) => budgets.map(({ need }) => need));
    expect(needs.length).toBeGreaterThan(3);
    expect(new Set(needs)).toEqual(new Set([0]));
  });

  it('a process returns unused quota units after calls with many other credentials', async () => {
    const { store, visit, limiter } = fleet(unbound);
    store.reply = portions;
    visit('one', { credential: 'one' });
    await ticks();
    for (let other = 0; other < 1100; other++) visit('other', { credential: `${other}` }).leave({});
    await limiter.close();
    const ofOne = store.last?.budgets.filter(({ key }) => key === 'one core');
    expect(ofOne).toMatchObject([{ held: 1 }]);
  });
});

it('FleetLimits assigns simultaneously granted slots to the quotas in turn', async () => {
  const { store, visit } = fleet();
  store.reply = (report) => ({ ...plenty(report), slots: slotReply({ waiting: 1 }) });
  const calls = [visit('one'), visit('two'), visit('three'), visit('b', { credential: 'b' })];
  await ticks();
  let granted = 2;
  store.reply = (report) => {
    const slots = slotReply({ granted, waiting: 1 });
    granted = 0;
    return { ...plenty(report), slots };
  };
  await advance(100);
  expect(entries(calls)).toEqual(['acquired', 'waiting', 'waiting', 'acquired']);
});

describe('FleetLimits between two store exchanges', () => {
  it('a fleet limiter keeps the process alive only while a call waits', async () => {
    const { store, visit } = fleet({ maxConcurrency: Number.POSITIVE_INFINITY });
    const { timers, keepsAlive } = watchTimers();
    store.reply = scarce;
    const [first, second] = [visit('first'), visit('second')];
    await ticks();
    first.leave(budget(59));
    await ticks();
    expect(keepsAlive()).toBe(false);
    store.reply = nothing;
    const waits = visit('waits', { credential: 'b' });
    // From now on, the process sends a request every 200 ms.
    await advance(600);
    expect(waits.entry).toBe('waiting');
    expect(keepsAlive()).toBe(true);
    // A report becomes due before the next request.
    const before = timers.mock.calls.length;
    second.leave(budget(58));
    expect(timers.mock.calls.slice(before)).toMatchObject([[expect.any(Function), 20]]);
    expect(keepsAlive()).toBe(true);
  });

  it('a fleet limiter lets the process exit while a report is pending', async () => {
    const { keepsAlive } = watchTimers();
    const { store, visit } = fleet(unbound);
    store.reply = scarce;
    const [first, second] = [visit('first'), visit('second')];
    await ticks();
    first.leave(budget(59));
    await advance(100);
    second.leave(budget(58));
    expect(keepsAlive()).toBe(false);
  });

  it('a fleet limiter lets the process exit while the store is unavailable', async () => {
    const { keepsAlive } = watchTimers();
    const { store, visit } = fleet();
    visit('one');
    await ticks();
    store.reply = () => Promise.reject(new Error('gone'));
    await advance(1000);
    expect(keepsAlive()).toBe(false);
  });

  it('a process retries an unavailable store, even without waiting calls', async () => {
    const { store, visit } = fleet();
    visit('one');
    await ticks();
    store.reply = () => Promise.reject(new Error('gone'));
    await advance(1000);
    const before = store.reports.length;
    await advance(250);
    expect(store.reports).toHaveLength(before + 1);
  });

  it('a process sends one report at a time to a slow store', async () => {
    const { store, visit } = fleet({}, 1000);
    store.reply = scarce;
    const call = visit('one');
    await ticks();
    const { reply, release } = held();
    store.reply = reply;
    visit('other', { credential: 'b' });
    await ticks();
    call.leave(budget(59));
    await advance(100);
    expect(store.underWay).toBe(1);
    release();
  });
});
