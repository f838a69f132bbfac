import type { EmulatorClock } from '../clock.js';
import { HttpError, json } from '../reply.js';
import type { HostingCaller } from './credentials.js';

/** Rate-limit window of one caller. */
export interface Window {
  readonly limit: number;
  remaining: number;
  /** End of the window, in epoch seconds. */
  readonly reset: number;
}

const hour = 3600;

/** Hourly rate limits: 5000 requests with credentials, 60 requests without credentials. */
export class HourlyLimits {
  readonly #clock: EmulatorClock;
  readonly #windows = new Map<string, Window>();
  #override: number | undefined;

  constructor(clock: EmulatorClock) {
    this.#clock = clock;
  }

  /** Returns a caller's current window. Starts a new window if the last window has ended. */
  window(caller: HostingCaller): Window {
    const now = Math.floor(this.#clock.now.getTime() / 1000);
    const known = this.#windows.get(caller.key);
    if (known && known.reset > now) return known;
    const limit = this.#override ?? (caller.scheme === 'none' ? 60 : 5000);
    const window = { limit, remaining: limit, reset: now + hour };
    this.#windows.set(caller.key, window);
    return window;
  }

  /**
   * Counts a request against the caller's window. Returns false if the request is exempt.
   * @throws {HttpError} 403 if the limit is exhausted.
   */
  charge(caller: HostingCaller, path: string): boolean {
    if (path.replace(/\/$/, '') === '/rate_limit') return false;
    const window = this.window(caller);
    if (window.remaining <= 0) {
      throw new HttpError(json(403, { message: `API rate limit exceeded for ${caller.key}.` }));
    }
    window.remaining -= 1;
    return true;
  }

  /**
   * Sets the limit of all windows and starts new windows. Undefined restores the documented limits.
   */
  setLimit(limit: number | undefined): void {
    this.#override = limit;
    this.#windows.clear();
  }
}
