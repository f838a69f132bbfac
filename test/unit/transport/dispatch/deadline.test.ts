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
  it('lasts at most as long as the longest Node.js timer', async () => {
    const woken = vi.fn();
    const slept = new Deadline([], 0).sleep(50 * 86_400_000).then(woken);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await slept;
    expect(woken).toHaveBeenCalledOnce();
  });
});
