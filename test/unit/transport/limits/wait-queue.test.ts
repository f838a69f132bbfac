import { describe, expect, it, vi } from 'vitest';
import { BudgetQueue, WaitQueue } from '../../../../src/transport/limits/wait-queue.js';
import { advance, start, stopTheClock } from './limiter-setup.js';

stopTheClock();

/** Creates a queue of waiters, numbered in order. */
function waiting(count: number) {
  const queue = new WaitQueue<{ readonly at: number; done: boolean }>();
  const items = Array.from({ length: count }, (_, at) => ({ at, done: false }));
  for (const each of items) queue.push(each);
  return { queue, items };
}

describe('WaitQueue', () => {
  it('a wait queue returns the remaining waiters in order', () => {
    const { queue, items } = waiting(100);
    for (const each of items) if (each.at % 4 !== 1) queue.remove(each);
    const left = items.filter(({ done }) => !done).map(({ at }) => at);
    expect(left).toHaveLength(25);
    expect(queue.length).toBe(25);
    expect(queue.all().map(({ at }) => at)).toEqual(left);
    const taken: (number | undefined)[] = [];
    for (let count = 0; count < 25; count++) taken.push(queue.shift()?.at);
    expect(taken).toEqual(left);
    expect([queue.first, queue.shift(), queue.length, queue.all()]).toEqual([
      undefined,
      undefined,
      0,
      [],
    ]);
    const late = { at: 100, done: false };
    queue.push(late);
    expect(queue.first).toBe(late);
  });

  it('a wait queue accepts a waiter that left another queue', () => {
    const { queue } = waiting(3);
    const other = waiting(1).queue;
    const first = queue.shift();
    if (first) other.push(first);
    expect([queue.length, other.length]).toEqual([2, 2]);
    expect(queue.all().map(({ at }) => at)).toEqual([1, 2]);
    expect(other.all()).toContain(first);
  });

  it('a wait queue removes each waiter only once', () => {
    const { queue, items } = waiting(3);
    for (let times = 0; times < 3; times++) for (const each of items.slice(1)) queue.remove(each);
    expect(queue.length).toBe(1);
    expect(queue.first).toBe(items[0]);
  });
});

const quota = (until: number) => ({ limit: undefined, until, reason: 'quota' }) as const;

describe('BudgetQueue', () => {
  it("a quota's queue ignores a change of its end time by less than a second", () => {
    const queue = new BudgetQueue('a core');
    const look = () => undefined;
    const until = start + 60_000;
    expect(queue.wait(quota(until), start, look)).toBe(true);
    expect(queue.wait(quota(until), start, look)).toBe(false);
    expect(queue.wait(quota(until + 999), start, look)).toBe(false);
    expect(queue.wait(quota(until + 1999), start, look)).toBe(true);
    expect(queue.wait(quota(until), start, look)).toBe(true);
    queue.stop();
    expect(queue.until).toBe(Number.POSITIVE_INFINITY);
  });

  it("a quota's queue examines its waiting calls once, at the last reported time", async () => {
    const queue = new BudgetQueue('a core');
    const [first, last] = [vi.fn(), vi.fn()];
    queue.wait(quota(start + 1000), start, first);
    queue.wait(quota(start + 5000), start, last);
    queue.wait(quota(start + 5000), start, first);
    await advance(4999);
    expect([first.mock.calls.length, last.mock.calls.length]).toEqual([0, 0]);
    await advance(10_000);
    expect([first.mock.calls.length, last.mock.calls.length]).toEqual([0, 1]);
  });
});
