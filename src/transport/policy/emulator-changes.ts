import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Published by `triforge/testing` when clock or budgets of an emulator in this process were changed. */
const changed = 'triforge:emulator:change';

/** Lets an object forget, for as long as it lives, what it learned of an emulator's time. */
export function onEmulatorChange<T extends object>(owner: T, forget: (owner: T) => void): void {
  // Weak: a client that nobody closes must not live as long as the process.
  const weak = new WeakRef(owner);
  const listener = () => {
    const alive = weak.deref();
    if (alive) forget(alive);
    else unsubscribe(changed, listener);
  };
  subscribe(changed, listener);
}
