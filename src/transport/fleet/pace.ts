/**
 * Maximum time in ms between two reports from a process that has units or slots. The replies report
 * pauses and waiting processes.
 */
export const heartbeat = 1000;

/**
 * Time in ms after a reply during which a store must keep a process's data. If data is missing
 * within this time, the store has lost it.
 */
export const maxSilence = 3_600_000;

/** Lease duration in ms. Units and slots of a silent process expire after this time. */
export const lease = 10_000;

/** Time in ms after which idle units and slots are returned if other processes may need them. */
export const idle = 20;

/**
 * Time in ms for which a process keeps a granted slot, even if other processes are waiting for it.
 */
export const turn = 50;

/**
 * Minimum and maximum time in ms between two requests for units or slots that other processes have.
 */
const [firstPoll, lastPoll] = [5, 200];

/** Additional delay in ms for each process that is ahead in the queue. */
const pollByPlace = 20;

/**
 * Upper limit of the delay, in ms per waiting process. Keeps the delay short if few processes wait.
 */
const pollByOther = 1;

/** Monotonic clock in ms. */
export const clock = () => performance.now();

/**
 * Schedules repeated requests for units or slots that other processes have. The delay grows until a
 * request is granted.
 */
export class Poll {
  #delay = firstPoll;
  #at = 0;

  /** Due time of the next request, on the {@link clock}. 0 for immediately. */
  get at(): number {
    return this.#at;
  }

  /**
   * Brings the next request forward after a change. Changes that happen together cause only one
   * request.
   */
  soon(): void {
    if (this.#at > 0) this.#at = Math.min(this.#at, clock() + firstPoll);
  }

  /** Schedules the next request late, because it is unlikely to be granted soon. */
  rarely(): void {
    this.record(false, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  /**
   * Schedules the next request after a reply.
   * @param served whether the request was granted, or nothing was needed.
   * @param ahead number of processes that are served before this one.
   * @param waiting number of other waiting processes.
   */
  record(served: boolean, ahead: number, waiting: number): void {
    const byPlace = Math.min(pollByPlace * (ahead + 1), pollByOther * waiting);
    const most = Math.min(lastPoll, Math.max(pollByPlace, byPlace));
    // A process far behind in the queue starts with a longer delay.
    const delay = Math.max(Math.min(most, this.#delay), most / 4);
    this.#at = served ? 0 : clock() + delay;
    this.#delay = served ? firstPoll : delay * 2;
  }
}
