import { describe, expect, it } from 'vitest';
import { advance, budget, entries, house, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

describe('an exhausted quota', () => {
  it("an exhausted quota rejects calls if `onLimit` is 'throw'", () => {
    const { visit, receive } = house({ onLimit: 'throw' });
    receive(budget(0));
    const call = visit('call');
    return ticks().then(() => {
      expect(call.entry).toMatchObject({ until: start + 60_000, limit: { remaining: 0 } });
    });
  });

  it("an exhausted quota delays calls if `onLimit` is 'wait'", async () => {
    const { waits, visit, receive } = house();
    receive(budget(0, 600));
    const visits = ['1', '2'].map((name) => visit(name, {}, 60_000));
    await advance(599_999);
    expect(entries(visits)).toEqual(['waiting', 'waiting']);
    expect(visits[0]?.deadline.interruption).toBeUndefined();
    await advance(2);
    expect(entries(visits)).toEqual(['acquired', 'acquired']);
    expect(waits).toEqual([
      ['1', 600_000],
      ['2', 600_000],
    ]);
  });

  it('an exhausted quota rejects a call that would wait longer than maxWait', async () => {
    const { visit, receive } = house({ maxWait: 59_000 });
    receive(budget(0));
    const call = visit('call');
    await ticks();
    expect(call.entry).toMatchObject({ until: start + 60_000 });
  });

  it("an exhausted quota blocks calls until the window ends on the server's clock", async () => {
    const { visit, receive } = house();
    // The server's clock is an hour ahead, so its window ends in 10 s.
    const date = new Date(start + 3_600_000).toUTCString();
    receive(budget(0, 3610, { date }));
    const call = visit('call');
    await advance(9_999);
    expect(call.entry).toBe('waiting');
    await advance(2);
    expect(call.entry).toBe('acquired');
  });

  it('an exhausted quota blocks only calls with the same credentials and bucket', () => {
    const { visit, receive } = house();
    receive(budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    expect(visit('call').entry).toBe('acquired');
    receive(budget(0));
    expect(visit('call').entry).toBe('waiting');
    expect(visit('call', { exemptFromLimits: true }).entry).toBe('acquired');
    expect(visit('call', { credential: 'b' }).entry).toBe('acquired');
  });

  it("the limiter doesn't delay calls with other credentials behind a waiting call", async () => {
    const { visit, receive } = house();
    receive(budget(1));
    const first = visit('call');
    const second = visit('call'); // Waits for the response to the first call.
    const other = visit('call', { credential: 'b' });
    const rateLimit = visit('call', { exemptFromLimits: true });
    expect(entries([second, other, rateLimit])).toEqual(['waiting', 'acquired', 'acquired']);
    first.leave(budget(0));
    await ticks();
    expect(second.entry).toBe('waiting');
    expect(visit('call', { credential: 'b' }).entry).toBe('acquired');
  });
});

describe('a quota', () => {
  it("a quota belongs to the bucket in the operation's response", async () => {
    const { limiter, log, visit, receive } = house();
    receive(budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    visit('search', { operation: 'search' });
    visit('other');
    visit('stranger', { operation: 'search', credential: 'b' });
    expect(log).toEqual(['other acquired', 'stranger acquired']);
    expect(limiter.rateLimit('a'), 'rateLimit() returns only the core quota').toBeUndefined();
    await advance(60_000);
    expect(log).toEqual(['other acquired', 'stranger acquired', 'search acquired']);
  });

  it('a quota belongs to the bucket in the last response', () => {
    const { log, visit, receive } = house();
    const early = visit('early', { operation: 'search' });
    receive(budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    early.leave(budget(9, 60, { 'x-ratelimit-resource': 'core' }));
    visit('one', { operation: 'search' });
    expect(log).toEqual(['early acquired', 'one acquired']);
  });

  it('the core quota applies to calls whose bucket is unknown', () => {
    const { limiter, log, visit, receive } = house();
    receive(budget(0, 60, { 'x-ratelimit-resource': 'core' }));
    visit('one', { operation: 'y' });
    expect(log).toEqual([]);
    expect(limiter.rateLimit('a')?.remaining).toBe(0);
  });

  it('a bucket with an empty name has a separate quota', () => {
    const { limiter, log, visit, receive } = house();
    receive(budget(0, 60, { 'x-ratelimit-resource': '' }), { operation: 'odd' });
    visit('one', { operation: 'odd' });
    visit('two');
    expect(log).toEqual(['two acquired']);
    expect(limiter.rateLimit('a')).toBeUndefined();
  });

  it('calls without credentials have a separate quota', () => {
    const { limiter, log, visit, receive } = house();
    receive(budget(0), { credential: '' });
    expect(limiter.rateLimit('')?.remaining).toBe(0);
    visit('one', { credential: '' });
    visit('two');
    expect(log).toEqual(['two acquired']);
  });

  it("an exhausted quota without a window doesn't delay calls", () => {
    const { log, visit, receive } = house();
    receive({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    visit('one');
    visit('two');
    expect(log).toEqual(['one acquired', 'two acquired']);
  });

  it('the limiter lets one call at a time probe the next window if the limit is 0', async () => {
    const { log, visit, receive } = house();
    receive(budget(0, 60, { 'x-ratelimit-limit': '0' }));
    await advance(60_000);
    visit('one');
    visit('two');
    expect(log).toEqual(['one acquired']);
  });

  it("a window ends by the server's clock after a response with a Date header", async () => {
    const { log, visit } = house();
    const responses = [visit('first'), visit('second')];
    log.length = 0;
    responses[0]?.leave(budget(0, 60));
    // The server's clock is 50 s ahead, so the window ends in 10 s.
    responses[1]?.leave(budget(0, 60, { date: new Date(start + 50_000).toUTCString() }));
    visit('one');
    await advance(10_000);
    expect(log).toEqual(['one acquired']);
  });

  it('the limiter forgets the oldest of 1001 quotas', () => {
    const { limiter, receive } = house();
    for (let index = 0; index < 1000; index += 1) receive(budget(9), { credential: `c${index}` });
    expect(limiter.rateLimit('c0')?.remaining).toBe(9);
    receive(budget(8), { credential: 'c0' });
    receive(budget(9), { credential: 'c1000' });
    expect(limiter.rateLimit('c0')?.remaining, 'the quota is reported again').toBe(8);
    expect(limiter.rateLimit('c1'), 'the oldest').toBeUndefined();
    expect(limiter.rateLimit('c2')?.remaining).toBe(9);
    expect(limiter.rateLimit('c1000')?.remaining).toBe(9);
  });
});

describe('out-of-order responses', () => {
  it.each([
    ['keeps the lowest value in a window', [budget(8), budget(9)], 8],
    ['keeps the lowest value even if its request was sent last', [budget(9), budget(8)], 8],
    ['ignores a late response of the previous window', [budget(59, 120), budget(3, 60)], 59],
    ['replaces the previous window with a new window', [budget(0, 60), budget(59, 120)], 59],
  ])('the limiter %s', (_name, responses, remaining) => {
    const { limiter, visit } = house();
    const visits = responses.map(() => visit('call'));
    visits.forEach((call, index) => {
      call.leave(responses[index]);
    });
    expect(limiter.rateLimit('a')?.remaining).toBe(remaining);
  });

  it('the limiter records a quota for the credentials that the request used', () => {
    const { limiter, visit } = house();
    const call = visit('call');
    limiter.release(call.request, budget(5), 'rotated');
    expect(limiter.rateLimit('rotated')?.remaining).toBe(5);
    expect(limiter.rateLimit('a')).toBeUndefined();
  });
});
