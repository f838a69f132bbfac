import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
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

describe('the last request of a quota', () => {
  it('the last request of a quota makes further calls wait for pending responses', async () => {
    const { come, receive } = house({ onLimit: 'throw' });
    receive(budget(2));
    const visits = come(4);
    expect(entries(visits)).toEqual(['acquired', 'acquired', 'waiting', 'waiting']);
    visits[0]?.leave(budget(1));
    await ticks();
    expect(entries(visits.slice(2))).toEqual(['waiting', 'waiting']);
    visits[1]?.leave(budget(0));
    await ticks();
    expect(visits[2]?.entry).toMatchObject({ limit: { remaining: 0 } });
    expect(visits[3]?.entry).toMatchObject({ limit: { remaining: 0 } });
  });

  it('the last request of a quota passes to the next call if a response reports no quota', async () => {
    const { visit, receive } = house();
    receive(budget(1));
    const first = visit('call');
    const second = visit('call');
    first.leave(undefined);
    await ticks();
    expect(second.entry).toBe('acquired');
  });

  it('calls sent before the first quota report reserve the last requests of a quota', () => {
    const { visit, come } = house();
    const early = come(3);
    early[0]?.leave(budget(2));
    expect(visit('call').entry).toBe('waiting');
  });

  it('the last request of a quota stays available after other calls change buckets', async () => {
    const { visit, receive } = house();
    receive(budget(2));
    const search = budget(9, 60, { 'x-ratelimit-resource': 'search' });
    const searches = [0, 1].map(() => visit('call', { operation: 'search' }));
    for (const call of searches) call.leave(search);
    receive(budget(1));
    expect(visit('call').entry).toBe('acquired');
  });

  it('the limiter starts as many calls as the limit allows in a new window', async () => {
    const { come, receive } = house();
    receive({ ...budget(0), 'x-ratelimit-limit': '2' });
    const visits = come(3);
    await advance(60_001);
    expect(entries(visits)).toEqual(['acquired', 'acquired', 'waiting']);
    visits[0]?.leave({ ...budget(1, 120), 'x-ratelimit-limit': '2' });
    visits[1]?.leave({ ...budget(1, 120), 'x-ratelimit-limit': '2' });
    await ticks();
    expect(visits[2]?.entry).toBe('acquired');
  });
});

describe('RateLimiter', () => {
  it('the limiter grants permits in order of arrival, up to maxConcurrency', async () => {
    const { visit, come } = house({ maxConcurrency: 2 });
    const visits = come(5);
    const order = ['acquired', 'acquired', 'waiting', 'waiting', 'waiting'];
    expect(entries(visits)).toEqual(order);
    for (const [index, call] of visits.slice(0, 3).entries()) {
      call.leave();
      // A new call doesn't overtake waiting calls.
      expect(visit('call').entry).toBe('waiting');
      await ticks();
      order[index + 2] = 'acquired';
      expect(entries(visits)).toEqual(order);
    }
  });

  it('the limiter interrupts an aborted waiting call immediately', async () => {
    const { visit } = house({ maxConcurrency: 1 });
    const [first, second, third] = [visit('1'), visit('2'), visit('3')];
    second.controller.abort();
    await ticks();
    expect(entries([second, third])).toEqual(['interrupted', 'waiting']);
    first.leave();
    await ticks();
    expect(third.entry).toBe('acquired');
  });

  it('the limiter stops a waiting call at its total timeout', async () => {
    const { log, visit } = house({ maxConcurrency: 1 });
    const [first, second] = [visit('first'), visit('second', {}, 1000)];
    await advance(999);
    expect(second.entry).toBe('waiting');
    await advance(1);
    expect(second.entry).toBe('interrupted');
    expect(second.deadline.interruption).toEqual({ kind: 'total', limit: 1000 });
    first.leave();
    visit('third');
    expect(log).toEqual(['first acquired', 'second interrupted', 'third acquired']);
  });

  it('the limiter suspends the total timeouts of waiting calls during a pause', async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 5000);
    const [, ...waiting] = [visit('1'), visit('2', {}, 1000), visit('3', {}, 1000)];
    await advance(4999);
    expect(entries(waiting)).toEqual(['waiting', 'waiting']);
    pause(limiter, start + 9000);
    await advance(4000);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['1 acquired']);
    await advance(250);
    expect(log).toEqual(['1 acquired', '2 acquired', '3 acquired']);
  });

  it('the limiter counts a wait for a slot after a pause against the timeout', async () => {
    const { limiter, log, visit } = house({ maxConcurrency: 1 });
    pause(limiter, start + 5000);
    const visits = ['1', '2', '3'].map((name) => visit(name, {}, 1000));
    await advance(5000);
    expect(log).toEqual(['1 acquired']);
    // During the slow start, the timeout doesn't run.
    await advance(125);
    await advance(999);
    expect(entries(visits)).toEqual(['acquired', 'waiting', 'waiting']);
    await advance(1);
    expect(entries(visits)).toEqual(['acquired', 'interrupted', 'interrupted']);
  });

  it('the limiter counts waits for a slot before and after a pause against the timeout', async () => {
    const { limiter, visit } = house({ maxConcurrency: 1 });
    visit('1');
    const second = visit('2', {}, 1000);
    await advance(500);
    pause(limiter, start + 5000);
    const third = visit('3', {}, 1000);
    await advance(4500);
    expect(entries([second, third])).toEqual(['waiting', 'waiting']);
    await advance(500);
    expect(entries([second, third])).toEqual(['interrupted', 'waiting']);
    await advance(500);
    expect(third.entry).toBe('interrupted');
  });

  it("the limiter excludes a pause from a waiting call's total timeout", async () => {
    const { limiter, visit } = house({ maxConcurrency: 1 });
    const first = visit('1');
    const [second, third] = ['2', '3'].map((name) => visit(name, {}, 1000));
    await advance(500);
    pause(limiter, start + 5000);
    first.leave();
    await advance(4499);
    expect(entries([second, third].filter((each) => each !== undefined))).toEqual([
      'waiting',
      'waiting',
    ]);
    await advance(1);
    expect(second?.entry).toBe('acquired');
    await advance(125);
    await advance(499);
    expect(third?.entry).toBe('waiting');
    await advance(1);
    expect(third?.entry).toBe('interrupted');
  });

  it('the limiter keeps a permit that was granted just before the call is aborted', async () => {
    const { visit } = house({ maxConcurrency: 1 });
    const [first, second, third] = [visit('1'), visit('2'), visit('3')];
    first.leave();
    second.controller.abort();
    await ticks();
    expect(second.entry, 'it was admitted, so it must be released').toBe('acquired');
    second.leave();
    await ticks();
    expect(third.entry).toBe('acquired');
  });

  it('the limiter ignores a second release of the same permit', async () => {
    const { visit } = house({ maxConcurrency: 1 });
    const [first, second, third] = [visit('1'), visit('2'), visit('3')];
    first.leave();
    first.leave();
    await ticks();
    expect(entries([second, third])).toEqual(['acquired', 'waiting']);
  });
});

