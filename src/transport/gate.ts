import type { RateLimit } from '../response-info.js';
import type { Interrupt } from './interrupt.js';
import { parseRateLimit } from './rate-limit-headers.js';
import { headerOf, type RawHeaders } from './raw-response.js';
import { parseHttpDate } from './retry-after.js';

/** What is known of one credential's budget in one bucket. */
interface Budget {
  /** As the server said, the lowest of one window. */
  readonly last: RateLimit;
  /** When the window ends, by our clock; undefined where the server does not say. */
  readonly resetAt: number | undefined;
}

/** How the gate lets a call pass. */
export interface GateRequest {
  /** Whose budget: a fingerprint of the credentials. */
  readonly credential: string;
  readonly operation: string;
  /** Not counted by the server: passes whatever the budget. */
  readonly uncounted: boolean;
}

/** Why a call may not pass now. */
export interface Refusal {
  /** The limit as last seen; undefined for a pause of the whole client. */
  readonly limit: RateLimit | undefined;
  /** Until when, by our clock. */
  readonly until: number;
}

/** What the gate is built with: clock and settings. */
export interface GateSettings {
  readonly onLimit: 'throw' | 'wait';
  readonly maxWait: number;
  readonly maxConcurrency: number;
  readonly now: () => number;
  /** Told before each wait, in ms. */
  readonly onWait: (ms: number, request: GateRequest) => void;
}

/** How a wait ended: let in, refused, or stopped by its own caller. */
export type Entry = 'admitted' | 'interrupted' | Refusal;

/** A call that waits. */
interface Waiter {
  readonly request: GateRequest;
  readonly settle: (entry: Entry) => void;
  /** The time it was told to wait for. */
  until: number;
}

/** More budgets than this are of credentials long gone; the oldest is forgotten. */
const mostBudgets = 1000;

/**
 * One gate for all calls of a client: the hourly budgets, pauses after a secondary limit, and the
 * number of calls in flight. Those who wait for the same thing are let in first come, first served.
 */
export class Gate {
  readonly #settings: GateSettings;
  readonly #budgets = new Map<string, Budget>();
  readonly #buckets = new Map<string, string>();
  /** Who is in, by the budget it was counted on: its bucket may turn out to be another one. */
  readonly #admitted = new Map<GateRequest, string>();
  /** Sent and not answered yet, by budget. */
  readonly #inFlight = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #pausedUntil = 0;
  /** The key asked for last: most calls of a client ask for the same. */
  #lastKey = { credential: '', bucket: 'core', key: keyOf('', 'core') };
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(settings: GateSettings) {
    this.#settings = settings;
  }

  /** The budget of a credential as last seen. */
  rateLimit(credential: string): RateLimit | undefined {
    return this.#budgets.get(keyOf(credential, 'core'))?.last;
  }

