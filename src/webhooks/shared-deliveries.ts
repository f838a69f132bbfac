import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { publish } from '../transport/request/diagnostics.js';
import { StoreAccess } from '../transport/stores/store-access.js';
import type { DeliveryStore } from './delivery-store.js';

/**
 * Lease duration of a claim in ms. A running handler renews its claim. A stopped process's claim
 * expires.
 */
const lease = 30_000;

/** Time in ms for which redeliveries are recognized. Servers offer redelivery for three days. */
const lifetime = 3 * 86_400_000;

/**
 * Shortest and longest time in ms between two checks of another process's claim, or between two
 * attempts to report an outcome.
 */
const [firstLook, lastLook] = [50, 1000];

/**
 * Ensures that only one of several processes handles each delivery. If the store fails, each
 * process handles all deliveries that it receives, so some may be handled twice, but none is lost.
 */
export class SharedDeliveries {
  readonly #store: DeliveryStore;
  readonly #access: StoreAccess;

  constructor(store: DeliveryStore) {
    this.#store = store;
    this.#access = new StoreAccess('deliveries', store.timeout ?? 50, publish);
  }

  /**
   * Handles a delivery, unless another process has handled it. Waits while another process handles
   * it. If the store fails during the wait, waits until the last known claim expires.
   * @param handle Handler that never rejects.
   * @returns The outcome of `handle`. Undefined if the delivery was already handled.
   */
  async once<Outcome>(
    delivery: string,
    handle: () => Promise<Outcome>,
    succeeded: (outcome: Outcome) => boolean,
  ): Promise<Outcome | undefined> {
    const claimant = randomBytes(12).toString('base64url');
    const claim = () =>
      this.#access.request(async () => {
        const found = await this.#store.claimDelivery(delivery, claimant, lease);
        // A custom store can return any value.
        return found === 'handled' || found === 'running' ? found : 'granted';
      });
    let isClaimedUntil = 0;
    for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 2)) {
      const state = await claim();
      if (state === 'handled') return undefined;
      if (state === 'running') isClaimedUntil = performance.now() + lease;
      else if (state === 'granted' || performance.now() >= isClaimedUntil) break;
      await sleep(wait);
    }
    let renewing: Promise<unknown> | undefined;
    const renewal = setInterval(() => {
      renewing = claim();
    }, lease / 3).unref();
    const outcome = await handle();
    clearInterval(renewal);
    // A renewal that arrives after the release would claim a delivery that no process handles.
    await renewing;
    const isHandled = succeeded(outcome);
    if (!(await this.#settle(delivery, claimant, isHandled))) {
      void this.#settleLater(delivery, claimant, isHandled);
    }
    return outcome;
  }

  /** Reports the outcome. Returns whether the store accepted it. */
  async #settle(delivery: string, claimant: string, isHandled: boolean): Promise<boolean> {
    const settled = await this.#access.request(async () => {
      if (isHandled) await this.#store.completeDelivery(delivery, lifetime);
      else await this.#store.releaseDelivery(delivery, claimant);
      return true;
    });
    return settled === true;
  }

  /**
   * Reports the outcome again until the claim expires, because the store may have granted the claim
   * late, and other processes wait for the claim's end.
   */
  async #settleLater(delivery: string, claimant: string, isHandled: boolean): Promise<void> {
    const ends = performance.now() + lease;
    for (let wait = firstLook; performance.now() < ends; wait = Math.min(lastLook, wait * 2)) {
      await sleep(wait, undefined, { ref: false });
      if (await this.#settle(delivery, claimant, isHandled)) return;
    }
  }
}