describe('a waiting call', () => {
  it("an aborted waiting call doesn't block other waiting calls", async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 1000);
    const [first] = [visit('first'), visit('second')];
    first.controller.abort();
    await advance(1000);
    expect(log).toEqual(['first interrupted', 'second acquired']);
  });

  it("an aborted waiting call doesn't get a permit", async () => {
    const { log, visit } = house({ maxConcurrency: 1 });
    const first = visit('first');
    const second = visit('second');
    second.controller.abort();
    first.leave();
    second.leave();
    visit('third');
    await advance(0);
    expect(new Set(log)).toEqual(
      new Set(['first acquired', 'second interrupted', 'third acquired']),
    );
  });

  it('a call that waited leaves no listener on its signal', async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 1000);
    const one = visit('one');
    await advance(1000);
    one.controller.abort();
    await advance(0);
    expect(log).toEqual(['one acquired']);
    one.deadline.dispose();
    expect(getEventListeners(one.controller.signal, 'abort')).toHaveLength(0);
  });

  it('a call resumes its total timeout after the wait', async () => {
    const { limiter, log, visit } = house();
    pause(limiter, start + 1000);
    const { deadline } = visit('one', {}, 100);
    await advance(1000);
    expect(log).toEqual(['one acquired']);
    await advance(99);
    expect(deadline.interruption).toBeUndefined();
    await advance(1);
    expect(deadline.interruption).toEqual({ kind: 'total', limit: 100 });
  });
});

describe('RateLimiter.release()', () => {
  it('release() ignores a request without a permit', () => {
    const { limiter, visit } = house();
    const stranger = { credential: 'a', operation: 'x', exemptFromLimits: false, writes: false };
    limiter.release(stranger, budget(0));
    expect(limiter.rateLimit('a')).toBeUndefined();
    const one = visit('one');
    one.leave(budget(5));
    one.leave(budget(0));
    expect(limiter.rateLimit('a')?.remaining).toBe(5);
  });

  it('release() frees only one permit if several calls have permits', () => {
    const { log, visit, receive } = house();
    receive(budget(3));
    const calls = ['1', '2', '3'].map((name) => visit(name));
    calls[0]?.leave(budget(3));
    visit('4');
    visit('5');
    expect(log).toEqual(['1 acquired', '2 acquired', '3 acquired', '4 acquired']);
  });
});
