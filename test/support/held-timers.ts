import { onTestFinished } from 'vitest';

/** Timeout in ms that expires only when the test calls `runOut`. */
export const heldLimit = 1_234_567;

/** Timers that expire on request. */
export interface HeldTimers {
  /** Number of timers that are currently set. */
  readonly running: number;
  /** Number of timers set so far. */
  readonly started: number;
  /** Makes all current timers expire. */
  runOut(): void;
}

/**
 * Holds timers with a delay of {@link heldLimit} or slightly less, because a short timeout could
 * expire on a busy machine before the tested event.
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
    for (const timer of held.keys()) clear(timer as NodeJS.Timeout); // `as`: returned by `set`.
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
        globalThis.clearTimeout(timer as NodeJS.Timeout); // `as`: returned by `set`.
        end();
      }
    },
  };
}
