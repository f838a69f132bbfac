import type { RateLimit } from '../response-info.js';
import type { Interrupt } from './interrupt.js';
import { parseRateLimit } from './rate-limit-headers.js';
import { headerOf, type RawHeaders } from './raw-response.js';
import { parseHttpDate } from './retry-after.js';

/** What is known of one credential's budget in one bucket. */
interface Budget {
  /** As the server said, the lowest of one window. */
  last: RateLimit;
  /** When the window ends, by our clock; undefined where the server does not say. */
  resetAt: number | undefined;
  /** Sent, and not answered yet. */
  inFlight: number;
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

/**
 * One gate for all calls of a client: the hourly budgets, pauses after a secondary limit, and the
 * number of calls in flight. Those who wait are let in first come, first served.
 */
export class Gate {
  readonly #settings: GateSettings;
  readonly #budgets = new Map<string, Budget>();
  readonly #buckets = new Map<string, string>();
  readonly #queue: (() => void)[] = [];
  #pausedUntil = 0;
  #inFlight = 0;

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
   * Waits for its turn; at once where nothing is in the way.
   * @returns a refusal when the wait would be too long or is not wanted; undefined once let in. Who is
   * let in must call {@link leave}.
   */
  enter(request: GateRequest, interrupt: Interrupt): undefined | Promise<Refusal | undefined> {
    if (this.#queue.length === 0 && this.#obstacle(request) === undefined) {
      this.#admit(request);
      return undefined;
    }
    return this.#wait(request, interrupt);
  }

  /** The answer to an admitted request came, or none ever will. */
  leave(request: GateRequest, headers: RawHeaders | undefined): void {
    this.#inFlight--;
    const key = this.#keyOf(request);
    const budget = this.#budgets.get(key);
    if (budget) budget.inFlight = Math.max(0, budget.inFlight - 1);
    if (headers) this.#note(request, headers);
    this.#queue.shift()?.();
  }

  async #wait(request: GateRequest, interrupt: Interrupt): Promise<Refusal | undefined> {
    interrupt.pause();
    try {
      // Those who came before go first; each that enters or gives up lets the next one look.
      if (this.#queue.length > 0) await this.#turn(interrupt, 'last');
      for (;;) {
        if (interrupt.interruption) {
          this.#queue.shift()?.();
          return undefined;
        }
        const obstacle = this.#obstacle(request);
        if (obstacle === undefined) {
          this.#admit(request);
          this.#queue.shift()?.();
          return undefined;
        }
        if (obstacle === 'turn') {
          await this.#turn(interrupt, 'first');
          continue;
        }
        const wait = obstacle.until - this.#settings.now();
        const unwanted = obstacle.limit !== undefined && this.#settings.onLimit === 'throw';
        if (unwanted || wait > this.#settings.maxWait) {
          this.#queue.shift()?.();
          return obstacle;
        }
        this.#settings.onWait(wait, request);
        await interrupt.sleep(Math.max(1, wait));
      }
    } finally {
      interrupt.resume();
    }
  }

  /** Resolves when it is this one's turn to look again; who looked in vain keeps the first place. */
  #turn(interrupt: Interrupt, place: 'first' | 'last'): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        interrupt.watch(undefined);
        resolve();
      };
      if (place === 'first') this.#queue.unshift(go);
      else this.#queue.push(go);
      interrupt.watch(() => {
        const index = this.#queue.indexOf(go);
        if (index >= 0) this.#queue.splice(index, 1);
        resolve();
      });
    });
  }

  /** What is in the way: a time to wait for, or an answer that is still out (`turn`). */
  #obstacle(request: GateRequest): Refusal | 'turn' | undefined {
    const now = this.#settings.now();
    if (this.#pausedUntil > now) return { limit: undefined, until: this.#pausedUntil };
    if (this.#inFlight >= this.#settings.maxConcurrency) return 'turn';
    if (request.uncounted) return undefined;
    const budget = this.#budgets.get(this.#keyOf(request));
    if (!budget || budget.resetAt === undefined || budget.resetAt <= now) return undefined;
    if (budget.last.remaining <= 0) return { limit: budget.last, until: budget.resetAt };
    return budget.last.remaining - budget.inFlight <= 0 ? 'turn' : undefined;
  }

  #admit(request: GateRequest): void {
    this.#inFlight++;
    const budget = this.#budgets.get(this.#keyOf(request));
    if (budget) budget.inFlight++;
  }

  #note(request: GateRequest, headers: RawHeaders): void {
    const seen = parseRateLimit(headers);
    if (!seen) return;
    const bucket = seen.resource ?? 'core';
    if (bucket !== 'core') this.#buckets.set(request.operation, bucket);
    const key = keyOf(request.credential, bucket);
    const budget = this.#budgets.get(key);
    const sameWindow = budget?.last.reset?.getTime() === seen.reset?.getTime();
    const older = (budget?.last.reset?.getTime() ?? 0) > (seen.reset?.getTime() ?? 0);
    if (budget && older) return; // an answer of the former window, late
    if (budget && sameWindow && budget.inFlight > 0 && budget.last.remaining < seen.remaining)
      return;
    this.#budgets.set(key, {
      last: seen,
      resetAt: seen.reset && seen.reset.getTime() - this.#skew(headers),
      inFlight: budget?.inFlight ?? 0,
    });
  }

  /** How far the server's clock is ahead of ours, in ms. */
  #skew(headers: RawHeaders): number {
    const date = parseHttpDate(headerOf(headers, 'date') ?? '');
    return date === undefined ? 0 : date - this.#settings.now();
  }

  #keyOf(request: GateRequest): string {
    return keyOf(request.credential, this.#buckets.get(request.operation) ?? 'core');
  }
}

function keyOf(credential: string, bucket: string): string {
  return `${credential} ${bucket}`;
}
