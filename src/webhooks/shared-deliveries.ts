import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreAccess } from '../transport/policy/store-access.js';
import { publish } from '../transport/request/diagnostics.js';
import type { DeliveryStore } from './delivery-store.js';

/** A claim of a process that stops ends after this time, in ms. A running handler renews its claim. */
const lease = 30_000;

/** Redeliveries are recognized for three days, in ms: servers offer to redeliver for that long. */
const lifetime = 3 * 86_400_000;

/**
 * Shortest and longest time between two checks of another process's claim, or two reports of an outcome,
 * in ms.
 */
const [firstLook, lastLook] = [50, 1000];

/**
 * Lets one of several processes handle a delivery. If the store fails, each process handles what it
 * gets: a delivery may then be handled twice, but none is lost.
 */
export class SharedDeliveries {
  readonly #store: DeliveryStore;
  readonly #access: StoreAccess;

  constructor(store: DeliveryStore) {
    this.#store = store;
    this.#access = new StoreAccess('deliveries', store.timeout ?? 50, publish);
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
    const claim = () =>
      this.#access.ask(() => this.#store.claimDelivery(delivery, claimant, lease));
    for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 2)) {
      const state = await claim();
      if (state === 'handled') return undefined;
      if (state !== 'running') break;
      await sleep(wait);
    }
    const renewal = setInterval(() => void claim(), lease / 3).unref();
    const outcome = await handle();
    clearInterval(renewal);
    const isHandled = succeeded(outcome);
    if (!(await this.#settle(delivery, claimant, isHandled))) {
      void this.#settleLater(delivery, claimant, isHandled);
    }
    return outcome;
  }

  /** Reports the outcome. Returns whether the store accepted it. */
  async #settle(delivery: string, claimant: string, isHandled: boolean): Promise<boolean> {
    const settled = await this.#access.ask(async () => {
      if (isHandled) await this.#store.completeDelivery(delivery, lifetime);
      else await this.#store.releaseDelivery(delivery, claimant);
      return true;
    });
    return settled === true;
  }

  /** Repeats until the claim has ended: the store may have granted it late, and others wait for it. */
  async #settleLater(delivery: string, claimant: string, isHandled: boolean): Promise<void> {
    const ends = performance.now() + lease;
    for (let wait = firstLook; performance.now() < ends; wait = Math.min(lastLook, wait * 2)) {
      await sleep(wait, undefined, { ref: false });
      if (await this.#settle(delivery, claimant, isHandled)) return;
    }
  }
}
