import type { DiagnosticEvents, Publish } from '../request/diagnostics.js';
import { setImmediate } from '../request/event-loop.js';

/**
 * What is pending, or a rejection when it takes too long. A process that was busy looks at its sockets
 * once more before it says so.
 */
export function within<T>(ms: number, pending: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new Error(`no answer within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(give)), ms);
    pending.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Asks a store that may be slow, or gone: that costs what it is for, and no call. */
export class StoreAccess {
  readonly #store: DiagnosticEvents['triforge:store']['store'];
  readonly #patience: number;
  readonly #publish: Publish;
  #isLost = false;

  /** @param patience milliseconds that each question may take. */
  constructor(
    store: DiagnosticEvents['triforge:store']['store'],
    patience: number,
    publish: Publish,
  ) {
    this.#store = store;
    this.#patience = patience;
    this.#publish = publish;
  }

  /** Its answer; undefined where it fails or takes too long. @param more further milliseconds. */
  async ask<T>(question: () => T | Promise<T>, more = 0): Promise<Awaited<T> | undefined> {
    try {
      const answer = await within(this.#patience + more, Promise.resolve().then(question));
      this.found();
      return answer;
    } catch (error) {
      this.lost(error);
      return undefined;
    }
  }

  /** It does not answer: told once. @returns whether that is news. */
  lost(error: unknown): boolean {
    if (this.#isLost) return false;
    this.#isLost = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'lost', reason }));
    return true;
  }

  /** It answers. */
  found(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#publish('triforge:store', () => ({ store: this.#store, state: 'back' }));
  }
}
