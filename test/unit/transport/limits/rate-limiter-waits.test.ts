import { describe, expect, it, vi } from 'vitest';
import {
  advance,
  budget,
  entries,
  house,
  pause,
  start,
  stopTheClock,
  ticks,
} from './limiter-setup.js';

stopTheClock();

describe('a wait', () => {
  it('a wait ends when the pause ends', async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 5000);
    visit('one');
    await advance(4999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one acquired']);
  });

  it('a wait ends when the window ends', async () => {
    const { log, visit, receive } = house();
    receive(budget(0));
    visit('one');
    await advance(59_999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one acquired']);
  });

  it('a wait ends on time behind a longer wait', async () => {
    const { log, visit, receive } = house();
    receive(budget(0, 60));
    receive(budget(0, 10), { credential: 'b' });
    visit('late');
    visit('soon', { credential: 'b' });
    await advance(10_000);
    expect(log).toEqual(['soon acquired']);
    await advance(50_000);
    expect(log).toEqual(['soon acquired', 'late acquired']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a wait ends on time behind a shorter wait', async () => {
    const { log, visit, receive } = house();
    receive(budget(0, 10));
    receive(budget(0, 60), { credential: 'b' });
    visit('soon');
    visit('late', { credential: 'b' });
    await advance(10_000);
    expect(log).toEqual(['soon acquired']);
    await advance(50_000);
    expect(log).toEqual(['soon acquired', 'late acquired']);
  });

  it('a wait lasts at most an hour', async () => {
    const hour = 3_600_000;
    const { limiter, log, visit, receive } = house();
    receive(budget(0, 500 * 365 * 86_400));
    visit('budget');
    pause(limiter, start + 100 * 365 * 24 * hour);
    visit('pause', { credential: 'b' });
    await advance(hour - 1);
    expect(log).toEqual([]);
    await advance(126);
    expect(log).toEqual(['budget acquired', 'pause acquired']);
  });

  it('a wait ends later if the client is paused again', async () => {
    const { limiter, log, waits, visit } = house();
    pause(limiter, start + 1000);
    visit('one');
    pause(limiter, start + 3000);
    await advance(2999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one acquired']);
    expect(waits).toEqual([
      ['one', 1000],
      ['one', 2000],
    ]);
  });

  it('the limiter reports a postponed end to all waiting calls', async () => {
    const { limiter, waits, come } = house();
    pause(limiter, start + 1000);
    come(3);
    pause(limiter, start + 2000);
    await advance(1000);
    const first = [
      ['1', 1000],
      ['2', 1000],
      ['3', 1000],
    ];
    expect(waits).toEqual([...first, ...first]);
  });

  it("a waiting call is rejected if `onLimit` is 'throw' and the quota is exhausted", async () => {
    const { visit, receive } = house({ onLimit: 'throw' });
    receive(budget(1));
    const sent = visit('sent');
    const next = visit('next');
    expect(next.entry).toBe('waiting');
    sent.leave(budget(0));
    await ticks();
    expect(next.entry).toMatchObject({ limit: { remaining: 0 } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a waiting call starts before a new call', async () => {
    let now = start;
    const { limiter, log, visit } = house({ maxConcurrency: 1, clock: () => now });
    pause(limiter, start + 1000);
    const early = visit('early');
    now = start + 1000;
    visit('late');
    await advance(0);
    expect(log).toEqual(['early acquired']);
    early.leave();
    now += 125;
    await advance(125);
    expect(log).toEqual(['early acquired', 'late acquired']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a waiting call gets the first request of the next window', async () => {
    let now = start;
    const { log, visit, receive } = house({ clock: () => now });
    receive(budget(0, 60, { 'x-ratelimit-limit': '1' }));
    visit('early');
    now = start + 60_000;
    visit('late');
    await advance(0);
    expect(log).toEqual(['early acquired']);
  });

  it('all waiting calls share one timer', async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 1000);
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (const name of ['one', 'two', 'three']) visit(name);
    expect(set).toHaveBeenCalledOnce();
    set.mockRestore();
    await advance(1250);
    expect(log).toEqual(['one acquired', 'two acquired', 'three acquired']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a client-wide pause', () => {
  it("a pause delays all calls in order, even if `onLimit` is 'throw'", async () => {
    const { limiter, waits, visit } = house({ onLimit: 'throw' });
    pause(limiter, start + 5000);
    pause(limiter, start + 3000);
    const visits = [visit('one'), visit('two', { credential: 'b' })];
    await advance(4_999);
    expect(entries(visits)).toEqual(['waiting', 'waiting']);
    await advance(2);
    expect(entries(visits)).toEqual(['acquired', 'waiting']);
    await advance(125);
    expect(entries(visits)).toEqual(['acquired', 'acquired']);
    expect(waits).toEqual([
      ['one', 5000],
      ['two', 5000],
      ['two', 125],
    ]);
  });

  it('the limiter rejects calls if the pause exceeds maxWait', async () => {
    const { limiter, visit } = house({ maxWait: 1000 });
    pause(limiter, start + 5000);
    const call = visit('call');
    await ticks();
    expect(call.entry).toEqual({ limit: undefined, until: start + 5000, reason: 'pause' });
  });

  it('a pause leaves no timer after all waiting calls are aborted', async () => {
    const { limiter, visit } = house();
    pause(limiter, start + 5000);
    const call = visit('call');
    call.controller.abort();
    call.deadline.dispose();
    await ticks();
    expect(call.entry).toBe('interrupted');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('maxWait', () => {
  it.each([
    ['allows a wait of the same length', 5000, []],
    ['rejects a wait that is 1 ms longer', 4999, ['one refused']],
  ])('maxWait %s', async (_name, maxWait, expected) => {
    const { limiter, log, waits, visit } = house({ maxWait });
    pause(limiter, start + 5000);
    visit('one');
    await advance(0);
    expect(log).toEqual(expected);
    expect(waits).toHaveLength(expected.length === 0 ? 1 : 0);
  });

  it('the limiter rejects a waiting call when a longer pause begins', async () => {
    const { limiter, log, visit } = house({ maxWait: 5000 });
    pause(limiter, start + 1000);
    visit('one');
    pause(limiter, start + 10_000);
    await advance(1000);
    expect(log).toEqual(['one refused']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('wait events', () => {
  it('the limiter publishes the wait of each call only once', async () => {
    const { waits, visit, receive } = house();
    const out = [visit('out'), visit('out'), visit('out')];
    receive(budget(0));
    visit('one');
    visit('two');
    for (const call of out) call.leave({});
    visit('three', { credential: 'b' });
    expect(waits).toEqual([
      ['one', 60_000],
      ['two', 60_000],
    ]);
  });

  it('the limiter publishes the rest of a wait after the published time has passed', async () => {
    const { limiter, waits, visit } = house();
    pause(limiter, start + 1000);
    visit('one');
    pause(limiter, start + 3000);
    visit('two');
    const before = [
      ['one', 1000],
      ['two', 3000],
    ];
    expect(waits).toEqual(before);
    await advance(1000);
    expect(waits).toEqual([...before, ['one', 2000]]);
  });

  it('the limiter publishes a wait without a duration if another call has to finish first', async () => {
    const { log, waits, visit } = house({ maxConcurrency: 1 });
    const first = visit('first');
    visit('second');
    first.leave();
    await advance(0);
    expect(log).toEqual(['first acquired', 'second acquired']);
    expect(waits).toEqual([['second', undefined]]);
  });

  it('the limiter publishes a wait without a duration if the response to another call is pending', async () => {
    const { log, waits, visit, receive } = house();
    receive(budget(1));
    const first = visit('first');
    visit('second');
    expect(log).toEqual(['first acquired']);
    expect(vi.getTimerCount()).toBe(0);
    first.leave(budget(1, 120));
    await advance(0);
    expect(log).toEqual(['first acquired', 'second acquired']);
    expect(waits).toEqual([['second', undefined]]);
  });
});
