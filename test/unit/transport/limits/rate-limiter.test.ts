import { describe, expect, it, vi } from 'vitest';
import {
  advance,
  countSent,
  createLimiter,
  quota,
  start,
  states,
  stopTheClock,
} from './limiter-setup.js';

stopTheClock();

describe('a rejected request', () => {
  it('pauses only the calls of its own credential', async () => {
    const { visit } = createLimiter();
    visit().end({}, 5000);
    const [paused, free] = [visit(), visit({ credential: 'b' })];
    expect(states([paused, free])).toEqual(['waiting', 'sent']);
    await advance(4999);
    expect(paused.state).toBe('waiting');
    await advance(1);
    expect(paused.state).toBe('sent');
  });

  it('rejects calls that are already waiting for a slot if its pause is too long', async () => {
    const { visit } = createLimiter({ maxConcurrency: 1 });
    const first = visit();
    const second = visit();
    first.end({}, 61_000);
    await advance(0);
    expect(second.state).toBe('retry.maxRetryAfter (60000 ms)');
  });
});

describe('the limiter during a pause', () => {
  it.each([
    ['if the pause exceeds retry.maxRetryAfter', 3_600_000, {}, 'retry.maxRetryAfter (60000 ms)'],
    ['with retry: false', 1000, { maxPause: 0 }, 'retry (false)'],
    [
      "if the call's own timeout would expire first",
      2000,
      { total: 1000, totalIncludesLimits: true },
      'timeout.total',
    ],
  ])('rejects a call immediately %s', async (_name, pause, options, bound) => {
    const { visit } = createLimiter();
    visit().end({}, pause);
    const rejected = visit(options);
    await advance(0);
    expect(rejected.state).toBe(bound);
  });

  it('excludes the pause from the default total timeout', async () => {
    const { visit } = createLimiter();
    visit().end({}, 5000);
    const waiting = visit({ total: 1000 });
    await advance(4000);
    expect([waiting.state, waiting.deadline.interruption]).toEqual(['waiting', undefined]);
    await advance(1000);
    expect(waiting.state).toBe('sent');
    await advance(1000);
    expect(waiting.deadline.interruption).toMatchObject({ kind: 'total' });
  });

  it('reports a pause once, and again if the pause becomes longer', async () => {
    const { visit, waits } = createLimiter();
    const [first, second] = [visit(), visit()];
    first.end({}, 2000);
    visit();
    second.end({}, 2100);
    expect(waits).toEqual([['pause', 2000]]);
    visit({ exemptFromLimits: true });
    await advance(2100);
    expect(waits).toEqual([
      ['pause', 2000],
      ['pause', 2100],
    ]);
  });

  it('delays even calls that are exempt from other limits', async () => {
    const { visit } = createLimiter();
    visit().end({}, 1000);
    const exempt = visit({ exemptFromLimits: true });
    expect(exempt.state).toBe('waiting');
    await advance(1000);
    expect(exempt.state).toBe('sent');
  });
});

describe('the limiter after a pause', () => {
  it('sends one probe per second until a probe is accepted', async () => {
    const { visit, visits } = createLimiter();
    visit().end({}, 1000);
    const waiting = visits(4);
    await advance(1000);
    expect(countSent(waiting)).toBe(1);
    await advance(1000);
    expect(countSent(waiting)).toBe(2);
    waiting[0]?.end();
    await advance(100);
    expect(countSent(waiting)).toBe(3);
  });

  it.each([
    ['maxWait', { maxWait: 5000 }, {}],
    ['the total timeout', {}, { total: 5000, totalIncludesLimits: true }],
  ])(
    'rejects no calls if the pace after the first probe lets them start within %s',
    async (_name, settings, options) => {
      const { visit, visits } = createLimiter(settings);
      visit().end({}, 1000);
      const waiting = visits(64, options);
      await advance(1000);
      for (let ms = 0; ms < 1000; ms += 10) {
        for (const each of waiting) if (each.state === 'sent') each.end();
        await advance(10);
      }
      expect(countSent(waiting)).toBe(64);
    },
  );

  it('waits again if the probe is rejected', async () => {
    const { visit, visits } = createLimiter();
    visit().end({}, 1000);
    const [probe, next] = visits(2);
    await advance(1000);
    probe?.end({}, 3000);
    await advance(2999);
    expect(next?.state).toBe('waiting');
    await advance(1);
    expect(next?.state).toBe('sent');
  });
});

