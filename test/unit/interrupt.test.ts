import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Interrupt } from '../../src/transport/interrupt.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the total timeout', () => {
  it('stops what is going on', () => {
    const stop = vi.fn();
    const interrupt = new Interrupt([], 100);
    interrupt.watch(stop);
    vi.advanceTimersByTime(99);
    expect(stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(stop).toHaveBeenCalledOnce();
    expect(interrupt.interruption).toEqual({ kind: 'total', limit: 100 });
  });

  it('stands still while it is paused', () => {
    const interrupt = new Interrupt([], 100);
    vi.advanceTimersByTime(60);
    interrupt.pause();
    interrupt.pause();
    vi.advanceTimersByTime(1000);
    expect(interrupt.timeLeft).toBe(40);
    interrupt.resume();
    interrupt.resume();
    vi.advanceTimersByTime(39);
    expect(interrupt.interruption).toBeUndefined();
    expect(interrupt.timeLeft).toBe(1);
    vi.advanceTimersByTime(1);
    expect(interrupt.interruption).toBeDefined();
  });

  it('of 0 is none', () => {
    const interrupt = new Interrupt([], 0);
    interrupt.pause();
    interrupt.resume();
    expect(interrupt.timeLeft).toBe(Number.POSITIVE_INFINITY);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is over when the call is: nothing starts it again', () => {
    const interrupt = new Interrupt([], 100);
    interrupt.pause();
    interrupt.dispose();
    interrupt.resume();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a signal', () => {
  it('stops with its reason, the first of several', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const interrupt = new Interrupt([one.signal, two.signal], 100);
    two.abort('two');
    one.abort('one');
    vi.advanceTimersByTime(200);
    expect(interrupt.interruption).toEqual({ kind: 'aborted', reason: 'two' });
  });

  it('has one listener for all calls, and none after the last', () => {
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => new Interrupt([signal], 0));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const call of calls) {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      call.dispose();
      call.dispose();
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('stops all calls that share it', () => {
    const controller = new AbortController();
    const calls = Array.from({ length: 3 }, () => new Interrupt([controller.signal], 0));
    calls[1]?.dispose();
    controller.abort('x');
    expect(calls.map(({ interruption }) => interruption?.kind)).toEqual([
      'aborted',
      undefined,
      'aborted',
    ]);
  });
});

describe('waiting', () => {
  it('ends in time, or by an interruption', async () => {
    const controller = new AbortController();
    const interrupt = new Interrupt([controller.signal], 0);
    const slept = interrupt.sleep(50);
    await vi.advanceTimersByTimeAsync(50);
    await slept;
    const cut = interrupt.sleep(50_000);
    controller.abort();
    await cut;
    await interrupt.sleep(50_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('for something of the caller gives it, its failure, or nothing', async () => {
    const controller = new AbortController();
    const interrupt = new Interrupt([controller.signal], 0);
    expect(await interrupt.until(Promise.resolve(1))).toBe(1);
    await expect(interrupt.until(Promise.reject(new Error('no')))).rejects.toThrow('no');
    let fail: (error: Error) => void = () => undefined;
    const never = new Promise((_resolve, reject) => {
      fail = reject;
    });
    const cut = interrupt.until(never);
    controller.abort();
    expect(await cut).toBeUndefined();
    expect(await interrupt.until(never)).toBeUndefined();
    fail(new Error('late, and nobody waits: not an unhandled rejection'));
  });
});
