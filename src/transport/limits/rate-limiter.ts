import { AsyncResource } from 'node:async_hooks';
import type { RateLimit } from '../../response-info.js';
import type { Deadline } from '../dispatch/deadline.js';
import { computeTimeToReset, parseRateLimit, type RawHeaders } from '../http/headers.js';
import { BoundedMap } from '../request/bounded-map.js';
import {
  type Block,
  type Bucket,
  CredentialLimits,
  SharedLimits,
  type Sharing,
  type WaitReason,
  type WriteInterval,
} from './credential-limits.js';

/** Limits that a response from a trusted origin reports. */
export interface LimitReport {
  readonly headers: RawHeaders;
  /** Fingerprint of the credentials that the request was sent with. */
  readonly credential: string;
  /** Time in ms for which the server refuses requests. Undefined if it accepted the request. */
  readonly pause: number | undefined;
}

export interface RateLimiterSettings {
  readonly onLimit: 'throw' | 'wait';
  readonly maxWait: number;
  readonly maxConcurrency: number;
  readonly writeInterval: WriteInterval;
  /** How limits are shared with other processes. Undefined if they aren't shared. */
  readonly sharing?: Sharing | undefined;
  /** Monotonic clock in ms. The system clock could be set back while calls wait. */
  readonly clock: () => number;
  /**
   * Called when a wait begins or changes. `ms` is Infinity if the wait lasts until another call
   * ends.
   */
  readonly onWait: (ms: number, request: LimitedRequest, reason: WaitReason) => void;
}

/** Maximum number of credentials whose limits are remembered. */
const maxCredentials = 1000;

/** A wait is reported and checked again only if its end moves by at least this many ms. */
const sameWait = 1000;

/**
 * Applies each credential's quotas, pauses, pace and write interval, and limits the client's number
 * of requests in flight. Calls that wait for the same conditions start in order. Queues that wait
 * for a slot take turns.
 */
export class RateLimiter {
  readonly #settings: RateLimiterSettings;
  readonly #limits = new BoundedMap<string, CredentialLimits>(maxCredentials);
  readonly #queues = new Map<CredentialLimits, Map<string, WaitQueue>>();
  /** Queues whose first call waits only for a slot, in the order of their turns. */
  readonly #turns = new Set<WaitQueue>();
  /** Buckets of operations that don't count toward `core`. */
  readonly #buckets = new Map<string, string>();
  readonly #shared: SharedLimits | undefined;
  #inFlight = 0;

