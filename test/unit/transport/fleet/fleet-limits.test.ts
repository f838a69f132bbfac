import { describe, expect, it } from 'vitest';
import { FleetLimits } from '../../../../src/transport/fleet/fleet-limits.js';
import { Budgets } from '../../../../src/transport/limits/budgets.js';
import { advance, budget, entries, pause, stopTheClock, ticks } from '../limits/limiter-setup.js';
import { fleet } from './fleet-setup.js';
import { held, nothing, plenty, portions, ScriptedLimits, slotReply } from './scripted-limits.js';

stopTheClock();

describe('a call in a fleet', () => {
  it('a call in a fleet requests a quota unit and a slot in one exchange', async () => {
    const { store, visit } = fleet();
    const call = visit('one');
    await ticks();
    expect(call.entry).toBe('acquired');
    expect(store.reports).toMatchObject([
      { slots: { capacity: 8, held: 0, want: 0 }, budgets: [{ need: 1 }] },
    ]);
  });

  it('a call in a fleet requests only a slot if its quota unit was already granted', async () => {
    const { store, visit } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ waiting: 1 }) });
    const call = visit('one');
    await ticks();
    store.reply = plenty;
    await advance(5);
    expect(call.entry).toBe('acquired');
    expect(store.last).toMatchObject({ slots: { held: 0, want: 1 }, budgets: [] });
  });

  it('a process returns idle slots if its waiting call has no quota unit', async () => {
    const { store, visit } = fleet();
    store.reply = plenty;
    const calls = [visit('one'), visit('two')];
    await ticks();
    store.reply = nothing;
    for (const call of calls) call.leave(budget(0));
    visit('three', { credential: 'b' });
    await advance(200);
    expect(store.last).toMatchObject({ slots: { held: 0, want: 0 }, budgets: [{ need: 1 }] });
  });

  it('a call in a fleet waits for the next exchange if an exchange is pending', async () => {
    const { store, come } = fleet();
    const { reply, release } = held();
    store.reply = reply;
    const first = come(2);
    await ticks();
    const later = come(2);
    await ticks();
    expect(store.reports).toHaveLength(1);
    release();
    await ticks();
    expect(entries([...first, ...later])).toEqual(Array(4).fill('acquired'));
    expect(store.most).toBe(1);
  });

  it('a call in a fleet starts without an exchange while quota units and slots are available', async () => {
    const { store, visit } = fleet();
    store.reply = portions;
    const first = visit('first');
    await ticks();
    first.leave(budget(59));
    await ticks();
    const before = store.reports.length;
    for (let sent = 0; sent < 5; sent++) visit('more').leave(budget(58 - sent));
    await ticks();
    expect(store.reports).toHaveLength(before);
  });

  it("a call in a fleet doesn't request quota units or slots during a pause", async () => {
    const { store, visit, limiter } = fleet();
    const sent = visit('sent');
    await ticks();
    sent.leave(budget(59));
    // Waits until unused units have been returned.
    await advance(3000);
    pause(limiter, Date.now() + 10_000);
    await ticks();
    expect(store.last).toMatchObject({ pause: 10_000 });
    // The requests that the server accepted before its first rejection are reported once.
    await advance(300);
    const call = visit('one');
    const before = store.reports.length;
    await advance(9_000);
    expect(store.reports).toHaveLength(before);
    await advance(1_700);
    expect(call.entry).toBe('acquired');
  });

  it('a call in a fleet waits for the end of a pause that another process reported', async () => {
    const { store, visit } = fleet();
    store.reply = (report) => ({ ...plenty(report), pause: 5000 });
    const call = visit('one');
    await ticks();
    store.reply = plenty;
    await advance(4_900);
    expect(call.entry).toBe('waiting');
    await advance(200);
    expect(call.entry).toBe('acquired');
  });

  it('a waiting call in a fleet starts even if other calls use many credentials', async () => {
    const { store, visit } = fleet({ maxConcurrency: Number.POSITIVE_INFINITY });
    store.reply = nothing;
    const call = visit('waits', { credential: 'waits' });
    await ticks();
    store.reply = plenty;
    for (let other = 0; other < 1100; other++) visit('other', { credential: `${other}` }).leave({});
    await advance(1000);
    expect(call.entry).toBe('acquired');
  });
});

describe('a process in a fleet', () => {
  it('a process reports every second while a call is in flight', async () => {
    const { store, visit } = fleet();
    const call = visit('one');
    await ticks();
    call.leave(budget(59));
    const long = visit('long');
    await ticks();
    const before = store.reports.length;
    await advance(10_000);
    expect(store.reports.length - before).toBeGreaterThanOrEqual(9);
    expect(store.last).toMatchObject({ slots: { held: 1 }, budgets: [{ held: 1 }] });
    long.leave(budget(58));
    await advance(10_000);
    const after = store.reports.length;
    expect(store.last).toMatchObject({ slots: { held: 0 } });
    await advance(10_000);
    expect(store.reports).toHaveLength(after);
  });

  it('a process counts only the waiting calls of active quotas', async () => {
    const asked: string[] = [];
    const shared = new ScriptedLimits();
    const now = Date.now;
    const settings = { shared, scope: 's', publish: () => 0, now };
    const limits = new FleetLimits(
      { ...settings, capacity: Number.POSITIVE_INFINITY, maxConcurrency: 64 },
      new Budgets(now),
      {
        waiting: (key) => asked.push(key) * 0,
        checkQueues: () => {},
        pause: () => {},
        intervals: () => ({ slowStart: 0, writes: 0 }),
        adopt: () => {},
      },
    );
    const use = async (key: string) => {
      limits.take(key);
      limits.release({ key, sequence: 0 }, false);
      await advance(2000);
    };
    for (let each = 0; each < 50; each++) await use(`${each} core`);
    asked.length = 0;
    await use('0 core');
    expect(new Set(asked)).toEqual(new Set(['0 core']));
  });
});

describe('RateLimiter.close() in a fleet', () => {
  it('close() sends one exchange at a time', async () => {
    const { store, come, limiter } = fleet();
    const { reply, release } = held();
    store.reply = async (report) => {
      const all = await reply(report);
      return { ...all, budgets: all.budgets.map((each) => ({ ...each, granted: 1 })) };
    };
    come(4);
    await ticks();
    const closed = limiter.close();
    release();
    await closed;
    expect(store.most).toBe(1);
  });

  it('close() returns unused slots and quota units after a pending exchange', async () => {
    const { store, visit, limiter } = fleet();
    store.reply = portions;
    visit('one');
    visit('two');
    await ticks();
    const { reply, release } = held();
    store.reply = reply;
    visit('three', { credential: 'b' });
    await ticks();
    const closed = limiter.close();
    await ticks();
    release();
    await closed;
    expect(store.most).toBe(1);
    expect(store.last).toMatchObject({ slots: { held: 3 } });
    const units = store.last?.budgets.map(({ held }) => held);
    expect(units?.reduce((total, each) => total + each, 0)).toBeLessThanOrEqual(3);
  });
});
