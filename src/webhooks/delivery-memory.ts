import { createHash } from 'node:crypto';

/**
 * Which deliveries were handled, and which are being handled, by their ids. A delivery that is sent
 * again while it is handled shares its outcome; one whose handler failed may be tried again.
 */
export class DeliveryMemory<AttemptResult> {
  readonly #capacity: number;
  readonly #running = new Map<string, Promise<AttemptResult>>();
  readonly #done = new Set<string>();

  /** @param capacity how many handled ones are remembered; the oldest are forgotten. 0 remembers none. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether the delivery was handled already. */
  knows(id: string | undefined): boolean {
    return id !== undefined && this.#done.has(keyOf(id));
  }

  /**
   * Runs `handle`, unless it runs for this id already.
   * @param handle never rejects.
   * @param succeeded tells from its outcome whether the delivery was handled.
   */
  once(
    id: string | undefined,
    handle: () => Promise<AttemptResult>,
    succeeded: (outcome: AttemptResult) => boolean,
  ): Promise<AttemptResult> {
    if (id === undefined || this.#capacity === 0) return handle();
    const key = keyOf(id);
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

/** The header is not signed: a long id must not fill the memory. */
function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}
