import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { LimitReply, LimitReport } from '../../../../src/transport/limits/shared-limits.js';
import { numRuns } from '../../../support/extent.js';
import { advance, budget, entries, pause, stopTheClock } from '../limits/limiter-setup.js';
import { fleet } from './fleet-setup.js';
import { plenty } from './scripted-limits.js';

stopTheClock();

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

it('waiting calls start once the store has enough quota units', async () => {
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
      // Waits up to 15 s, because a process pauses before it retries a failed store.
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
