/**
 * Period in ms to which the number of allowed calls applies. The period is a quarter longer than
 * `burst`, because requests take different times to arrive.
 */
const period = 125;

/**
 * Length of a burst in ms. Requests sent within this time before a rejected request count toward
 * the same limit.
 */
const burst = 100;

/** Minimum number of accepted requests for estimating the limit from a burst. */
const minMeasured = 4;

/** Time in ms after a rejection during which the burst's other responses arrive. */
export const settling = 300;

/** Number of accepted requests to remember. A power of two. */
export const memory = 256;

/** Lowest rate: one call per minute. */
const minAllowed = period / 60_000;

/** How late a call can start, in ms, without delaying later calls. */
const tolerance = 10;

/** Minimum pause in ms for computing the growth rate. Shorter pauses count as this long. */
const minPause = 1000;

/** A measured rate starts to grow after this multiple of the pause's length. */
const keptFor = 10;

/**
 * `growsIn`: a rate grows by its initial value within this multiple of the pause's length.
 * `maxGrowth`: growth factor at which the rate is forgotten.
 */
const [growsIn, maxGrowth] = [12, 16];

/**
 * Paces calls after a pause that a secondary limit caused. All times are in ms and use the same
 * clock.
 *
 * The initial rate is the number of requests that the server accepted just before a rejection. If
 * that number is small, the rate doubles while the server accepts requests. Each rejection halves
 * the rate. After that, the rate grows only slowly, because each rejection costs a pause. Finally,
 * the rate is forgotten.
 */
export class SlowStart {
  /** Number of calls allowed per period. Infinity if no rate is known. */
  #allowed = Number.POSITIVE_INFINITY;
  /** Whether each accepted request raises the rate. */
  #doubles = false;
  /**
   * Start of the burst from which the rate must be measured. Undefined if the rate doesn't need to
   * be measured.
   */
  #measuredFrom: number | undefined;
  /** Whether this process measured the rate and hasn't adopted a shared rate since then. */
  #isMeasured = false;
  #rejectedAt = Number.NEGATIVE_INFINITY;
  /** When the linear growth begins. */
  #growsFrom = 0;
  /** Length of the last pause, at least `minPause`. */
  #pause = minPause;
  #next = 0;
  readonly #accepted: readonly number[];

  /** @param accepted times at which the last accepted requests were sent, in any order. */
  constructor(accepted: readonly number[]) {
    this.#accepted = accepted;
  }

  /** Records a request that the server accepted after a rejection. */
  accept(sentAt: number): void {
    if (this.#doubles && sentAt > this.#rejectedAt) this.#raise();
  }

  /** Records calls of other processes that the server has not rejected. */
  raise(starts: number): void {
    for (let left = Math.min(starts, memory); this.#doubles && left > 0; left--) this.#raise();
  }

  /**
   * Adopts the rate of all processes.
   * @param interval time in ms between two calls, across all processes.
   * @param isOutdated whether this process missed a pause, so its own rate is too high.
   */
  adopt(interval: number, isOutdated: boolean, now: number): void {
    if (!this.isPacing(now)) this.#growsFrom = now;
    const shared = period / interval / (1 + this.#growth(now));
    const isFaster = shared > this.#allowed && this.#allowed !== Number.POSITIVE_INFINITY;
    if (isFaster && this.#isMeasured) this.#doubles = shared < minMeasured;
    this.#isMeasured = false;
    if (isFaster || isOutdated || this.#allowed === Number.POSITIVE_INFINITY)
      this.#allowed = shared;
  }

  /**
   * Returns the interval in ms that this process alone has measured, once all responses have
   * arrived. Returns 0 before that time and on later calls.
   */
  measured(now: number): number {
    if (this.#measuredFrom === undefined || now - this.#rejectedAt < settling) return 0;
    const accepted = this.#measure(this.#measuredFrom, now);
    return accepted > 0 ? period / accepted : 0;
  }

  #raise(): void {
    this.#allowed = Math.min(this.#allowed + 1, this.#allowed * 2);
  }

  /**
   * Records a request that the server rejected. Only the first rejection of a burst changes the
   * rate.
   * @param sentAt when the request was sent.
   * @param pause length of the pause in ms that the server demands.
   */
  reject(sentAt: number, now: number, pause: number): void {
    if (sentAt <= this.#rejectedAt) return;
    const rate = this.#rate(now);
    this.#rejectedAt = now;
    this.#pause = Math.max(minPause, pause);
    this.#doubles = false;
    if (rate === Number.POSITIVE_INFINITY) {
      this.#measuredFrom = sentAt - burst;
      return;
    }
    this.#allowed = Math.max(minAllowed, rate / 2);
    this.#growsFrom = now + pause;
  }

  isPacing(now: number): boolean {
    return this.interval(now) > 0;
  }

  /** Returns the time in ms between two calls, or 0 if calls aren't paced. */
  interval(now: number): number {
    if (this.#measuredFrom !== undefined) this.#measure(this.#measuredFrom, now);
    return period / this.#rate(now);
  }

  /** Returns the earliest time for the next call, or 0 if calls aren't paced. */
  nextStart(now: number): number {
    return this.isPacing(now) ? this.#next : 0;
  }

  start(now: number): void {
    const due = now - this.#next <= tolerance ? this.#next : now;
    this.#next = due + this.interval(now);
  }

  reset(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
    this.#measuredFrom = undefined;
    this.#next = 0;
  }

  /**
   * Measures the rate that the server accepted. Called when all responses of the burst have
   * arrived.
   */
  #measure(from: number, now: number): number {
    const accepted = this.#accepted.filter((sentAt) => sentAt >= from).length;
    this.#measuredFrom = undefined;
    this.#allowed = Math.max(1, accepted);
    this.#doubles = accepted < minMeasured;
    this.#growsFrom = now + keptFor * this.#pause;
    this.#isMeasured = true;
    return accepted;
  }

  #rate(now: number): number {
    const growth = this.#growth(now);
    if (growth > maxGrowth) this.reset();
    return this.#allowed * (1 + growth);
  }

  #growth(now: number): number {
    return Math.max(0, now - this.#growsFrom) / (growsIn * this.#pause);
  }
}
