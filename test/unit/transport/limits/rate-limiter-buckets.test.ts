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

describe('a change of quota', () => {
  const search = { operation: 'search' };
  const ofSearch = { 'x-ratelimit-resource': 'search' };

  it('a change of quota lets a waiting call use the new quota', async () => {
    const { visit, receive } = house();
    const sent = visit('sent', search);
    receive(budget(0));
    const calls = [visit('search', search), visit('other')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'waiting']);
    sent.leave(budget(5, 60, ofSearch));
    await ticks();
    expect(entries(calls)).toEqual(['acquired', 'waiting']);
  });

  it("a call whose new quota is exhausted doesn't block later calls", async () => {
    const { visit, receive } = house();
    const sent = visit('sent', search);
    receive(budget(0));
    const calls = [visit('search', search), visit('other')];
    sent.leave(budget(0, 600, ofSearch));
    await advance(60_000);
    expect(entries(calls)).toEqual(['waiting', 'acquired']);
    await advance(540_000);
    expect(entries(calls)).toEqual(['acquired', 'acquired']);
  });

  it('a change to an exhausted quota delays a new call', async () => {
    const { visit, receive } = house();
    const sent = visit('sent', search);
    receive(budget(50));
    sent.leave(budget(0, 60, ofSearch));
    const calls = [visit('search', search), visit('other')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'acquired']);
  });
});

it('a response to another operation releases a call that waits for the same quota', async () => {
  const { visit } = house();
  const ofSearch = { 'x-ratelimit-resource': 'search' };
  visit('first', { operation: 'search' }).leave(budget(0, 60, ofSearch));
  const call = visit('second', { operation: 'search' });
  await ticks();
  expect(call.entry).toBe('waiting');
  visit('other', { operation: 'y' }).leave(budget(5, 120, ofSearch));
  await ticks();
  expect(call.entry).toBe('acquired');
});

it('a call that waits for its quota gives up its slot to the next call', async () => {
  const { visit, receive } = house({ maxConcurrency: 1 });
  const sent = visit('sent');
  visit('gone').controller.abort();
  sent.leave();
  receive(budget(0), { credential: 'b' });
  const calls = [visit('paced', { credential: 'b' }), visit('next')];
  await ticks();
  expect(entries(calls)).toEqual(['waiting', 'acquired']);
});

it("an exempt call doesn't free a slot when it ends", () => {
  const { visit, come } = house({ maxConcurrency: 1 });
  visit('free', { exemptFromLimits: true }).leave({});
  expect(entries(come(2))).toEqual(['acquired', 'waiting']);
});

describe('RateLimiter.reset()', () => {
  it('reset() forgets reported quotas', async () => {
    const { visit, receive, limiter } = house();
    receive(budget(0));
    const calls = [visit('one'), visit('two')];
    await ticks();
    expect(entries(calls)).toEqual(['waiting', 'waiting']);
    limiter.reset();
    await ticks();
    expect(entries(calls)).toEqual(['acquired', 'acquired']);
    expect(limiter.rateLimit('a')).toBeUndefined();
  });

  it("reset() ends the client's pause", async () => {
    const { visit, limiter } = house();
    pause(limiter, start + 60_000);
    const call = visit('one');
    await ticks();
    expect(call.entry).toBe('waiting');
    limiter.reset();
    await ticks();
    expect(call.entry).toBe('acquired');
  });
});
