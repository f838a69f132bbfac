import { onTestFinished } from 'vitest';

/** A limit that no test waits for: its timer is held until the test lets it run out. */
export const heldLimit = 1_234_567;

/** Timers that run out when a test says so. */
export interface HeldTimers {
  /** How many are set now. */
  readonly running: number;
  /** How many were set so far. */
  readonly started: number;
  /** Lets those that are set run out. */
  runOut(): void;
}

/**
 * Holds the timers of {@link heldLimit}, or what is left of it. A short limit instead would run out on a
 * busy machine before the thing that the test is about.
 */
export function holdTimers(): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Map<unknown, () => void>();
  let started = 0;
  globalThis.setTimeout = Object.assign((...parameters: Parameters<typeof set>) => {
    const timer = set(...parameters);
    const [callback, delay = 0, ...rest] = parameters;
    if (delay > heldLimit - 100_000 && delay <= heldLimit) {
      started += 1;
      held.set(timer, () => callback(...rest));
    }
    return timer;
  }, set);
  globalThis.clearTimeout = (timer) => {
    held.delete(timer);
    clear(timer);
  };
  onTestFinished(() => {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    for (const timer of held.keys()) clear(timer as NodeJS.Timeout); // what `set` gave
  });
  return {
    get running() {
      return held.size;
    },
    get started() {
      return started;
    },
    runOut() {
      for (const [timer, end] of [...held]) {
        globalThis.clearTimeout(timer as NodeJS.Timeout); // what `set` gave
        end();
      }
    },
  };
}
