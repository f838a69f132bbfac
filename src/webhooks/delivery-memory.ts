/**
 * Remembers which deliveries were handled, and which are being handled, by their keys. A delivery that
 * is sent again while it is handled shares its outcome; one whose handler failed may be tried again.
 */
export class DeliveryMemory<HttpResponse> {
  readonly #capacity: number;
  readonly #running = new Map<string, Promise<HttpResponse>>();
  readonly #done = new Set<string>();

  /** @param capacity how many handled ones are remembered; the oldest are forgotten. 0 remembers none. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the delivery was handled already. */
  knows(key: string | undefined): boolean {
    return key !== undefined && this.#done.has(key);
  }

  /**
   * Runs `handle`, unless it runs for this key already.
   * @param handle never rejects.
   * @param succeeded tells from its outcome whether the delivery was handled.
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
    // A Set keeps the order in which it was filled.
    const oldest = this.#done.values().next();
    if (!oldest.done) this.#done.delete(oldest.value);
  }
}
