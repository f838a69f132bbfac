import type { EmulatorClock } from '../clock.js';
import type { HostingCaller } from './context.js';

/** One window of one caller. */
export interface Window {
  readonly limit: number;
  remaining: number;
  /** Epoch seconds. */
  readonly reset: number;
}

const hour = 3600;

/** Hourly budgets: 5000 requests with credentials, 60 without. */
export class RateLimits {
  readonly #clock: EmulatorClock;
  readonly #windows = new Map<string, Window>();
  #override: number | undefined;

  constructor(clock: EmulatorClock) {
    this.#clock = clock;
  }

  /** What a caller has; a new window where the last one is over. */
  window(caller: HostingCaller): Window {
    const now = Math.floor(this.#clock.now.getTime() / 1000);
    const known = this.#windows.get(caller.key);
    if (known && known.reset > now) return known;
    const limit = this.#override ?? (caller.scheme === 'none' ? 60 : 5000);
    const window = { limit, remaining: limit, reset: now + hour };
    this.#windows.set(caller.key, window);
    return window;
  }

  /** Takes one request out of a window; false where none is left. */
  take(window: Window): boolean {
    if (window.remaining <= 0) return false;
    window.remaining -= 1;
    return true;
  }

  /** Every window holds so many from now on; undefined for the documented numbers. */
  setLimit(limit: number | undefined): void {
    this.#override = limit;
    this.#windows.clear();
  }
}
