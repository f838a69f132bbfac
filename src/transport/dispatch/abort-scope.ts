/** Every limit filled in; 0 is off. */
export interface Timeouts {
  readonly total: number;
  readonly headers: number;
  readonly body: number;
}

/** Why a call was stopped from this side. */
export type Interruption =
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'total'; readonly limit: number };

/**
 * The two things that may stop a call at any stage: the caller's signals and the total timeout.
 * One of them a call; `dispose` takes every listener and timer back.
 */
export class AbortScope {
  #interruption: Interruption | undefined;
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #startedAt = 0;
  #stop: (() => void) | undefined;
  readonly #limit: number;
  #disposed = false;
  readonly #listeners: readonly (() => void)[] = [];

  /** @param total milliseconds; 0 turns the total timeout off. */
  constructor(signals: readonly AbortSignal[], total: number) {
    this.#limit = total;
    this.#left = total;
    if (signals.length > 0) {
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted) {
        this.#interruption = { kind: 'aborted', reason: aborted.reason };
      } else {
        this.#listeners = signals.map((signal) =>
          onAbort(signal, () => this.#trip({ kind: 'aborted', reason: signal.reason })),
        );
      }
    }
    this.resume();
  }

  /** What stopped the call; undefined while nothing did. */
  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  /** Names the one thing to stop when an interruption comes; undefined when there is nothing to stop. */
  watch(stop: (() => void) | undefined): void {
    this.#stop = stop;
  }

  /** The total timeout stands still: while waiting for the rate limit, or sending a streamed body. */
  pause(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.max(1, this.#left - (performance.now() - this.#startedAt));
  }

  /** The total timeout runs (again). */
  resume(): void {
    // A streamed body may close its source after the call has ended.
    if (this.#limit === 0 || this.#timer || this.#interruption || this.#disposed) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#trip({ kind: 'total', limit: this.#limit }), this.#left);
  }

  /** How long until the total timeout, in ms; Infinity when there is none. */
  get timeLeft(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    return this.#timer ? this.#left - (performance.now() - this.#startedAt) : this.#left;
  }

  /**
   * Waits; ends early when interrupted.
   * @param counts the total timeout runs meanwhile. Waits for a rate limit don't count. Default: true.
   */
  async sleep(ms: number, counts = true): Promise<void> {
    if (this.#interruption || ms === 0) return;
    if (!counts) this.pause();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#stop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#stop = undefined;
    if (!counts) this.resume();
  }

  /** Waits for something of the caller's own that may never come; undefined when interrupted. */
  async until<T>(coming: Promise<T>): Promise<T | undefined> {
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        coming.then(resolve, reject);
        if (this.#interruption) resolve(undefined);
        else this.#stop = () => resolve(undefined);
      });
    } finally {
      this.#stop = undefined;
    }
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stop = undefined;
    for (const stopListening of this.#listeners) stopListening();
  }

  #trip(interruption: Interruption): void {
    if (this.#interruption) return;
    this.#interruption = interruption;
    const stop = this.#stop;
    this.#stop = undefined;
    stop?.();
  }
}

interface Listeners {
  readonly callbacks: Set<() => void>;
  readonly onAbort: () => void;
}

/** One listener a signal for all calls that share it: Node warns of a leak from the eleventh on. */
const shared = new WeakMap<AbortSignal, Listeners>();

/** Calls back once the signal is aborted. @returns what takes the callback, and the last one's listener, back. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const listeners = shared.get(signal) ?? listen(signal);
  const { callbacks } = listeners;
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', listeners.onAbort);
    shared.delete(signal);
  };
}

function listen(signal: AbortSignal): Listeners {
  const callbacks = new Set<() => void>();
  const listeners: Listeners = {
    callbacks,
    onAbort: () => {
      for (const callback of callbacks) callback();
    },
  };
  signal.addEventListener('abort', listeners.onAbort);
  shared.set(signal, listeners);
  return listeners;
}
