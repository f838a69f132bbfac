import { afterEach, beforeEach, vi } from 'vitest';
import {
  type Entry,
  Gate,
  type GateRequest,
  type GateSettings,
} from '../../../src/transport/gate.js';
import { Interrupt } from '../../../src/transport/interrupt.js';

/** When each test begins, by the clock that stands still. */
export const start = Date.UTC(2024, 0, 1);

/** Makes time pass only where a test says so. */
export function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Lets time pass, and what waits for it go on. */
export const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Lets go on what waits for no time. */
export const ticks = () => advance(0);

/** A call at a gate. */
class Visit {
  readonly request: GateRequest;
  readonly controller = new AbortController();
  readonly interrupt: Interrupt;
  entry: Entry | 'waiting' = 'waiting';
  readonly #gate: Gate;

  constructor(gate: Gate, request: GateRequest, total: number) {
    this.#gate = gate;
    this.request = request;
    this.interrupt = new Interrupt([this.controller.signal], total);
  }

  leave(headers?: Record<string, string>): void {
    this.#gate.leave(this.request, headers);
  }
}

/** What became of calls so far. */
export const entries = (visits: readonly Visit[]) => visits.map(({ entry }) => entry);

/** A gate, who passed it in which order, and the waits it told. */
export function house(settings: Partial<GateSettings> = {}) {
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
  /** A call comes to the gate; `total` is its total timeout in ms, 0 for none. */
  const visit = (name: string, more: Partial<GateRequest> = {}, total = 0) => {
    const request = { credential: 'a', operation: 'x', uncounted: false, ...more };
    names.set(request, name);
    const made = new Visit(gate, request, total);
    const note = (entry: Entry) => {
      made.entry = entry;
      log.push(`${name} ${typeof entry === 'string' ? entry : 'refused'}`);
    };
    const entering = gate.enter(request, made.interrupt);
    if (entering) void entering.then(note);
    else note('admitted');
    return made;
  };
  /** As many calls come, one after the other. */
  const come = (count: number) => Array.from({ length: count }, (_, at) => visit(`${at + 1}`));
  /** An answer tells the gate a budget. */
  const tell = (headers: Record<string, string>, more: Partial<GateRequest> = {}) => {
    visit('teller', more).leave(headers);
    log.pop();
  };
  return { gate, log, waits, visit, come, tell };
}

/** A budget whose window ends `seconds` after the start. */
export function budget(remaining: number, seconds = 60, more: Record<string, string> = {}) {
  return {
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${start / 1000 + seconds}`,
    ...more,
  };
}
