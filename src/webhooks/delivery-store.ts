/**
 * Store for handled deliveries that several processes share. Example: `redisStore(client)` from
 * `triforge/redis`. Each method must be atomic.
 */
export interface DeliveryStore {
  /**
   * Maximum wait for the store in ms. After this time, the delivery is handled without the store.
   * Default: 50.
   */
  readonly timeout?: number | undefined;
  /**
   * Claims a delivery for a claimant, or renews the claimant's claim.
   * @param delivery Opaque key of the delivery.
   * @param lease Milliseconds after which the claim expires.
   * @returns `granted`, `running` if another claimant is handling the delivery, or `handled`.
   */
  claimDelivery(
    delivery: string,
    claimant: string,
    lease: number,
  ): Promise<'granted' | 'running' | 'handled'>;
  /** Records a delivery as handled, for `lifetime` milliseconds. */
  completeDelivery(delivery: string, lifetime: number): Promise<void>;
  /** Releases a claimant's claim so that a redelivery is handled again. */
  releaseDelivery(delivery: string, claimant: string): Promise<void>;
}
