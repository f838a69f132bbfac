import { AsyncResource } from 'node:async_hooks';
import type { Deadline } from '../dispatch/deadline.js';
import type { Block, Bucket, CredentialLimits, WaitReason } from './credential-limits.js';

/** Properties of a request that affect its limits. */
export interface LimitedRequest {
  readonly operation: string;
  /**
   * Whether the request ignores the quota, the pace and the concurrency limit. Only pauses and the
   * write interval delay such a request.
   */
  readonly exemptFromLimits: boolean;
  /** Whether the request may change data on the server. */
  readonly writes: boolean;
  /** Longest wait for the end of a pause, in ms. */
  readonly maxPause: number;
  readonly deadline: Pick<Deadline, 'onStop' | 'pauseForLimit' | 'resume' | 'timeLeftForLimit'>;
}

/** Permission to send one request. Must be released when the request ends. */
export interface Permit {
  readonly limits: CredentialLimits;
  readonly request: Pick<LimitedRequest, 'operation' | 'writes'>;
  /** Bucket of the quota that the request uses. Undefined for a request exempt from limits. */
  readonly bucket: Bucket | undefined;
  /** When the request started, on the limiter's clock. */
  readonly startedAt: number;
  /** Whether the request probes for the end of a pause. */
  readonly isProbe: boolean;
  isReleased: boolean;
}

/** Rejection of a call that would wait too long. */
export interface Refusal extends Block {
  /** The option that limits the wait, with its value. */
  readonly bound: string;
}

/** How a wait for a permit ended. */
export type Acquisition = Permit | 'interrupted' | Refusal;

/** A call that waits for a permit. */
export class Waiter {
  /**
   * The call's async context. Another call's code may report the wait, but `AsyncLocalStorage` must
   * then contain this call's context.
   */
  readonly context = new AsyncResource('triforge.wait');
  /** Last reported reason for the wait, and the end of the wait. */
  reason: WaitReason | undefined = undefined;
  until = Number.NEGATIVE_INFINITY;
  isDone = false;

  constructor(
    readonly request: LimitedRequest,
    readonly since: number,
    readonly resolve: (acquisition: Acquisition) => void,
  ) {}
}

/** Calls of one credential that wait for the same conditions, first in, first out. */
export class WaitQueue {
  /** Why the first call can't start. */
  block: Block | undefined = undefined;
  #waiters: Waiter[] = [];
  #head = 0;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly name: string,
    readonly limits: CredentialLimits,
  ) {}

  get length(): number {
    return this.#length;
  }

  get first(): Waiter | undefined {
    while (this.#waiters[this.#head]?.isDone) this.#head++;
    return this.#waiters[this.#head];
  }

  /** Returns the waiting calls in order. */
  all(): Waiter[] {
    return this.#waiters.slice(this.#head).filter(({ isDone }) => !isDone);
  }

  push(waiter: Waiter): void {
    this.#waiters.push(waiter);
    this.#length++;
  }

  remove(waiter: Waiter): void {
    waiter.isDone = true;
    this.#length--;
    // Compact only if at least half of the waiters are gone. On average, each waiter is then moved
    // once.
    if (this.#waiters.length < 32 || this.#length * 2 > this.#waiters.length) return;
    this.#waiters = this.all();
    this.#head = 0;
  }

  /** Calls `advance` after `ms` milliseconds, unless another time is set first. */
  schedule(ms: number, advance: () => void): void {
    clearTimeout(this.#timer);
    if (ms !== Number.POSITIVE_INFINITY) this.#timer = setTimeout(advance, Math.max(1, ms));
  }
}