  /** The whole client rests until a time (by our clock): the server asked for it. */
  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time);
  }

  /**
   * Lets a call in: at once (undefined) where nothing is in the way, else when its turn comes. Who was
   * let in, and only who was, must call {@link leave} with the same request object.
   */
  enter(request: GateRequest, interrupt: Interrupt): undefined | Promise<Entry> {
    // Whose time has come in this very moment goes first.
    if (this.#waiting.size > 0 && this.#obstacle(request) === undefined) this.#lookAll();
    if (this.#obstacle(request) === undefined) {
      this.#admit(request);
      return undefined;
    }
    return this.#wait(request, interrupt);
  }

  /**
   * The answer to an admitted request came, or none ever will.
   * @param credential whose budget the answer tells, where it was sent with another than it entered with.
   */
  leave(
    request: GateRequest,
    headers: RawHeaders | undefined,
    credential: string = request.credential,
  ): void {
    const key = this.#admitted.get(request);
    if (key === undefined) return;
    this.#admitted.delete(request);
    const others = (this.#inFlight.get(key) ?? 1) - 1;
    if (others > 0) this.#inFlight.set(key, others);
    else this.#inFlight.delete(key);
    if (headers) this.#note(credential, request.operation, headers);
    this.#lookAll();
  }

  #wait(request: GateRequest, interrupt: Interrupt): Promise<Entry> {
    return new Promise((resolve) => {
      interrupt.pause();
      const settle = (entry: Entry) => {
        this.#waiting.delete(waiter);
        if (this.#waiting.size === 0) this.#sleep(Number.POSITIVE_INFINITY);
        interrupt.watch(undefined);
        interrupt.resume();
        resolve(entry);
      };
      const waiter: Waiter = { request, settle, until: 0 };
      this.#waiting.add(waiter);
      interrupt.watch(() => settle('interrupted'));
      this.#look(waiter);
    });
  }

  /** All who wait look again, in the order they came. */
  #lookAll(): void {
    for (const waiter of this.#waiting) {
      if (this.#look(waiter) === 'full') return;
    }
  }

  /** One who waits looks whether it may go in, must go away, or goes on waiting. */
  #look(waiter: Waiter): 'full' | undefined {
    const { request } = waiter;
    const obstacle = this.#obstacle(request);
    if (obstacle === undefined) {
      this.#admit(request);
      waiter.settle('admitted');
    } else if (obstacle === 'full') {
      return obstacle;
    } else if (obstacle !== 'turn') {
      const { onLimit, maxWait, now, onWait } = this.#settings;
      const wait = obstacle.until - now();
      if ((obstacle.limit !== undefined && onLimit === 'throw') || wait > maxWait) {
        waiter.settle(obstacle);
      } else {
        if (waiter.until !== obstacle.until) onWait(wait, request);
        waiter.until = obstacle.until;
        if (obstacle.until < this.#wakesAt) this.#sleep(obstacle.until);
      }
    }
    return undefined;
  }

  /** One timer for all who wait for a time. */
  #sleep(until: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = until;
    if (until === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(1, until - this.#settings.now()), longestTimer);
    this.#timer = setTimeout(() => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#lookAll();
    }, wait);
  }

  /** What is in the way: a time to wait for, too many calls (`full`), or an answer that is still out (`turn`). */
  #obstacle(request: GateRequest): Refusal | 'full' | 'turn' | undefined {
    const now = this.#settings.now();
    if (this.#pausedUntil > now) return { limit: undefined, until: this.#pausedUntil };
    if (this.#admitted.size >= this.#settings.maxConcurrency) return 'full';
    if (request.uncounted) return undefined;
    const key = this.#keyOf(request);
    const budget = this.#budgets.get(key);
    if (budget?.resetAt === undefined) return undefined;
    const { last, resetAt } = budget;
    const inWindow = resetAt > now;
    if (inWindow && last.remaining <= 0) return { limit: last, until: resetAt };
    // A window that nothing is known of yet has its whole limit.
    const left = inWindow ? last.remaining : last.limit;
    const inFlight = this.#inFlight.get(key) ?? 0;
    return inFlight > 0 && inFlight >= left ? 'turn' : undefined;
  }

  #admit(request: GateRequest): void {
    const key = this.#keyOf(request);
    this.#admitted.set(request, key);
    this.#inFlight.set(key, (this.#inFlight.get(key) ?? 0) + 1);
  }

  #note(credential: string, operation: string, headers: RawHeaders): void {
    const seen = parseRateLimit(headers);
    if (!seen) return;
    const bucket = seen.resource ?? 'core';
    if (bucket === 'core') this.#buckets.delete(operation);
    else this.#buckets.set(operation, bucket);
    const key = this.#keyFor(credential, bucket);
    const last = this.#budgets.get(key)?.last;
    const window = seen.reset?.getTime();
    if (last?.reset && window !== undefined) {
      const known = last.reset.getTime();
      if (known > window) return; // an answer of the former window, late
      if (known === window && last.remaining < seen.remaining) return; // overtaken by a later one
    }
    this.#budgets.delete(key);
    this.#budgets.set(key, {
      last: seen,
      resetAt: window === undefined ? undefined : window - this.#skew(headers),
    });
    if (this.#budgets.size > mostBudgets) {
      const oldest = this.#budgets.keys().next();
      if (!oldest.done) this.#budgets.delete(oldest.value);
    }
  }

  /** How far the server's clock is ahead of ours, in ms. */
  #skew(headers: RawHeaders): number {
    const date = parseHttpDate(headerOf(headers, 'date') ?? '');
    return date === undefined ? 0 : date - this.#settings.now();
  }

  #keyOf(request: GateRequest): string {
    return this.#keyFor(request.credential, this.#buckets.get(request.operation) ?? 'core');
  }

  #keyFor(credential: string, bucket: string): string {
    const last = this.#lastKey;
    if (last.credential === credential && last.bucket === bucket) return last.key;
    const key = keyOf(credential, bucket);
    this.#lastKey = { credential, bucket, key };
    return key;
  }
}

/** setTimeout fires at once beyond 31 bits. */
const longestTimer = 2 ** 31 - 1;

function keyOf(credential: string, bucket: string): string {
  return `${credential} ${bucket}`;
}
