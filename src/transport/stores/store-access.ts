import { errorMessage } from '../../schema/unknown-values.js';
import type { DiagnosticEvents, Publish } from '../request/diagnostics.js';
import { maxTimerDelay, setImmediate } from '../request/event-loop.js';

/**
 * Settles like `pending`, but rejects if `pending` takes longer than `ms`. In a busy process,
 * responses and timers are late. To avoid a false timeout, a second timer for the last fifth of the
 * time starts when the first timer fires. The process then reads its sockets once more.
 */
export function withTimeout<T>(ms: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error(`no response within ${ms} ms`));
    const limit = Math.min(ms, maxTimerDelay);
    let timer = setTimeout(() => {
      timer = setTimeout(() => setImmediate(() => setImmediate(give)), limit * 0.2);
    }, limit * 0.8);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Shortest and longest time between two requests to an unavailable store, in ms. */
export const [firstRetry, lastRetry] = [250, 5000];

/** Maximum time in ms for which a pending request blocks the next attempt. */
export const maxOpenTime = 30_000;

/**
 * Accesses a store that may be slow or unavailable. A store failure never makes a call fail. After
 * a failure, only one request at a time is sent, to check whether the store is available again. All
 * other requests are skipped so that requests don't pile up in a stalled client.
 */
export class StoreAccess {
  readonly #store: DiagnosticEvents['triforge:store']['store'];
  readonly #patience: number;
  readonly #publish: Publish;
  #isLost = false;
  #isProbing = false;
  #delay = firstRetry;
  #retryAt = 0;
  /** Number of failed requests that the store may still execute. */
  #open = 0;

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
    const probes = this.#isLost;
    if (probes && !this.#mayProbe()) return undefined;
    if (probes) this.#isProbing = true;
    const pending = Promise.resolve().then(send);
    try {
      const result = await withTimeout(this.#patience, pending);
      this.#reportFound();
      return result;
    } catch (error) {
      this.#open++;
      const ended = () => {
        this.#open--;
      };
      pending.then(ended, ended);
      if (probes) this.#retryAfter(Math.min(lastRetry, this.#delay * 2));
      this.#reportLost(error);
      return undefined;
    } finally {
      if (probes) this.#isProbing = false;
    }
  }

  /** Reports the first failure. Ignores later failures until the store responds again. */
  #reportLost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#retryAfter(firstRetry);
    const reason = errorMessage(error);
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'lost', reason }));
  }

  /** Reports that the store responds again, if it was unavailable. */
  #reportFound(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'back' }));
  }

  #mayProbe(): boolean {
    const overdue = performance.now() - this.#retryAt;
    if (this.#isProbing || overdue < 0) return false;
    return this.#open === 0 || overdue >= maxOpenTime;
  }

  #retryAfter(delay: number): void {
    this.#delay = delay;
    this.#retryAt = performance.now() + delay;
  }
}
