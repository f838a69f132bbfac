import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreAccess, within } from '../../../../src/transport/policy/store-access.js';
import { rejectionOf } from '../../../support/client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what is waited for', () => {
  it('leaves no timer behind once it is there, or has failed', async () => {
    expect(await within(1000, Promise.resolve('answer'))).toBe('answer');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    const cause = new Error('gone');
    expect(await rejectionOf(within(1000, Promise.reject(cause)))).toBe(cause);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails when it takes longer', async () => {
    const raised = rejectionOf(within(1000, new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(String(await raised)).toContain('1000 ms');
  });
});

it('a store that is lost and comes back is told of once each time', async () => {
  const told: string[] = [];
  const access = new StoreAccess('cache', 1000, (_name, make) => {
    // `as`: what is published of a store.
    told.push((make() as { readonly state: string }).state);
  });
  const answers = () => access.ask(() => 'answer');
  const fails = () => access.ask(() => Promise.reject(new Error('gone')));
  expect(await answers()).toBe('answer');
  expect(told).toEqual([]);
  for (let round = 0; round < 2; round++) {
    for (const ask of [fails, fails, answers, answers]) await ask();
  }
  expect(told).toEqual(['lost', 'back', 'lost', 'back']);
  expect([access.lost('gone'), access.lost('gone')], 'whether that is news').toEqual([true, false]);
});
