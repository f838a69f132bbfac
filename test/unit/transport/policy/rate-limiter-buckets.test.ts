import { channel } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { advance, budget, entries, house, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

describe('a call whose operation is found to count on another budget', () => {
  const search = { operation: 'search' };
  const ofSearch = { 'x-ratelimit-resource': 'search' };

  it('is let in by that one while it waits, and those behind it are not', async () => {
    const { visit, tell } = house();
    const sent = visit('sent', search);
    tell(budget(0));
    const calls = [visit('search', search), visit('other')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'waiting']);
    sent.leave(budget(5, 60, ofSearch));
    await ticks();
    expect(entries(calls)).toEqual(['admitted', 'waiting']);
  });

  it('holds up none of those behind it, where it must wait longer', async () => {
    const { visit, tell } = house();
    const sent = visit('sent', search);
    tell(budget(0));
    const calls = [visit('search', search), visit('other')];
    sent.leave(budget(0, 600, ofSearch));
    await advance(60_000);
    expect(entries(calls)).toEqual(['waiting', 'admitted']);
    await advance(540_000);
    expect(entries(calls)).toEqual(['admitted', 'admitted']);
  });

  it('waits for the end of its window, whatever is left of the other', async () => {
    const { visit, tell } = house();
    const sent = visit('sent', search);
    tell(budget(50));
    sent.leave(budget(0, 60, ofSearch));
    const calls = [visit('search', search), visit('other')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'admitted']);
  });
});

describe('an emulator whose clock or budgets were changed', () => {
  const change = () => channel('triforge:emulator:change').publish({});

  it('has calls forget what its answers told', async () => {
    const { visit, tell, limiter } = house();
    tell(budget(0));
    const calls = [visit('one'), visit('two')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'waiting']);
    change();
    await ticks();
    expect(entries(calls)).toEqual(['admitted', 'admitted']);
    expect(limiter.rateLimit('a')).toBeUndefined();
  });

  it('has the client rest no more', async () => {
    const { visit, limiter } = house();
    limiter.pauseUntil(start + 60_000);
    const call = visit('one');
    await ticks();
    expect(call.entry).toBe('waiting');
    change();
    await ticks();
    expect(call.entry).toBe('admitted');
  });
});
