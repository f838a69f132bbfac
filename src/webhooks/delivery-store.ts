/**
 * Store in which processes share the deliveries that were handled, such as `redisStore(client)` of
 * `triforge/redis`. Each method must be atomic.
 */
export interface DeliveryStore {
  /** Longest wait for the store in ms; the delivery is then handled without it. Default: 50. */
  readonly timeout?: number | undefined;
  /**
   * Claims a delivery for a claimant, or renews its claim.
   * @param delivery opaque key of the delivery.
   * @param lease milliseconds after which the claim ends by itself.
   * @returns `granted`, `running` if another claimant has it, or `handled`.
   */
  claimDelivery(
    delivery: string,
    claimant: string,
    lease: number,
  ): Promise<'granted' | 'running' | 'handled'>;
  /** Records that a delivery was handled, for `lifetime` milliseconds. */
  completeDelivery(delivery: string, lifetime: number): Promise<void>;
  /** Ends the claim of a claimant, so that a redelivery is handled again. */
  releaseDelivery(delivery: string, claimant: string): Promise<void>;
}
