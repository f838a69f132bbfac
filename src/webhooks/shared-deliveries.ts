import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryStore } from './delivery-store.js';

/** A claim of a process that stops ends after this time, in ms. A running handler renews its claim. */
const lease = 30_000;

/** Redeliveries are recognized for three days, in ms: servers offer to redeliver for that long. */
const lifetime = 3 * 86_400_000;

/** How often another process's claim is looked at, in ms. */
const [firstLook, lastLook] = [50, 1000];

/** After a failure the store is not used for this time, in ms, so that no commands pile up in its client. */
const pauseAfterFailure = 1000;

/**
 * Lets one of several processes handle a delivery. If the store fails, each process handles what it
 * gets: a delivery may then be handled twice, but none is lost.
 */
export class SharedDeliveries {
  readonly #store: DeliveryStore;
  readonly #timeout: number;
  #pausedUntil = 0;

  constructor(store: DeliveryStore) {
    this.#store = store;
    this.#timeout = store.timeout ?? 50;
  }

  /**
   * Handles a delivery, unless another process has handled it. Waits while another one does.
   * @param handle never rejects.
   * @returns its outcome; undefined if the delivery was already handled.
   */
  async once<Outcome>(
    delivery: string,
    handle: () => Promise<Outcome>,
    succeeded: (outcome: Outcome) => boolean,
  ): Promise<Outcome | undefined> {
    const claimant = randomBytes(12).toString('base64url');
    const claim = () => this.#ask((store) => store.claimDelivery(delivery, claimant, lease));
    for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 2)) {
      const state = await claim();
      if (state === 'handled') return undefined;
      if (state !== 'running') break;
      await sleep(wait);
    }
    const renewal = setInterval(() => void claim(), lease / 3).unref();
    const outcome = await handle();
    clearInterval(renewal);
    await this.#ask((store) =>
      succeeded(outcome)
        ? store.completeDelivery(delivery, lifetime)
        : store.releaseDelivery(delivery, claimant),
    );
    return outcome;
  }

  /** The store's reply; undefined if it fails or takes too long. Never rejects. */
  async #ask<Reply>(step: (store: DeliveryStore) => Promise<Reply>): Promise<Reply | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    const timer = new AbortController();
    const failed = () => {
      this.#pausedUntil = performance.now() + pauseAfterFailure;
      return undefined;
    };
    try {
      return await Promise.race([
        step(this.#store).catch(failed),
        sleep(this.#timeout, undefined, { signal: timer.signal }).then(failed, () => undefined),
      ]);
    } catch {
      return failed();
    } finally {
      timer.abort();
    }
  }
}