describe('the interval between writes', () => {
  it('is one second after a rejected write, and disappears one minute after the pause', async () => {
    const { visit, visits } = createLimiter();
    visit({ writes: true }).end({}, 1000);
    const writes = visits(3, { writes: true });
    await advance(1000);
    writes[0]?.end();
    await advance(999);
    expect(countSent(writes)).toBe(1);
    await advance(1);
    expect(countSent(writes)).toBe(2);
    await advance(60_000);
    expect(countSent(visits(3, { writes: true }))).toBe(3);
  });

  it('applies to each credential separately, even after an hour without writes', async () => {
    const { visit } = createLimiter({ writeInterval: { always: 500, afterRefusal: 0 } });
    await advance(3_600_000);
    visit({ writes: true });
    const [same, other] = [visit({ writes: true }), visit({ writes: true, credential: 'b' })];
    expect(states([same, other])).toEqual(['waiting', 'sent']);
    await advance(500);
    expect(same.state).toBe('sent');
  });

  it('of 0 never delays a write, even if fake timers set the clock back', () => {
    const { visit } = createLimiter();
    visit({ writes: true });
    vi.setSystemTime(start - 10_000);
    expect(visit({ writes: true }).state).toBe('sent');
  });
});

describe('a quota', () => {
  it('rejects a call whose wait would exceed maxWait', async () => {
    const { visit } = createLimiter({ maxWait: 59_999 });
    visit().end(quota(0));
    const next = visit();
    await advance(0);
    expect(next.state).toBe('rateLimit.maxWait (59999 ms)');
  });

  it('lets a call wait for exactly maxWait', async () => {
    const { visit } = createLimiter({ maxWait: 60_000 });
    visit().end(quota(0));
    const next = visit();
    await advance(60_000);
    expect(next.state).toBe('sent');
  });

  it('lets only as many calls start as the server still accepts', () => {
    const { visit, visits } = createLimiter();
    visit().end(quota(3));
    const calls = visits(5);
    expect(countSent(calls)).toBe(3);
    calls[0]?.end(quota(4));
  });

  it('uses the smaller count from responses that arrive out of order', async () => {
    const { limiter, visits } = createLimiter();
    const [first, second] = visits(2);
    second?.end(quota(8));
    first?.end(quota(9));
    expect(limiter.rateLimit('a')?.remaining).toBe(8);
  });

  it('uses a larger count from a response to a later request', async () => {
    const { limiter, visit } = createLimiter();
    visit().end(quota(1));
    await advance(1);
    visit().end(quota(50));
    expect(limiter.rateLimit('a')?.remaining).toBe(50);
  });

  it('ignores a response from an earlier window', async () => {
    const { limiter, visits } = createLimiter();
    const [first, second] = visits(2);
    second?.end(quota(59, 120));
    first?.end(quota(0, 60));
    expect(limiter.rateLimit('a')?.remaining).toBe(59);
  });

  it.each([
    ['has ended', -60],
    ['has not ended', 60],
  ])('never delays calls if its limit is 0 and its window %s', (_name, seconds) => {
    const { visit } = createLimiter({ onLimit: 'throw' });
    visit().end(quota(0, seconds, { 'x-ratelimit-limit': '0' }));
    expect(visit().state).toBe('sent');
  });

  it('delays only the calls that use this quota', () => {
    const { visit } = createLimiter();
    visit({ operation: 'search' }).end(quota(0, 60, { 'x-ratelimit-resource': 'search' }));
    const calls = [visit({ operation: 'search' }), visit()];
    expect(states(calls)).toEqual(['waiting', 'sent']);
  });
});

describe('maxConcurrency', () => {
  it('limits the calls in flight, and waiting calls start in order', async () => {
    const { visits } = createLimiter({ maxConcurrency: 2 });
    const calls = visits(4);
    expect(states(calls)).toEqual(['sent', 'sent', 'waiting', 'waiting']);
    calls[1]?.end();
    await advance(0);
    expect(states(calls)).toEqual(['sent', 'sent', 'sent', 'waiting']);
  });

  it('lets the credentials take turns', async () => {
    const { visit, visits } = createLimiter({ maxConcurrency: 1 });
    const running = visit();
    const [mine, others] = [visits(2), visits(2, { credential: 'b' })];
    running.end();
    await advance(0);
    mine[0]?.end();
    await advance(0);
    expect([states(mine), states(others)]).toEqual([
      ['sent', 'waiting'],
      ['sent', 'waiting'],
    ]);
  });

  it('lets the total timeout expire while a call waits for a slot', async () => {
    const { visit } = createLimiter({ maxConcurrency: 1 });
    visit();
    const waiting = visit({ total: 1000 });
    await advance(1000);
    expect(waiting.state).toBe('interrupted');
  });
});
