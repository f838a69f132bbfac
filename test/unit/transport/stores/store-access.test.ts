import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setImmediate } from '../../../../src/transport/request/event-loop.js';
import { StoreAccess, withTimeout } from '../../../../src/transport/stores/store-access.js';
import { rejectionOf, watchWarnings } from '../../../support/client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an awaited request', () => {
  it('leaves no timer behind once it has settled', async () => {
    expect(await withTimeout(1000, Promise.resolve('answer'))).toBe('answer');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    const cause = new Error('gone');
    expect(await rejectionOf(withTimeout(1000, Promise.reject(cause)))).toBe(cause);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails after its timeout', async () => {
    const raised = rejectionOf(withTimeout(1000, new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(String(await raised)).toContain('1000 ms');
  });

  it.each([2 ** 31, 3_000_000_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    'accepts a timeout of %d ms, longer than a timer allows',
    async (ms) => {
      vi.useRealTimers();
      const warnings = watchWarnings();
      const answer = new Promise((resolve) => setTimeout(resolve, 20, 'answer'));
      expect(await withTimeout(ms, answer)).toBe('answer');
      expect(warnings).toEqual([]);
    },
  );

  it('has a fifth of its timeout left after the process was suspended', async () => {
    let answer = (_value: string) => {};
    const pending = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const raised = withTimeout(1000, pending);
    // The clock has advanced, but no timer has run.
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersToNextTimer();
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    setTimeout(() => answer('answer'), 150);
    await vi.advanceTimersByTimeAsync(150);
    expect(await raised).toBe('answer');
  });
});

describe('StoreAccess', () => {
  function world() {
    const told: string[] = [];
    const access = new StoreAccess('cache', 1000, (_name, make) => {
      // `as`: only store events arrive here.
      told.push((make() as { readonly state: string }).state);
    });
    const asked: string[] = [];
    const answers = () =>
      access.request(() => {
        asked.push('answers');
        return 'answer';
      });
    const fails = () =>
      access.request(() => {
        asked.push('fails');
        return Promise.reject(new Error('gone'));
      });
    /** Creates a request that stays pending until it is released. */
    const hangs = () => {
      let letGo = () => {};
      const ended = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let unused = 0;
      const asking = access.request(
        () => {
          asked.push('hangs');
          return ended;
        },
        () => void unused++,
      );
      return { asking, letGo, unused: () => unused };
    };
    return { access, told, asked, answers, fails, hangs };
  }

  it('reports once that a store is lost, and once that it is back', async () => {
    const { access, told, answers, fails } = world();
    expect(await answers()).toBe('answer');
    expect(told).toEqual([]);
    for (let round = 0; round < 2; round++) {
      for (const ask of [fails, fails, answers, answers]) {
        await ask();
        await vi.advanceTimersByTimeAsync(5000);
      }
    }
    expect(told).toEqual(['lost', 'back', 'lost', 'back']);
    access.reportLost('gone');
    access.reportLost('gone');
    expect(told).toEqual(['lost', 'back', 'lost', 'back', 'lost']);
  });

  it('retries a lost store after 250 ms, and then at growing intervals of up to five seconds', async () => {
    const { access, asked, fails } = world();
    const begin = performance.now();
    const tries: number[] = [];
    while (performance.now() - begin < 20_000) {
      const before = asked.length;
      await fails();
      expect(access.isLost).toBe(true);
      if (asked.length > before) tries.push(performance.now() - begin);
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(tries).toEqual([0, 250, 750, 1750, 3750, 7750, 12_750, 17_750]);
  });

  it('tries a lost store with one request at a time', async () => {
    const { asked, fails, answers, hangs } = world();
    await fails();
    await vi.advanceTimersByTimeAsync(250);
    const probe = hangs();
    expect(await answers()).toBeUndefined();
    expect(asked).toEqual(['fails', 'hangs']);
    probe.letGo();
    await probe.asking;
    expect(await answers()).toBe('answer');
  });

  it('sends nothing while a request that took too long may still be executed', async () => {
    const { asked, answers, hangs, told } = world();
    const slow = [hangs(), hangs()];
    await vi.advanceTimersByTimeAsync(1010);
    for (const { asking } of slow) expect(await asking).toBeUndefined();
    await vi.advanceTimersByTimeAsync(10_000);
    slow[0]?.letGo();
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.map(({ unused }) => unused())).toEqual([1, 0]);
    expect(await answers()).toBeUndefined();
    slow[1]?.letGo();
    await vi.advanceTimersByTimeAsync(0);
    expect(await answers()).toBe('answer');
    expect(asked).toEqual(['hangs', 'hangs', 'answers']);
    expect(told).toEqual(['lost', 'back']);
  });

  it.each<[string, () => unknown]>([
    ['an object without a prototype', () => Object.create(null)],
    ['a symbol', () => Symbol('gone')],
    [
      'an error whose message throws',
      () =>
        Object.defineProperty(new Error('gone'), 'message', {
          get: () => {
            throw new Error('no message');
          },
        }),
    ],
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
  ])('reports a store that rejects with %s as lost', async (_what, thrown) => {
    const { access, told } = world();
    expect(await access.request(() => Promise.reject(thrown()))).toBeUndefined();
    expect([access.isLost, told]).toEqual([true, ['lost']]);
  });

  it('considers the store back if a request from before the loss completes in time', async () => {
    const { access, fails, hangs } = world();
    const early = hangs();
    await fails();
    early.letGo();
    await early.asking;
    expect([access.isLost, early.unused()]).toEqual([false, 0]);
  });
});
