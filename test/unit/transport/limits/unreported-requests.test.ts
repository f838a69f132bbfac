import { describe, expect, it } from 'vitest';
import { Budgets } from '../../../../src/transport/limits/budgets.js';
import { advance, budget, entries, house, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

/**
 * Creates a limiter that knows the remaining quota and has since lost the responses to some
 * requests.
 */
function limiterAfter(remaining: number, lost: number, limit = 60) {
  const { visit, come, receive, limiter } = house();
  const quota = (left: number, seconds = 60) =>
    budget(left, seconds, { 'x-ratelimit-limit': `${limit}` });
  receive(quota(remaining));
  const lose = (count: number) => {
    for (const each of come(count)) each.leave();
  };
  lose(lost);
  return { visit, come, lose, limiter, quota };
}

const inNextWindow = 60_000;

describe('unreported requests', () => {
  it('the limiter counts unreported requests until a later response', async () => {
    const { come, quota } = limiterAfter(3, 2);
    const visits = come(3);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'waiting', 'waiting']);
    visits[0]?.leave(quota(0));
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'waiting', 'waiting']);
    await advance(inNextWindow);
    expect(entries(visits)).toEqual(['acquired', 'acquired', 'acquired']);
  });

  it('the limiter ignores unreported requests that the server did not count', async () => {
    const { come, quota } = limiterAfter(4, 3);
    await advance(100);
    const [first, ...others] = come(4);
    first?.leave(quota(3));
    await ticks();
    expect(entries(others)).toEqual(['acquired', 'acquired', 'acquired']);
  });

  it('the limiter counts unreported requests after a response to a request sent less than 100 ms later', async () => {
    const { come, quota } = limiterAfter(4, 3);
    await advance(99);
    const [first, ...others] = come(4);
    first?.leave(quota(3));
    await ticks();
    expect(entries(others)).toEqual(['acquired', 'waiting', 'waiting']);
  });

  it('the limiter counts unreported requests after a late response to an early request', async () => {
    const { visit, come, quota } = limiterAfter(4, 3);
    const late = visit('late', { startedAt: Date.now() + 99 });
    await advance(1000);
    late.leave(quota(3));
    const visits = come(2);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'waiting']);
  });

  it('the limiter counts unreported requests after a response to an earlier request', async () => {
    const { visit, receive, come } = house();
    receive(budget(5));
    const earlier = visit('earlier');
    visit('lost').leave();
    earlier.leave(budget(2));
    const visits = come(2);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'waiting']);
  });

  it('the limiter allows one request at a time if the quota may be used up', async () => {
    const { come, quota } = limiterAfter(2, 5);
    const [first, second, ...others] = come(4);
    await ticks();
    expect(entries([first, second, ...others].flatMap((each) => each ?? []))).toEqual([
      'acquired',
      'waiting',
      'waiting',
      'waiting',
    ]);
    first?.leave();
    await ticks();
    expect([second?.entry, ...entries(others)]).toEqual(['acquired', 'waiting', 'waiting']);
    second?.leave(quota(9));
    await ticks();
    expect(entries(others)).toEqual(['acquired', 'acquired']);
  });

  it('the limiter forgets unreported requests in the next window', async () => {
    const { come } = limiterAfter(2, 2, 3);
    await advance(inNextWindow);
    const visits = come(4);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'acquired', 'acquired', 'waiting']);
  });

  it('the limiter counts an unreported request in the window in which the request ends', async () => {
    const { come, lose } = limiterAfter(2, 2, 3);
    await advance(inNextWindow);
    lose(2);
    const visits = come(3);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'waiting', 'waiting']);
  });

  it('the limiter ignores requests that were not sent', async () => {
    const { come, limiter } = limiterAfter(3, 0);
    for (const { request } of come(3)) limiter.release(request, undefined, undefined, false);
    const visits = come(3);
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'acquired', 'acquired']);
  });
});

describe('the quota report for other processes', () => {
  const key = 'a core';
  const request = { credential: 'a', operation: 'x' };

  it.each([
    ['excludes unreported requests', 5, 2, 3],
    ['contains at least one request if the server reports any', 5, 9, 1],
    ['contains no more requests than the server reports', 0, 2, 0],
  ])('the quota report for other processes %s', (_name, remaining, lost, reported) => {
    const budgets = new Budgets(() => start);
    budgets.correct(budgets.reserve(key, false), request, budget(remaining));
    for (let call = 0; call < lost; call++) budgets.miss(budgets.reserve(key, false));
    expect(budgets.getReport(key)?.remaining).toBe(reported);
    expect(budgets.last('a')?.remaining, 'as the server reported').toBe(remaining);
  });

  it('the quota report for other processes counts each unreported request once', () => {
    const budgets = new Budgets(() => start);
    budgets.correct(budgets.reserve(key, false), request, budget(9));
    budgets.miss(budgets.reserve(key, false));
    const shared = budgets.getReport(key);
    const asOf = budgets.events;
    budgets.miss(budgets.reserve(key, false));
    if (shared) budgets.adopt(key, shared, asOf);
    expect(budgets.getReport(key)?.remaining).toBe(7);
  });
});
