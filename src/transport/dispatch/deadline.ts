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
  /** Whether nothing has been read from the stream yet. */
  readonly isUnread: boolean;
  /** Ends the stream and its connection. */
  cut(cause: Error): void;
}

/** Creates the `cause` for errors in calls and streams that end because the client is closed. */
export function createClosedCause(): Error {
  return Object.assign(new Error('the client is closed'), { code: 'CLIENT_CLOSED' });
}

/** Calls and streams that still use a client's connections. */
export class InFlight {
  readonly #calls = new Set<Deadline>();
  readonly #streams = new Set<OpenStream>();
  readonly #pauses = new Set<Deadline>();
  #closing: Promise<void> | undefined;
  #resolve: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #endsAt = Number.POSITIVE_INFINITY;
  #isOver = false;

  /**
   * Adds a call. Stops it immediately if the client is closed, or if the client is closing and the
   * call isn't part of a call in flight.
   * @param isPart whether the call is part of another call that is in flight.
   */
  addCall(deadline: Deadline, isPart: boolean): void {
    if (this.#isOver || (this.#closing && !isPart)) deadline.close();
    this.#calls.add(deadline);
  }

  removeCall(deadline: Deadline): void {
    deadline.dispose();
    this.#calls.delete(deadline);
    if (this.#closing) this.#endIfIdle();
  }

  /** Tracks several requests as one call. */
  async runAsOneCall<T>(
    signals: readonly AbortSignal[],
    run: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(signals, 0);
    this.addCall(deadline, false);
    try {
      return await run(deadline);
    } finally {
      this.removeCall(deadline);
    }
  }

  /**
   * Waits `ms` milliseconds between two calls, or until the signal is aborted or the client is
   * closed.
   */
  async pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const deadline = new Deadline(signal ? [signal] : [], 0);
    if (this.#closing) deadline.close();
    this.#pauses.add(deadline);
    await deadline.sleep(ms);
    this.#pauses.delete(deadline);
    deadline.dispose();
  }

  /**
   * Tracks a stream until the returned function is called. After the client has closed, ends the
   * stream immediately.
   */
  addStream(stream: OpenStream): () => void {
    if (this.#isOver) {
      stream.cut(createClosedCause());
      return () => undefined;
    }
    this.#streams.add(stream);
    return () => {
      this.#streams.delete(stream);
      if (this.#closing) this.#endIfIdle();
    };
  }

  /**
   * Ends unread streams immediately. Lets calls and other streams finish within the grace period.
   * Calling `close` again can shorten the period.
   * @param gracePeriod milliseconds.
   * @returns a promise that resolves when all calls and streams have ended.
   */
  close(gracePeriod: number): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const endsAt = performance.now() + gracePeriod;
    if (!this.#isOver && endsAt < this.#endsAt) {
      this.#endsAt = endsAt;
      clearTimeout(this.#timer);
      if (gracePeriod > 0) this.#timer = setTimeout(() => this.#endAll(), gracePeriod);
      else this.#endAll();
    }
    for (const pause of this.#pauses) pause.close();
    for (const stream of [...this.#streams]) if (stream.isUnread) stream.cut(createClosedCause());
    this.#endIfIdle();
    return this.#closing;
  }

  #endIfIdle(): void {
    if (this.#calls.size === 0 && this.#streams.size === 0) this.#endAll();
  }

  #endAll(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const deadline of [...this.#calls]) deadline.close();
    for (const stream of [...this.#streams]) stream.cut(createClosedCause());
    this.#resolve?.();
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
