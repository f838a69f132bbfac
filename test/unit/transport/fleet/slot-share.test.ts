import { describe, expect, it } from 'vitest';
import { SlotShare } from '../../../../src/transport/fleet/slot-share.js';
import { advance, stopTheClock } from '../limits/limiter-setup.js';
import { slotReply } from './scripted-limits.js';

stopTheClock();

/** Returns the time in ms until the next exchange, or 0 if the exchange is due. */
const dueIn = (slots: SlotShare, ready: number) =>
  Math.max(0, Math.round(slots.dueAt(ready) - performance.now()));

/** Exchanges a report for a reply and returns the report. */
function exchange(
  slots: SlotShare,
  ready: number,
  reply: Parameters<typeof slotReply>[0] = {},
  units = 0,
) {
  const report = slots.report(ready);
  slots.applyReply(report, slotReply(reply), units);
  return report;
}

/** Creates a share with granted slots, some of which are in use. */
function holding(held: number, used: number, capacity = 100) {
  const slots = new SlotShare(capacity, 64);
  exchange(slots, held, { granted: held });
  for (let at = 0; at < used; at++) slots.take();
  return slots;
}

describe('SlotShare', () => {
  it('a process requests slots immediately for calls that have quota units', () => {
    const slots = new SlotShare(8, 64);
    expect(dueIn(slots, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(dueIn(slots, 3)).toBe(0);
    expect(exchange(slots, 3, { granted: 2 })).toMatchObject({ capacity: 8, held: 0, want: 3 });
    slots.take();
    expect(slots.isFree(false)).toBe(true);
    slots.take();
    expect(slots.isFree(false)).toBe(false);
    expect(exchange(slots, 1)).toMatchObject({ capacity: 8, held: 2, want: 1 });
  });

  it('a process reports idle slots as a negative number of wanted slots', () => {
    const slots = holding(3, 1);
    expect(slots.report(0)).toMatchObject({ capacity: 100, held: 3, want: -2 });
  });

  it('a process requests slots again at intervals that depend on the queue position', () => {
    const waits = (ahead: number, waiting = 1000) => {
      const slots = new SlotShare(8, 64);
      return Array.from({ length: 5 }, () => {
        exchange(slots, 1, { ahead, waiting });
        return dueIn(slots, 1);
      });
    };
    expect(waits(0)).toEqual([5, 10, 20, 20, 20]);
    expect(waits(4)).toEqual([25, 50, 100, 100, 100]);
    expect(waits(100)).toEqual([50, 100, 200, 200, 200]);
    // If few processes wait, each wait is short.
    expect(waits(40, 40)).toEqual([10, 20, 40, 40, 40]);
  });

  it('a process requests more slots than its share after 50 ms if other processes wait', async () => {
    const slots = holding(4, 4, 12);
    exchange(slots, 2, { waiting: 1, holders: 3 });
    expect(dueIn(slots, 2)).toBe(50);
    await advance(20);
    expect(dueIn(slots, 0), 'there is no queue to leave').toBe(980);
  });

  it('a process never uses more slots than maxConcurrency', () => {
    expect(new SlotShare(Number.POSITIVE_INFINITY, 3).reach).toBe(3);
    expect(new SlotShare(8, 3).reach).toBe(3);
  });

  it('a process requests slots again immediately after a partial grant', () => {
    const slots = new SlotShare(8, 64);
    exchange(slots, 3, {});
    exchange(slots, 3, { granted: 1 });
    expect(dueIn(slots, 3)).toBe(0);
  });

  it('a process sets isKnown in reports for an hour after a reply', async () => {
    const slots = new SlotShare(8, 64);
    expect(exchange(slots, 1)).toMatchObject({ isKnown: false });
    await advance(3_599_000);
    expect(slots.report(1)).toMatchObject({ isKnown: true });
    await advance(1000);
    expect(slots.report(1)).toMatchObject({ isKnown: false });
  });

  it('a process never requests slots if the capacity is unlimited', () => {
    const slots = new SlotShare(Number.POSITIVE_INFINITY, 64);
    expect(slots.isFree(false)).toBe(true);
    expect(dueIn(slots, 100)).toBe(Number.POSITIVE_INFINITY);
    expect(slots.report(100)).toBeUndefined();
  });
});

describe('SlotShare with unused slots', () => {
  it('a process returns an idle slot after 20 ms if other processes wait', async () => {
    const slots = holding(4, 4);
    exchange(slots, 0, { waiting: 1 });
    slots.release();
    expect(dueIn(slots, 0)).toBe(20);
    await advance(10);
    expect(exchange(slots, 0, { waiting: 1 })).toMatchObject({ held: 4, want: -1 });
    await advance(10);
    expect(dueIn(slots, 0)).toBe(0);
    expect(exchange(slots, 0, { waiting: 1 })).toMatchObject({ held: 3, want: 0 });
    // Slots in use are reported every second.
    expect(dueIn(slots, 0)).toBe(1000);
  });

  it('a process keeps slots that calls with quota units are about to use', async () => {
    const slots = holding(4, 2);
    exchange(slots, 2, { waiting: 1 });
    await advance(1000);
    expect(exchange(slots, 2, { waiting: 1 })).toMatchObject({ held: 4, want: 0 });
  });

  it('a process returns all slots except those used in the last second', async () => {
    const slots = holding(4, 3);
    await advance(1000);
    exchange(slots, 0);
    for (let at = 0; at < 3; at++) slots.release();
    await advance(1000);
    expect(dueIn(slots, 0)).toBe(0);
    expect(exchange(slots, 0)).toMatchObject({ held: 3 });
    await advance(1000);
    expect(exchange(slots, 0)).toMatchObject({ held: 0 });
    expect(dueIn(slots, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a process returns a slot after a call if the process exceeds its share', async () => {
    const slots = holding(4, 4, 6);
    exchange(slots, 0, { waiting: 1, holders: 3 });
    expect(slots.release()).toBe(false);
    slots.take();
    await advance(50);
    expect(slots.release()).toBe(true);
    expect(dueIn(slots, 0)).toBe(0);
    expect(exchange(slots, 1, { waiting: 1, holders: 3 })).toMatchObject({ held: 3, want: 1 });
    expect([slots.release(), slots.release()]).toEqual([true, false]);
  });

  it('a process returns the only slot if there are more processes than slots', async () => {
    const slots = holding(1, 1, 2);
    exchange(slots, 0, { waiting: 2, holders: 3 });
    await advance(50);
    expect(slots.release()).toBe(true);
    expect(exchange(slots, 1, { waiting: 2, holders: 3 })).toMatchObject({ held: 0, want: 1 });
  });

  it('a process returns idle slots when the client closes', () => {
    const slots = holding(4, 1);
    slots.drop();
    expect(slots.report(0)).toMatchObject({ held: 1, want: 0 });
  });
});

describe('SlotShare in the queue', () => {
  it('a process leaves the queue immediately if no call needs a slot', async () => {
    const slots = new SlotShare(8, 64);
    exchange(slots, 1, { waiting: 3 });
    await advance(1000);
    expect(dueIn(slots, 0)).toBe(0);
    exchange(slots, 0, { waiting: 3 });
    expect(dueIn(slots, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a process leaves the queue immediately if the quota units are no longer needed', async () => {
    const slots = new SlotShare(8, 64);
    exchange(slots, 0, { waiting: 3 }, 1);
    await advance(1000);
    expect(dueIn(slots, 0)).toBe(0);
  });
});

describe('SlotShare with an unavailable store', () => {
  /** Takes slots until none is free and returns their number. */
  const takeAll = (slots: SlotShare) => {
    let taken = 0;
    for (; slots.isFree(true); taken++) slots.take();
    return taken;
  };

  it('a process uses only its own slots until the lease ends if the store is unavailable', async () => {
    const slots = holding(2, 0, 7);
    exchange(slots, 0, { holders: 2 });
    expect(takeAll(slots)).toBe(2);
    await advance(9_999);
    expect(slots.isFree(true)).toBe(false);
  });

  it('a process uses its share of the slots after the lease ends if the store is unavailable', async () => {
    const slots = holding(2, 0, 7);
    exchange(slots, 0, { holders: 2 });
    await advance(10_000);
    expect(takeAll(slots)).toBe(3);
    expect(slots.report(0)).toMatchObject({ held: 3, want: 0 });
  });

  it('a process uses at most its share of the slots if the store is unavailable, even if it has more', () => {
    const slots = holding(6, 0, 7);
    exchange(slots, 0, { holders: 2 });
    expect(takeAll(slots)).toBe(3);
  });

  it('a process that knows no other process uses all slots if the store is unavailable', () => {
    const slots = holding(2, 0, 7);
    exchange(slots, 0, { holders: 1 });
    expect(takeAll(slots)).toBe(7);
  });

  it('a process has a share of at least one slot if the store is unavailable', () => {
    const slots = holding(1, 0, 7);
    exchange(slots, 0, { holders: 100 });
    expect(slots.isFree(true)).toBe(true);
  });
});
