import { describe, expect, it } from 'vitest';
import { turns } from '../../../support/client.js';
import { advance, budget, stopTheClock, ticks } from '../limits/limiter-setup.js';
import { fleet } from './fleet-setup.js';
import { plenty, portions, slotReply } from './scripted-limits.js';

stopTheClock();

describe('FleetLimits', () => {
  it('a process requests a quota unit for the next call after a lost response', async () => {
    const { store, visit } = fleet();
    const first = visit('first');
    await ticks();
    first.leave();
    await advance(3000);
    const before = store.reports.length;
    visit('second');
    await ticks();
    expect(store.reports).toHaveLength(before + 1);
    expect(store.last).toMatchObject({ budgets: [{ need: 1 }] });
  });

  it('a process reports the sequence number that preceded the call', async () => {
    const { store, visit } = fleet();
    store.reply = (report) => {
      const all = plenty(report);
      return { ...all, budgets: all.budgets.map((each) => ({ ...each, sequence: 7 })) };
    };
    const first = visit('first');
    await ticks();
    first.leave(budget(59));
    await ticks();
    const early = visit('early');
    await ticks();
    early.leave(budget(58));
    await advance(5000);
    const late = visit('late');
    await ticks();
    late.leave(budget(57));
    await advance(2000);
    const told = store.reports
      .flatMap(({ budgets }) => budgets)
      .filter(({ since }) => since !== undefined);
    expect(told.at(-1)).toMatchObject({ since: 7, reported: { remaining: 57 } });
  });

  it('a process waits for a store that responds within the timeout', async () => {
    const { store, visit, events } = fleet({}, 500);
    store.reply = async (report) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return plenty(report);
    };
    const call = visit('one');
    await advance(399);
    expect(call.entry).toBe('waiting');
    await advance(1);
    expect([call.entry, events]).toEqual(['acquired', []]);
  });

  it('a process reports a store as lost if it never responds', async () => {
    const { store, visit, events } = fleet();
    store.reply = () => new Promise(() => undefined);
    visit('one');
    await advance(50);
    await turns(5);
    expect(events).toMatchObject([{ store: 'limits', state: 'lost' }]);
  });

  it('a process tries the store again after 30 seconds without a reply', async () => {
    const { store, visit, events } = fleet();
    let letGo = () => {};
    const first = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    store.reply = (report) => first.then(() => plenty(report));
    visit('one');
    await advance(50);
    await turns(5);
    await advance(29_000);
    expect(store.reports).toHaveLength(1);
    store.reply = plenty;
    await advance(1100);
    await turns(5);
    expect(events).toMatchObject([{ state: 'lost' }, { state: 'back' }]);
    const { length } = store.reports;
    letGo();
    await ticks();
    expect(store.reports, 'the late reply causes no request').toHaveLength(length);
  });

  it.each([
    ['a quota', { budgets: [] }],
    ['slots', { slots: undefined }],
  ])('a process reports a store as lost if its reply omits %s', async (_what, less) => {
    const { store, visit, events } = fleet();
    let asked = 0;
    store.reply = (report) => {
      // Throws, because repeated requests within the same turn would never end.
      if (++asked > 100) throw new Error('the store received over 100 requests');
      return { ...plenty(report), ...less };
    };
    const call = visit('one');
    await ticks();
    expect([asked, call.entry]).toEqual([1, 'acquired']);
    expect(events).toMatchObject([{ state: 'lost', reason: expect.stringContaining('omitted') }]);
    store.reply = plenty;
    await advance(250);
    expect(events).toMatchObject([{ state: 'lost' }, { state: 'back' }]);
  });

  it('a process requests a slot again 5 ms after a grant without a slot', async () => {
    const { store, visit } = fleet();
    store.reply = (report) => ({ ...plenty(report), slots: slotReply({ waiting: 1 }) });
    visit('one');
    await advance(4);
    expect(store.reports).toHaveLength(1);
    await advance(1);
    expect(store.reports).toHaveLength(2);
  });

  it('a process sends a report about every second while the process is busy', async () => {
    const { store, visit } = fleet();
    store.reply = portions;
    const first = visit('first');
    await ticks();
    first.leave(budget(5000));
    await ticks();
    const before = store.reports.length;
    for (let at = 0; at < 25; at++) {
      visit('more').leave(budget(4000 - at));
      await advance(200);
    }
    expect(store.reports.length - before).toBeGreaterThanOrEqual(4);
  });

  it('a process reports a long call after calls with many other credentials', async () => {
    const { store, visit } = fleet({ maxConcurrency: Number.POSITIVE_INFINITY });
    const long = visit('long', { credential: 'long' });
    await ticks();
    for (let other = 0; other < 1100; other++) visit('other', { credential: `${other}` }).leave({});
    await advance(3000);
    long.leave(budget(40));
    await advance(3000);
    const ofLong = store.reports
      .flatMap(({ budgets }) => budgets)
      .filter(({ key }) => key === 'long core');
    expect(ofLong.every(({ held }) => held === 0 || held === 1)).toBe(true);
    expect(ofLong.at(-1)).toMatchObject({ held: 0, reported: { remaining: 40 } });
  });
});

describe('RateLimiter.close() in a fleet', () => {
  it('close() sends no report if the client made no call', async () => {
    const { store, limiter } = fleet();
    await limiter.close();
    expect(store.reports).toEqual([]);
  });

  it('close() sends no report to an unavailable store', async () => {
    const { store, visit, limiter } = fleet();
    store.reply = () => Promise.reject(new Error('gone'));
    visit('one');
    await ticks();
    const before = store.reports.length;
    await limiter.close();
    expect(store.reports).toHaveLength(before);
  });

  it('close() returns quota units even without a concurrency limit', async () => {
    const { store, visit, limiter } = fleet({ maxConcurrency: Number.POSITIVE_INFINITY });
    store.reply = portions;
    const call = visit('one');
    await ticks();
    call.leave(budget(59));
    await ticks();
    expect(store.reports[0]?.budgets[0]?.want).toBeGreaterThan(1);
    await limiter.close();
    expect(store.last).toMatchObject({ budgets: [{ held: 0 }] });
  });

  it('close() waits for a pending exchange if a call has just started', async () => {
    const { store, visit, limiter } = fleet();
    visit('one');
    await Promise.all([limiter.close(), ticks()]);
    expect(store.most).toBe(1);
  });
});