  constructor(settings: RateLimiterSettings) {
    this.#settings = settings;
    if (!settings.sharing) return;
    this.#shared = new SharedLimits(settings.sharing, settings.clock, (limits) => {
      this.#advanceAll(limits);
      this.#giveSlots();
    });
  }

  close(): void {
    this.#shared?.close();
  }

  /** Returns a credential's last reported quota. */
  rateLimit(credential: string): RateLimit | undefined {
    return this.#limits.get(credential)?.bucket('core').quota?.last;
  }

  /**
   * Acquires a permit. Returns a promise if the request must wait.
   * @param credential fingerprint of the request's credentials.
   */
  acquire(request: LimitedRequest, credential: string): Permit | Promise<Acquisition> {
    const limits = this.#limitsOf(credential);
    const now = this.#settings.clock();
    const queue = this.#queues.size > 0 ? this.#findQueue(request, limits) : undefined;
    if (!queue && !this.#findWait(request, limits, now)) return this.#start(request, limits, now);
    return this.#wait(request, queue ?? this.#addQueue(request, limits), now);
  }

  /**
   * Releases a permit.
   * @param report limits that the response reports. Undefined if there is no response from a
   * trusted origin.
   */
  release(permit: Permit, report?: LimitReport): void {
    if (permit.isReleased) return;
    permit.isReleased = true;
    const { bucket, limits } = permit;
    if (bucket) {
      this.#inFlight--;
      bucket.inFlight--;
    }
    // The credentials may have been renewed since the permit was acquired.
    const reported = report ? this.#limitsOf(report.credential) : limits;
    if (report) this.#report(permit, reported, report);
    if (this.#queues.size === 0) return;
    this.#advanceAll(limits);
    if (reported !== limits) this.#advanceAll(reported);
    this.#giveSlots();
  }

  /** Releases a permit whose request wasn't sent, as if the request had never started. */
  giveBack(permit: Permit): void {
    permit.limits.cancelStart(permit.startedAt);
    this.release(permit);
  }

  /** Returns whether a request would have to wait for a pause or a quota. */
  isPaused(request: LimitedRequest, credential: string): boolean {
    const limits = this.#limitsOf(credential);
    const now = this.#settings.clock();
    const block = limits.findBlock(this.#bucketOf(request, limits), request.writes, now);
    return block?.reason === 'pause' || block?.reason === 'quota';
  }

  #report(permit: Permit, limits: CredentialLimits, { headers, pause }: LimitReport): void {
    const now = this.#settings.clock();
    const last = parseRateLimit(headers);
    const bucket = last?.resource ?? 'core';
    if (last) {
      if (bucket === 'core') this.#buckets.delete(permit.request.operation);
      else this.#buckets.set(permit.request.operation, bucket);
      const left = last.reset && computeTimeToReset(last.reset, headers, Date.now());
      const resetAt = left === undefined ? undefined : now + left;
      limits.report(bucket, { last, resetAt, reportedAt: now }, permit.startedAt);
    }
    if (pause !== undefined) limits.refuse(permit, permit.request.writes, pause, now);
    else if (permit.bucket) limits.accept(permit.startedAt);
    this.#shared?.schedule(limits, bucket, pause !== undefined);
  }

  #wait(request: LimitedRequest, queue: WaitQueue, now: number): Promise<Acquisition> {
    return new Promise((resolve) => {
      const waiter = new Waiter(request, now, resolve);
      queue.push(waiter);
      request.deadline.onStop = () => this.#settle(queue, waiter, 'interrupted');
      if (queue.length === 1 || !queue.block) this.#advance(queue);
      else this.#check(queue, waiter, queue.block, queue.length - 1);
    });
  }

  /** Starts or rejects a queue's calls in order, until a call must continue to wait. */
  #advance(queue: WaitQueue, isTurn = false): void {
    let hasSlot = isTurn;
    for (let first = queue.first; first; first = queue.first) {
      const now = this.#settings.clock();
      const block = this.#findWait(first.request, queue.limits, now, hasSlot);
      if (!block) {
        hasSlot = false;
        this.#settle(queue, first, this.#start(first.request, queue.limits, now));
      } else if (!this.#check(queue, first, block)) {
        this.#block(queue, block, now);
        return;
      }
    }
  }

  /** Makes a queue wait, and checks all its calls if the wait is new. */
  #block(queue: WaitQueue, block: Block, now: number): void {
    const last = queue.block;
    queue.block = block;
    if (block.reason === 'slot') this.#turns.add(queue);
    else this.#turns.delete(queue);
    queue.schedule(block.until - now, () => this.#advance(queue));
    const isNew = last?.reason !== block.reason || Math.abs(block.until - last.until) >= sameWait;
    if (!isNew) return;
    for (const [place, waiter] of queue.all().entries()) this.#check(queue, waiter, block, place);
  }

  /**
   * Rejects a call that would wait too long. Otherwise reports a new wait. Returns whether the
   * call's wait has ended.
   * @param place number of calls that start before this call.
   */
  #check(queue: WaitQueue, waiter: Waiter, block: Block, place = 0): boolean {
    // A subscriber to another call's wait event may have aborted this call.
    if (waiter.isDone) return true;
    const { request } = waiter;
    const { reason, interval = 0 } = block;
    const isLimited = reason !== 'slot';
    if (isLimited) request.deadline.pauseForLimit();
    else request.deadline.resume();
    const until = block.until + place * interval;
    const now = this.#settings.clock();
    if (until !== Number.POSITIVE_INFINITY) {
      const bound = this.#exceededBound(waiter, block, until, now);
      if (bound !== undefined) return this.#settle(queue, waiter, { ...block, until, bound });
    }
    if (reason !== waiter.reason || until - waiter.until >= sameWait) {
      waiter.reason = reason;
      waiter.until = until;
      const { onWait } = this.#settings;
      waiter.context.runInAsyncScope(onWait, undefined, until - now, request, reason);
    }
    // A subscriber to the wait event may have aborted the call.
    return waiter.isDone;
  }

  /** Returns the option that forbids a wait. Undefined if the call may wait. */
  #exceededBound(waiter: Waiter, block: Block, until: number, now: number): string | undefined {
    const { onLimit, maxWait } = this.#settings;
    const { deadline, maxPause } = waiter.request;
    if (block.reason === 'quota' && onLimit === 'throw') return "rateLimit.onLimit ('throw')";
    if (until - now > deadline.timeLeftForLimit) return 'timeout.total';
    if (block.reason === 'pause' && until - now > maxPause) {
      return maxPause === 0 ? 'retry (false)' : `retry.maxRetryAfter (${maxPause} ms)`;
    }
    return until - waiter.since > maxWait ? `rateLimit.maxWait (${maxWait} ms)` : undefined;
  }

  /**
   * Returns why a request can't start now. A request can start if its credential's limits allow it
   * and a slot is free.
   */
  #findWait(
    request: LimitedRequest,
    limits: CredentialLimits,
    now: number,
    hasSlot = false,
  ): Block | undefined {
    const bucket = this.#bucketOf(request, limits);
    const block = limits.findBlock(bucket, request.writes, now);
    if (block || !bucket) return block;
    // Queues that already wait for a slot go first.
    const isFree = this.#inFlight < this.#settings.maxConcurrency && this.#turns.size === 0;
    return hasSlot || isFree ? undefined : { reason: 'slot', until: Number.POSITIVE_INFINITY };
  }

  #start(request: LimitedRequest, limits: CredentialLimits, now: number): Permit {
    const bucket = this.#bucketOf(request, limits);
    const isProbe = limits.start(bucket, request.writes, now);
    if (bucket) {
      this.#inFlight++;
      this.#shared?.schedule(limits, bucket.name);
    }
    return { limits, request, bucket, startedAt: now, isProbe, isReleased: false };
  }

  /** Ends a call's wait. Always returns true. */
  #settle(queue: WaitQueue, waiter: Waiter, acquisition: Acquisition): true {
    if (waiter.isDone) return true;
    const { deadline } = waiter.request;
    queue.remove(waiter);
    if (queue.length === 0) this.#removeQueue(queue);
    deadline.onStop = undefined;
    deadline.resume();
    waiter.resolve(acquisition);
    return true;
  }

  #advanceAll(limits: CredentialLimits): void {
    for (const queue of [...(this.#queues.get(limits)?.values() ?? [])]) this.#advance(queue);
  }

  /** Gives free slots to the queues one at a time, in rotation. */
  #giveSlots(): void {
    for (const queue of this.#turns) {
      if (this.#inFlight >= this.#settings.maxConcurrency) return;
      this.#turns.delete(queue);
      this.#advance(queue, true);
    }
  }

  #limitsOf(credential: string): CredentialLimits {
    let limits = this.#limits.get(credential);
    if (!limits) {
      limits = new CredentialLimits(credential, this.#settings.writeInterval);
      this.#limits.set(credential, limits);
    }
    return limits;
  }

  #bucketOf(
    { exemptFromLimits, operation }: LimitedRequest,
    limits: CredentialLimits,
  ): Bucket | undefined {
    return exemptFromLimits ? undefined : limits.bucket(this.#buckets.get(operation) ?? 'core');
  }

  /**
   * Returns the name of a request's queue. Reads don't wait behind writes, and calls in one bucket
   * don't wait for another bucket's quota.
   */
  #queueName(request: LimitedRequest, limits: CredentialLimits): string {
    const bucket = this.#bucketOf(request, limits)?.name ?? 'exempt';
    return `${bucket} ${request.writes ? 'writes' : 'reads'}`;
  }

  #findQueue(request: LimitedRequest, limits: CredentialLimits): WaitQueue | undefined {
    return this.#queues.get(limits)?.get(this.#queueName(request, limits));
  }

  #addQueue(request: LimitedRequest, limits: CredentialLimits): WaitQueue {
    const queue = new WaitQueue(this.#queueName(request, limits), limits);
    const queues = this.#queues.get(limits) ?? new Map<string, WaitQueue>();
    this.#queues.set(limits, queues.set(queue.name, queue));
    return queue;
  }

  #removeQueue(queue: WaitQueue): void {
    queue.schedule(Number.POSITIVE_INFINITY, () => undefined);
    this.#turns.delete(queue);
    const queues = this.#queues.get(queue.limits);
    queues?.delete(queue.name);
    if (queues?.size === 0) this.#queues.delete(queue.limits);
  }
}

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
class Waiter {
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
class WaitQueue {
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
