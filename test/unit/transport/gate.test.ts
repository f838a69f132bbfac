import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Entry,
  Gate,
  type GateRequest,
  type GateSettings,
} from '../../../src/transport/gate.js';
import { Interrupt } from '../../../src/transport/interrupt.js';

const start = Date.UTC(2024, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A gate, who passed it in which order, and the waits it told. */
function house(settings: Partial<GateSettings> = {}) {
  const log: string[] = [];
  const waits: [name: string, ms: number][] = [];
  const names = new Map<GateRequest, string>();
  const gate = new Gate({
    onLimit: 'wait',
    maxWait: Number.POSITIVE_INFINITY,
    maxConcurrency: Number.POSITIVE_INFINITY,
    now: Date.now,
    onWait: (ms, request) => waits.push([names.get(request) ?? 'unknown', ms]),
    ...settings,
  });
  const visit = (name: string, more: Partial<GateRequest> = {}, total = 0) => {
    const request = { credential: 'a', operation: 'x', uncounted: false, ...more };
    names.set(request, name);
    const controller = new AbortController();
    const interrupt = new Interrupt([controller.signal], total);
    const note = (entry: Entry) => {
      log.push(`${name} ${typeof entry === 'string' ? entry : 'refused'}`);
    };
    const entering = gate.enter(request, interrupt);
    if (entering) void entering.then(note);
    else note('admitted');
    return {
      request,
      controller,
      interrupt,
      leave: (headers = {}) => gate.leave(request, headers),
    };
  };
  /** An answer tells the gate a budget. */
  const tell = (headers: Record<string, string>, more: Partial<GateRequest> = {}) => {
    visit('teller', more).leave(headers);
    log.pop();
  };
  return { gate, log, waits, visit, tell };
}

/** A budget whose window ends `seconds` after the start. */
function budget(remaining: number, seconds = 60, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${start / 1000 + seconds}`,
    ...more,
  };
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('the moment a wait is over', () => {
  it('is the end of the pause, not later', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 5000);
    visit('one');
    await advance(4999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one admitted']);
  });

  it('is the end of the window, not later', async () => {
    const { log, visit, tell } = house();
    tell(budget(0));
    visit('one');
    await advance(59_999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one admitted']);
  });

  it('is each one’s own where they wait for different times, the later one first', async () => {
    const { log, visit, tell } = house();
    tell(budget(0, 60));
    tell(budget(0, 10), { credential: 'b' });
    visit('late');
    visit('soon', { credential: 'b' });
    await advance(10_000);
    expect(log).toEqual(['soon admitted']);
    await advance(50_000);
    expect(log).toEqual(['soon admitted', 'late admitted']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is each one’s own where they wait for different times, the sooner one first', async () => {
    const { log, visit, tell } = house();
    tell(budget(0, 10));
    tell(budget(0, 60), { credential: 'b' });
    visit('soon');
    visit('late', { credential: 'b' });
    await advance(10_000);
    expect(log).toEqual(['soon admitted']);
    await advance(50_000);
    expect(log).toEqual(['soon admitted', 'late admitted']);
  });

  it('may be further away than a timer can be', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 2 ** 31 + 1000);
    visit('one');
    await advance(2 ** 31 + 999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one admitted']);
  });

  it('is put off where the client is paused again meanwhile', async () => {
    const { gate, log, waits, visit } = house();
    gate.pauseUntil(start + 1000);
    visit('one');
    gate.pauseUntil(start + 3000);
    await advance(2999);
    expect(log).toEqual([]);
    await advance(1);
    expect(log).toEqual(['one admitted']);
    expect(waits).toEqual([
      ['one', 1000],
      ['one', 2000],
    ]);
  });

  it('lets those who waited go before who comes just then, before any timer fired', async () => {
    let now = start;
    const { gate, log, visit } = house({ maxConcurrency: 1, now: () => now });
    gate.pauseUntil(start + 1000);
    const early = visit('early');
    now = start + 1000;
    visit('late');
    await advance(0);
    expect(log).toEqual(['early admitted']);
    early.leave();
    await advance(0);
    expect(log).toEqual(['early admitted', 'late admitted']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets who waited for a window take the first of the next one', async () => {
    let now = start;
    const { log, visit, tell } = house({ now: () => now });
    tell(budget(0, 60, { 'x-ratelimit-limit': '1' }));
    visit('early');
    now = start + 60_000;
    visit('late');
    await advance(0);
    expect(log).toEqual(['early admitted']);
  });

  it('is kept by one timer for all who wait for it', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 1000);
    const set = vi.spyOn(globalThis, 'setTimeout');
    for (const name of ['one', 'two', 'three']) visit(name);
    expect(set).toHaveBeenCalledOnce();
    set.mockRestore();
    await advance(1000);
    expect(log).toEqual(['one admitted', 'two admitted', 'three admitted']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('maxWait', () => {
  it.each([
    ['as long as the wait', 5000, []],
    ['shorter by a millisecond', 4999, ['one refused']],
  ])('%s', async (_name, maxWait, expected) => {
    const { gate, log, waits, visit } = house({ maxWait });
    gate.pauseUntil(start + 5000);
    visit('one');
    await advance(0);
    expect(log).toEqual(expected);
    expect(waits).toHaveLength(expected.length === 0 ? 1 : 0);
  });

  it('refuses who waits already where a longer pause comes', async () => {
    const { gate, log, visit } = house({ maxWait: 5000 });
    gate.pauseUntil(start + 1000);
    visit('one');
    gate.pauseUntil(start + 10_000);
    await advance(1000);
    expect(log).toEqual(['one refused']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a wait is told', () => {
  it('once, however often the one who waits looks again', async () => {
    const { waits, visit, tell } = house();
    const out = [visit('out'), visit('out'), visit('out')];
    tell(budget(0));
    visit('one');
    visit('two');
    for (const call of out) call.leave();
    visit('three', { credential: 'b' });
    expect(waits).toEqual([
      ['one', 60_000],
      ['two', 60_000],
    ]);
  });

  it('not where only another call has to end first', async () => {
    const { log, waits, visit } = house({ maxConcurrency: 1 });
    const first = visit('first');
    visit('second');
    first.leave();
    await advance(0);
    expect(log).toEqual(['first admitted', 'second admitted']);
    expect(waits).toEqual([]);
  });

  it('not where only the answer to another call has to come first', async () => {
    const { log, waits, visit, tell } = house();
    tell(budget(1));
    const first = visit('first');
    visit('second');
    expect(log).toEqual(['first admitted']);
    expect(vi.getTimerCount()).toBe(0);
    first.leave(budget(1, 120));
    await advance(0);
    expect(log).toEqual(['first admitted', 'second admitted']);
    expect(waits).toEqual([]);
  });
});

describe('who gives up', () => {
  it('does not stop the clock of those who go on waiting', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 1000);
    const [first] = [visit('first'), visit('second')];
    first.controller.abort();
    await advance(1000);
    expect(log).toEqual(['first interrupted', 'second admitted']);
  });

  it('is not let in later, and does not hold a place', async () => {
    const { log, visit } = house({ maxConcurrency: 1 });
    const first = visit('first');
    const second = visit('second');
    second.controller.abort();
    first.leave();
    second.leave();
    visit('third');
    await advance(0);
    expect(new Set(log)).toEqual(
      new Set(['first admitted', 'second interrupted', 'third admitted']),
    );
  });

  it('leaves the interrupt free: an abort after the wait changes nothing', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 1000);
    const one = visit('one');
    await advance(1000);
    one.controller.abort();
    await advance(0);
    expect(log).toEqual(['one admitted']);
    one.interrupt.dispose();
    expect(getEventListeners(one.controller.signal, 'abort')).toHaveLength(0);
  });

  it('has its total timeout running again after the wait', async () => {
    const { gate, log, visit } = house();
    gate.pauseUntil(start + 1000);
    const { interrupt } = visit('one', {}, 100);
    await advance(1000);
    expect(log).toEqual(['one admitted']);
    await advance(99);
    expect(interrupt.interruption).toBeUndefined();
    await advance(1);
    expect(interrupt.interruption).toEqual({ kind: 'total', limit: 100 });
  });
});

describe('leaving', () => {
  it('tells nothing where the call was not in, or is out already', () => {
    const { gate, visit } = house();
    const stranger = { credential: 'a', operation: 'x', uncounted: false };
    gate.leave(stranger, budget(0));
    expect(gate.rateLimit('a')).toBeUndefined();
    const one = visit('one');
    one.leave(budget(5));
    one.leave(budget(0));
    expect(gate.rateLimit('a')?.remaining).toBe(5);
  });

  it('gives back one place of several', () => {
    const { log, visit, tell } = house();
    tell(budget(3));
    const calls = ['1', '2', '3'].map((name) => visit(name));
    calls[0]?.leave();
    visit('4');
    visit('5');
    expect(log).toEqual(['1 admitted', '2 admitted', '3 admitted', '4 admitted']);
  });
});

describe('a budget', () => {
  it('is that of the bucket an operation was answered from', async () => {
    const { gate, log, visit, tell } = house();
    tell(budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    visit('search', { operation: 'search' });
    visit('other');
    visit('stranger', { operation: 'search', credential: 'b' });
    expect(log).toEqual(['other admitted', 'stranger admitted']);
    expect(gate.rateLimit('a'), 'only core is asked for').toBeUndefined();
    await advance(60_000);
    expect(log).toEqual(['other admitted', 'stranger admitted', 'search admitted']);
  });

  it('is that of the bucket of the last answer, where the server moves an operation', () => {
    const { log, visit, tell } = house();
    const early = visit('early', { operation: 'search' });
    tell(budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    early.leave(budget(9, 60, { 'x-ratelimit-resource': 'core' }));
    visit('one', { operation: 'search' });
    expect(log).toEqual(['early admitted', 'one admitted']);
  });

  it('of the bucket core is the one without a name', () => {
    const { gate, log, visit, tell } = house();
    tell(budget(0, 60, { 'x-ratelimit-resource': 'core' }));
    visit('one', { operation: 'y' });
    expect(log).toEqual([]);
    expect(gate.rateLimit('a')?.remaining).toBe(0);
  });

  it('is kept also for no credentials at all', () => {
    const { gate, log, visit, tell } = house();
    tell(budget(0), { credential: '' });
    expect(gate.rateLimit('')?.remaining).toBe(0);
    visit('one', { credential: '' });
    visit('two');
    expect(log).toEqual(['two admitted']);
  });

  it('without a window holds nobody up, however small its limit', () => {
    const { log, visit, tell } = house();
    tell({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    visit('one');
    visit('two');
    expect(log).toEqual(['one admitted', 'two admitted']);
  });

  it('with a limit of 0 lets one call at a time find out about the next window', async () => {
    const { log, visit, tell } = house();
    tell(budget(0, 60, { 'x-ratelimit-limit': '0' }));
    await advance(60_000);
    visit('one');
    visit('two');
    expect(log).toEqual(['one admitted']);
  });

  it('told again as it was is measured anew by the server clock', async () => {
    const { log, visit } = house();
    const answers = [visit('first'), visit('second')];
    log.length = 0;
    answers[0]?.leave(budget(0, 60));
    // The server is 50 s ahead: the window ends in 10 s.
    answers[1]?.leave(budget(0, 60, { date: new Date(start + 50_000).toUTCString() }));
    visit('one');
    await advance(10_000);
    expect(log).toEqual(['one admitted']);
  });

  it('is forgotten after a thousand others were told since, and not before', () => {
    const { gate, tell } = house();
    for (let index = 0; index < 1000; index += 1) tell(budget(9), { credential: `c${index}` });
    expect(gate.rateLimit('c0')?.remaining).toBe(9);
    tell(budget(8), { credential: 'c0' });
    tell(budget(9), { credential: 'c1000' });
    expect(gate.rateLimit('c0')?.remaining, 'told again').toBe(8);
    expect(gate.rateLimit('c1'), 'the oldest').toBeUndefined();
    expect(gate.rateLimit('c2')?.remaining).toBe(9);
    expect(gate.rateLimit('c1000')?.remaining).toBe(9);
  });
});
