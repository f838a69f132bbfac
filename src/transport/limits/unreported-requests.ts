/** Maximum number of requests to remember, which is a common hourly limit. */
const maxRequests = 5000;

/** Time in ms within which a server may count requests out of order. */
const maxOvertaking = 100;

/** End of a request that got no rate-limit report. */
interface RequestEnd {
  readonly sequence: number;
  /** Time of the request's end on the limiter's clock, in ms. */
  readonly at: number;
}

/**
 * Requests that used a quota but ended without a rate-limit report, such as aborted requests. The
 * server may have counted them, so they count as spent until a later report includes them, or the
 * window ends.
 */
export class UnreportedRequests {
  #ends: RequestEnd[] = [];
  #isAfterWindow = false;

  get length(): number {
    return this.#ends.length;
  }

  /**
   * Returns the number of requests that ended within the quota's window, or after it if `inWindow`
   * is false.
   */
  count(inWindow: boolean): number {
    return inWindow === this.#isAfterWindow ? 0 : this.#ends.length;
  }

  /** @param inWindow whether the request ended within the quota's window. */
  add(end: RequestEnd, inWindow: boolean): void {
    if (!inWindow && !this.#isAfterWindow) {
      this.#isAfterWindow = true;
      this.#ends = [];
    }
    if (this.#ends.length < maxRequests) this.#ends.push(end);
  }

  /**
   * Drops the requests that a response's report includes.
   * @param asOf sequence number of the event at which the response's request was sent.
   * @param sentAt time of that event.
   */
  report(asOf: number, sentAt: number): void {
    this.#keep(({ sequence, at }) => sequence > asOf || at > sentAt - maxOvertaking);
  }

  /** Drops the requests up to the `asOf` event, because they were reported to other processes. */
  share(asOf: number): void {
    this.#keep(({ sequence }) => sequence > asOf);
  }

  #keep(isKept: (end: RequestEnd) => boolean): void {
    this.#isAfterWindow = false;
    this.#ends = this.#ends.filter(isKept);
  }
}
