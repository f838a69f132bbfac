import { errorMessage } from '../../schema/unknown-values.js';
import type { DiagnosticEvents, Publish } from '../request/diagnostics.js';
import { maxTimerDelay, setImmediate } from '../request/event-loop.js';

/**
 * Settles like `pending`, but rejects if `pending` takes longer than `ms`. Timers fire before I/O,
 * so a process that was suspended reads its sockets once more before the promise rejects.
 */
export function withTimeout<T>(ms: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error(`no response within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(give), Math.min(ms, maxTimerDelay));
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Shortest and longest time between two requests to an unavailable store, in ms. */
export const [firstRetry, lastRetry] = [250, 5000];

/**
 * Accesses a store that may be slow or unavailable. A store failure never makes a call fail. After
 * a failure, requests are skipped, except for an occasional request that checks whether the store
 * is available again.
 */
export class StoreAccess {
  readonly #store: DiagnosticEvents['triforge:store']['store'];
  readonly #patience: number;
  readonly #publish: Publish;
  #isLost = false;
  #delay = firstRetry;
  #retryAt = 0;

  /** @param patience maximum time in ms for each request. */
  constructor(
    store: DiagnosticEvents['triforge:store']['store'],
    patience: number,
    publish: Publish,
  ) {
    this.#store = store;
    this.#patience = patience;
    this.#publish = publish;
  }

  /** Whether a request has failed and none has succeeded since then. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Sends a request. Returns its result, or undefined if it fails, takes too long or is skipped.
   */
  async request<T>(send: () => T | Promise<T>): Promise<Awaited<T> | undefined> {
    if (this.#isLost) {
      const now = performance.now();
      if (now < this.#retryAt) return undefined;
      this.#delay = Math.min(lastRetry, this.#delay * 2);
      this.#retryAt = now + this.#delay;
    }
    try {
      const result = await withTimeout(this.#patience, Promise.resolve().then(send));
      this.#reportFound();
      return result;
    } catch (error) {
      this.#reportLost(error);
      return undefined;
    }
  }

  /** Reports the first failure. Ignores later failures until the store responds again. */
  #reportLost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#delay = firstRetry;
    this.#retryAt = performance.now() + firstRetry;
    const reason = errorMessage(error);
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'lost', reason }));
  }

  /** Reports that the store responds again, if it was unavailable. */
  #reportFound(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'back' }));
  }
}
