import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Entry, Gate, type GateRequest, type GateSettings } from '../../src/transport/gate.js';
import { Interrupt } from '../../src/transport/interrupt.js';

const start = Date.UTC(2024, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function gateOf(settings: Partial<GateSettings> = {}) {
  const waits: number[] = [];
  const gate = new Gate({
    onLimit: 'wait',
    maxWait: 3_600_000,
    maxConcurrency: Number.POSITIVE_INFINITY,
    now: Date.now,
    onWait: (ms) => waits.push(ms),
    ...settings,
  });
  return { gate, waits };
}

/** A call at the gate. */
class Visit {
  readonly request: GateRequest;
  readonly controller = new AbortController();
  readonly interrupt = new Interrupt([this.controller.signal], 60_000);
  entry: Entry | 'waiting' = 'admitted';

  constructor(
    readonly gate: Gate,
    request: Partial<GateRequest> = {},
  ) {
    this.request = { credential: 'a', operation: 'x', uncounted: false, ...request };
    const entering = gate.enter(this.request, this.interrupt);
    if (!entering) return;
    this.entry = 'waiting';
    entering.then(
      (entry) => {
        this.entry = entry;
      },
      () => undefined,
    );
  }

  leave(headers?: Record<string, string>): void {
    this.gate.leave(this.request, headers);
  }
}

/** Rate-limit headers whose window ends `seconds` after the start. */
function budget(remaining: number, seconds = 60, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${start / 1000 + seconds}`,
    ...more,
  };
}

/** Tells the gate a budget. */
function told(gate: Gate, headers: Record<string, string>, request?: Partial<GateRequest>): void {
  new Visit(gate, request).leave(headers);
}

const entries = (visits: readonly Visit[]) => visits.map(({ entry }) => entry);
const ticks = () => vi.advanceTimersByTimeAsync(0);

describe('a budget that is used up', () => {
  it('refuses at once with onLimit: throw, and says until when', () => {
    const { gate } = gateOf({ onLimit: 'throw' });
    told(gate, budget(0));
    const visit = new Visit(gate);
    return ticks().then(() => {
      expect(visit.entry).toMatchObject({ until: start + 60_000, limit: { remaining: 0 } });
    });
  });

  it('is waited for with onLimit: wait, and the total timeout stands still', async () => {
    const { gate, waits } = gateOf();
    told(gate, budget(0, 600));
    const visits = [new Visit(gate), new Visit(gate)];
    await vi.advanceTimersByTimeAsync(599_999);
    expect(entries(visits)).toEqual(['waiting', 'waiting']);
    expect(visits[0]?.interrupt.interruption).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2);
    expect(entries(visits)).toEqual(['admitted', 'admitted']);
    expect(waits).toEqual([600_000, 600_000]);
  });

  it('is not waited for longer than maxWait', async () => {
    const { gate } = gateOf({ maxWait: 59_000 });
    told(gate, budget(0));
    const visit = new Visit(gate);
    await ticks();
    expect(visit.entry).toMatchObject({ until: start + 60_000 });
  });

  it('is measured by the server clock', async () => {
    const { gate } = gateOf();
    // The server is an hour ahead: its window ends 10 s from now.
    const date = new Date(start + 3_600_000).toUTCString();
    told(gate, budget(0, 3610, { date }));
    const visit = new Visit(gate);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(visit.entry).toBe('waiting');
    await vi.advanceTimersByTimeAsync(2);
    expect(visit.entry).toBe('admitted');
  });

  it('lets uncounted calls, other credentials and other buckets pass', () => {
    const { gate } = gateOf();
    told(gate, budget(0, 60, { 'x-ratelimit-resource': 'search' }), { operation: 'search' });
    expect(new Visit(gate).entry).toBe('admitted');
    told(gate, budget(0));
    expect(new Visit(gate).entry).toBe('waiting');
    expect(new Visit(gate, { uncounted: true }).entry).toBe('admitted');
    expect(new Visit(gate, { credential: 'b' }).entry).toBe('admitted');
  });

  it('does not hold up who only waited for a turn behind it', async () => {
    const { gate } = gateOf();
    told(gate, budget(1));
    const first = new Visit(gate);
    const second = new Visit(gate); // waits for the answer to the first
    const other = new Visit(gate, { credential: 'b' });
    const rateLimit = new Visit(gate, { uncounted: true });
    expect(entries([second, other, rateLimit])).toEqual(['waiting', 'admitted', 'admitted']);
    first.leave(budget(0));
    await ticks();
    expect(second.entry).toBe('waiting');
    expect(new Visit(gate, { credential: 'b' }).entry).toBe('admitted');
  });

  it('is forgotten where its window is not told', () => {
    const { gate } = gateOf({ onLimit: 'throw' });
    told(gate, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' });
    expect(new Visit(gate).entry).toBe('admitted');
  });
});

describe('the last of a budget', () => {
  it('is not spent twice: further calls wait for the answers that are out', async () => {
    const { gate } = gateOf({ onLimit: 'throw' });
    told(gate, budget(2));
    const visits = Array.from({ length: 4 }, () => new Visit(gate));
    expect(entries(visits)).toEqual(['admitted', 'admitted', 'waiting', 'waiting']);
    visits[0]?.leave(budget(1));
    await ticks();
    expect(entries(visits.slice(2))).toEqual(['waiting', 'waiting']);
    visits[1]?.leave(budget(0));
    await ticks();
    expect(visits[2]?.entry).toMatchObject({ limit: { remaining: 0 } });
    expect(visits[3]?.entry).toMatchObject({ limit: { remaining: 0 } });
  });

  it('goes on when the answers brought nothing', async () => {
    const { gate } = gateOf();
    told(gate, budget(1));
    const first = new Visit(gate);
    const second = new Visit(gate);
    first.leave(undefined);
    await ticks();
    expect(second.entry).toBe('admitted');
  });

  it('counts calls that were out before the budget was known', () => {
    const { gate } = gateOf();
    const early = Array.from({ length: 3 }, () => new Visit(gate));
    early[0]?.leave(budget(2));
    expect(new Visit(gate).entry).toBe('waiting');
  });

  it('is not blocked for ever by calls whose bucket became known on the way', async () => {
    const { gate } = gateOf();
    told(gate, budget(2));
    const search = budget(9, 60, { 'x-ratelimit-resource': 'search' });
    const searches = [0, 1].map(() => new Visit(gate, { operation: 'search' }));
    for (const visit of searches) visit.leave(search);
    told(gate, budget(1));
    expect(new Visit(gate).entry).toBe('admitted');
  });

  it('leaves no more than the limit to a new window', async () => {
    const { gate } = gateOf();
    told(gate, { ...budget(0), 'x-ratelimit-limit': '2' });
    const visits = [0, 1, 2].map(() => new Visit(gate));
    await vi.advanceTimersByTimeAsync(60_001);
    expect(entries(visits)).toEqual(['admitted', 'admitted', 'waiting']);
    visits[0]?.leave({ ...budget(1, 120), 'x-ratelimit-limit': '2' });
    visits[1]?.leave({ ...budget(1, 120), 'x-ratelimit-limit': '2' });
    await ticks();
    expect(visits[2]?.entry).toBe('admitted');
  });
});

describe('answers out of order', () => {
  it.each([
    ['the lowest of one window counts', [budget(8), budget(9)], 8],
    [
      'the lowest of one window counts, also when it is the last one out',
      [budget(9), budget(8)],
      8,
    ],
    ['a late answer of the former window is ignored', [budget(59, 120), budget(3, 60)], 59],
    ['a new window starts anew', [budget(0, 60), budget(59, 120)], 59],
  ])('%s', (_name, answers, remaining) => {
    const { gate } = gateOf();
    const visits = answers.map(() => new Visit(gate));
    visits.forEach((visit, index) => {
      visit.leave(answers[index]);
    });
    expect(gate.rateLimit('a')?.remaining).toBe(remaining);
  });

  it('are noted under the credential they were sent with', () => {
    const { gate } = gateOf();
    const visit = new Visit(gate);
    gate.leave(visit.request, budget(5), 'rotated');
    expect(gate.rateLimit('rotated')?.remaining).toBe(5);
    expect(gate.rateLimit('a')).toBeUndefined();
  });
});

describe('maxConcurrency', () => {
  it('lets in first come, first served', async () => {
    const { gate } = gateOf({ maxConcurrency: 2 });
    const visits = Array.from({ length: 5 }, () => new Visit(gate));
    const order = ['admitted', 'admitted', 'waiting', 'waiting', 'waiting'];
    expect(entries(visits)).toEqual(order);
    for (const [index, visit] of visits.slice(0, 3).entries()) {
      visit.leave();
      // Who comes just now does not overtake.
      expect(new Visit(gate).entry).toBe('waiting');
      await ticks();
      order[index + 2] = 'admitted';
      expect(entries(visits)).toEqual(order);
    }
  });

  it('forgets those who give up, and rejects them at once', async () => {
    const { gate } = gateOf({ maxConcurrency: 1 });
    const [first, second, third] = [new Visit(gate), new Visit(gate), new Visit(gate)];
    second.controller.abort();
    await ticks();
    expect(entries([second, third])).toEqual(['interrupted', 'waiting']);
    first.leave();
    await ticks();
    expect(third.entry).toBe('admitted');
  });

  it('is not lost when who was just let in is aborted in the same moment', async () => {
    const { gate } = gateOf({ maxConcurrency: 1 });
    const [first, second, third] = [new Visit(gate), new Visit(gate), new Visit(gate)];
    first.leave();
    second.controller.abort();
    await ticks();
    expect(second.entry, 'it was let in, and so must leave').toBe('admitted');
    second.leave();
    await ticks();
    expect(third.entry).toBe('admitted');
  });

  it('ignores who leaves twice', async () => {
    const { gate } = gateOf({ maxConcurrency: 1 });
    const [first, second, third] = [new Visit(gate), new Visit(gate), new Visit(gate)];
    first.leave();
    first.leave();
    await ticks();
    expect(entries([second, third])).toEqual(['admitted', 'waiting']);
  });
});

describe('a pause of the whole client', () => {
  it('is waited for by all, in their order, also with onLimit: throw', async () => {
    const { gate, waits } = gateOf({ onLimit: 'throw' });
    gate.pauseUntil(start + 5000);
    gate.pauseUntil(start + 3000);
    const visits = [new Visit(gate), new Visit(gate, { credential: 'b' })];
    await vi.advanceTimersByTimeAsync(4_999);
    expect(entries(visits)).toEqual(['waiting', 'waiting']);
    await vi.advanceTimersByTimeAsync(2);
    expect(entries(visits)).toEqual(['admitted', 'admitted']);
    expect(waits).toEqual([5000, 5000]);
  });

  it('refuses where it is longer than maxWait', async () => {
    const { gate } = gateOf({ maxWait: 1000 });
    gate.pauseUntil(start + 5000);
    const visit = new Visit(gate);
    await ticks();
    expect(visit.entry).toEqual({ limit: undefined, until: start + 5000 });
  });

  it('leaves no timer behind when all have given up', async () => {
    const { gate } = gateOf();
    gate.pauseUntil(start + 5000);
    const visit = new Visit(gate);
    visit.controller.abort();
    visit.interrupt.dispose();
    await ticks();
    expect(visit.entry).toBe('interrupted');
    expect(vi.getTimerCount()).toBe(0);
  });
});
