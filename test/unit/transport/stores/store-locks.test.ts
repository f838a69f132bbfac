import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreAccess } from '../../../../src/transport/stores/store-access.js';
import { StoreLocks } from '../../../../src/transport/stores/store-locks.js';
import type { LockStore } from '../../../../src/transport/stores/stores.js';
import { until } from '../../../support/client.js';

/** Creates locks that expire after their lease, and counts acquisitions and renewals. */
function world() {
  const held = new Map<string, { readonly owner: string; readonly ends: number }>();
  let acquired = 0;
  const current = (name: string) => {
    const lock = held.get(name);
    return lock && lock.ends > performance.now() ? lock.owner : undefined;
  };
  const store: LockStore = {
    acquireLock: async (name, owner, lease) => {
      const holder = current(name) ?? owner;
      if (holder !== owner) return holder;
      acquired++;
      held.set(name, { owner, ends: performance.now() + lease });
      return owner;
    },
    lockOwner: async (name) => current(name),
    releaseLock: async (name, owner) => {
      if (current(name) === owner) held.delete(name);
    },
  };
  const locks = () => new StoreLocks(store, new StoreAccess('session', 5000, () => undefined));
  return { locks, owner: () => current('a'), acquired: () => acquired };
}

const isWanted = () => true;

describe('StoreLocks', () => {
  it('StoreLocks renews a lock that is held longer than its lease', async () => {
    const { locks, owner, acquired } = world();
    const release = await locks().acquire('a', 600, isWanted, 60_000);
    const first = owner();
    let isOver = false;
    const waiting = locks()
      .acquire('a', 600, isWanted, 60_000)
      .then((other) => {
        isOver = true;
        return other;
      });
    await until('it was renewed beyond its first lease', () => acquired() > 4);
    expect([owner() === first, isOver]).toEqual([true, false]);
    await release?.();
    expect(owner()).toBeUndefined();
    expect(await waiting).toBeUndefined();
    const renewals = acquired();
    await sleep(500);
    expect(acquired(), 'a released lock is not renewed').toBe(renewals);
  });

  it('StoreLocks waits until the lease of an unrenewed lock expires', async () => {
    const { locks, owner } = world();
    await locks().acquire('a', 300);
    expect(await locks().acquire('a', 300, isWanted, 60_000)).toBeUndefined();
    expect(owner()).toBeUndefined();
  });
});
