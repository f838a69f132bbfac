import { describe, expect, it, vi } from 'vitest';
import { budget, entries, house, pause, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

const isPrefetch = () => true;

describe('RateLimiter with prefetch requests', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 2],
    [60, 59],
  ])('a remaining quota of %i permits %i prefetches', async (remaining, sent) => {
    const { visit, receive, log } = house();
    receive(budget(remaining));
    const visits = Array.from({ length: 70 }, (_, at) => visit(`${at}`, { isPrefetch }));
    await ticks();
    expect(entries(visits).filter((entry) => entry === 'acquired')).toHaveLength(sent);
    expect(log.filter((line) => line.endsWith('declined'))).toHaveLength(70 - sent);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the limiter declines a prefetch if the calls in flight leave a quota of one', async () => {
    const { visit, receive } = house();
    receive(budget(4));
    visit('call');
    visit('call');
    const visits = [visit('ahead', { isPrefetch }), visit('ahead', { isPrefetch }), visit('call')];
    await ticks();
    expect(entries(visits)).toEqual(['acquired', 'declined', 'acquired']);
  });

  it('the limiter leaves enough of the quota for the calls that wait for a slot', async () => {
    const { visit, receive } = house({ maxConcurrency: 1 });
    receive(budget(4));
    const first = visit('first');
    const visits = [
      visit('ahead', { isPrefetch }),
      visit('call'),
      visit('call'),
      visit('ahead', { isPrefetch }),
    ];
    await ticks();
    expect(entries(visits)).toEqual(['waiting', 'waiting', 'waiting', 'declined']);
    first.leave(budget(3));
    await ticks();
    expect(entries(visits)).toEqual(['declined', 'acquired', 'waiting', 'declined']);
  });

  it('the limiter uses the last request of the quota if the page is already needed', async () => {
    const { visit, receive, log } = house({ maxConcurrency: 1 });
    receive(budget(3));
    const first = visit('first');
    let needed = false;
    const page = visit('page', { isPrefetch: () => !needed });
    needed = true;
    first.leave(budget(1));
    await ticks();
    expect(page.entry).toBe('acquired');
    expect(log).toEqual(['first acquired', 'page acquired']);
  });

  it('the limiter declines a prefetch that would have to wait', async () => {
    const { limiter, visit, receive, waits } = house();
    receive(budget(0));
    const page = visit('page', { isPrefetch });
    pause(limiter, start + 5000);
    const other = visit('other', { isPrefetch, credential: 'b' });
    await ticks();
    expect(entries([page, other])).toEqual(['declined', 'declined']);
    expect(waits).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the limiter declines a waiting prefetch when a pause begins', async () => {
    const { limiter, visit } = house({ maxConcurrency: 1 });
    const first = visit('first');
    const visits = [visit('call'), visit('ahead', { isPrefetch })];
    pause(limiter, start + 5000);
    first.leave();
    await ticks();
    expect(entries(visits)).toEqual(['waiting', 'declined']);
  });

  it('the limiter accepts a prefetch once a new quota window has started', async () => {
    let now = start;
    const { visit, receive } = house({ clock: () => now });
    receive(budget(1));
    const [before, after] = ['before', 'after'].map((name) => {
      const page = visit(name, { isPrefetch });
      now += 60_000;
      return page;
    });
    await ticks();
    expect([before?.entry, after?.entry]).toEqual(['declined', 'acquired']);
  });

  it('the limiter declines a prefetch that would use the last request of an unknown window', async () => {
    const { visit, receive } = house();
    receive({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '1' });
    const page = visit('page', { isPrefetch });
    await ticks();
    expect(page.entry).toBe('declined');
  });

  it('the limiter starts a prefetch if the quota is unknown', () => {
    const { visit } = house();
    expect(visit('page', { isPrefetch }).entry).toBe('acquired');
    expect(visit('uncounted', { isPrefetch, exemptFromLimits: true }).entry).toBe('acquired');
  });
});
