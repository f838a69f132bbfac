import type { LimitReply } from '../limits/shared-limits.js';
import { firstRetry, maxOpenTime, type StoreAccess, withTimeout } from '../stores/store-access.js';
import { clock, heartbeat } from './pace.js';

/** A report that was sent to the store. */
export interface Exchange {
  readonly pending: Promise<LimitReply>;
  /** Throws if the reply is incomplete. The loop then waits before it repeats the report. */
  verify(reply: LimitReply): void;
  applyReply(reply: LimitReply): void;
  /** Adds this report to the next report, because the store might not have received it. */
  repeatLater(): void;
}

/** Functions that the loop calls. */
export interface Exchanger {
  /**
   * Returns the due time of the next exchange, on the {@link clock}, and the number of calls that
   * wait for it.
   */
  next(): { readonly due: number; readonly waiting: number };
  /** Sends one report with all due changes and requests. */
  send(): Exchange;
  checkQueues(): void;
}

/**
 * Sends one process's exchanges when they are due, one at a time. While the store is unavailable,
 * tries again at growing intervals.
 */
export class ExchangeLoop {
  readonly #exchanger: Exchanger;
  readonly #access: StoreAccess;
  /** Maximum time in ms that a call waits for the store. */
  readonly #patience: number;
  #isLost = false;
  #isClosed = false;
  #retry = firstRetry;
  #state: 'resting' | 'planned' | 'asking' = 'resting';
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(exchanger: Exchanger, access: StoreAccess, patience: number) {
    this.#exchanger = exchanger;
    this.#access = access;
    this.#patience = patience;
  }

  /** Whether the store is unavailable. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Schedules an exchange. If the exchange is due, it runs after the current code, otherwise at its
   * due time.
   */
  schedule(): void {
    if (this.#state !== 'resting' || this.#isLost) return;
    this.#state = 'planned';
    queueMicrotask(() => {
      if (this.#state === 'planned') this.#exchangeOrPlan();
    });
  }

  /**
   * @param waits whether calls wait for the exchange. If not, the timer doesn't keep the process
   * alive.
   */
  wakeAt(time: number, waits = false): void {
    if (this.#state !== 'resting' || this.#isLost || this.#timerAt <= time) return;
    this.#setTimer(time, waits || this.#timer?.hasRef() === true);
  }

  /**
   * Stops after the exchange in progress.
   * @param release called before the last exchange. Returns false if that exchange isn't needed.
   */
  async close(release: () => boolean): Promise<void> {
    while (this.#state === 'asking' && !this.#isLost) await this.#running;
    this.#isClosed = true;
    this.#clearTimer();
    if (this.#isLost || !release()) return;
    await this.#exchange();
  }

  #exchangeOrPlan(): void {
    this.#clearTimer();
    const { due, waiting } = this.#exchanger.next();
    if (due <= clock()) {
      void this.#exchange();
      return;
    }
    this.#state = 'resting';
    this.wakeAt(due, waiting > 0);
  }

  #exchange(): Promise<void> {
    this.#running = this.#exchangeOnce();
    return this.#running;
  }

  async #exchangeOnce(): Promise<void> {
    this.#state = 'asking';
    this.#clearTimer();
    const exchange = this.#exchanger.send();
    try {
      const reply = await withTimeout(this.#patience, exchange.pending);
      exchange.verify(reply);
      this.#reportFound();
      exchange.applyReply(reply);
    } catch (error) {
      exchange.repeatLater();
      this.#reportLost(error);
      // A Redis client may keep a command until it reconnects, so don't send a second command in
      // the meantime.
      const failed = this.#running;
      this.#setTimer(clock() + maxOpenTime, false);
      void exchange.pending
        .catch(() => undefined)
        .then(() => this.#running === failed && this.#retryLater());
      return;
    }
    this.#state = 'resting';
    this.#exchanger.checkQueues();
    this.schedule();
  }

  #reportFound(): void {
    this.#access.reportFound();
    this.#isLost = false;
    this.#retry = firstRetry;
  }

  #reportLost(error: unknown): void {
    this.#access.reportLost(error);
    this.#isLost = true;
    // Check after each failure, because more calls can start once the lease has ended.
    this.#exchanger.checkQueues();
  }

  #retryLater(): void {
    this.#setTimer(clock() + this.#retry, false);
    // Retry at least once per second, because a store that lost its data expects reports from all
    // processes within a second of its return.
    this.#retry = Math.min(heartbeat, this.#retry * 2);
  }

  #setTimer(time: number, waits: boolean): void {
    this.#clearTimer();
    if (this.#isClosed) return;
    this.#timerAt = time;
    this.#timer = setTimeout(() => {
      this.#clearTimer();
      if (this.#isLost) void this.#exchange();
      else this.#exchangeOrPlan();
    }, time - clock());
    if (!waits) this.#timer.unref();
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }
}
