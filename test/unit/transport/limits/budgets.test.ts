import { describe, expect, it } from 'vitest';
import { Budgets } from '../../../../src/transport/limits/budgets.js';
import { budget, start, stopTheClock } from './limiter-setup.js';

stopTheClock();

const key = 'a core';
const request = { credential: 'a', operation: 'x' };

/** Creates quotas and records one response. */
function withQuota(remaining: number, seconds = 60, bucket: Record<string, string> = {}) {
  const budgets = new Budgets(() => start);
  const respond = (left: number, until = 60) =>
    budgets.correct(budgets.reserve(key, false), request, budget(left, until, bucket));
  const quotaKey = respond(remaining, seconds);
  return { budgets, respond, quotaKey };
}

/** Creates a quota as another process reports it. Its window ends `seconds` after the start. */
const others = (remaining: number, seconds = 60) => ({
  limit: 60,
  remaining,
  reset: start / 1000 + seconds,
  ends: seconds * 1000,
});

describe('Budgets.adopt()', () => {
  it('Budgets.adopt() adopts a quota that is newer than the known quota', () => {
    const { budgets } = withQuota(40);
    budgets.adopt(key, others(50), budgets.events);
    expect(budgets.getReport(key)).toEqual(others(50));
  });

  it.each([
    ['adopts a quota with fewer requests left', others(30), 30],
    ['adopts a quota with a later window', others(59, 120), 59],
    ['ignores a quota with more requests left', others(50), 40],
    ['ignores a quota whose window is over', others(1, 30), 40],
  ])('Budgets.adopt() %s if the order of the reports is unknown', (_name, other, remaining) => {
    const { budgets } = withQuota(40);
    budgets.adopt(key, other, 0);
    expect(budgets.getReport(key)?.remaining).toBe(remaining);
  });

  it('Budgets.adopt() assigns a quota to the bucket in its key', () => {
    const budgets = new Budgets(() => start);
    budgets.adopt(key, others(50), 0);
    expect(budgets.last('a')).toMatchObject({ remaining: 50, resource: 'core' });
  });
});

describe('Budgets.correct()', () => {
  const { 'x-ratelimit-reset': _reset, ...endless } = budget(50);

  it.each([
    ['the second response', budget(40), endless, 50],
    ['the first response', endless, budget(50), 50],
  ])(
    'Budgets.correct() prefers the later response if %s reports no window',
    (_which, first, second, remaining) => {
      const budgets = new Budgets(() => start);
      const [one, other] = [budgets.reserve(key, false), budgets.reserve(key, false)];
      budgets.correct(one, request, first);
      budgets.correct(other, request, second);
      expect(budgets.last('a')?.remaining).toBe(remaining);
    },
  );
});

describe('Budgets', () => {
  it('a quota report contains the end of the window on the local clock', () => {
    expect(withQuota(40, 90).budgets.getReport(key)).toEqual(others(40, 90));
  });

  it('clear() removes all quotas', () => {
    const { budgets } = withQuota(40);
    budgets.clear();
    expect([budgets.last('a'), budgets.getReport(key)]).toEqual([undefined, undefined]);
  });

  it('a quota counts only the calls in flight that use it', () => {
    const { budgets } = withQuota(2);
    const [first] = [key, key, key, 'b core'].map((each) => budgets.reserve(each));
    if (first) budgets.release(first);
    expect(budgets.blockedBy(key), 'both remaining requests are in flight').toBe('turn');
  });

  it('Budgets.correct() moves an operation back to the core quota after a response without a resource', () => {
    const { budgets, quotaKey } = withQuota(40, 60, { 'x-ratelimit-resource': 'search' });
    expect([quotaKey, budgets.quotaKey(request)]).toEqual(['a search', 'a search']);
    budgets.correct(budgets.reserve('a search', false), request, budget(7));
    expect(budgets.quotaKey(request)).toBe(key);
  });
});

describe('a quota of 60 requests', () => {
  const held = { limit: expect.anything(), until: start + 60_000, reason: 'quota' };

  it.each([
    ['allows as many requests as are left', 50, 49, 0, 1, undefined],
    ['allows no more requests than are left', 50, 50, 0, 1, 'turn'],
    ['allows more than 60 requests if the server reports more', 70, 69, 0, 1, undefined],
    ['grants each of two clients half of the requests', 50, 24, 0, 2, undefined],
    ['blocks a client that has used half of the requests', 50, 25, 0, 2, 'turn'],
    ['blocks requests if no requests are left', 0, 0, 0, 1, held],
    ['allows 60 requests again in the next window', 0, 59, 60_000, 1, undefined],
    ['allows no more than 60 requests in the next window', 70, 60, 60_000, 1, 'turn'],
  ])('a quota of 60 requests %s', (...given) => {
    const [, remaining, inFlight, passed, parts, expected] = given;
    let now = start;
    const budgets = new Budgets(() => now);
    budgets.correct(budgets.reserve(key, false), request, budget(remaining));
    for (let call = 0; call < inFlight; call += 1) budgets.reserve(key);
    now += passed;
    expect(budgets.blockedBy(key, parts)).toEqual(expected);
  });
});
