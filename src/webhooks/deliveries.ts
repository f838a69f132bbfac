import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BoundedMap } from '../transport/request/bounded-map.js';
import { publish } from '../transport/request/diagnostics.js';
import { StoreAccess } from '../transport/stores/store-access.js';
import type { DeliveryStore } from '../transport/stores/stores.js';

/** Number of handled deliveries that a process remembers. The oldest are dropped first. */
const capacity = 10_000;

/**
 * Time in ms after which a claim expires. A running handler renews its claim. A stopped process's
 * claim expires.
 */
const lease = 30_000;

/** Time in ms for which redeliveries are recognized. Servers offer redelivery for three days. */
const lifetime = 3 * 86_400_000;

/** Shortest and longest time in ms between two checks of another process's claim. */
const [firstLook, lastLook] = [50, 1000];

/** Stored value of a handled delivery. Until then, the value is the claim's ID. */
const handled = 'handled';

/**
 * Ensures that each delivery is handled once, in this process or, with a store, in one of several
 * processes. A redelivery that arrives during handling gets the same outcome. If the handler fails,
 * the delivery can be handled again. If the store fails, each process handles all deliveries that
 * it receives, so some may be handled twice, but none is lost.
 */
export class Deliveries<Outcome> {
  readonly #running = new Map<string, Promise<Outcome | undefined>>();
  readonly #handled = new BoundedMap<string, true>(capacity);
  readonly #store: DeliveryStore | undefined;
  readonly #access: StoreAccess;
  readonly #succeeded: (outcome: Outcome) => boolean;

  /** @param succeeded returns whether the outcome means that the delivery was handled. */
  constructor(store: DeliveryStore | undefined, succeeded: (outcome: Outcome) => boolean) {
    this.#store = store;
    this.#access = new StoreAccess('deliveries', store?.timeout ?? 50, publish);
    this.#succeeded = succeeded;
  }

  /**
   * Handles a delivery, unless it was already handled. Waits while another process handles it.
   * @param key identifies the delivery. Undefined if its redeliveries can't be recognized.
   * @param handle handler that never rejects.
   * @returns the outcome of `handle`. Undefined if the delivery was already handled.
   */
  async once(
    key: string | undefined,
    handle: () => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    if (key === undefined) return await handle();
    if (this.#handled.get(key)) return undefined;
    const running = this.#running.get(key);
    if (running) return await running;
    const store = this.#store;
    const handling = (store ? this.#handleClaimed(store, key, handle) : handle()).then(
      (outcome) => {
        this.#running.delete(key);
        if (outcome === undefined || this.#succeeded(outcome)) this.#handled.set(key, true);
        return outcome;
      },
    );
    this.#running.set(key, handling);
    return await handling;
  }

  async #handleClaimed(
    store: DeliveryStore,
    delivery: string,
    handle: () => Promise<Outcome>,
  ): Promise<Outcome | undefined> {
    const key = `delivery:${delivery}`;
    const claim = randomBytes(12).toString('base64url');
    if (!(await this.#acquire(store, key, claim))) return undefined;
    let renewing: Promise<unknown> | undefined;
    const renewal = setInterval(() => {
      renewing = this.#write(() => store.set(key, claim, lease));
    }, lease / 3).unref();
    const outcome = await handle();
    clearInterval(renewal);
    // A renewal that arrives after the outcome would claim a delivery that no process handles.
    await renewing;
    const isHandled = this.#succeeded(outcome);
    await this.#write(() => (isHandled ? store.set(key, handled, lifetime) : store.delete(key)));
    return outcome;
  }

  #write(write: () => unknown): Promise<void> {
    return this.#access.request(async () => {
      await write();
    });
  }

  /**
   * Claims a delivery. If the store fails while another process handles the delivery, waits until
   * the last known claim expires.
   * @returns false if the delivery was already handled. True if this process must handle it.
   */
  async #acquire(store: DeliveryStore, key: string, claim: string): Promise<boolean> {
    let claimedUntil = 0;
    for (let wait = firstLook; ; wait = Math.min(lastLook, wait * 2)) {
      const owner = await this.#access.request(async () =>
        (await store.setIfAbsent(key, claim, lease)) ? claim : ((await store.get(key)) ?? ''),
      );
      if (owner === handled) return false;
      if (owner === claim) return true;
      if (owner !== undefined) claimedUntil = performance.now() + lease;
      else if (performance.now() >= claimedUntil) return true;
      await sleep(wait);
    }
  }
}
