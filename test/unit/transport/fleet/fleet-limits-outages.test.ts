import { describe, expect, it } from 'vitest';
import { turns } from '../../../support/client.js';
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
import { plenty, slotReply } from './scripted-limits.js';

stopTheClock();

describe('a fleet without a store', () => {
  it('a process without a store and slots makes one call at a time until the lease ends', async () => {
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

  it('a process without a store uses its share of the slots after the lease ends', async () => {
    const { store, come } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ holders: 4 }) });
    const calls = come(3);
    await ticks();
    store.reply = () => Promise.reject(new Error('gone'));
    await advance(16_000);
    await turns(5);
    expect(entries(calls)).toEqual(['acquired', 'acquired', 'waiting']);
  });

  it('a process makes one call at a time until the store first responds', async () => {
    const { store, come } = fleet();
    store.reply = () => new Promise(() => undefined);
    const calls = come(3);
    await advance(1000);
    await turns(5);
    expect(entries(calls)).toEqual(['acquired', 'waiting', 'waiting']);
  });

  it('a process tries the store again after 250 ms, 500 ms and then every second', async () => {
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

  it('a process keeps unsent reports for the next retry', async () => {
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
