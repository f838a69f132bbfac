import { describe, expect, it } from 'vitest';
import { SlotShare } from '../../../../src/transport/fleet/slot-share.js';
import { advance, stopTheClock } from '../limits/limiter-setup.js';
import { slotReply } from './scripted-limits.js';

stopTheClock();

/**
 * Creates a share with granted slots, some of which are in use. `others` contains the numbers of
 * other processes that have slots or wait for slots.
 */
function holding(held: number, used: number, others: { holders: number; waiting: number }) {
  const slots = new SlotShare(8, 64);
  slots.applyReply(slots.report(held), slotReply({ granted: held, ...others }), 0);
  for (let at = 0; at < used; at++) slots.take();
  return slots;
}

describe('SlotShare', () => {
  it('a process keeps a slot between calls for 50 ms if other processes wait', async () => {
    await advance(5000);
    const slots = holding(2, 2, { holders: 8, waiting: 3 });
    await advance(49);
    expect(slots.release()).toBe(false);
    slots.take();
    await advance(1);
    expect(slots.release()).toBe(true);
  });

  it('a process keeps a slot between calls if no other process waits', async () => {
    const slots = holding(2, 2, { holders: 8, waiting: 0 });
    await advance(60);
    expect(slots.release()).toBe(false);
  });

  it('a process keeps idle slots for 20 ms if other processes wait', async () => {
    await advance(5000);
    const slots = holding(4, 1, { holders: 2, waiting: 1 });
    await advance(19);
    expect(slots.report(0)).toMatchObject({ held: 4 });
    await advance(1);
    expect(slots.report(0)).toMatchObject({ held: 1 });
  });

  it('a process keeps as many slots as were needed in the last second', async () => {
    await advance(5000);
    const slots = holding(6, 4, { holders: 1, waiting: 0 });
    for (let at = 0; at < 3; at++) slots.release();
    await advance(999);
    slots.applyReply(slots.report(0), slotReply(), 0);
    expect(slots.report(0)).toMatchObject({ held: 6 });
    await advance(1);
    expect(slots.report(0)).toMatchObject({ held: 4 });
    await advance(1000);
    expect(slots.report(0)).toMatchObject({ held: 1 });
  });

  it('a process requests slots again after 5 ms if no other process waits', () => {
    const slots = holding(1, 1, { holders: 8, waiting: 0 });
    slots.applyReply(slots.report(1), slotReply({ holders: 8 }), 0);
    expect(Math.round(slots.dueAt(1) - performance.now())).toBe(5);
  });

  it('a process ignores a reply without slots', () => {
    const slots = holding(1, 1, { holders: 1, waiting: 0 });
    slots.applyReply(slots.report(0), undefined, 0);
    slots.applyReply(undefined, slotReply({ granted: 5 }), 0);
    expect(slots.report(0)).toMatchObject({ held: 1 });
  });
});
