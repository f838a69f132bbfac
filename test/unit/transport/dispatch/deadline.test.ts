import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // The clock doesn't start at 0, so a duration can't be mistaken for a time.
  vi.advanceTimersByTime(10_000);
});
afterEach(() => {
  vi.useRealTimers();
});

const listeners = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length;

describe('an aborted signal', () => {
  it('interrupts the call without a listener or timer', () => {
    const [open, aborted] = [new AbortController(), new AbortController()];
    aborted.abort('too late');
    const deadline = new Deadline([open.signal, aborted.signal], 100);
    expect(deadline.interruption).toEqual({ kind: 'aborted', reason: 'too late' });
    expect([listeners(open), listeners(aborted)]).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a call's signal", () => {
  it('the first of several aborts determines the reason of the interruption', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const deadline = new Deadline([one.signal, two.signal], 100);
    two.abort('two');
    one.abort('one');
    vi.advanceTimersByTime(200);
    expect(deadline.interruption).toEqual({ kind: 'aborted', reason: 'two' });
  });

  it('a signal needs only one listener for all calls', () => {
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => new Deadline([signal], 0));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const call of calls) {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      call.dispose();
      call.dispose();
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('the total timeout', () => {
  it('stops the registered work', () => {
    const stop = vi.fn();
    const deadline = new Deadline([], 100);
    deadline.onStop = stop;
    vi.advanceTimersByTime(99);
    expect(stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(stop).toHaveBeenCalledOnce();
    expect(deadline.interruption).toEqual({ kind: 'total', limit: 100 });
  });

  it('a deadline ignores a second pause() and a second resume()', () => {
    const deadline = new Deadline([], 100);
    vi.advanceTimersByTime(60);
    deadline.pause();
    deadline.pause();
    vi.advanceTimersByTime(1000);
    expect(deadline.timeLeft).toBe(40);
    deadline.resume();
    deadline.resume();
    vi.advanceTimersByTime(39);
    expect(deadline.interruption).toBeUndefined();
    expect(deadline.timeLeft).toBe(1);
    vi.advanceTimersByTime(1);
    expect(deadline.interruption).toBeDefined();
  });

  it('a deadline sets no timer on resume() after dispose()', () => {
    const deadline = new Deadline([], 100);
    deadline.pause();
    deadline.dispose();
    deadline.resume();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('dispose()', () => {
  it('removes the timer, the listeners and the registered work', () => {
    const controllers = [new AbortController(), new AbortController()];
    const stop = vi.fn();
    const deadline = new Deadline(
      controllers.map(({ signal }) => signal),
      100,
    );
    deadline.onStop = stop;
    expect(vi.getTimerCount()).toBe(1);
    expect(controllers.map(listeners)).toEqual([1, 1]);
    deadline.dispose();
    expect(vi.getTimerCount()).toBe(0);
    expect(controllers.map(listeners)).toEqual([0, 0]);
    for (const controller of controllers) controller.abort();
    vi.advanceTimersByTime(1000);
    expect(stop).not.toHaveBeenCalled();
    expect(deadline.interruption).toBeUndefined();
  });
});

describe('sleep()', () => {
  it('lasts for the requested time', async () => {
    const woken = vi.fn();
    const slept = new Deadline([], 0).sleep(50).then(woken);
    await vi.advanceTimersByTimeAsync(49);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await slept;
    expect(woken).toHaveBeenCalledOnce();
  });

  it('lasts at most as long as the longest Node.js timer', async () => {
    const woken = vi.fn();
    const slept = new Deadline([], 0).sleep(50 * 86_400_000).then(woken);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await slept;
    expect(woken).toHaveBeenCalledOnce();
  });

  it('ends early at the total timeout', async () => {
    const deadline = new Deadline([], 100);
    const slept = deadline.sleep(50_000);
    await vi.advanceTimersByTimeAsync(100);
    await slept;
    expect(deadline.interruption?.kind).toBe('total');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends early when the signal is aborted', async () => {
    const controller = new AbortController();
    const deadline = new Deadline([controller.signal], 0);
    const cut = deadline.sleep(50_000);
    controller.abort();
    await cut;
    await deadline.sleep(50_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('waitFor()', () => {
  it('settles like its promise unless the call is interrupted', async () => {
    const controller = new AbortController();
    const deadline = new Deadline([controller.signal], 0);
    expect(await deadline.waitFor(Promise.resolve(1))).toBe(1);
    await expect(deadline.waitFor(Promise.reject(new Error('no')))).rejects.toThrow('no');
    let fail: (error: Error) => void = () => undefined;
    const never = new Promise((_resolve, reject) => {
      fail = reject;
    });
    const cut = deadline.waitFor(never);
    controller.abort();
    expect(await cut).toBeUndefined();
    expect(await deadline.waitFor(never), 'already interrupted').toBeUndefined();
    fail(new Error('too late, but must not be an unhandled rejection'));
  });
});
