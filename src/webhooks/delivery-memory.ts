/**
 * Tracks by key which deliveries are being handled or were handled. A redelivery that arrives while
 * the delivery is being handled gets the same outcome. If the handler fails, the delivery can be
 * handled again.
 */
export class DeliveryMemory<HttpResponse> {
  readonly #capacity: number;
  readonly #running = new Map<string, Promise<HttpResponse>>();
  readonly #done = new Set<string>();

  /**
   * @param capacity Number of handled deliveries to remember. The oldest are dropped first. 0 turns
   * off the memory.
   */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  knows(key: string | undefined): boolean {
    return key !== undefined && this.#done.has(key);
  }

  /**
   * Runs `handle`, unless it is already running for this key.
   * @param handle Handler that never rejects.
   * @param succeeded Returns whether the outcome means that the delivery was handled.
   */
  once(
    key: string | undefined,
    handle: () => Promise<HttpResponse>,
    succeeded: (outcome: HttpResponse) => boolean,
  ): Promise<HttpResponse> {
    if (key === undefined || this.#capacity === 0) return handle();
    const running = this.#running.get(key);
    if (running) return running;
    const outcome = handle().then((settled) => {
      this.#running.delete(key);
      if (succeeded(settled)) this.#remember(key);
      return settled;
    });
    this.#running.set(key, outcome);
    return outcome;
  }

  #remember(key: string): void {
    this.#done.add(key);
    if (this.#done.size <= this.#capacity) return;
    // A Set keeps insertion order, so its first value is the oldest delivery.
    const oldest = this.#done.values().next();
    if (!oldest.done) this.#done.delete(oldest.value);
  }
}
