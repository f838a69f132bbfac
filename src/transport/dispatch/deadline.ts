import { maxTimerDelay } from '../request/event-loop.js';

/** Timeouts in ms, with defaults filled in. 0 disables a timeout. */
export interface Timeouts {
  readonly total: number;
  readonly headers: number;
  readonly body: number;
  /** Whether the total timeout includes waits for limits, because the caller set it. */
  readonly totalIncludesLimits?: boolean | undefined;
}

/** Reason why the client stopped a call. */
export type Interruption =
  | { readonly kind: 'aborted'; readonly reason: unknown }
  | { readonly kind: 'total'; readonly limit: number }
  /** The client was closed. */
  | { readonly kind: 'closed' };

/**
 * Stops a call at any stage when its signal is aborted, its total timeout expires, or the client is
 * closed. `dispose` removes all listeners and timers.
 */
export class Deadline {
  /** Reason why the call was stopped. Undefined while the call is running. */
  interruption: Interruption | undefined;
  #timer: NodeJS.Timeout | undefined;
  #left: number;
  #startedAt = 0;
  /** Function to call on an interruption. Undefined if there is nothing to stop. */
  onStop: (() => void) | undefined;
  readonly #limit: number;
  readonly #includesLimits: boolean;
  #disposed = false;
  readonly #listeners: (() => void)[] = [];

  /**
   * @param total milliseconds. 0 disables the total timeout.
   * @param includesLimits whether the total timeout includes waits for limits. Default: false.
   */
  constructor(signals: readonly AbortSignal[], total: number, includesLimits = false) {
    this.#limit = total;
    this.#includesLimits = includesLimits;
    this.#left = total;
    for (const { aborted, reason } of signals) {
      if (aborted) this.interruption ??= { kind: 'aborted', reason };
    }
    if (this.interruption) return;
    for (const signal of signals) {
      const abort = () => this.#interrupt({ kind: 'aborted', reason: signal.reason });
      this.#listeners.push(onAbort(signal, abort));
    }
    this.resume();
  }

  /** Pauses the total timeout during a wait for a limit, unless the caller set the timeout. */
  pauseForLimit(): void {
    if (!this.#includesLimits) this.pause();
  }

  /** Pauses the total timeout while a streamed body is being sent. */
  pause(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left = Math.max(1, this.#left - (performance.now() - this.#startedAt));
  }

  /** Starts or resumes the total timeout. */
  resume(): void {
    // `resume` can run after the call has ended, when the source of a streamed body closes.
    if (this.#limit === 0 || this.#timer || this.interruption || this.#disposed) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(
      () => this.#interrupt({ kind: 'total', limit: this.#limit }),
      this.#left,
    );
  }

  /** Time in ms until the total timeout expires. Infinity if there is no total timeout. */
  get timeLeft(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    return this.#timer ? this.#left - (performance.now() - this.#startedAt) : this.#left;
  }

  /** Longest time in ms that the call can wait for a limit. */
  get timeLeftForLimit(): number {
    return this.#includesLimits ? this.timeLeft : Number.POSITIVE_INFINITY;
  }

  /**
   * Waits `ms` milliseconds, or until the call is stopped.
   * @param forLimit whether the wait is for a limit. Default: false.
   */
  async sleep(ms: number, forLimit = false): Promise<void> {
    if (this.interruption || ms === 0) return;
    if (forLimit) this.pauseForLimit();
    await new Promise<void>((resolve) => {
      // Node.js replaces a delay over `maxTimerDelay` with 1 ms.
      const timer = setTimeout(resolve, Math.min(ms, maxTimerDelay));
      this.onStop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.onStop = undefined;
    if (forLimit) this.resume();
  }

  /**
   * Waits for a caller's promise, which may never settle. Resolves to undefined if the call is
   * stopped first.
   */
  async waitFor<T>(coming: Promise<T>): Promise<T | undefined> {
    try {
      return await new Promise<T | undefined>((resolve, reject) => {
        coming.then(resolve, reject);
        if (this.interruption) resolve(undefined);
        else this.onStop = () => resolve(undefined);
      });
    } finally {
      this.onStop = undefined;
    }
  }

  /** Stops the call because its client was closed. */
  close(): void {
    this.#interrupt({ kind: 'closed' });
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.onStop = undefined;
    for (const stopListening of this.#listeners) stopListening();
  }

  #interrupt(interruption: Interruption): void {
    if (this.interruption) return;
    this.interruption = interruption;
    const stop = this.onStop;
    this.onStop = undefined;
    stop?.();
  }
}

/** Stream that was returned to the caller and still receives bytes from a connection. */
export interface OpenStream {
  /** Ends the stream and its connection. */
  cut(cause: Error): void;
}

/** Creates the `cause` for errors in calls and streams that end because the client is closed. */
export function createClosedCause(): Error {
  return Object.assign(new Error('the client is closed'), { code: 'CLIENT_CLOSED' });
}

/** Calls and streams that end when their client is closed. */
export class InFlight {
  readonly #calls = new Set<Deadline>();
  readonly #streams = new Set<OpenStream>();
  #isClosed = false;

  addCall(deadline: Deadline): void {
    if (this.#isClosed) deadline.close();
    this.#calls.add(deadline);
  }

  removeCall(deadline: Deadline): void {
    deadline.dispose();
    this.#calls.delete(deadline);
  }

  /** Runs work that isn't a single request, such as a pause or several requests, as a call. */
  async run<T>(
    signals: readonly AbortSignal[],
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(signals, 0);
    this.addCall(deadline);
    try {
      return await work(deadline);
    } finally {
      this.removeCall(deadline);
    }
  }

  /** Tracks a stream until the returned function is called. */
  addStream(stream: OpenStream): () => void {
    this.#streams.add(stream);
    if (this.#isClosed) stream.cut(createClosedCause());
    return () => this.#streams.delete(stream);
  }

  close(): void {
    this.#isClosed = true;
    for (const deadline of this.#calls) deadline.close();
    for (const stream of this.#streams) stream.cut(createClosedCause());
  }
}

/**
 * Callbacks by signal. Each signal has only one listener, because Node warns of a leak if a signal
 * has more than ten listeners.
 */
const shared = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls a function when a signal is aborted. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = shared.get(signal);
  if (!callbacks) {
    callbacks = new Set();
    shared.set(signal, callbacks);
    signal.addEventListener('abort', runCallbacks);
  }
  callbacks.add(callback);
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return;
    signal.removeEventListener('abort', runCallbacks);
    shared.delete(signal);
  };
}

/** Runs the callbacks of the aborted signal, which is `this`. */
function runCallbacks(this: AbortSignal): void {
  for (const callback of shared.get(this) ?? []) callback();
}
