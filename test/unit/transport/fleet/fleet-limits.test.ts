import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { FleetLimits } from '../../../../src/transport/fleet/fleet-limits.js';
import { Budgets } from '../../../../src/transport/limits/budgets.js';
import type { LimitReply, LimitReport } from '../../../../src/transport/limits/shared-limits.js';
import { turns } from '../../../support/client.js';
import { numRuns } from '../../../support/extent.js';
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
import { held, nothing, plenty, portions, ScriptedLimits, slotReply } from './scripted-limits.js';

stopTheClock();

describe('a call in a fleet', () => {
  it('requests a unit and a slot in one exchange', async () => {
    const { store, visit } = fleet();
    const call = visit('one');
    await ticks();
    expect(call.entry).toBe('acquired');
    expect(store.reports).toMatchObject([
      { slots: { capacity: 8, held: 0, want: 0 }, budgets: [{ need: 1 }] },
    ]);
  });

  it('requests only a slot if a unit was already granted', async () => {
    const { store, visit } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ waiting: 1 }) });
    const call = visit('one');
    await ticks();
    store.reply = plenty;
    await advance(5);
    expect(call.entry).toBe('acquired');
    expect(store.last).toMatchObject({ slots: { held: 0, want: 1 }, budgets: [] });
  });

  it('returns its slot if no unit was granted', async () => {
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

  it('waits for the next exchange if one is pending', async () => {
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

  it('starts without an exchange while units and slots are available', async () => {
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

  it('requests nothing during a pause', async () => {
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

  it('waits for the end of a pause that another process reported', async () => {
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

  it('starts after the wait even if other calls use many credentials', async () => {
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
  it('reports every second while a call is in flight', async () => {
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

  it('checks only active credentials for waiting calls', async () => {
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

describe('a fleet without a store', () => {
  it('limits a process without slots to one call until the lease ends', async () => {
    const { store, come, events } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ holders: 4 }) });
    const calls = come(3);
    await ticks();
    store.reply = () => new Promise(() => undefined);
    await advance(1000);
    await turns(5);
    expect(entries(calls)).toEqual(['acquired', 'waiting', 'waiting']);
    expect(events).toMatchObject([{ state: 'lost' }]);
  });

  it('limits each process to its share after the lease ends', async () => {
    const { store, come } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ holders: 4 }) });
    const calls = come(3);
    await ticks();
    store.reply = () => Promise.reject(new Error('gone'));
    await advance(16_000);
    await turns(5);
    expect(entries(calls)).toEqual(['acquired', 'acquired', 'waiting']);
  });

  it('allows each process one call at a time until the store first responds', async () => {
    const { store, come } = fleet();
    store.reply = () => new Promise(() => undefined);
    const calls = come(3);
    await advance(1000);
    await turns(5);
    expect(entries(calls)).toEqual(['acquired', 'waiting', 'waiting']);
  });

  it('tries the store again after 250 ms, 500 ms and then every second', async () => {
    const { store, visit, come, events } = fleet();
    const earlier = visit('earlier');
    await ticks();
    earlier.leave();
    await ticks();
    const before = store.reports.length;
    store.reply = () => Promise.reject(new Error('gone'));
    const calls = come(2);
    await ticks();
    expect(entries(calls)).toEqual(['acquired', 'acquired']);
    const counts = [store.reports.length - before];
    for (const ms of [249, 1, 499, 1, 999, 1, 999, 1, 999, 1]) {
      await advance(ms);
      counts.push(store.reports.length - before);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    store.reply = plenty;
    await advance(2000);
    expect(store.last).toMatchObject({ slots: { held: 2 }, budgets: [{ held: 2 }] });
    expect(events).toMatchObject([{ state: 'lost', reason: 'gone' }, { state: 'back' }]);
  });

  it('keeps unsent reports for the next retry', async () => {
    const { store, visit, limiter } = fleet();
    const first = visit('first');
    await ticks();
    store.reply = () => Promise.reject(new Error('gone'));
    first.leave(budget(59));
    pause(limiter, start + 20_000);
    await ticks();
    expect(store.last).toMatchObject({ pause: 20_000, budgets: [{ since: 0 }] });
    const before = store.reports.length;
    for (let at = 0; at < 3; at++) visit('waits').controller.abort();
    await advance(200);
    expect(store.reports).toHaveLength(before);
    store.reply = plenty;
    await advance(50);
    expect(store.last).toMatchObject({
      pause: 20_000,
      budgets: [{ since: 0, reported: { remaining: 59 } }],
    });
  });
});

describe('RateLimiter.close() in a fleet', () => {
  it('sends one exchange at a time', async () => {
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

  it('returns unused slots and units after a pending exchange', async () => {
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

/** An event that a limiter must handle. */
type Step =
  | { readonly kind: 'come' | 'abort'; readonly credential: number }
  | { readonly kind: 'response'; readonly remaining: number | undefined }
  | { readonly kind: 'pass'; readonly ms: number }
  | {
      readonly kind: 'store';
      readonly units: number;
      readonly slots: number;
      readonly others: number;
    }
  | { readonly kind: 'pause' };

const credential = fc.integer({ min: 0, max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('come' as const), credential }) },
  fc.record({ kind: fc.constant('abort' as const), credential }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('response' as const),
      remaining: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(300) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      units: fc.integer({ min: -1, max: 3 }),
      slots: fc.integer({ min: 0, max: 3 }),
      others: fc.integer({ min: 0, max: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('pause' as const) }),
);

/** Creates a reply function that grants at most these amounts and fails if `units` is negative. */
function stingy({ units, slots, others }: Extract<Step, { kind: 'store' }>) {
  return (report: LimitReport): LimitReply => {
    if (units < 0) throw new Error('gone');
    const all = plenty(report);
    return {
      ...all,
      slots: all.slots && {
        granted: Math.min(all.slots.granted, slots),
        holders: others + 1,
        waiting: others,
        ahead: others,
      },
      budgets: all.budgets.map((reply) => ({
        ...reply,
        granted: Math.min(units, reply.granted),
        left: 0,
        holders: others + 1,
      })),
    };
  };
}

it('waiting calls start once the store has enough units', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { store, visit, limiter } = fleet({ maxConcurrency: 4 });
      const visits: ReturnType<typeof visit>[] = [];
      const inFlight: typeof visits = [];
      const settle = () => {
        for (const each of visits.splice(0)) {
          if (each.entry === 'acquired') inFlight.push(each);
          else if (each.entry === 'waiting') visits.push(each);
        }
      };
      for (const each of steps) {
        if (each.kind === 'come') visits.push(visit('call', { credential: `${each.credential}` }));
        else if (each.kind === 'abort') visits.shift()?.controller.abort();
        else if (each.kind === 'response')
          inFlight.shift()?.leave(each.remaining === undefined ? {} : budget(each.remaining, 3600));
        else if (each.kind === 'store') store.reply = stingy(each);
        else if (each.kind === 'pause') pause(limiter, Date.now() + 500);
        await advance(each.kind === 'pass' ? each.ms : 0);
        settle();
      }
      store.reply = plenty;
      // The waits are longer than the pause after store failures.
      for (let turn = 0; turn < 60 && visits.length > 0; turn++) {
        await advance(250);
        settle();
        for (const each of inFlight.splice(0)) each.leave(budget(30, 3600));
      }
      expect(entries(visits)).toEqual([]);
      expect(store.most).toBeLessThanOrEqual(1);
      for (const each of inFlight) each.leave(undefined);
      await limiter.close();
      vi.clearAllTimers();
    }),
    { numRuns },
  );
});
